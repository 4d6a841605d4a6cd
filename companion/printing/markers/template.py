"""The shape of `templates/markers.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.printing.core.template import CamelTints, TribeTints, checked, load_template

NAME = "markers.toml"


@dataclass(frozen=True, slots=True)
class MarkersSizes:
    """Type sizes in points: titles, steps on the page of markers and on the card, names of pieces."""

    title_pt: float = checked(low=8, high=40)
    step_pt: float = checked(low=6, high=16)
    card_pt: float = checked(low=6, high=11)
    name_pt: float = checked(low=6, high=14)


@dataclass(frozen=True, slots=True)
class MarkersPalette:
    """Colours: lettering, quiet lettering, lines, arrows, the tiles drawn, and the dots in the fields."""

    ink: str = checked(colour=True)
    quiet: str = checked(colour=True)
    line: str = checked(colour=True)
    accent: str = checked(colour=True)
    ground: str = checked(colour=True)
    dots: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class BuildingTints:
    """The colour in which palms and palaces are drawn."""

    palm: str = checked(colour=True)
    palace: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class PerPiece:
    """A name for each kind of piece; camels by their colour."""

    vizier: str
    elder: str
    builder: str
    merchant: str
    assassin: str
    black: str
    orange: str
    blue: str
    pink: str
    palm: str
    palace: str


@dataclass(frozen=True, slots=True)
class MarkersWords:
    """All words of one language; what the steps are is free, their number too."""

    title: str
    steps: tuple[str, ...]
    tiles: str
    card_title: str
    card_subtitle: str
    card_steps: tuple[str, ...]
    scale: str
    pieces: PerPiece


@dataclass(frozen=True, slots=True)
class MarkersTemplate:
    """Everything that the file says."""

    type: MarkersSizes
    palette: MarkersPalette
    tribes: TribeTints
    camels: CamelTints
    buildings: BuildingTints
    words: Mapping[str, MarkersWords]


def load_markers_template(own: Path | None) -> MarkersTemplate:
    """The template of a file of the user's own, or the project's. Raises UnusableInputError for a bad one."""
    return load_template(NAME, own, MarkersTemplate)
