"""How many moves a board allows, and which: in words and as JSON."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from companion.cli.locale import translate
from companion.cli.wrapping import wrapped
from companion.language.phrase import say, thousands
from companion.notation.tokens import sowing_document
from companion.rules.engine.counting import MoveCounts
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board


def moves_document(counts: MoveCounts, listed: Sequence[Sowing] | None) -> dict[str, object]:
    """What `--json` prints: the counts, and the moves if they are to be listed."""
    document: dict[str, object] = {"sequences": counts.sequences, "boards": counts.boards, "outcomes": counts.outcomes}
    return document if listed is None else {**document, "moves": [sowing_document(sowing) for sowing in listed]}


def moves_lines(counts: MoveCounts, board: Board, starts: range, listed: Sequence[Sowing]) -> Iterator[str]:
    """The counts in words, those of each start tile if there are several, and the moves that are listed."""
    boards = say("too many to count") if counts.boards is None else thousands(counts.boards)
    told = (
        (say("sequences"), thousands(counts.sequences), say("ordered drops of the meeples")),
        (say("boards"), boards, say("different boards to leave")),
        (say("outcomes"), thousands(counts.outcomes), say("different takings: from, to, colour, number, emptied")),
    )
    names = [translate(name) for name, _, _ in told]
    width = max(map(cell_len, names))
    for name, (_, number, meaning) in zip(names, told, strict=True):
        head = f"{set_cell_size(name, width)}  {translate(number)}  "
        yield from wrapped(translate(meaning), shutil.get_terminal_size().columns, head, " " * (width + 2))
    if not counts.sequences:
        yield ""
        if len(starts) == 1:
            # What other tiles allow was not looked at.
            yield say(
                "No legal move begins on {tile}; without --from the moves of all tiles are counted.",
                tile=SQUARE_NAMES[starts[0]],
            )
        else:
            yield say("No legal move here: the player to move skips it and this round is the last (rules 9.2).")
    elif len(starts) > 1:
        yield ""
        yield say("Sequences by start tile (. holds no meeples)")
        yield from _grid(counts, board)
    if listed:
        yield ""
        yield from map(str, listed)
        if counts.sequences > len(listed):
            yield say("... and {count:,} more; --top shows more of them", count=counts.sequences - len(listed))


def _grid(counts: MoveCounts, board: Board) -> Iterator[str]:
    cells = [
        translate(thousands(number)) if any(tile.meeples) else "."
        for number, tile in zip(counts.by_start, board, strict=True)
    ]
    widths = [max(3, *(len(cell) for cell in cells[column::COLUMNS])) for column in range(COLUMNS)]
    yield "   " + "  ".join(f"{letter:>{width}}" for letter, width in zip("abcdef", widths, strict=True))
    for row in range(ROWS):
        line = cells[row * COLUMNS : (row + 1) * COLUMNS]
        yield f" {row + 1} " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
