"""The state of a whole game: a position, and where in the round and the turn the game stands (rules 3 to 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from types import MappingProxyType

from companion.rules.model.board import NO_MEEPLES
from companion.rules.model.components import Colour, Tribe, member_repr
from companion.rules.model.position import Player, Position


class Stage(StrEnum):
    """Which decision comes next."""

    __repr__ = member_repr

    BID = "bid"
    """The first marker of the bid order track bids (rules 3)."""
    MOVE = "move"
    """The turn has begun: powers, or lift the meeples of a tile (rules 4.2)."""
    SOW = "sow"
    """A hand is on its way: drop a meeple (rules 4.2 to 4.5)."""
    TRIBE = "tribe"
    """Meeples of one tribe are in hand: powers, or the tribe action (rules 5)."""
    TILE = "tile"
    """Powers, or the tile action (rules 6)."""
    CLOSE = "close"
    """Powers, selling, or the end of the turn (rules 7)."""
    SELL = "sell"
    """Something was sold: more sales, or the end of the turn (rules 7)."""
    KEEP = "keep"
    """Djinns were drawn: keep one (rules 11)."""
    END = "end"
    """The game is over (rules 9)."""


POWER_STAGES = frozenset({Stage.MOVE, Stage.TRIBE, Stage.TILE, Stage.CLOSE})
"""Stages of a turn in which powers with a cost can be used (rules 11)."""


class Ending(StrEnum):
    """Why the round is the last one (rules 9)."""

    LAST_CAMEL = "last camel"
    NO_MOVE = "no move"


@dataclass(frozen=True, slots=True)
class Taken:
    """The meeples in hand after moving: from which end tile, which tribe, how many (rules 4.7)."""

    end: int
    tribe: Tribe
    count: int


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand on its way: where it was lifted, where it has been, and the meeples left by tribe (rules 4.2)."""

    start: int
    path: tuple[int, ...]
    drops: tuple[Tribe, ...]
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """What has happened in the turn that matters to the rest of it.

    `used` are the djinns paid for; `hand` is on its way in stage SOW; `taken` is in hand in stage TRIBE and names the
    end tile in stage TILE; `drawn` are the djinns to keep one of in stage KEEP, after which `resume` goes on. `income`
    is what builders brought so far, in GC, `factor` what multiplies it (rules 11.9).
    """

    _: KW_ONLY
    used: tuple[str, ...] = ()
    hand: Hand | None = None
    taken: Taken | None = None
    drawn: tuple[str, ...] = ()
    resume: Stage | None = None
    income: int = 0
    factor: int = 1

    def in_hand(self, stage: Stage) -> tuple[int, ...]:
        """Meeples by tribe that are on their way or wait for their action in a stage (rules 4.2, 4.7)."""
        held = list(NO_MEEPLES if self.hand is None else self.hand.left)
        if self.taken is not None and (self.resume if stage is Stage.KEEP else stage) is Stage.TRIBE:
            held[self.taken.tribe] += self.taken.count
        return tuple(held)


FRESH = TurnProgress()

NOTHING_HIDDEN: Mapping[Colour, int] = MappingProxyType({})
"""Hands of which everything was seen."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A game at one moment: immutable and hashable.

    In `position`, `to_move` is whose decision it is; `bid_order` are the markers still to bid, or after the bidding
    those whose turns have begun (rules 4.1). `hidden` are the unseen cards in each hand, as in `position.players`.
    `ending` says why this round is the last, if it is. `promo`: the promo djinn is in the game. `unchecked_hands`:
    each player entered their own gold and cards, so all together may be more than the box holds (rules 12.2).
    """

    position: Position
    stage: Stage
    _: KW_ONLY
    progress: TurnProgress = FRESH
    hidden: tuple[int, ...] = ()
    djinn_discards: tuple[str, ...] = ()
    ending: Ending | None = None
    promo: bool = False
    unchecked_hands: bool = False

    @property
    def mover(self) -> Colour | None:
        """Whose decision it is; None when the game is over."""
        return self.position.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game is over (rules 9)."""
        return self.stage is Stage.END

    @property
    def unseen(self) -> dict[Colour, int]:
        """How many cards in the hands of those who have any nobody else has seen (rules 12.2)."""
        return self.unseen_in(self.position)

    def unseen_in(self, position: Position) -> dict[Colour, int]:
        """The same in a corrected position: a hand that was changed has no unseen cards."""
        numbers = {}
        for held, number in zip(self.position.players, self.hidden, strict=False):
            now = position.player(held.colour)
            if number and (now.goods, now.fakirs) == (held.goods, held.fakirs):
                numbers[held.colour] = number
        return numbers

    def player(self, colour: Colour | str) -> Player:
        return self.position.player(colour)
