"""What is asked about a turn, and the answers that can be tapped: each a word in an address, words, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from companion.language.phrase import Phrase, capitalised, counted, joined, named, say, term
from companion.rules.model.actions import ActTile, ActTribe, Paid, in_words
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Tribe


@dataclass(frozen=True, slots=True)
class Tap:
    """One answer: its word in an address, what it says, and what shows it: a tile, meeples, or an icon."""

    token: str
    words: str
    square: int | None = None
    tribes: tuple[Tribe, ...] = ()
    icon: str = ""


class About(Enum):
    """What a question about a turn is about, for those who know some of the answers already."""

    START = auto()
    STEP = auto()
    ORDER = auto()
    """All meeples that are left, or one after another: letters."""
    VICTIM_PLACE = auto()
    VICTIMS = auto()
    """How many were killed, or which."""
    FAKIRS = auto()
    BUILT_ON = auto()
    """The tile that a palm or palace was put on."""
    POWER = auto()
    """Whether a djinn was used here."""
    POWER_TILE = auto()
    POWER_BUILT_ON = auto()
    DJINN = auto()
    BOUGHT = auto()
    """The cards of the row that were bought, one after another."""
    DRAWN_MEEPLE = auto()
    CLOSE = auto()
    OTHER = auto()
    """What no photo shows: prices, sales, what was drawn."""


@dataclass(frozen=True, slots=True)
class TapQuestion:
    """What is asked next, and all legal answers; djinns among `powers` may be used first, `several` are picked until
    one ends it, `may_end` if the turn may be over.
    """

    words: Phrase
    taps: tuple[Tap, ...]
    powers: tuple[Tap, ...] = ()
    several: bool = False
    may_end: bool = False
    about: About = About.OTHER

    @property
    def offered(self) -> tuple[Tap, ...]:
        return (*self.taps, *self.powers)


def tribe_of(letter: str) -> Tribe:
    return next(tribe for tribe in Tribe if tribe.letter == letter)


def tile_tap(square: int | None, otherwise: int = 0) -> Tap:
    square = otherwise if square is None else square
    return Tap(SQUARE_NAMES[square], SQUARE_NAMES[square], square=square)


def tribe_tap(tribe: Tribe) -> Tap:
    return Tap(tribe.letter, capitalised(term(tribe.noun)), tribes=(tribe,))


def order_tap(path: Sequence[int], drops: Sequence[Tribe]) -> Tap:
    """The meeples left along a path, in order."""
    steps = zip(path, drops, strict=True)
    words = joined(", ", [joined(" ", (SQUARE_NAMES[square], term(tribe.noun))) for square, tribe in steps])
    return Tap("".join(tribe.letter for tribe in drops), words, tribes=tuple(drops))


def card_tap(row: Sequence[str], place: int) -> Tap:
    return Tap(str(place + 1), joined(" ", (f"{place + 1}.", named(row[place]))), icon=f"card-{row[place]}")


def fakirs_tap(option: ActTribe) -> Tap:
    number = option.choice.fakirs
    return Tap(str(number), counted(number, "fakir"), icon="card-fakir")


def djinn_tap(name: str) -> Tap:
    return Tap(name, named(name), icon="djinns")


def drawn_tap(wanted: str, name: str) -> Tap:
    """What was drawn: a "card", a "djinn" or a "meeple", by its name."""
    if wanted == "djinn":
        return djinn_tap(name)
    if wanted == "card":
        return Tap(name, capitalised(term(name)), icon=f"card-{name}")
    return tribe_tap(Tribe[name.upper()])


def victim_tap(option: ActTribe) -> Tap:
    """Where the first meeple was killed: on a tile, in front of a player, or nowhere."""
    victim = option.choice.victim
    if victim is None:
        return Tap("nobody", say("Nobody"))
    if victim.square is not None:
        return tile_tap(victim.square)
    owner = str(victim.owner)
    return Tap(owner, say("in front of {owner}", owner=term(owner)), icon=f"camel-{owner}")


def number_killed_tap(option: ActTribe) -> Tap:
    """Whether one was killed, or two with a power and what was paid for it (rules 11.10)."""
    helper = option.choice.helper
    if helper is None:
        return Tap("one", say("One meeple"))
    words = say("Two, with {djinn} for {cost}", djinn=named(helper.djinn), cost=in_words(helper.elders, helper.fakirs))
    return Tap(_price(helper), words, icon="djinns")


def djinn_taken_tap(option: ActTile) -> Tap:
    name = option.choice.djinn
    return Tap("nothing", say("No djinn was taken")) if name is None else djinn_tap(name)


def djinn_price_tap(option: ActTile) -> Tap:
    """What was paid for a djinn (rules 6.5)."""
    return paid_tap(Paid("", 1, 1) if option.choice.with_fakir else Paid("", 2, 0))


def paid_tap(paid: Paid | None) -> Tap:
    return Tap("", "") if paid is None else Tap(_price(paid), in_words(paid.elders, paid.fakirs))


def _price(paid: Paid) -> str:
    """Elders and fakirs as letters: "wf"."""
    return "w" * paid.elders + "f" * paid.fakirs
