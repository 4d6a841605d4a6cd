"""How many moves a board allows, and which: in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.notation.moves import sowing_document
from companion.rules.engine.counting import MoveCounts
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, Board


def moves_document(counts: MoveCounts, listed: Sequence[Sowing] | None) -> dict[str, object]:
    """What `--json` prints: the counts, and the moves if they are to be listed."""
    document: dict[str, object] = {
        "sequences": counts.sequences,
        "boards": counts.boards,
        "outcomes": counts.outcomes,
    }
    return document if listed is None else {**document, "moves": [sowing_document(sowing) for sowing in listed]}


def moves_lines(counts: MoveCounts, board: Board, starts: range, listed: Sequence[Sowing]) -> Iterator[str]:
    """The counts in words, those of each start tile if there are several, and the moves that are listed."""
    yield from _count_lines(counts, board, starts)
    if listed:
        yield ""
        yield from map(str, listed)
        if counts.sequences > len(listed):
            yield f"... and {counts.sequences - len(listed):,} more; --top shows more of them"


def _count_lines(counts: MoveCounts, board: Board, starts: range) -> Iterator[str]:
    boards = "too many to count" if counts.boards is None else f"{counts.boards:,}"
    yield f"sequences  {counts.sequences:,}  ordered drops of the meeples"
    yield f"boards     {boards}  different boards to leave"
    yield f"outcomes   {counts.outcomes:,}  different takings: from, to, colour, number, emptied"
    if not counts.sequences:
        yield ""
        yield "No legal move here: the player to move skips it and this round is the last (rules 9.2)."
    elif len(starts) > 1:
        yield ""
        yield "Sequences by start tile (. holds no meeples)"
        yield from _grid(counts, board)


def _grid(counts: MoveCounts, board: Board) -> Iterator[str]:
    cells = [f"{number:,}" if any(tile.meeples) else "." for number, tile in zip(counts.by_start, board, strict=True)]
    widths = [max(3, *(len(cell) for cell in cells[column::COLUMNS])) for column in range(COLUMNS)]
    yield "   " + "  ".join(f"{letter:>{width}}" for letter, width in zip("abcdef", widths, strict=True))
    for row in range(ROWS):
        line = cells[row * COLUMNS : (row + 1) * COLUMNS]
        yield f" {row + 1} " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
