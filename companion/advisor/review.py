"""A game looked back on, as values: what each bid and turn lost, what the cards brought, how the margins ran.

All values are expected final margins in VP: a player's points less those of the best opponent when the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from companion.advisor.advice import Estimate
from companion.language.phrase import Phrase
from companion.rules.engine.scoring import GameResult
from companion.rules.model.components import Colour

DOUBTFUL_VP, BAD_VP = 2.0, 6.0
"""What a turn or bid loses at least to be marked with ? and with ??."""

SURE = 2.0
"""Standard errors that a loss has to be away from 0 to be marked."""

DECISIVE_TURNS = 3


class DecisionKind(StrEnum):
    BID = "bid"
    TURN = "turn"


class Moment(StrEnum):
    """What a point of the curve comes after."""

    START = "start"
    BID = "bid"
    TURN = "turn"
    REFILL = "refill"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A bid or a turn that was played, and the best one instead, as records write them without the player; `loss` is
    what that is worth more with the same luck, never below 0.
    """

    line: int
    round: int
    colour: Colour
    kind: DecisionKind
    _: KW_ONLY
    said: Phrase
    best_said: Phrase
    played: Estimate
    best: Estimate
    loss: Estimate

    @property
    def text(self) -> str:
        """What was played, as a line of a record has it, in English."""
        return self._line(self.said)

    @property
    def best_text(self) -> str:
        """The best, as a line of a record has it, in English."""
        return self._line(self.best_said)

    def _line(self, said: Phrase) -> str:
        return f"{self.colour}{':' if self.kind is DecisionKind.TURN else ''} {said}"

    @property
    def mark(self) -> str:
        """`??` for a bad mistake, `?` for a doubtful decision, else nothing; what may be chance is not marked."""
        if self.loss.value < SURE * (self.loss.error or 0.0):
            return ""
        return "??" if self.loss.value >= BAD_VP else "?" if self.loss.value >= DOUBTFUL_VP else ""


@dataclass(frozen=True, slots=True)
class ReviewedDraw:
    """What chance gave at a line, after a round if it's a `refill`, and how much luck that was for each (rules 8)."""

    line: int
    said: Phrase
    luck: Mapping[Colour, Estimate]
    _: KW_ONLY
    refill: bool = False

    @property
    def text(self) -> str:
        """What came, as a line of a record has it, in English."""
        return f"refill: {self.said}" if self.refill else str.__str__(self.said)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Everybody's expected final margin at a moment of the game; `colour` is who decided, None for start and refill."""

    line: int
    round: int
    after: Moment
    colour: Colour | None
    margins: Mapping[Colour, Estimate]


@dataclass(frozen=True, slots=True)
class DecisiveTurn:
    """A turn that moved the expected margin of `winner` much: `swing` from `before` to `after` it, in VP."""

    decision: ReviewedDecision
    winner: Colour
    before: float
    after: float
    swing: Estimate


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's game: `margin` at the end is `start` + `luck` - `loss` - `bids_loss` + `rest`, what others' play
    brought or the advisor saw only later. Losses are sums over `turns` and `bids`.
    """

    colour: Colour
    _: KW_ONLY
    turns: int
    bids: int
    loss: Estimate
    bids_loss: Estimate
    luck: Estimate
    start: Estimate
    margin: Estimate

    @property
    def rest(self) -> float:
        """What is left of the change in margin, in VP."""
        return self.margin.value - self.start.value - self.luck.value + self.loss.value + self.bids_loss.value


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game looked back on, in its order; `assumed` was drawn as likely, `notes` are else worth telling. `playouts` is
    each decision's budget, `lanes` those that a value of the curve is the mean of.
    """

    players: tuple[PlayerReview, ...]
    decisions: tuple[ReviewedDecision, ...]
    draws: tuple[ReviewedDraw, ...]
    curve: tuple[CurvePoint, ...]
    decisive: tuple[DecisiveTurn, ...]
    result: GameResult
    _: KW_ONLY
    names: Mapping[Colour, str]
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    playouts: int = 0
    lanes: int = 0
    seed: int = 0

    @property
    def turns(self) -> tuple[ReviewedDecision, ...]:
        return tuple(decision for decision in self.decisions if decision.kind is DecisionKind.TURN)

    @property
    def bids(self) -> tuple[ReviewedDecision, ...]:
        return tuple(decision for decision in self.decisions if decision.kind is DecisionKind.BID)
