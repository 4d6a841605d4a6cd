"""Arguments and options that several commands have. A set of options is one parameter, whose type is a dataclass;
`companion.cli.app` makes an option of each field.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from companion.errors import ArgumentError, NotationError, UsageError
from companion.language.phrase import joined

if TYPE_CHECKING:
    from companion.advisor.advice import Budget
    from companion.printing.cards.sheet import Cutting

MIN_TIME_S, MAX_TIME_S = 0.1, 3600.0
"""What `--time` may be: less judges nothing, and nobody at a table waits longer than an hour."""
_MAX_COPIES = 9


Paper = Literal["a4", "letter"]

SOURCES = typer.Argument(
    metavar="POSITION|PHOTO",
    help="A position file, an FT1 code, a game record, one or several photos of a table, or - for standard input.",
)
Sources = Annotated[list[str], SOURCES]
"""What every command that needs a position is given; `companion.cli.inputs` opens it."""
Resume = Annotated[bool, typer.Option("--resume", help="Continue where you left off.")]
PositionFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the position to this file (.toml or .json).")
]
PdfFile = Annotated[Path, typer.Option("-o", "--output", help="The PDF to write.")]
PlayerColour = Annotated[
    str | None, typer.Option(metavar="COLOUR", help="Whose turn or bid to look at; the next player's if not given.")
]
Names = Annotated[
    str | None, typer.Option(metavar="LIST", help='Players\' names: "Anna,Boris" or "pink=Anna,black=Boris".')
]
NamesInBidOrder = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Players' names: \"pink=Anna,black=Boris\"; if the table doesn't show who plays, in the order they bid.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Assumed = Annotated[bool, typer.Option("--assumed", help="List what wasn't known and how it was drawn.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
PaperSize = Annotated[Paper, typer.Option(case_sensitive=False, help="Size of the paper.")]
ReviewPlayouts = Annotated[int | None, typer.Option(min=50, max=1_000_000, help="Replies played per decision.")]


@dataclass(frozen=True, slots=True)
class PhotoOptions:
    """The options of every command that opens photos: what else shows this table."""

    goods: Annotated[
        list[str] | None, typer.Option(metavar="COLOUR=PHOTO", help="A photo of a player's goods and fakirs.")
    ] = None
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="PHOTO", help="A photo of djinn cards, the same or another; their titles are read by Tesseract."
        ),
    ] = None

    @property
    def given(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def check_used(self, sources: object) -> None:
        """Raise UsageError if any was given and nothing is opened."""
        if self.given and not sources:
            raise UsageError("--goods and --cards need a position or photos: give those too")


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionInput(PhotoOptions):
    """What a command is given that looks at one position."""

    position: Sources
    as_json: AsJson = False


@dataclass(frozen=True, slots=True)
class PrintOptions:
    paper: PaperSize = "a4"
    template: Annotated[Path | None, typer.Option(help="A layout and words of your own.")] = None
    font_dir: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Search TrueType fonts (.ttf, .ttc) in here for more letters.")
    ] = None

    @property
    def how(self) -> dict[str, Any]:
        """The same as keywords of the functions that print, with the language of the run."""
        from companion.cli.locale import print_language

        return {
            "paper": self.paper,
            "language": print_language(),
            "template": self.template,
            "font_dir": self.font_dir,
        }


@dataclass(frozen=True, slots=True)
class InkOptions(PrintOptions):
    """The same for a print that can save ink."""

    ink: Annotated[
        Literal["full", "light"], typer.Option(case_sensitive=False, help="light leaves all surfaces white.")
    ] = "full"

    @property
    def how(self) -> dict[str, Any]:
        return {**PrintOptions.how.fget(self), "full_ink": self.ink == "full"}  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class CutOptions:
    copies: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MAX_COPIES, help="How many of each rules card; as many as fill the pages if not given."
        ),
    ] = None
    backs: Annotated[bool, typer.Option("--backs/--no-backs", help="A page of backs after each page of cards.")] = True
    flip: Annotated[
        Literal["long", "short"],
        typer.Option(case_sensitive=False, help="Which edge the printer turns the paper over."),
    ] = "long"
    offset: Annotated[
        str | None,
        typer.Option(metavar="X,Y", help="Shift the backs right and down, in mm, if they miss the fronts."),
    ] = None
    bleed: Annotated[
        float, typer.Option(metavar="MM", min=0, max=3, help="How far the background extends beyond the cut, 0 to 3.")
    ] = 2.0
    cut: Annotated[bool, typer.Option("--cut/--no-cut", help="Crop marks at the ends of all cuts.")] = True

    def cutting(self) -> Cutting:
        """What the options say together. Raises UsageError for an offset that is none."""
        from companion.printing.cards.layout import Flip
        from companion.printing.cards.sheet import Cutting

        offset = _read_offset(self.offset)
        return Cutting(bleed=self.bleed, marks=self.cut, backs=self.backs, flip=Flip(self.flip), offset=offset)

    def tell(self) -> None:
        from companion.cli.output import note

        if not self.backs:
            note("Print at 100%, on one side of the paper.")
        elif self.flip == "long":
            note("Print at 100%, on both sides of the paper, turned over the long edge.")
        else:
            note("Print at 100%, on both sides of the paper, turned over the short edge.")


def _read_offset(text: str | None) -> tuple[float, float]:
    if text is None:
        return 0.0, 0.0
    try:
        across, down = (float(part) for part in text.split(","))
    except ValueError:
        across = down = math.nan
    if not (math.isfinite(across) and math.isfinite(down)):
        raise UsageError("--offset {text}: give two lengths in mm with a comma between, such as 0.5,-1", text=text)
    return across, down


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How long a search thinks, and with what luck."""

    time: Annotated[float | None, typer.Option(metavar="SECONDS", help="How long to think; the longer, the surer.")] = (
        None
    )
    playouts: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000_000,
            help="How many replies to play instead; the same number and seed give the same advice.",
        ),
    ] = None
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the random numbers; 0 if not given.")] = None

    def budget(self) -> Budget:
        """How long to think. Raises UsageError for a time that makes no sense, or for both limits."""
        from companion.advisor.advice import Budget

        if self.time is None:
            return Budget() if self.playouts is None else Budget(playouts=self.playouts)
        if self.playouts is not None:
            raise UsageError("give one of --time and --playouts: both say how long to think")
        # Written so that nan, which is a number to Python, fails too.
        if not MIN_TIME_S <= self.time <= MAX_TIME_S:
            raise UsageError(
                "--time is in seconds, from {least} to {most:.0f}, not {seconds}",
                least=MIN_TIME_S,
                most=MAX_TIME_S,
                seconds=f"{self.time:g}",
            )
        return Budget(seconds=self.time)


@contextmanager
def reading_option(name: str) -> Iterator[None]:
    """A name or colour that cannot be read inside is wrong usage of that option: raises UsageError."""
    try:
        yield
    except (NotationError, ArgumentError) as error:
        raise UsageError(joined(": ", (name, str(error)))) from None
