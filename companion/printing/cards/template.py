"""The shape of `templates/reference_cards.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
    load_template,
    names,
)

NAME = "reference_cards.toml"


@dataclass(frozen=True, slots=True)
class CardParts:
    """Parts of a card in mm: how far frame and text stand from the cut, heights of name, emblem and cost."""

    frame: float = checked(low=1.5, high=5)
    safe: float = checked(low=3, high=8)
    head: float = checked(low=7, high=20)
    emblem: float = checked(low=15, high=50)
    cost: float = checked(low=5, high=15)


@dataclass(frozen=True, slots=True)
class CardSizes:
    """Largest type sizes in points: of djinn cards, of the other cards, of pages."""

    name_pt: float = checked(low=8, high=24)
    value_pt: float = checked(low=8, high=24)
    timing_pt: float = checked(low=6, high=12)
    cost_pt: float = checked(low=6, high=12)
    power_pt: float = checked(low=6, high=14)
    note_pt: float = checked(low=6, high=12)
    title_pt: float = checked(low=8, high=24)
    text_pt: float = checked(low=6, high=12)
    page_title_pt: float = checked(low=10, high=40)
    page_text_pt: float = checked(low=6, high=14)


@dataclass(frozen=True, slots=True)
class CardPalette:
    """Colours: lettering, quiet lettering, lines, a card's ground, headings, the backs, and discs of values."""

    ink: str = checked(colour=True)
    quiet: str = checked(colour=True)
    line: str = checked(colour=True)
    ground: str = checked(colour=True)
    accent: str = checked(colour=True)
    back: str = checked(colour=True)
    back_line: str = checked(colour=True)
    red_value: str = checked(colour=True)
    blue_value: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class TimingTints:
    """The ground behind an emblem, by when the power works."""

    always: str = checked(colour=True)
    turn: str = checked(colour=True)
    bid: str = checked(colour=True)
    end: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class EmblemTints:
    """What emblems and icons are filled with."""

    gold: str = checked(colour=True)
    palm: str = checked(colour=True)
    palace: str = checked(colour=True)
    village: str = checked(colour=True)
    djinn: str = checked(colour=True)
    goods: str = checked(colour=True)
    fakir: str = checked(colour=True)
    card: str = checked(colour=True)
    tile: str = checked(colour=True)
    camel: str = checked(colour=True)
    shield: str = checked(colour=True)
    icon: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class PerTiming:
    """A text for each time at which a power works."""

    always: str
    turn: str
    bid: str
    end: str


@dataclass(frozen=True, slots=True)
class PerDjinn:
    """A text for each djinn, by its name as `djinn_key` writes it (rules 11)."""

    al_amin: str
    anun_nak: str
    baal: str
    boaz: str
    bouraq: str
    echidna: str
    enki: str
    hagis: str
    haurvatat: str
    iblis: str
    jafaar: str
    kandicha: str
    kumarbi: str
    lamia: str
    leta: str
    marid: str
    monkir: str
    nekir: str
    shamhat: str
    sibittis: str
    sloar: str
    utug: str
    dhenim: str


@dataclass(frozen=True, slots=True)
class DjinnNotes:
    """What is to be known besides of some djinns."""

    al_amin: str = ""
    anun_nak: str = ""
    baal: str = ""
    boaz: str = ""
    bouraq: str = ""
    echidna: str = ""
    enki: str = ""
    hagis: str = ""
    haurvatat: str = ""
    iblis: str = ""
    jafaar: str = ""
    kandicha: str = ""
    kumarbi: str = ""
    lamia: str = ""
    leta: str = ""
    marid: str = ""
    monkir: str = ""
    nekir: str = ""
    shamhat: str = ""
    sibittis: str = ""
    sloar: str = ""
    utug: str = ""
    dhenim: str = ""


@dataclass(frozen=True, slots=True)
class RoundWords:
    """The card of the round (rules 3, 8)."""

    title: str
    bid: str
    bids: tuple[str, ...]
    first: str
    last: str
    turns: str
    order: tuple[str, ...]
    clean: str
    refills: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnCardWords:
    """The card of the turn (rules 4); what holds on the way stands under the second step."""

    title: str
    steps: tuple[str, ...]
    walk: tuple[str, ...]
    powers: str
    stuck: str


@dataclass(frozen=True, slots=True)
class TribeWords:
    """The card of the five tribes (rules 5)."""

    title: str
    intro: str
    fakirs: str
    texts: PerTribe
    names: PerTribe = names(plural=True, capital=True)


@dataclass(frozen=True, slots=True)
class TileWords:
    """The card of the tiles (rules 6)."""

    title: str
    intro: str
    must: str
    may: str
    row: str
    texts: PerAction
    names: PerAction = names(capital=True)


@dataclass(frozen=True, slots=True)
class GoodsWords:
    """The card of the goods (rules 1.4, 7)."""

    title: str
    ladder: str
    cards: str
    price: str
    deck: str
    fakirs: str
    advice: str
    names: PerCard = names(capital=True)


@dataclass(frozen=True, slots=True)
class PerPoints:
    """What brings points (rules 10)."""

    gold: str
    viziers: str
    majority: str
    elders: str
    djinns: str
    palms: str
    palaces: str
    tiles: str
    goods: str


@dataclass(frozen=True, slots=True)
class EndWords:
    """The card of the end (rules 9, 10)."""

    title: str
    ends: tuple[str, ...]
    scoring: str
    winner: str
    points: PerPoints


@dataclass(frozen=True, slots=True)
class PageWords:
    """A page's title and what stands under it."""

    title: str
    subtitle: str


@dataclass(frozen=True, slots=True)
class TableWords:
    """The page with all djinns in a table."""

    title: str
    subtitle: str
    djinn: str
    cost: str
    power: str


@dataclass(frozen=True, slots=True)
class TrackWords:
    """The page about bids (rules 1.6, 2.1, 3, 11.8)."""

    title: str
    subtitle: str
    order: str
    bids: str
    payment: str
    zeros: str
    steps: tuple[str, ...]
    two: str
    pairs: tuple[str, ...]
    kumarbi: str
    price: str
    colours: PerColour = names()
    photo: str = ""
    """Of earlier versions; nothing is printed of it."""


@dataclass(frozen=True, slots=True)
class KitWords:
    """The kit's own title, and what its bookmarks say."""

    subtitle: str
    backs: str


@dataclass(frozen=True, slots=True)
class CardWords:
    """All words of one language."""

    title: str
    subtitle: str
    vp: str
    timings: PerTiming
    costs: PerCost
    powers: PerDjinn
    notes: DjinnNotes
    round: RoundWords
    turn: TurnCardWords
    tribes: TribeWords
    tiles: TileWords
    goods: GoodsWords
    end: EndWords
    aid: PageWords
    table: TableWords
    track: TrackWords
    kit: KitWords


@dataclass(frozen=True, slots=True)
class CardsTemplate:
    """All of `templates/reference_cards.toml`."""

    card: CardParts
    type: CardSizes
    palette: CardPalette
    timings: TimingTints
    grounds: ActionTints
    tribes: TribeTints
    camels: CamelTints
    tints: EmblemTints
    words: Mapping[str, CardWords]


def load_cards_template(own: Path | None) -> CardsTemplate:
    """The template of a file of the user's own, or the project's. Raises UnusableInputError for a bad one."""
    return load_template(NAME, own, CardsTemplate)
