"""`companion moves`: how many moves a board allows, and which."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated

import typer

from companion.cli.inputs import opened_position, tell
from companion.cli.locale import translate
from companion.cli.options import PositionInput, reading_option
from companion.cli.output import note, print_json, print_text
from companion.cli.wrapping import wrapped
from companion.language.phrase import say, thousands
from companion.notation.tokens import sowing_document
from companion.rules.engine.counting import MAX_BOARD_HAND, MoveCounts, count_moves
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, SQUARES, Board, parse_square


def moves(
    start: Annotated[str | None, typer.Option("--from", metavar="TILE", help="Only moves from this tile.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Also list moves, one per line.")] = False,
    top: Annotated[int, typer.Option(min=1, help="How many moves to list at most.")] = 20,
    *,
    given: PositionInput,
) -> None:
    """Count the legal moves of the meeples, those of each start tile too.

    Example: companion moves game.toml --from c3 --list
    """
    starts = _starts(start)
    opened = opened_position(given)
    tell(opened)
    board = opened.position.board
    counts = count_moves(board, starts)
    sowings = list(islice(legal_sowings(board, starts), top)) if listed else []
    if counts.boards is None:
        note("Boards are only counted for hands of up to {most} meeples; a tile here has more.", most=MAX_BOARD_HAND)
    if given.as_json:
        totals = {"sequences": counts.sequences, "boards": counts.boards, "outcomes": counts.outcomes}
        print_json({**totals, "moves": list(map(sowing_document, sowings))} if listed else totals)
    else:
        for line in _lines(counts, board, starts, sowings):
            print_text(line)


def _starts(name: str | None) -> range:
    if name is None:
        return range(SQUARES)
    with reading_option("--from"):
        square = parse_square(name)
    return range(square, square + 1)


def _lines(counts: MoveCounts, board: Board, starts: range, listed: Sequence[Sowing]) -> Iterator[str]:
    """The counts in words, those of each start tile if there are several, and the moves that are listed."""
    from rich.cells import cell_len, set_cell_size

    boards = say("too many to count") if counts.boards is None else thousands(counts.boards)
    rows = (
        (say("sequences"), thousands(counts.sequences), say("different orders of dropping the meeples")),
        (say("boards"), boards, say("different boards to leave")),
        (say("outcomes"), thousands(counts.outcomes), say("different ways to take: from, to, colour, number, emptied")),
    )
    names = [translate(name) for name, _, _ in rows]
    width = max(map(cell_len, names))
    for name, (_, number, meaning) in zip(names, rows, strict=True):
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
