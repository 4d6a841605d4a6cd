"""The shape of `templates/game_review.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.printing.core.template import CamelTints, PerColour, TribeTints, checked, load_template, names

NAME = "game_review.toml"


@dataclass(frozen=True, slots=True)
class ReportMargins:
    """White edges of the page in mm; its number stands in the lower one."""

    side: float = checked(low=5, high=40)
    top: float = checked(low=5, high=40)
    bottom: float = checked(low=10.5, high=40)


@dataclass(frozen=True, slots=True)
class ReportParts:
    """Heights in mm: the header, a player's row, the curve, and what lies between parts."""

    header: float = checked(low=10, high=60)
    player: float = checked(low=4, high=20)
    curve: float = checked(low=40, high=140)
    gap: float = checked(low=1, high=15)


@dataclass(frozen=True, slots=True)
class ReportSizes:
    """Type sizes in points."""

    title_pt: float = checked(low=8, high=60)
    subtitle_pt: float = checked(low=6, high=40)
    heading_pt: float = checked(low=6, high=30)
    text_pt: float = checked(low=6, high=24)
    small_pt: float = checked(low=6, high=20)


@dataclass(frozen=True, slots=True)
class ReportPalette:
    """Colours of the report: lettering, lines, surfaces, and the rows of doubtful and bad decisions."""

    ink: str = checked(colour=True)
    quiet: str = checked(colour=True)
    line: str = checked(colour=True)
    card: str = checked(colour=True)
    accent: str = checked(colour=True)
    doubtful: str = checked(colour=True)
    bad: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class ReportWords:
    """All words of the report in one language."""

    title: str
    subtitle: str
    start: str
    luck: str
    turns: str
    bids: str
    rest: str
    margin: str
    points: str
    player: str
    curve: str
    curve_note: str
    round: str
    decisive: str
    swing: str
    better: str
    decisions: str
    bid: str
    line: str
    played: str
    value: str
    loss: str
    note: str
    steps: str
    page: str
    colours: PerColour = names()


@dataclass(frozen=True, slots=True)
class PagesTemplate:
    """What templates have in common whose pages are filled from the top (`pages.py`)."""

    page: ReportMargins
    type: ReportSizes
    palette: ReportPalette
    tribes: TribeTints
    curves: CamelTints


@dataclass(frozen=True, slots=True)
class ReportTemplate(PagesTemplate):
    """All of `templates/game_review.toml`."""

    parts: ReportParts
    words: Mapping[str, ReportWords]


def load_report_template(own: Path | None) -> ReportTemplate:
    """The user's own template, or the project's. Raises UnusableInputError if it cannot be used."""
    return load_template(NAME, own, ReportTemplate)
