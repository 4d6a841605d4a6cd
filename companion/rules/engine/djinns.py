"""All djinns, each with a name, a worth, a cost and the few hooks that its power needs (rules 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto

from companion.errors import UnusableInputError
from companion.language.phrase import counted, say, say_as
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    DjinnTaken,
    Event,
    MeepleDropped,
    MeeplesKept,
    PalacePlaced,
    VictimReaped,
)


class Cost(StrEnum):
    """What using a power costs (rules 11)."""

    NONE = "none"
    ELDER_OR_FAKIR = "1 elder or 1 fakir"
    ELDER_AND_ELDER_OR_FAKIR = "1 elder and 1 elder or fakir"
    FAKIR = "1 fakir"
    FAKIRS = "1 or more fakirs"

    @property
    def payments(self) -> tuple[tuple[int, int], ...]:
        """The ways to pay it in a turn, as elders and fakirs."""
        return _PAYMENTS[self]

    @property
    def words(self) -> str:
        return _COST_WORDS[self]


_COST_WORDS: dict[Cost, str] = {
    Cost.NONE: say_as("a price", "none"),
    Cost.ELDER_OR_FAKIR: say("1 elder or 1 fakir"),
    Cost.ELDER_AND_ELDER_OR_FAKIR: say("1 elder and 1 elder or fakir"),
    Cost.FAKIR: counted(1, "fakir"),
    Cost.FAKIRS: say("1 or more fakirs"),
}


_PAYMENTS: dict[Cost, tuple[tuple[int, int], ...]] = {
    Cost.NONE: (),
    Cost.ELDER_OR_FAKIR: ((1, 0), (0, 1)),
    Cost.ELDER_AND_ELDER_OR_FAKIR: ((2, 0), (1, 1)),
    Cost.FAKIR: ((0, 1),),
    Cost.FAKIRS: (),
}


@dataclass(frozen=True, slots=True)
class Worth:
    """VP of one thing each at the end, without djinns (rules 10); `fakirs_per_good` fakirs count as any one good."""

    vizier: int = 1
    elder: int = 2
    palm: int = 3
    palace: int = 5
    fakirs_per_good: int = 0


@dataclass(frozen=True, slots=True)
class Spoils:
    """What the killer gets for a victim: the meeple itself, GC, cards from the resource deck."""

    kept: bool = False
    gold: int = 0
    cards: int = 0


class Power(Enum):
    """A power that is an action of its own; `powers.py` has what each does."""

    BUILD_PALACE = auto()
    BUILD_PALM = auto()
    CLAIM_EMPTY = auto()
    CLAIM_PEOPLED = auto()
    DOUBLE_BUILDERS = auto()
    DRAW_CARD = auto()
    DRAW_DJINNS = auto()
    REVIVE = auto()

    @property
    def draws(self) -> bool:
        """Whether it brings what nobody has seen."""
        return self in (Power.DRAW_CARD, Power.DRAW_DJINNS, Power.REVIVE)


CLAIMS = (Power.CLAIM_EMPTY, Power.CLAIM_PEOPLED)
"""Powers that put a camel on a tile."""


@dataclass(frozen=True, slots=True)
class Djinn:
    """A djinn: its name, worth in VP, the cost of its power and its hooks.

    Always at work: `revalue` changes what things are worth to the owner at the end (rules 10). `pays` is what the
    owner gets in GC for an event. `reaps` is what the owner gets for a victim of the assassins, by its tribe and the
    GC that one builder would have earned there. `guards`: the owner's viziers and elders can't be killed (rules 5.4).

    Paid for: `power` is an action of its own. `diverts` is the kind of tile whose palm or palace goes on a neighbouring
    tile instead (rules 11.5), `kills` how many meeples assassins kill with it (rules 11.10). `lowers_bids`: fakirs
    lower the price of a bid (rules 11.8).
    """

    name: str
    vp: int
    cost: Cost = Cost.NONE
    revalue: Callable[[Worth], Worth] | None = None
    pays: Callable[[Event, Colour], int] | None = None
    reaps: Callable[[Tribe, int], Spoils] | None = None
    guards: bool = False
    power: Power | None = None
    diverts: TileAction | None = None
    kills: int = 1
    lowers_bids: bool = False


# Income: 1 GC for the owner's own doing, 2 GC for another's.


def _share(by: Colour, owner: Colour) -> int:
    return 1 if by is owner else 2


def _for_djinns(event: Event, owner: Colour) -> int:
    # A djinn does not pay for being taken itself (rules 11.1).
    if isinstance(event, DjinnTaken) and event.djinn != "Ba'al":
        return _share(event.by, owner)
    return 0


def _for_drops(event: Event, owner: Colour) -> int:
    return _share(event.by, owner) if isinstance(event, MeepleDropped) and event.owner is owner else 0


def _for_palaces(event: Event, owner: Colour) -> int:
    return _share(event.by, owner) if isinstance(event, PalacePlaced) else 0


def _for_kills(event: Event, owner: Colour) -> int:
    # Once for an action, one meeple killed or two, on a tile or in front of a player (rules 11.3, 11.6).
    return _share(event.by, owner) if isinstance(event, AssassinsKilled) else 0


def _for_viziers(event: Event, owner: Colour) -> int:
    # Viziers from the board: taken in hand, or killed on a tile and kept.
    if isinstance(event, MeeplesKept) and event.tribe is Tribe.VIZIER:
        return event.count * _share(event.by, owner)
    if isinstance(event, VictimReaped) and event.kept and event.victim.square is not None:
        return _share(event.by, owner) if event.victim.tribe is Tribe.VIZIER else 0
    return 0


# Assassins: the owner's victims, and the owner's viziers and elders as victims (rules 5.4).


def _reap(tribe: Tribe, builder_income: int) -> Spoils:
    if tribe is Tribe.MERCHANT:
        return Spoils(cards=1)
    if tribe is Tribe.BUILDER:
        return Spoils(gold=builder_income)
    return Spoils(kept=tribe in (Tribe.VIZIER, Tribe.ELDER))


DJINNS: dict[str, Djinn] = {
    djinn.name: djinn
    for djinn in (
        # Each pair of own fakirs is one good of choice, also one whose cards are all taken (rules 11.12).
        Djinn("Al-Amin", 5, revalue=lambda worth: replace(worth, fakirs_per_good=2)),
        Djinn("Anun-Nak", 8, Cost.ELDER_OR_FAKIR, power=Power.REVIVE),
        Djinn("Ba'al", 6, pays=_for_djinns),
        Djinn("Boaz", 6, guards=True),
        Djinn("Bouraq", 6, Cost.ELDER_OR_FAKIR, power=Power.BUILD_PALACE),
        Djinn("Echidna", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power.DOUBLE_BUILDERS),
        Djinn("Enki", 8, Cost.ELDER_OR_FAKIR, power=Power.BUILD_PALM),
        Djinn("Hagis", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.VILLAGE),
        Djinn("Haurvatat", 8, revalue=lambda worth: replace(worth, palm=5)),
        Djinn("Iblis", 8, Cost.ELDER_OR_FAKIR, kills=2),
        Djinn("Jafaar", 6, revalue=lambda worth: replace(worth, vizier=3)),
        Djinn("Kandicha", 6, reaps=_reap),
        Djinn("Kumarbi", 6, Cost.FAKIRS, lowers_bids=True),
        Djinn("Lamia", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.OASIS),
        Djinn("Leta", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power.CLAIM_EMPTY),
        Djinn("Marid", 6, pays=_for_drops),
        Djinn("Monkir", 6, pays=_for_palaces),
        Djinn("Nekir", 6, pays=_for_kills),
        Djinn("Shamhat", 6, revalue=lambda worth: replace(worth, elder=4)),
        Djinn("Sibittis", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power.DRAW_DJINNS),
        Djinn("Sloar", 8, Cost.FAKIR, power=Power.DRAW_CARD),
        Djinn("Utug", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power.CLAIM_PEOPLED),
    )
}
"""Every djinn of the game by name. The order is part of position codes: a new djinn goes to the end."""

PROMO_DJINNS: dict[str, Djinn] = {"Dhenim": Djinn("Dhenim", 6, pays=_for_viziers)}
"""Djinns that are in a game only by choice."""

EVERY_DJINN: dict[str, Djinn] = {**DJINNS, **PROMO_DJINNS}
"""All djinns, whether in the game or not."""


def djinn_named(name: str) -> Djinn:
    """The djinn of that name. Raises UnusableInputError if there is none."""
    try:
        return EVERY_DJINN[name]
    except KeyError:
        raise UnusableInputError("there is no djinn {name}", name=repr(name)) from None


def djinns_in_game(*, promo: bool) -> dict[str, Djinn]:
    return EVERY_DJINN if promo else DJINNS
