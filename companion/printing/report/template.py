"""The shape of `templates/game_report.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.printing.core.template import PerColour, checked, load_template, names
from companion.printing.review.template import PagesTemplate

NAME = "game_report.toml"


@dataclass(frozen=True, slots=True)
class GameReportParts:
    """Heights of the parts of the first pages in mm, and widths of the boards."""

    title: float = checked(low=14, high=60)
    row: float = checked(low=4, high=12)
    scores: float = checked(low=40, high=140)
    bars: float = checked(low=40, high=140)
    gap: float = checked(low=1, high=15)
    turn_board: float = checked(low=80, high=186)
    round_board: float = checked(low=120, high=192)


@dataclass(frozen=True, slots=True)
class GameReportWords:
    """All words of the report in one language, those of a review apart."""

    title: str
    subtitle: str
    won: str
    shared: str
    leads: str
    unknown: str
    category: str
    scores: str
    scores_note: str
    bars: str
    bars_note: str
    round: str
    round_title: str
    round_board: str
    turn_board: str
    start_board: str
    bids: str
    turn: str
    player: str
    played: str
    gain: str
    loss: str
    better: str
    luck: str
    nothing: str
    without: str
    advice: str
    steps: str
    marks: str
    page: str
    colours: PerColour = names()


@dataclass(frozen=True, slots=True)
class GameReportTemplate(PagesTemplate):
    """All of `templates/game_report.toml`."""

    parts: GameReportParts
    words: Mapping[str, GameReportWords]


def load_game_report_template(own: Path | None) -> GameReportTemplate:
    """The user's own template, or the project's. Raises UnusableInputError if it cannot be used."""
    return load_template(NAME, own, GameReportTemplate)
