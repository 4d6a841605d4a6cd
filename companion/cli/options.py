"""Arguments and options that several commands have, so that they read and work alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import NotationError, UsageError


class Paper(StrEnum):
    """Sizes of paper that the prints are made for."""

    A4 = "a4"
    LETTER = "letter"


PositionText = Annotated[
    str,
    typer.Argument(
        metavar="POSITION", help="A position file, an FT1 code, or - for standard input.", show_default=False
    ),
]
POSITION_OR_PHOTO = typer.Argument(
    metavar="POSITION|PHOTO",
    help="A position file, an FT1 code, a photo of the board, or - for standard input.",
    show_default=False,
)
PositionOrPhoto = Annotated[str, POSITION_OR_PHOTO]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
PaperSize = Annotated[Paper, typer.Option("--paper", help="Size of the paper.")]
Language = Annotated[str, typer.Option("--lang", help="Language of the print: en, ru, uk, ko or it.")]
Template = Annotated[
    Path | None,
    typer.Option("--template", metavar="FILE", help="A layout and words of your own.", show_default=False),
]
FontFolder = Annotated[
    Path | None,
    typer.Option("--font-dir", metavar="FOLDER", help="TrueType fonts for further letters.", show_default=False),
]


@contextmanager
def reading_option(name: str) -> Iterator[None]:
    """A name or colour that cannot be read inside is wrong usage of that option: raises UsageError."""
    try:
        yield
    except NotationError as error:
        raise UsageError(f"{name}: {error}") from None
