"""`companion moves`: how many moves a board allows, and which."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from companion.cli.inputs import opened_position, tell
from companion.cli.options import PositionInput
from companion.cli.output import note, print_json, print_text
from companion.errors import UsageError
from companion.language.phrase import joined
from companion.rules.engine.counting import MAX_BOARD_HAND, count_moves
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.board import SQUARES, parse_square


def moves(
    start: Annotated[str | None, typer.Option("--from", metavar="TILE", help="Only moves from this tile.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Also list moves, one a line.")] = False,
    top: Annotated[int, typer.Option(min=1, help="How many moves to list at most.")] = 20,
    *,
    given: PositionInput,
) -> None:
    """Count the legal moves of the meeples, those of each start tile too.

    Example: companion moves game.toml --from c3 --list
    """
    from companion.cli.views.moves_view import moves_document, moves_lines

    starts = _starts(start)
    opened = opened_position(given)
    tell(opened)
    board = opened.position.board
    counts = count_moves(board, starts)
    sowings = list(islice(legal_sowings(board, starts), top)) if listed else []
    if counts.boards is None:
        note("Boards are only counted for hands of up to {most} meeples; a tile here has more.", most=MAX_BOARD_HAND)
    if given.as_json:
        print_json(moves_document(counts, sowings if listed else None))
    else:
        for line in moves_lines(counts, board, starts, sowings):
            print_text(line)


def _starts(name: str | None) -> range:
    if name is None:
        return range(SQUARES)
    try:
        square = parse_square(name)
    except ValueError as error:
        raise UsageError(joined(": ", ("--from", str(error)))) from None
    return range(square, square + 1)
