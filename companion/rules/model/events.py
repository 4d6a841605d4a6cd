"""What happens during a turn, announced as soon as it's done, with everything that it gives and costs, in GC."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe


@dataclass(frozen=True, slots=True)
class Victim:
    """A meeple that assassins kill: on a tile (`square`), or a vizier or elder in front of its `owner`."""

    tribe: Tribe
    square: int | None = None
    owner: Colour | None = None

    def __str__(self) -> str:
        if self.square is None:
            return f"{self.tribe.noun} of {self.owner}"
        return f"{self.tribe.letter} on {SQUARE_NAMES[self.square]}"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the turn of the player it was done `by`."""

    by: Colour


@dataclass(frozen=True, slots=True)
class MeepleDropped(Event):
    """A meeple was left on a tile while moving (rules 4.2); `owner` has a camel there."""

    square: int
    tribe: Tribe
    owner: Colour | None


@dataclass(frozen=True, slots=True)
class MeeplesTaken(Event):
    """The end tile's meeples of one tribe were taken in hand (rules 4.7)."""

    square: int
    tribe: Tribe
    count: int


@dataclass(frozen=True, slots=True)
class MeeplesKept(Event):
    """Viziers or elders from the hand were put in front of the player (rules 5.1)."""

    tribe: Tribe
    count: int


@dataclass(frozen=True, slots=True)
class TileClaimed(Event):
    """A camel was put on a tile (rules 4.8, 5.5)."""

    square: int


@dataclass(frozen=True, slots=True)
class CardsTaken(Event):
    """Resource cards were taken, for `price` GC or for nothing; a card that nobody knows is None."""

    cards: tuple[str | None, ...]
    price: int = 0


@dataclass(frozen=True, slots=True)
class BuildersPaid(Event):
    """Builders and fakirs brought gold for blue-valued tiles (rules 5.3), times `factor` (rules 11.9)."""

    square: int
    builders: int
    fakirs: int
    blue: int
    factor: int = 1

    @property
    def gold(self) -> int:
        return (self.builders + self.fakirs) * self.blue * self.factor


@dataclass(frozen=True, slots=True)
class AssassinsKilled(Event):
    """One assassins' action killed these (rules 5.4), with that many fakirs discarded for the distance."""

    victims: tuple[Victim, ...]
    fakirs: int


@dataclass(frozen=True, slots=True)
class NobodyKilled(Event):
    """Assassins of an end tile found nobody in reach without fakirs, so they killed nobody (rules 5.4)."""

    square: int
    count: int


@dataclass(frozen=True, slots=True)
class VictimReaped(Event):
    """A djinn of the killer's turned a victim into gold, or kept it in front of the killer."""

    djinn: str
    victim: Victim
    kept: bool
    gold: int


@dataclass(frozen=True, slots=True)
class PalmPlaced(Event):
    """A palm was put on a tile (rules 6.1)."""

    square: int


@dataclass(frozen=True, slots=True)
class PalacePlaced(Event):
    """A palace was put on a tile (rules 6.2)."""

    square: int


@dataclass(frozen=True, slots=True)
class DjinnTaken(Event):
    """A djinn was taken for that many elders and fakirs (rules 6.5)."""

    djinn: str
    elders: int
    fakirs: int


@dataclass(frozen=True, slots=True)
class DjinnPaid(Event):
    """A djinn paid its owner, `to`, because of what was announced before."""

    djinn: str
    to: Colour
    gold: int


@dataclass(frozen=True, slots=True)
class BidPlaced(Event):
    """A marker was put on a spot of that `price`, for which `paid` GC and `fakirs` were given (rules 3)."""

    price: int
    paid: int
    fakirs: int = 0


@dataclass(frozen=True, slots=True)
class PowerPaid(Event):
    """A djinn's power was paid for (rules 11)."""

    djinn: str
    elders: int
    fakirs: int


@dataclass(frozen=True, slots=True)
class IncomeMultiplied(Event):
    """A power paid for after builders brought gold brought it again: `gold` GC (rules 11.9)."""

    gold: int


@dataclass(frozen=True, slots=True)
class MeeplesAdded(Event):
    """Meeples from the bag were put on a tile, by tribe (rules 11.11)."""

    square: int
    meeples: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DjinnsDrawn(Event):
    """Djinns were drawn from the deck, one of them to be kept (rules 11)."""

    djinns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoodsSold(Event):
    """A set of different goods was sold for `price` GC (rules 7.1)."""

    goods: tuple[str, ...]
    price: int


@dataclass(frozen=True, slots=True)
class Refilled(Event):
    """Cards were added to the row and djinns to those face up (rules 8.1); `by` played last."""

    cards: tuple[str, ...]
    djinns: tuple[str, ...]
