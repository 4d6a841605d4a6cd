"""`companion read`: photos of the table to a position."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import AsJson, Force

if TYPE_CHECKING:
    from companion.vision.reading.table import TableReading


def read(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO",
            allow_dash=True,
            help="Photos of one table: the whole sultanate, any side, from one angle or several; its cards;"
            " - for standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the position to this file (.toml or .json).")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="Write the photo with the reading drawn on it (.jpg or .png).")
    ] = None,
    goods: Annotated[
        list[str] | None,
        typer.Option(
            "--goods", metavar="COLOUR=PHOTO", help="A photo of a player's goods and fakirs.", show_default=False
        ),
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option("--cards", help="A photo, the same or another, whose djinn cards' titles are read by Tesseract."),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Go through the doubtful tiles and cards and ask.")] = False,
    crops: Annotated[
        Path | None,
        typer.Option(
            "--crops", metavar="FOLDER", help="Write a picture of each doubtful tile and card.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Read the board, and the cards beside it, from photos.

    Example: companion read table.jpg --overlay seen.jpg -o table.toml

    Several make one position: companion read above.jpg side.jpg cards.jpg
    """
    from companion.cli.output import PICTURE_ENDINGS, POSITION_ENDINGS, check_outputs, note, print_json, write_position
    from companion.cli.progress import progress
    from companion.errors import UsageError
    from companion.opening.photos import STANDARD_INPUT, check_photos, load_goods, load_shots, parse_goods
    from companion.storage import write_file

    held = parse_goods(goods or [])
    inputs = [*photos, cards, *held.values()]
    check_outputs((output, POSITION_ENDINGS), (overlay, PICTURE_ENDINGS), force=force, inputs=inputs)
    check_photos(photos, cards, held)
    if ask and STANDARD_INPUT in (*photos, cards, *held.values()):
        raise UsageError(
            "--ask takes its answers from standard input, so the photo cannot come from there: name a file"
        )
    with progress(f"reading {photos[0]}", wanted=not as_json) as line:
        from companion.vision.colour.paints import own_paints
        from companion.vision.reading.table import read_table

        shots = load_shots(photos, cards)
        laid = load_goods(held, shots)
        table = read_table(shots, laid, own_paints(os.environ), line.say)
    if ask or crops is not None or table.reading.doubtful:
        from companion.cli.dialogue.look_closer import look_closer

        table = look_closer(shots, laid, table, ask=ask, crops=crops, force=force)
    if overlay is not None:
        from companion.vision.reading.overlay import draw_overlay, encode_picture

        shown = shots[next(iter(table.views), 0)].picture
        write_file(overlay, encode_picture(draw_overlay(shown, table.reading), overlay.suffix), force=force)
    if output is not None:
        write_position(output, table.reading.position, force=force)
    if as_json:
        from companion.vision.reading.document import table_document

        print_json(table_document(table))
        return
    _show(table)
    for path in (output, overlay):
        if path is not None:
            note(f"written: {path}")


def _show(table: TableReading) -> None:
    from companion.cli.output import console
    from companion.cli.views.board_view import board_view
    from companion.cli.views.reading_view import card_doubts, card_lines, doubt_lines

    screen = console()
    screen.print(board_view(table.reading.position.board, doubtful_squares=table.reading.doubtful))
    for line in (*card_lines(table), *doubt_lines(table.reading), *card_doubts(table)):
        screen.print(line, markup=False)
