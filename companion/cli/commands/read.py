"""`companion read`: photos of the table to a position."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.inputs import check_answers, input_files, open_inputs
from companion.cli.options import AsJson, Force, PhotoOptions, PositionFile, Resume
from companion.cli.output import PICTURE_ENDINGS, POSITION_ENDINGS, check_outputs, print_json, write_and_tell
from companion.errors import UsageError
from companion.notation.files import format_position
from companion.notation.outcome import ResultAloneError

if TYPE_CHECKING:
    from companion.opening.position import Opened
    from companion.vision.reading.session import PhotoSession


def read(
    photos: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO",
            help="One or several photos of a table, a photo or picture of a score sheet, or - for standard input.",
        ),
    ],
    options: PhotoOptions,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="PICTURE", help="Write the photo with the reading drawn on it (.jpg or .png)."),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Keep the reader's own pictures of the board, to see why a tile was misread."
        ),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask about doubtful tiles and cards.")] = False,
    resume: Resume = False,
    output: PositionFile = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Read the board, and the cards beside it, from photos.

    Example: companion read table.jpg --overlay seen.jpg -o table.toml

    A photo or picture of a score sheet gives back its position and result.

    Several make one position: companion read above.jpg side.jpg cards.jpg
    """
    from companion.cli.views.reading_view import print_reading, reading_document

    inputs = input_files(photos, options)
    first = keep / "1-board.jpg" if keep is not None and keep.is_dir() else None
    check_outputs((output, POSITION_ENDINGS), (overlay, PICTURE_ENDINGS), (first, ()), force=force, inputs=inputs)
    ask = ask or resume
    check_answers(ask, inputs)
    if keep is not None:
        from companion.storage import made_folder

        made_folder(keep)
    try:
        opened = open_inputs(photos, options, quiet=as_json, checked=False, photos_only=True)
    except ResultAloneError as alone:
        if options.given or overlay or ask or output:
            raise
        from companion.cli.views.score_table import print_outcome

        print_outcome(alone.outcome, as_json=as_json)
        return
    photographed = opened.photos
    assert photographed is not None, "photos were read"
    with ExitStack() as drafts:
        if ask:
            from companion.cli.dialogue.photo_doubts import review

            opened = opened.answered(drafts.enter_context(review(photographed, resume=resume)))
        files: dict[Path, bytes | Iterator[bytes]] = {}
        if output is not None:
            files[output] = format_position(opened.position, output.suffix).encode()
        if overlay is not None:
            files[overlay] = _drawn(opened, overlay.suffix)
        if keep is not None:
            files |= _intermediate_files(photographed, keep)
        write_and_tell(files, force=force)
    assert opened.reading is not None, "photos were read"
    if as_json:
        print_json(reading_document(opened.reading))
    else:
        print_reading(opened.reading)


def _intermediate_files(photos: PhotoSession, folder: Path) -> dict[Path, bytes]:
    """The files in which the reader's pictures of the board are kept."""
    from companion.vision.reading.intermediate import intermediate_pictures
    from companion.vision.reading.overlay import encode_picture

    return {folder / f"{name}.jpg": encode_picture(picture, ".jpg") for name, picture in intermediate_pictures(photos)}


def _drawn(opened: Opened, suffix: str) -> bytes:
    """The photo with its reading drawn on it, as a picture of that ending."""
    photos = opened.photos
    if photos is None or not photos.shots:
        raise UsageError("--overlay draws on a photo of the table: give one")
    from companion.cli.locale import run_language
    from companion.vision.reading.overlay import draw_overlay, encode_picture

    return encode_picture(draw_overlay(photos.board_picture(), photos.reading, run_language()), suffix)
