"""Playouts: games played on by the policy, all lanes in lockstep."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.bidding import play_bidding, play_bids
from companion.simulation.evaluation import Weights
from companion.simulation.layout import NONE, STAGE_ID, Index
from companion.simulation.policy import Replies, play_replies
from companion.simulation.rounds import end_turn

_BID, _END = STAGE_ID[Stage.BID], STAGE_ID[Stage.END]
_BIDDING_AT_ONCE = 256
"""Lanes up to which all bidders look at their boards at once; more do not fit the processor's cache."""

Watch = Callable[[Index, Replies, Index], None]
"""Called after each turn with the lanes that played one, what they played and the seats of those who did."""

_Step = Callable[[Batch, Weights, float, Index, "Watch | None"], int]


def finish_bidding(batch: Batch, weights: Weights, *, noise: float = 0.0) -> int:
    """Place the bids that a round still lacks, in place, in every lane that stands at a bid; how many they were."""
    placed = 0
    while (at := np.flatnonzero(batch.stage == _BID)).size:
        placed += _stepped(batch, at, _bid, weights, noise, None)[0]
    return placed


def play_on(
    batch: Batch, weights: Weights, *, rounds: int | None = None, noise: float = 0.0, watch: Watch | None = None
) -> int:
    """Play every lane on, in place, until so many rounds are over, the present one being the first, or the game is.

    Lanes stand at a bid, at the beginning of a turn, or at the end of one (stages CLOSE and SELL are ended by
    `rounds.end_turn` first). Returns how many turns and bids were played.
    """
    passed = np.zeros(len(batch), dtype=np.int64)
    played = 0
    while True:
        going = np.flatnonzero((batch.stage != _END) & (passed < rounds if rounds is not None else True))
        if not going.size:
            return played
        bidding = batch.stage[going] == _BID
        for at, step in ((going[bidding], _bid), (going[~bidding], _turn)):
            if not at.size:
                continue
            steps, part = _stepped(batch, at, step, weights, noise, watch)
            played += steps
            if step is _turn:
                passed[at] += part.stage == _BID


def _stepped(
    batch: Batch, at: Index, step: _Step, weights: Weights, noise: float, watch: Watch | None
) -> tuple[int, Batch]:
    """A step in some lanes of a batch, in place: how many turns or bids it was, and those lanes after it."""
    whole = len(at) == len(batch)
    part = batch if whole else batch.select(at)
    played = step(part, weights, noise, at, watch)
    if not whole:
        batch.data[:, at] = part.data
    return played, part


def _bid(batch: Batch, weights: Weights, noise: float, at: Index, watch: Watch | None) -> int:
    left = (batch.bid_order != NONE).sum(axis=0)
    if len(batch) <= _BIDDING_AT_ONCE and (left == left[0]).all():
        return play_bidding(batch, weights, noise=noise)
    play_bids(batch, weights, noise=noise)
    return len(batch)


def _turn(batch: Batch, weights: Weights, noise: float, at: Index, watch: Watch | None) -> int:
    replies = play_replies(batch, weights, noise=noise)
    if watch is not None:
        watch(at, replies, batch.mover.astype(np.intp))
    end_turn(batch, np.arange(len(batch)))
    return len(batch)
