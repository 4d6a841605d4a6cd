"""The search as the judge of a review: the best of each decision, and margins by playing on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from companion.advisor.advice import BidAdvice, Budget, TurnAdvice
from companion.advisor.review import GameReview
from companion.advisor.search.advise import advise
from companion.advisor.search.bids import advise_bid
from companion.advisor.search.review import Samples, review_game
from companion.notation.records.replay import Replayed
from companion.rules.model.state import GameState, Stage
from companion.simulation.batch import Batch
from companion.simulation.bridge import sample_worlds
from companion.simulation.evaluation import evaluate, fitted_weights, margins_of
from companion.simulation.layout import STAGE_ID
from companion.simulation.playout import play_on
from companion.simulation.rounds import end_turn
from companion.simulation.scoring import totals

REVIEW_PLAYOUTS = 1000
"""PolicyTurns that are played for each decision when nobody says how many: a game of four takes some ten seconds."""

LANES = 96
"""Playouts that each value is the mean of."""

HORIZON_ROUNDS = 2
"""Playouts go to the end of the round after the one that is being played."""

REPLY_NOISE_VP = 2.0
"""PolicyTurns are drawn among those that are worth nearly as much, so that no hair's breadth turns the whole curve."""

LANES_AT_ONCE = 2048
"""Lanes that are played on together: more take memory, and no less time."""

_ELSEWHERE = 0x5EED
"""Playouts meet other worlds than the search has chosen the best turn in."""

_CLOSED = [STAGE_ID[Stage.CLOSE], STAGE_ID[Stage.SELL]]


class SearchJudge:
    """Searches with a budget of `playouts` a decision, and plays on in `lanes` worlds that follow from the seed."""

    def __init__(self, playouts: int = REVIEW_PLAYOUTS, seed: int = 0, lanes: int = LANES) -> None:
        self._budget, self._seed, self._lanes = Budget(playouts), seed, lanes

    def turn(self, state: GameState) -> TurnAdvice:
        """The best turn from a state in which one begins."""
        return advise(state, top=1, budget=self._budget, seed=self._seed)

    def bid(self, state: GameState) -> BidAdvice:
        """The bids of a state in which one is due."""
        return advise_bid(state, budget=self._budget, seed=self._seed)

    def margins(self, states: Sequence[GameState]) -> list[Samples]:
        """Final margins of all players after each state, sampled in the same worlds."""
        found: list[Samples] = []
        for part in _parts(states, max(LANES_AT_ONCE // self._lanes, 1)):
            found += expected_margins(part, self._lanes, self._seed ^ _ELSEWHERE)
        return found


def review_record(
    played: Replayed,
    *,
    playouts: int = REVIEW_PLAYOUTS,
    seed: int = 0,
    progress: Callable[[str, float], None] | None = None,
) -> GameReview:
    """Look back on a game that was recorded, with the search as the judge: `playouts` replies for each decision.

    The same seed and budget give the same review. `progress` is told what is looked at and the share that is done.
    Raises UnusableInputError for a record without a whole bid or turn.
    """
    return review_game(played, SearchJudge(playouts, seed), seed=seed, playouts=playouts, progress=progress)


def _parts(states: Sequence[GameState], size: int) -> Iterator[Sequence[GameState]]:
    for first in range(0, len(states), size):
        yield states[first : first + size]


def expected_margins(states: Sequence[GameState], lanes: int, seed: int) -> list[Samples]:
    """Everybody's final margin in VP after each state, [place in position.players, lane], by playing on.

    States are of one game: at a bid, at the beginning of a turn, at its end with nothing left to do but to end it, or
    at the end of the game, which is counted. All states meet the same worlds.
    """
    batches = [sample_worlds(state, lanes, seed) for state in states]
    batch = Batch(np.concatenate([one.data for one in batches], axis=1))
    players = len(states[0].position.players)
    weights = fitted_weights(players)
    closed = np.flatnonzero(np.isin(batch.stage, _CLOSED))
    if closed.size:
        end_turn(batch, closed)
    play_on(batch, weights, rounds=HORIZON_ROUNDS, noise=REPLY_NOISE_VP)
    over = batch.stage == STAGE_ID[Stage.END]
    points = np.where(over, totals(batch), evaluate(batch, weights))
    margins = margins_of(points, batch.seats)[:players].astype(np.float64)
    return [margins[:, first : first + lanes] for first in range(0, margins.shape[1], lanes)]
