"""`companion read`: a photo of the table to a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import AsJson, Force


def read(
    photo: Annotated[
        Path,
        typer.Argument(
            allow_dash=True, help="The photo: the whole sultanate in view, from above, any side; - for standard input."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the position to this file (.toml or .json).")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="Write the photo with the reading drawn on it (.jpg or .png).")
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option("--cards", help="A photo, the same or another, whose djinn cards' titles are read by Tesseract."),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Read the board from a photo.

    Example: companion read table.jpg --overlay seen.jpg -o table.toml
    """
    from companion.cli.output import (
        PICTURE_ENDINGS,
        POSITION_ENDINGS,
        check_outputs,
        console,
        note,
        print_json,
        write_file,
        write_position,
    )

    check_outputs((output, POSITION_ENDINGS), (overlay, PICTURE_ENDINGS), force=force)
    from companion.cli.inputs import piped_photo
    from companion.vision.load import decode_photo, load_photo
    from companion.vision.pipeline import read_picture

    picture = decode_photo(piped_photo(), "standard input") if str(photo) == "-" else load_photo(photo)
    reading = read_picture(picture)
    if cards is not None:
        from dataclasses import replace

        from companion.vision.titles import face_up, read_titles

        titles = read_titles(picture if cards == photo else load_photo(cards))
        if titles:
            reading = replace(reading, position=replace(reading.position, djinns=face_up(titles)))
        else:
            note(f"no djinn's name could be read in {cards}: take the cards from straight above, filling the picture")
    if overlay is not None:
        from companion.vision.overlay import draw_overlay, encode_picture

        write_file(overlay, encode_picture(draw_overlay(picture, reading), overlay.suffix), force=force)
    if output is not None:
        write_position(output, reading.position, force=force)
    if as_json:
        from companion.vision.document import reading_document

        print_json(reading_document(reading))
        return
    from companion.cli.board_view import board_view
    from companion.cli.reading_view import doubt_lines

    screen = console()
    screen.print(board_view(reading.position.board, doubtful_squares=reading.doubtful))
    if reading.position.djinns is not None:
        screen.print("Djinns: " + ", ".join(reading.position.djinns), markup=False)
    for line in doubt_lines(reading):
        screen.print(line, markup=False)
    for path in (output, overlay):
        if path is not None:
            note(f"written: {path}")
