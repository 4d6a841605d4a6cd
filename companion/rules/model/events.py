"""What happens during a turn, as the turn announces it to djinns and to whoever tells the story.

Each is announced as soon as it is done, with everything that it gives and costs.
`by` is the player whose turn it is. Amounts of gold are in GC.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.model.components import Colour, Tribe


@dataclass(frozen=True, slots=True)
class Victim:
    """A meeple that assassins kill: on a tile (`square`), or a vizier or elder in front of its `owner`."""

    tribe: Tribe
    square: int | None = None
    owner: Colour | None = None


@dataclass(frozen=True, slots=True)
class MeepleDropped:
    """A meeple was left on a tile while moving (rules 4.2); `owner` has a camel there."""

    by: Colour
    square: int
    tribe: Tribe
    owner: Colour | None


@dataclass(frozen=True, slots=True)
class MeeplesTaken:
    """The end tile's meeples of one tribe were taken in hand (rules 4.7)."""

    by: Colour
    square: int
    tribe: Tribe
    count: int


@dataclass(frozen=True, slots=True)
class MeeplesKept:
    """Viziers or elders from the hand were put in front of the player (rules 5.1)."""

    by: Colour
    tribe: Tribe
    count: int


@dataclass(frozen=True, slots=True)
class TileClaimed:
    """A camel was put on a tile (rules 4.8, 5.5)."""

    by: Colour
    square: int


@dataclass(frozen=True, slots=True)
class CardsTaken:
    """Resource cards were taken, for `price` GC or for nothing; a card that nobody knows is None."""

    by: Colour
    cards: tuple[str | None, ...]
    price: int = 0


@dataclass(frozen=True, slots=True)
class BuildersPaid:
    """Builders brought gold: builders and fakirs times the blue-valued tiles (rules 5.3).

    `factor` is what a power multiplies it by (rules 11.9).
    """

    by: Colour
    square: int
    builders: int
    fakirs: int
    blue: int
    factor: int = 1

    @property
    def gold(self) -> int:
        """The income in GC."""
        return (self.builders + self.fakirs) * self.blue * self.factor


@dataclass(frozen=True, slots=True)
class AssassinsKilled:
    """One assassins' action killed these (rules 5.4), with so many fakirs discarded for the distance."""

    by: Colour
    victims: tuple[Victim, ...]
    fakirs: int


@dataclass(frozen=True, slots=True)
class NobodyKilled:
    """Assassins of an end tile found nobody in reach without fakirs, so they killed nobody (rules 5.4)."""

    by: Colour
    square: int
    count: int


@dataclass(frozen=True, slots=True)
class VictimReaped:
    """A djinn of the killer's turned a victim into gold, or kept it in front of him."""

    by: Colour
    djinn: str
    victim: Victim
    kept: bool
    gold: int


@dataclass(frozen=True, slots=True)
class PalmPlaced:
    """A palm was put on a tile (rules 6.1)."""

    by: Colour
    square: int


@dataclass(frozen=True, slots=True)
class PalacePlaced:
    """A palace was put on a tile (rules 6.2)."""

    by: Colour
    square: int


@dataclass(frozen=True, slots=True)
class DjinnTaken:
    """A djinn was taken for that many elders and fakirs (rules 6.5)."""

    by: Colour
    djinn: str
    elders: int
    fakirs: int


@dataclass(frozen=True, slots=True)
class DjinnPaid:
    """A djinn paid its owner, `to`, because of what was announced before."""

    by: Colour
    djinn: str
    to: Colour
    gold: int


@dataclass(frozen=True, slots=True)
class BidPlaced:
    """A marker was put on a spot of that `price`, for which `paid` GC and `fakirs` were given (rules 3)."""

    by: Colour
    price: int
    paid: int
    fakirs: int = 0


@dataclass(frozen=True, slots=True)
class PowerPaid:
    """A djinn's power was paid for (rules 11)."""

    by: Colour
    djinn: str
    elders: int
    fakirs: int


@dataclass(frozen=True, slots=True)
class IncomeMultiplied:
    """A power paid for after builders brought gold brought it again: `gold` GC (rules 11.9)."""

    by: Colour
    gold: int


@dataclass(frozen=True, slots=True)
class MeeplesAdded:
    """Meeples from the bag were put on a tile, by tribe (rules 11.11)."""

    by: Colour
    square: int
    meeples: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DjinnsDrawn:
    """Djinns were drawn from the deck, one of them to be kept (rules 11)."""

    by: Colour
    djinns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoodsSold:
    """A set of different goods was sold for `price` GC (rules 7.1)."""

    by: Colour
    goods: tuple[str, ...]
    price: int


@dataclass(frozen=True, slots=True)
class Refilled:
    """Cards were added to the row and djinns to those face up (rules 8.1); `by` played last."""

    by: Colour
    cards: tuple[str, ...]
    djinns: tuple[str, ...]


Event = (
    MeepleDropped
    | MeeplesTaken
    | MeeplesKept
    | TileClaimed
    | CardsTaken
    | BuildersPaid
    | AssassinsKilled
    | NobodyKilled
    | VictimReaped
    | PalmPlaced
    | PalacePlaced
    | DjinnTaken
    | DjinnPaid
    | BidPlaced
    | PowerPaid
    | IncomeMultiplied
    | MeeplesAdded
    | DjinnsDrawn
    | GoodsSold
    | Refilled
)
