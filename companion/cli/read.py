"""`companion read`: photos of the table to a position."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import AsJson, Force

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading import Reading
    from companion.vision.table import Shot, TableReading


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
    ask: Annotated[bool, typer.Option("--ask", help="Go through the doubtful tiles and ask.")] = False,
    crops: Annotated[
        Path | None,
        typer.Option("--crops", metavar="FOLDER", help="Write a picture of each doubtful tile.", show_default=False),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Read the board, and the cards beside it, from photos.

    Example: companion read table.jpg --overlay seen.jpg -o table.toml

    Several make one position: companion read above.jpg side.jpg cards.jpg
    """
    from companion.cli.output import (
        PICTURE_ENDINGS,
        POSITION_ENDINGS,
        check_outputs,
        note,
        print_json,
        write_file,
        write_position,
    )
    from companion.cli.photos import STANDARD_INPUT, check_photos, load_goods, load_shots, parse_goods
    from companion.cli.progress import progress
    from companion.errors import UsageError

    check_outputs((output, POSITION_ENDINGS), (overlay, PICTURE_ENDINGS), force=force)
    held = parse_goods(goods or [])
    check_photos(photos, cards, held)
    if ask and STANDARD_INPUT in photos:
        raise UsageError(
            "--ask takes its answers from standard input, so the photo cannot come from there: name a file"
        )
    with progress(f"reading {photos[0]}", wanted=not as_json) as line:
        from companion.vision.paints import own_paints
        from companion.vision.table import read_table

        shots = load_shots(photos, cards)
        table = read_table(shots, load_goods(held, shots), own_paints(os.environ), line.say)
    if ask or table.reading.doubtful:
        table = _look_closer(shots, table, ask=ask, crops=crops, force=force)
    if overlay is not None:
        from companion.vision.overlay import draw_overlay, encode_picture

        shown = shots[next(iter(table.views), 0)].picture
        write_file(overlay, encode_picture(draw_overlay(shown, table.reading), overlay.suffix), force=force)
    if output is not None:
        write_position(output, table.reading.position, force=force)
    if as_json:
        from companion.vision.document import table_document

        print_json(table_document(table))
        return
    _show(table)
    for path in (output, overlay):
        if path is not None:
            note(f"written: {path}")


def _show(table: TableReading) -> None:
    from companion.cli.board_view import board_view
    from companion.cli.output import console
    from companion.cli.reading_view import card_doubts, card_lines, doubt_lines

    screen = console()
    screen.print(board_view(table.reading.position.board, doubtful_squares=table.reading.doubtful))
    for line in (*card_lines(table), *doubt_lines(table.reading), *card_doubts(table)):
        screen.print(line, markup=False)


def _look_closer(
    shots: Sequence[Shot], table: TableReading, *, ask: bool, crops: Path | None, force: bool
) -> TableReading:
    """Take what was told before of the doubtful tiles; write pictures of the others and ask, as far as is wanted."""
    from dataclasses import replace

    import numpy as np

    from companion.cli.crop_files import write_crops
    from companion.cli.output import note
    from companion.vision.crops import tile_pictures
    from companion.vision.examples import examples_folder, recall

    reading = table.reading
    views = [(shots[number].picture, np.array(homography)) for number, homography in table.views.items()]
    pictures = tile_pictures(views, reading.doubtful) if views else {}
    known = {square: recall(examples_folder(), kept) for square, (kept, _) in pictures.items()}
    for square, tile in known.items():
        if tile is not None:
            reading = reading.told(square, tile)
    told = sum(tile is not None for tile in known.values())
    if told:
        before = f"{told} {'tile is' if told == 1 else 'tiles are'} as you told of this photo before."
        reading = replace(reading, notes=(*reading.notes, before))
    left = {square: pair for square, pair in pictures.items() if known[square] is None}
    if left and (ask or crops is not None):
        folder = write_crops({square: wide for square, (_, wide) in left.items()}, crops, force=force)
        note(f"pictures of the doubtful tiles: {folder}")
    return replace(table, reading=_asked(reading, left) if ask else reading)


def _asked(reading: Reading, pictures: Mapping[int, tuple[Picture, Picture]]) -> Reading:
    """Ask for the doubtful tiles; `pictures` are to keep and to look at, by square."""
    from datetime import datetime

    from companion.cli.ask_photo import ask_tiles
    from companion.cli.asking import standard_terminal
    from companion.cli.output import note
    from companion.cli.tile_picture import show_picture
    from companion.rules.board import Tile
    from companion.rules.legality import problems
    from companion.vision.examples import examples_folder, save_example

    today = datetime.now().astimezone().date().isoformat()

    def remember(square: int, tile: Tile) -> None:
        if square in pictures:
            save_example(examples_folder(), pictures[square][0], tile, reading.tiles[square].tile, today)

    shown = {square: wide for square, (_, wide) in pictures.items()}
    asked = ask_tiles(standard_terminal(), reading, shown, show_picture, remember)
    if asked.answered:
        for problem in problems(asked.reading.position):
            note(f"{problem.where}: {problem.message} (rules {problem.rule})")
    return asked.reading
