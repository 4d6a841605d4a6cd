"""The shape of `templates/setup_card.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.printing.core.djinn_words import djinn_key
from companion.printing.core.template import (
    ActionTints,
    CamelTints,
    PerAction,
    PerCard,
    PerColour,
    PerCost,
    PerTribe,
    TribeTints,
    checked,
    keyed,
    load_template,
    names,
)
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import Tribe

NAME = "setup_card.toml"


def counted_key(name: str) -> str:
    """The glossary's key of a thing that is counted as a key of a template.

    >>> counted_key("turn marker")
    'turn_marker'
    """
    return name.replace(" ", "_")


COUNTED = (
    *map(counted_key, ("camel", "turn marker", "GC", "palms", "palaces", "player")),
    *(tribe.noun for tribe in Tribe),
)
"""What the card has numbers of, by `counted_key`."""


@dataclass(frozen=True, slots=True)
class Margins:
    """White edges of the page in mm; the ruler stands in the lower one."""

    side: float = checked(low=5, high=40)
    top: float = checked(low=5, high=40)
    bottom: float = checked(low=12, high=40)


@dataclass(frozen=True, slots=True)
class Parts:
    """Heights of the parts from top to bottom in mm, the board taking what is left; then gaps and widths."""

    header: float = checked(low=10, high=60, box="header")
    players: float = checked(low=6, high=30, box="players")
    legend: float = checked(low=6, high=30, box="legend")
    bids: float = checked(low=6, high=30, box="bids")
    row: float = checked(low=15, high=60, box="row")
    djinns: float = checked(low=34, high=90, box="djinns")
    reach: float = checked(low=6, high=30, box="reach")
    gap: float = checked(low=1, high=15)
    tile_gap: float = checked(low=0, high=6, box="tiles")
    heading: float = checked(low=20, high=90, box="heading")
    bag: float = checked(low=25, high=60, box="bag")
    code: float = checked(low=30, high=80, box="code")


@dataclass(frozen=True, slots=True)
class SetupSizes:
    """Type sizes in points; nothing is set smaller than 6."""

    title_pt: float = checked(low=8, high=60)
    subtitle_pt: float = checked(low=6, high=40)
    heading_pt: float = checked(low=6, high=30)
    text_pt: float = checked(low=6, high=24)
    small_pt: float = checked(low=6, high=20)


@dataclass(frozen=True, slots=True)
class SetupPalette:
    """Colours of the card: lettering, quiet lettering, lines, cards, heads, and the two colours of values."""

    ink: str = checked(colour=True)
    quiet: str = checked(colour=True)
    line: str = checked(colour=True)
    card: str = checked(colour=True)
    accent: str = checked(colour=True)
    red_value: str = checked(colour=True)
    blue_value: str = checked(colour=True)
    icon: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class PerStep:
    """The heading of each step, in the order in which a table is laid (rules 2)."""

    players: str
    tiles: str
    meeples: str
    bids: str
    row: str
    djinns: str
    reach: str


@dataclass(frozen=True, slots=True)
class StepHints:
    """What stands beside the headings of some steps; of the first, beside the coins."""

    players: str
    tiles: str
    meeples: str
    row: str
    djinns: str


@dataclass(frozen=True, slots=True)
class SetupWords:
    """All words of the card in one language."""

    title: str
    subtitle: str
    seed: str
    fair: str
    use: str
    coins: str
    code: str
    photo: str
    scale: str
    red: str
    blue: str
    steps: PerStep
    hints: StepHints
    letters: PerTribe
    costs: PerCost
    tribes: PerTribe = names(plural=True, capital=True)
    actions: PerAction = names(capital=True)
    cards: PerCard = names(capital=True)
    colours: PerColour = names()
    counted: Mapping[str, tuple[str, ...]] = keyed(COUNTED)
    """The forms of a name after a number where they are not the glossary's, by `counted_key`."""
    powers: Mapping[str, str] = keyed(map(djinn_key, EVERY_DJINN))
    """What djinns do where it is not said as on the reference cards, by `djinn_key`."""


@dataclass(frozen=True, slots=True)
class SetupTemplate:
    """All of `templates/setup_card.toml`."""

    page: Margins
    parts: Parts
    type: SetupSizes
    palette: SetupPalette
    grounds: ActionTints
    tribes: TribeTints
    camels: CamelTints
    words: Mapping[str, SetupWords]


def load_setup_template(own: Path | None) -> SetupTemplate:
    """The user's own template, or the project's. Raises UnusableInputError if it cannot be used."""
    return load_template(NAME, own, SetupTemplate)
