"""What can be tapped of a turn: each answer with its word in an address, what it says, and what shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.language.phrase import Phrase, capitalised, counted, joined, named, say, term
from companion.rules.model.actions import ActTile, ActTribe, Paid, in_words
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Tribe

PAID_HOW = say("What was paid for it?")

DRAWN: dict[str, Phrase] = {
    "card": say("Which card was drawn?"),
    "djinn": say("Which djinn was drawn?"),
    "meeple": say("Which meeple was drawn?"),
}
"""What is asked of a draw, by what is drawn."""


@dataclass(frozen=True, slots=True)
class Tap:
    """One answer: its word in an address, what it says, and what shows it: a tile, meeples, or an icon."""

    token: str
    words: str
    square: int | None = None
    tribes: tuple[Tribe, ...] = ()
    icon: str = ""


@dataclass(frozen=True, slots=True)
class TapQuestion:
    """What is asked next, and all answers that the rules allow.

    `powers` are djinns that may be used first. `several` are picked together, until one of them ends it. `may_end`:
    the turn may be over with what was told so far.
    """

    words: Phrase
    taps: tuple[Tap, ...]
    powers: tuple[Tap, ...] = ()
    several: bool = False
    may_end: bool = False

    @property
    def offered(self) -> tuple[Tap, ...]:
        """All that can be tapped."""
        return (*self.taps, *self.powers)


def square_or(square: int | None, other: int) -> int:
    """The square, or another where there is none."""
    return other if square is None else square


def tribe_of(letter: str) -> Tribe:
    """The tribe of a letter."""
    return next(tribe for tribe in Tribe if tribe.letter == letter)


def tile_tap(square: int) -> Tap:
    """A tile of the board."""
    return Tap(SQUARE_NAMES[square], SQUARE_NAMES[square], square=square)


def tribe_tap(tribe: Tribe) -> Tap:
    """A meeple of a tribe."""
    return Tap(tribe.letter, capitalised(term(tribe.noun)), tribes=(tribe,))


def order_tap(path: Sequence[int], drops: Sequence[Tribe]) -> Tap:
    """The meeples left along a path, in order."""
    steps = zip(path, drops, strict=True)
    words = joined(", ", [joined(" ", (SQUARE_NAMES[square], term(tribe.noun))) for square, tribe in steps])
    return Tap("".join(tribe.letter for tribe in drops), words, tribes=tuple(drops))


def card_tap(row: Sequence[str], place: int) -> Tap:
    """A card of the row, by its place from 0."""
    return Tap(str(place + 1), joined(" ", (f"{place + 1}.", named(row[place]))), icon=f"card-{row[place]}")


def djinn_tap(name: str) -> Tap:
    """A djinn by name."""
    return Tap(name, named(name), icon="djinns")


def drawn_tap(wanted: str, name: str) -> Tap:
    """What was drawn: a "card", a "djinn" or a "meeple", by its name."""
    if wanted == "djinn":
        return djinn_tap(name)
    if wanted == "card":
        return Tap(name, capitalised(term(name)), icon=f"card-{name}")
    return Tap(name, capitalised(term(name)), tribes=(Tribe[name.upper()],))


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
    return Tap(price(helper), words, icon="djinns")


def fakirs_tap(option: ActTribe) -> Tap:
    """How many fakirs were discarded for the tribe action."""
    number = option.choice.fakirs
    return Tap(str(number), counted(number, "fakir"), icon="card-fakir")


def djinn_taken_tap(option: ActTile) -> Tap:
    """The djinn taken on a sacred place."""
    name = option.choice.djinn
    return Tap("nothing", say("No djinn was taken")) if name is None else djinn_tap(name)


def djinn_price_tap(option: ActTile) -> Tap:
    """What was paid for a djinn (rules 6.5)."""
    return paid_tap(Paid("", 1, 1) if option.choice.with_fakir else Paid("", 2, 0))


def paid_tap(paid: Paid | None) -> Tap:
    """What was paid for a power."""
    return Tap("", "") if paid is None else Tap(price(paid), in_words(paid.elders, paid.fakirs))


def price(paid: Paid) -> str:
    """Elders and fakirs as letters: "wf"."""
    return "w" * paid.elders + "f" * paid.fakirs
