"""Advice as values: turns and bids with what they are expected to be worth at the end of the game."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.language.catalogue import translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.rules.engine.scoring import GameResult
    from companion.rules.model.actions import Action, PlaceBid, Sowing
    from companion.rules.model.components import Colour
    from companion.rules.model.position import Position
    from companion.rules.model.state import GameState


class AdviceLevel(StrEnum):
    """How much a hint tells: which tile to lift, the path as well, or everything."""

    NUDGE = "nudge"
    PATH = "path"
    FULL = "full"


OPPONENTS = "opponents"
"""The key of `AdvisedTurn.categories` for what the best opponent's points add to the margin."""

TO_COME = "to come"
"""The key for points that are expected after the playouts stop."""

DEFAULT_PLAYOUTS = 24_000
"""Best replies that a hint may play when nobody says how long it may think."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: in `playouts` (best replies played), so that a seed always gives the same advice.

    With `seconds` the search goes on, in steps, until the time is over; the advice then depends on the machine.
    """

    playouts: int = DEFAULT_PLAYOUTS
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """An expected final margin in VP with its standard error; `error` is None where nothing was sampled."""

    value: float
    error: float | None = None


@dataclass(frozen=True, slots=True)
class LikelyReply:
    """What the next player most likely answers with: the share of playouts with it, and what it gains in VP.

    `colour` is None where it is not known who that is; in a game of two it may be the mover with his other marker.
    `end` is the square where his move ends, `tribe` the ordinal of the tribe that he takes there.
    """

    colour: Colour | None
    end: int
    tribe: int
    gain: float
    share: float


@dataclass(frozen=True, slots=True)
class AdvisedTurn:
    """A whole turn and what it is worth.

    `actions` are its decisions in order, all of them, or up to a draw that nobody has seen if it is `open_ended`.
    `gain` are the mover's points by rules 10 just after it less those just before, in VP. `behind` is how much less
    than the first turn of the advice it is worth, sampled with the same luck for both, and 0 for the first; `equal`
    says that the two cannot be told apart. `categories` are the mover's expected points at the end less those of the
    next turn in the list, by category of rules 10, and `"opponents"` what the best opponent's points add to that.
    `best_capture_left` is the most that the next player gains at once, None if nobody plays after it. `headline`
    is the turn in a line, for people.
    """

    actions: tuple[Action, ...]
    sowing: Sowing | None
    _: KW_ONLY
    gain: float
    estimate: Estimate
    open_ended: bool = False
    behind: Estimate = Estimate(0.0)
    equal: bool = False
    categories: Mapping[str, float] = field(default_factory=dict)
    next_best: Estimate | None = None
    best_capture_left: float | None = None
    reply: LikelyReply | None = None
    headline: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        return self.text()

    def text(self, language: str = "en") -> str:
        """The whole turn in a line, in a language of `LANGUAGES`: "c3 > c4b > d4y: take 2 viziers, claim d4"."""
        return translate(self.headline, language)


@dataclass(frozen=True, slots=True)
class TurnAdvice:
    """The best turns of a player, best first.

    `assumed` are sentences on what was not known and how it was drawn, `notes` others worth telling. In a game that
    is over nobody is to move, and `result` says who has won. `playouts` is how many best replies were played.
    `state` is the one in which the turns begin; what was not known is still None in it.
    """

    to_move: Colour | None
    state: GameState
    turns: tuple[AdvisedTurn, ...] = ()
    _: KW_ONLY
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: GameResult | None = None
    playouts: int = 0
    seed: int = 0

    @property
    def position(self) -> Position:
        """The position that was advised on."""
        return self.state.position


@dataclass(frozen=True, slots=True)
class AdvisedBid:
    """A bid and what it is worth, the price paid. `turn` is the turn it is most often for, `place` the one in the
    round that it would give if nobody bid after it, from 1, and `plays` the one that it mostly comes to in playouts,
    with their share, None if nothing was played.
    """

    bid: PlaceBid
    estimate: Estimate
    place: int
    behind: Estimate = Estimate(0.0)
    equal: bool = False
    turn: AdvisedTurn | None = None
    plays: tuple[int, float] | None = None

    @property
    def likely_place(self) -> int:
        """The place in the round that the bid mostly comes to, from 1."""
        return self.place if self.plays is None else self.plays[0]


@dataclass(frozen=True, slots=True)
class BidAdvice:
    """Every bid that the player can make, the best first; the other fields as in `TurnAdvice`."""

    player: Colour | None
    position: Position
    bids: tuple[AdvisedBid, ...] = ()
    _: KW_ONLY
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: GameResult | None = None
    playouts: int = 0
    seed: int = 0
