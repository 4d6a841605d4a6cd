"""`companion moves`: how many moves a board allows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from companion.cli.inputs import opened_position, tell
from companion.cli.locale import translate
from companion.cli.options import PositionInput
from companion.cli.output import note, print_json, print_text
from companion.cli.wrapping import wrapped
from companion.language.phrase import say, thousands
from companion.rules.engine.counting import MAX_BOARD_HAND, MoveCounts, count_moves
from companion.rules.model.board import COLUMNS, ROWS, Board


def moves(*, given: PositionInput) -> None:
    """Count the legal moves of the meeples, those of each start tile too.

    Example: companion moves game.toml
    """
    opened = opened_position(given)
    tell(opened)
    board = opened.position.board
    counts = count_moves(board)
    if counts.boards is None:
        note("Boards are only counted for hands of up to {most} meeples; a tile here has more.", most=MAX_BOARD_HAND)
    if given.as_json:
        print_json({"sequences": counts.sequences, "boards": counts.boards, "outcomes": counts.outcomes})
    else:
        for line in _lines(counts, board):
            print_text(line)


def _lines(counts: MoveCounts, board: Board) -> Iterator[str]:
    """The counts in words, and those of each start tile."""
    from rich.cells import cell_len, set_cell_size

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
    yield ""
    if counts.sequences:
        yield say("Sequences by start tile (. holds no meeples)")
        yield from _grid(counts, board)
    else:
        yield say("No legal move here: the player to move skips it and this round is the last (rules 9.2).")


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
