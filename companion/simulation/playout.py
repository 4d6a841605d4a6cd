"""Playouts: games played on by the policy, all lanes in lockstep, and its bids (rules 3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.rules.model.components import BID_SPOTS, SPOT_PRICES_GC
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.decks import gumbel
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import NONE, STAGE_ID, Index, Ints
from companion.simulation.policy import PolicyTurns, policy_step
from companion.simulation.prospects import LOWEST, prospects
from companion.simulation.rounds import end_turn, free_spots, place_bid

_SALT_BID = 5
_PRICES = np.array(SPOT_PRICES_GC, dtype=np.int16)[:, None]
_NUMBERS = np.arange(len(SPOT_PRICES_GC), dtype=np.float32)[:, None]


def play_bids(batch: Batch, weights: Weights, *, noise: float = 0.0) -> Ints:
    """Bid in every lane, all of them in stage BID; `noise` is as for turns. Returns the prices bid."""
    outlook = prospects(batch, weights)
    return _choose_and_place(batch, best_turns(outlook.cells), outlook.coin, weights, noise)


def play_bidding(batch: Batch, weights: Weights, *, noise: float = 0.0) -> int:
    """Play the bids of the round that are still to come, in lanes that stand at the same one of them.

    All bidders look at the board at once: what they see doesn't depend on the others' bids, but on what they
    paid for a first marker themselves, so this stops at the first player's second marker. Returns how many were played.
    """
    order = batch.bid_order
    bidders, most = 1, int((order[:, 0] != NONE).sum())
    while bidders < most and not (order[bidders] == order[:bidders]).any():
        bidders += 1
    seats = order[:bidders].copy()
    outlook = prospects(Batch(np.tile(batch.data, bidders)), weights, seats.ravel())
    turns = best_turns(outlook.cells).reshape(-1, bidders, len(batch))
    coin = outlook.coin.reshape(bidders, -1)
    for number in range(bidders):
        _choose_and_place(batch, turns[:, number], coin[number], weights, noise)
    return bidders * len(batch)


def _choose_and_place(batch: Batch, turns: Floats, coin: Floats, weights: Weights, noise: float) -> Ints:
    price = choose_bids(batch, turns, coin, weights, noise=noise)
    place_bid(batch, np.arange(len(batch)), price, np.zeros(len(batch), dtype=np.int16))
    return price


def best_turns(cells: Floats) -> Floats:
    """Worths of the best turns that end on different tiles, best first, [BID_SPOTS + 1, lanes]; never below 0."""
    by_tile = cells.max(axis=(0, 2))
    most = BID_SPOTS + 1
    top = np.partition(by_tile, len(by_tile) - most, axis=0)[-most:]
    return np.asarray(np.maximum(np.sort(top, axis=0)[::-1], 0))


def choose_bids(batch: Batch, turns: Floats, coin: Floats, weights: Weights, *, noise: float = 0.0) -> Ints:
    """The price that each lane's bidder names, [lanes]."""
    lanes = np.arange(len(batch))
    free = free_spots(batch, lanes)
    dearer = (batch.turn_price > _PRICES[:, None]).sum(axis=1)
    later = (batch.bid_order != NONE).sum(axis=0) - 1
    # All who bid nothing later on play before whoever bids nothing now (rules 3.2); dearer places are outbid less.
    place = dearer + later * np.float32(weights.outbid) ** _NUMBERS
    before = np.minimum(place.astype(np.intp), len(turns) - 2)
    share = np.minimum(place - before, 1)
    turn = turns[before, lanes] * (1 - share) + turns[before + 1, lanes] * share
    worth = weights.discount * turn - _PRICES * coin
    if noise:
        worth += noise * gumbel(batch, lanes, _SALT_BID, len(SPOT_PRICES_GC))
    affordable = free & (batch.gold[batch.mover, lanes] >= _PRICES)
    chosen = np.where(affordable, worth, LOWEST).argmax(axis=0)
    # Who can pay for no free spot takes the cheapest (rules 3.4).
    return np.asarray(_PRICES[np.where(affordable.any(axis=0), chosen, free.argmax(axis=0)), 0])


_BID, _END = STAGE_ID[Stage.BID], STAGE_ID[Stage.END]
_BIDDING_AT_ONCE = 256
"""Lanes up to which all bidders look at their boards at once; more do not fit the processor's cache."""

Watch = Callable[[Index, PolicyTurns, Index], None]
"""Called after each turn with the lanes that played one, what they played and the seats of those who did."""

_Step = Callable[[Batch, Weights, float, Index, "Watch | None"], int]


def finish_bidding(batch: Batch, weights: Weights, *, noise: float = 0.0) -> int:
    """Place the bids that a round still lacks, in place, in every lane that stands at a bid; how many they were."""
    placed = 0
    while (at := np.flatnonzero(batch.stage == _BID)).size:
        placed += _stepped(batch, at, _bid, weights, noise, None)[0]
    return placed


def play_on(
    batch: Batch, weights: Weights, *, rounds: int | Index | None = None, noise: float = 0.0, watch: Watch | None = None
) -> int:
    """Play every lane on, in place, until so many rounds are over, the present one being the first, or the game is.

    `rounds` may be a number a lane. Lanes stand at a bid, at the beginning of a turn, or at the end of one (stages
    CLOSE and SELL are ended by `rounds.end_turn` first). Returns how many turns and bids were played.
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
    replies = policy_step(batch, weights, noise=noise)
    if watch is not None:
        watch(at, replies, batch.mover.astype(np.intp))
    end_turn(batch, np.arange(len(batch)))
    return len(batch)
