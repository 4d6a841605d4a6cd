"""`companion read`: photos of the table to a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cli.options import AsJson, Ask, Cards, Crops, Force, Goods, Overlay, PositionFile, Resume, Sources

if TYPE_CHECKING:
    from companion.vision.reading.table import TableReading


def read(
    photos: Sources,
    goods: Goods = None,
    cards: Cards = None,
    ask: Ask = False,
    resume: Resume = False,
    crops: Crops = None,
    overlay: Overlay = None,
    output: PositionFile = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Read the board, and the cards beside it, from photos.

    Example: companion read table.jpg --overlay seen.jpg -o table.toml

    Several make one position: companion read above.jpg side.jpg cards.jpg
    """
    from companion.cli.inputs import open_inputs
    from companion.cli.output import print_json

    opened = open_inputs(
        photos,
        goods=goods,
        cards=cards,
        ask=ask or resume,
        resume=resume,
        crops=crops,
        overlay=overlay,
        output=output,
        force=force,
        quiet=as_json,
        checked=False,
        photos_only=True,
    )
    assert opened.reading is not None, "photos were read"
    table = opened.reading
    if as_json:
        from companion.vision.reading.document import table_document

        print_json(table_document(table))
    else:
        _show(table)


def _show(table: TableReading) -> None:
    from companion.cli.output import console
    from companion.cli.views.board_view import board_view
    from companion.cli.views.reading_view import card_doubts, card_lines, doubt_lines

    screen = console()
    screen.print(board_view(table.reading.position.board, doubtful_squares=table.reading.doubtful))
    for line in (*card_lines(table), *doubt_lines(table.reading), *card_doubts(table)):
        screen.print(line, markup=False)
