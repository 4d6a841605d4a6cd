"""`companion moves`: how many moves a board allows, and which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import AsJson, Ask, Cards, Force, Goods, Overlay, PositionFile, Sources

if TYPE_CHECKING:
    from companion.rules.engine.counting import MoveCounts
    from companion.rules.model.board import Board


def moves(
    position: Sources,
    start: Annotated[
        str | None, typer.Option("--from", metavar="TILE", help="Only moves from this tile.", show_default=False)
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Also list moves, one a line.")] = False,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="How many moves to list at most.")] = 20,
    goods: Goods = None,
    cards: Cards = None,
    ask: Ask = False,
    overlay: Overlay = None,
    output: PositionFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Count the legal moves of the meeples, those of each start tile too.

    Example: companion moves game.toml --from c3 --list
    """
    from itertools import islice

    from companion.cli.inputs import open_inputs, tell
    from companion.cli.output import note, print_json, say
    from companion.notation.moves import sowing_document
    from companion.rules.engine.counting import LONGEST_BOARD_HAND, count_moves
    from companion.rules.engine.sowing import legal_sowings

    starts = _starts(start)
    opened = open_inputs(
        position, goods=goods, cards=cards, ask=ask, overlay=overlay, output=output, force=force, quiet=as_json
    )
    tell(opened)
    board = opened.position.board
    counts = count_moves(board, starts)
    sowings = list(islice(legal_sowings(board, starts), top)) if listed else []
    if counts.boards is None:
        note(f"Boards are counted for hands of up to {LONGEST_BOARD_HAND} meeples; a tile here holds more.")
    if as_json:
        document: dict[str, object] = {
            "sequences": counts.sequences,
            "boards": counts.boards,
            "outcomes": counts.outcomes,
        }
        if listed:
            document["moves"] = [sowing_document(sowing) for sowing in sowings]
        print_json(document)
        return
    for line in _count_lines(counts, board, starts):
        say(line)
    if listed and sowings:
        say("")
        for sowing in sowings:
            say(str(sowing))
        if counts.sequences > len(sowings):
            say(f"... and {counts.sequences - len(sowings):,} more; --top shows more of them")


def _starts(name: str | None) -> range:
    from companion.rules.model.board import SQUARES, parse_square

    if name is None:
        return range(SQUARES)
    try:
        square = parse_square(name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--from") from None
    return range(square, square + 1)


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
    from companion.rules.model.board import COLUMNS, ROWS

    cells = [f"{number:,}" if any(tile.meeples) else "." for number, tile in zip(counts.by_start, board, strict=True)]
    widths = [max(3, *(len(cell) for cell in cells[column::COLUMNS])) for column in range(COLUMNS)]
    yield "   " + "  ".join(f"{letter:>{width}}" for letter, width in zip("abcdef", widths, strict=True))
    for row in range(ROWS):
        line = cells[row * COLUMNS : (row + 1) * COLUMNS]
        yield f" {row + 1} " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
