"""Advice as values: turns and bids with what they are expected to be worth at the end of the game."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING

from companion.arguments import fits
from companion.errors import ArgumentError
from companion.language.catalogue import translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.advisor.explanation import ExplainedTurn
    from companion.rules.engine.scoring import GameResult
    from companion.rules.model.actions import Action, PlaceBid, Sowing
    from companion.rules.model.board import Tile
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

EQUAL_VP = 1.0
"""Turns that are less apart than this come to the same for a player."""

EQUIVALENCE_ERRORS = 1.645
"""Standard errors between a difference and what it's less than with 95% certainty."""

EXACT_VP = 0.005
"""Less than this between exact values is rounding."""

PHOTO_PLAYOUTS = 10_000
"""The same for a board that was read from a photo: more would not make up for what the photo doesn't tell."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: `playouts`, for the same advice to a seed, or `seconds` on this machine. Raises ArgumentError
    for less than one playout, and for seconds that aren't a number over 0.
    """

    playouts: int = DEFAULT_PLAYOUTS
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not fits(self.playouts, int) or not fits(self.seconds, float | None):
            raise ArgumentError("a budget is a number of playouts, and of seconds or None")
        if self.playouts < 1:
            raise ArgumentError("a budget has 1 playout or more, not {playouts}", playouts=self.playouts)
        if self.seconds is not None and not 0 < self.seconds < inf:
            raise ArgumentError("a budget has more than 0 seconds, not {seconds}", seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Estimate:
    """An expected final margin in VP with its standard error; `error` is None where nothing was sampled."""

    value: float
    error: float | None = None

    @property
    def is_level(self) -> bool:
        """Whether a difference is shown to be none: below `EQUAL_VP` by a test of equivalence at 95%, 0 if exact."""
        if self.error is None:
            return abs(self.value) < EXACT_VP
        return abs(self.value) + EQUIVALENCE_ERRORS * self.error <= EQUAL_VP

    @property
    def is_open(self) -> bool:
        """Whether a difference may as well be none or the other way round: within its error, by a test at 95%."""
        return self.error is not None and not self.is_level and abs(self.value) < EQUIVALENCE_ERRORS * self.error


@dataclass(frozen=True, slots=True)
class LikelyReply:
    """What the next player most likely answers with: where the move ends, the ordinal of the tribe, the share of
    playouts, the gain in VP. `colour` is None if unknown, in a game of two perhaps the mover.
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
    `gain` are the mover's points by rules 10 just after it less those just before, in VP. Turns with the same `idea`,
    numbered from 1, end on the same tile with the same tribe, claims and kills.

    `behind` is how much less than the first turn of the advice it is worth, sampled with the same luck for both, and 0
    for the first; `equal` says that the two cannot be told apart (`Estimate.is_level`). `next_best` is how much less
    the next turn of another idea in the list is worth, and `categories` are the mover's expected points at the end less
    those of that one, by category of rules 10, and `"opponents"` what the best opponent's points add to that.

    `win` is the chance to win, a shared win counted by its share; None for what comes of no search.

    `holds` is how likely it is that the turn can be played and claims what it says, where the board is in doubt.

    `best_capture_left` is the most that the next player gains at once, the mean over some worlds if that hangs on what
    isn't known (`about`); None if nobody plays after it, and, like `reply`, for all but the best turn of an idea.
    `explained` is the turn played by the rules, with words for it.
    """

    actions: tuple[Action, ...]
    sowing: Sowing | None
    _: KW_ONLY
    gain: float
    estimate: Estimate
    explained: ExplainedTurn = field(repr=False, compare=False)
    open_ended: bool = False
    idea: int = 1
    holds: float | None = None
    behind: Estimate = Estimate(0.0)
    equal: bool = False
    win: float | None = None
    categories: Mapping[str, float] = field(default_factory=dict)
    next_best: Estimate | None = None
    best_capture_left: float | None = None
    about: bool = False
    reply: LikelyReply | None = None

    def __str__(self) -> str:
        return self.text()

    def text(self, language: str = "en") -> str:
        """The whole turn in a line, in a language of `LANGUAGES`: "c3 > c4b > d4y: take 2 viziers, claim d4"."""
        return translate(self.explained.headline, language)

    @property
    def is_best(self) -> bool:
        """Whether it is the first of the advice: others are worth less, or are called equal."""
        return not (self.behind.value or self.behind.error or self.equal)


@dataclass(frozen=True, slots=True)
class DecidingReading:
    """What may lie on a tile in doubt, its `chance`, and the turn that is best then: the first of the advice, or its
    idea's number there, None without one; `aim` says what it does.
    """

    tile: Tile
    chance: float
    is_first: bool
    idea: int | None
    aim: str


@dataclass(frozen=True, slots=True)
class DecidingTile:
    """A tile in doubt, what knowing it is worth in VP, and its readings, likeliest first."""

    square: int
    worth: float
    readings: tuple[DecidingReading, ...]


ASKED_FROM_VP = 0.1
"""A tile in doubt is worth a question, or a word before the turn, if knowing it is worth more than this."""

MOST_ASKED = 3
"""At most this many tiles are asked about."""

MOST_CHOICES = 4
"""How many of a tile's readings are named or offered, the likeliest."""


@dataclass(frozen=True, slots=True)
class TurnAdvice:
    """The best turns of a player, best first.

    `assumed` are sentences on what was not known and how it was drawn, `notes` others worth telling. In a game that
    is over nobody is to move, and `result` says who has won. `playouts` is how many best replies were played.
    `state` is the one in which the turns begin; what was not known is still None in it. `decides` are the tiles in
    doubt whose contents bear on the choice, the dearest first.
    """

    to_move: Colour | None
    state: GameState
    turns: tuple[AdvisedTurn, ...] = ()
    _: KW_ONLY
    decides: tuple[DecidingTile, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: GameResult | None = None
    playouts: int = 0
    seed: int = 0

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def worth_a_look(self) -> tuple[DecidingTile, ...]:
        """The tiles worth asking about, the dearest first."""
        return tuple(tile for tile in self.decides if tile.worth > ASKED_FROM_VP)[:MOST_ASKED]


@dataclass(frozen=True, slots=True)
class AdvisedBid:
    """A bid, its price paid: the turn it is for, its `place` in the round if last, and where it mostly `plays`."""

    bid: PlaceBid
    estimate: Estimate
    place: int
    behind: Estimate = Estimate(0.0)
    equal: bool = False
    win: float | None = None
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


FAIR_VP = 2.0
"""The expected margins of the first turns lie at most this far apart."""

MAX_OPEN = 1
"""Tiles that the first turn of the game may be able to claim."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """How fair a set-up is: expected final margins in VP by place in the first round, and squares open to a claim."""

    margins: tuple[Estimate, ...]
    open_captures: tuple[int, ...]

    @property
    def spread(self) -> float:
        """How far the best and the worst place lie apart, in VP."""
        values = [margin.value for margin in self.margins]
        return max(values) - min(values)

    @property
    def within(self) -> bool:
        return self.spread <= FAIR_VP and len(self.open_captures) <= MAX_OPEN


@dataclass(frozen=True, slots=True)
class FairSetup:
    """A set-up with the seed that gives it and its measure; `tried` is how many were looked at."""

    position: Position
    seed: int
    fairness: Fairness
    tried: int
