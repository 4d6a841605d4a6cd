"""Arguments and options that several commands have, so that they read and work alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import MissingDependencyError, NotationError, UsageError
from companion.language.phrase import joined, say


class Paper(StrEnum):
    """Sizes of paper that the prints are made for."""

    A4 = "a4"
    LETTER = "letter"


class Ink(StrEnum):
    """How much colour is printed."""

    FULL = "full"
    LIGHT = "light"


SOURCES = typer.Argument(
    metavar="POSITION|PHOTO",
    help="A position file, an FT1 code, a game record, one or several photos of a table, or - for standard input.",
    show_default=False,
)
Sources = Annotated[list[str], SOURCES]
"""What every command that needs a position is given; `companion.cli.inputs` opens it."""
Resume = Annotated[bool, typer.Option("--resume", help="Go on where asking broke off.")]
PositionFile = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the position to this file (.toml or .json).", show_default=False
    ),
]
Names = Annotated[
    str | None,
    typer.Option(
        "--names", metavar="LIST", help='Players\' names: "Anna,Boris" or "pink=Anna,black=Boris".', show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Workers = Annotated[
    int, typer.Option("--workers", min=1, metavar="N", help="Processes on this machine that share the work.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="A dask scheduler whose workers share it, tcp://HOST:PORT.",
        show_default=False,
    ),
]
"""What `companion.arena.workers.workforce` is given by commands whose work many cores can share."""
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
NoHistory = Annotated[
    bool, typer.Option("--no-history", help="Keep no games for companion history, now and from now on.")
]
PaperSize = Annotated[Paper, typer.Option("--paper", case_sensitive=False, help="Size of the paper.")]
InkAmount = Annotated[Ink, typer.Option("--ink", case_sensitive=False, help="light leaves all surfaces white.")]
Template = Annotated[
    Path | None,
    typer.Option("--template", metavar="FILE", help="A layout and words of your own.", show_default=False),
]
Templates = Annotated[
    list[Path] | None,
    typer.Option(
        "--template",
        metavar="FILE",
        help="A layout and words of your own; once for the cards, once for the markers.",
        show_default=False,
    ),
]
FontFolder = Annotated[
    Path | None,
    typer.Option(
        "--font-dir",
        metavar="FOLDER",
        help="TrueType fonts (.ttf, .ttc) for further letters; folders within are searched too.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class PhotoOptions:
    """The options of every command that opens photos: what else is a photo of this table, and a picture of the reading.

    A command takes the set as one parameter; `companion.cli.app` puts the options in its place.
    """

    goods: Annotated[
        list[str] | None,
        typer.Option(
            "--goods", metavar="COLOUR=PHOTO", help="A photo of a player's goods and fakirs.", show_default=False
        ),
    ] = None
    coins: Annotated[
        list[str] | None,
        typer.Option(
            "--coins",
            metavar="COLOUR=PHOTO",
            help="A photo of a player's gold coins, laid out singly, numbers up; the one of --goods may show them too.",
            show_default=False,
        ),
    ] = None
    cards: Annotated[
        str | None,
        typer.Option(
            "--cards",
            metavar="PHOTO",
            help="A photo, the same or another, whose djinn cards' titles are read by Tesseract.",
            show_default=False,
        ),
    ] = None
    overlay: Annotated[
        Path | None,
        typer.Option(
            "--overlay",
            metavar="PICTURE",
            help="Write the photo with the reading drawn on it (.jpg or .png).",
            show_default=False,
        ),
    ] = None

    @property
    def given(self) -> bool:
        """Whether any of them was given."""
        return any(getattr(self, one.name) for one in fields(self))


@dataclass(frozen=True, slots=True)
class DoubtOptions(PhotoOptions):
    """The same for a command that also goes through what is doubtful in photos."""

    ask: Annotated[
        bool, typer.Option("--ask", help="Go through a photo's doubtful tiles, cards, coins and markers and ask.")
    ] = False
    resume: Resume = False
    crops: Annotated[
        Path | None,
        typer.Option(
            "--crops", metavar="FOLDER", help="Write a picture of each doubtful tile and card.", show_default=False
        ),
    ] = None


@contextmanager
def reading_option(name: str) -> Iterator[None]:
    """A name or colour that cannot be read inside is wrong usage of that option: raises UsageError."""
    try:
        yield
    except NotationError as error:
        raise UsageError(joined(": ", (name, str(error)))) from None


def not_installed(command: str, error: ImportError) -> MissingDependencyError:
    """The fault of a command whose code is not there: it comes with the program's source, not with its wheel.

    An import that fails for any other reason is raised again.
    """
    if not (error.name or "").startswith("companion.lab"):
        raise error
    return MissingDependencyError(
        say(
            "{command} comes with the program's source and is not in this installation; unpack the "
            "source archive (five_tribes_companion-….tar.gz) and run it in there: sh setup.sh",
            command=command,
        )
    )
