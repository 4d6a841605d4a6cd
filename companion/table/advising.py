"""Advice for a table, in words and as the lines that play it, in whatever process that is thought about."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.advisor.advice import AdvisedTurn, BidAdvice, Budget, FairSetup, TurnAdvice
from companion.advisor.turn_wording import best_ways, record_line
from companion.errors import CompanionError
from companion.language.phrase import say
from companion.rules.engine.resuming import bids_are_placed
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import GameState, Stage
from companion.system.progress import TellShare

if TYPE_CHECKING:
    from companion.advisor.search.boards import Alternatives

HINTED_TURNS = 3


@dataclass(frozen=True, slots=True)
class TableAdvice:
    """What is advised: turns, the `best` of each idea, the `lines` that play those ("" where none can); or bids."""

    turns: TurnAdvice | None = None
    best: tuple[AdvisedTurn, ...] = ()
    lines: tuple[str, ...] = ()
    bids: BidAdvice | None = None

    @property
    def to_move(self) -> Colour | None:
        """Whom it is for; None in a game that is over."""
        if self.turns is not None:
            return self.turns.to_move
        return None if self.bids is None else self.bids.player

    @property
    def assumed(self) -> tuple[str, ...]:
        """Sentences on what was not known, and what else is to be known."""
        advice = self.turns or self.bids
        return () if advice is None else (*advice.assumed, *advice.notes)


def advise_table(
    asked: Position | GameState, playouts: int, seed: int, alternatives: Alternatives | None, tell: TellShare
) -> TableAdvice:
    """The best turns, or bids while those are open, of whoever decides; the same for the same seed. `alternatives` as
    for `advise`. Raises UnusableInputError where nothing is to be decided.
    """
    from companion.advisor.search.advise import advise
    from companion.advisor.search.bids import advise_bid

    thinking = say("thinking")

    def progress(share: float) -> None:
        tell(share, thinking)

    budget = Budget(playouts=playouts)
    if isinstance(asked, GameState):
        bidding = asked.stage is Stage.BID
    else:
        bidding = asked.phase is Phase.BID and not bids_are_placed(asked)
    if bidding:
        return TableAdvice(bids=advise_bid(asked, budget=budget, seed=seed, progress=progress))
    advice = advise(asked, top=HINTED_TURNS, budget=budget, seed=seed, progress=progress, alternatives=alternatives)
    best = tuple(best_ways(advice.turns))
    return TableAdvice(advice, best, tuple(map(_line, best)))


def fair_table(colours: Sequence[Colour], seed: int, seconds: float, tell: TellShare) -> FairSetup:
    """The first fair set-up from a seed on, or the fairest after that many seconds; progress is of time or of tries."""
    from companion.advisor.search.fairness import fair_setup

    doing = say("looking for a fair set-up")
    begun = time.monotonic()

    def progress(share: float) -> None:
        tell(min(1.0, max(share, (time.monotonic() - begun) / seconds)), doing)

    tell(0.0, doing)
    return fair_setup(
        len(colours), seed, colours=colours, progress=progress, stop=lambda: time.monotonic() - begun > seconds
    )


def _line(one: AdvisedTurn) -> str:
    try:
        return record_line(one)
    except CompanionError:
        return ""
