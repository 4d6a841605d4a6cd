"""Options of prints that are cut out, and what they say together."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import UsageError
from companion.language.phrase import Phrase, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.printing.cards.sheet import Cutting


_MOST_COPIES = 9


class Edge(StrEnum):
    """Over which edge the printer turns the paper."""

    LONG = "long"
    SHORT = "short"


Backs = Annotated[bool, typer.Option("--backs/--no-backs", help="A page of backs after each page of cards.")]
FlipEdge = Annotated[
    Edge, typer.Option("--flip", case_sensitive=False, help="Over which edge the printer turns the paper.")
]
Offset = Annotated[
    str | None,
    typer.Option(
        "--offset",
        metavar="X,Y",
        help="Move the backs by mm to the right and down, if they miss the fronts.",
        show_default=False,
    ),
]
Bleed = Annotated[
    float,
    typer.Option("--bleed", metavar="MM", min=0, max=3, help="How far the ground reaches beyond the cut, 0 to 3."),
]
CropMarks = Annotated[bool, typer.Option("--cut/--no-cut", help="Crop marks at the ends of all cuts.")]
Copies = Annotated[
    int,
    typer.Option(
        "--copies", min=1, max=_MOST_COPIES, metavar="N", help="How many of each card of rules, one a player."
    ),
]


def read_cutting(*, bleed: float, marks: bool, backs: bool, flip: Edge, offset: str | None) -> Cutting:
    """What these options say together. Raises UsageError for an offset that is none."""
    from companion.printing.cards.sheet import Cutting
    from companion.printing.core.duplex import Flip

    return Cutting(bleed=bleed, marks=marks, backs=backs, flip=Flip(flip.value), offset=_read_offset(offset))


def room_for_copies(names: Sequence[str] | None, copies: int) -> None:
    """Say that there is room for more copies of the cards of rules, one for each player, on as many pages."""
    from companion.cli.output import note
    from companion.printing.cards.sheet import copies_with_room

    if (most := min(copies_with_room(names, copies), _MOST_COPIES)) > copies:
        note(say("--copies {copies} prints the cards of rules for {copies} players on as many pages", copies=most))


def how_to_print(*, backs: bool, flip: Edge) -> Phrase:
    """What to tell the printer, as a sentence."""
    if not backs:
        return say("Print at 100%, on one side of the paper.")
    if flip is Edge.LONG:
        return say("Print at 100%, on both sides of the paper, turned over the long edge.")
    return say("Print at 100%, on both sides of the paper, turned over the short edge.")


def _read_offset(text: str | None) -> tuple[float, float]:
    if text is None:
        return 0.0, 0.0
    try:
        across, down = (float(part) for part in text.split(","))
    except ValueError:
        across = math.nan
        down = math.nan
    if not (math.isfinite(across) and math.isfinite(down)):
        raise UsageError(say("--offset {text}: give two lengths in mm with a comma between, such as 0.5,-1", text=text))
    return across, down
