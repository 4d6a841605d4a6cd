"""The playout policy's bids (rules 3): a place in the round is worth a share of the best turn that it leaves."""

from __future__ import annotations

import numpy as np

from companion.rules.model.components import BID_SPOTS, SPOT_PRICES_GC
from companion.simulation.batch import Batch
from companion.simulation.card_prospects import LOWEST
from companion.simulation.chance import gumbel
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import NONE, Ints
from companion.simulation.prospects import prospects
from companion.simulation.rounds import free_spots, place_bid

_SALT_BID = 5
_PRICES = np.array(SPOT_PRICES_GC, dtype=np.int16)[:, None]
_NUMBERS = np.arange(len(SPOT_PRICES_GC), dtype=np.float32)[:, None]


def play_bids(batch: Batch, weights: Weights, *, noise: float = 0.0) -> Ints:
    """Bid in every lane, all of them in stage BID; `noise` is as for turns. Returns the prices bid."""
    found = prospects(batch, weights)
    return _bid(batch, best_turns(found.cells), found.coin, weights, noise)


def play_bidding(batch: Batch, weights: Weights, *, noise: float = 0.0) -> int:
    """Play the bids of the round that are still to come, in lanes that stand at the same one of them.

    All bidders look at the board at once: what they see does not hang on the others' bids, but on what they paid for
    a first marker themselves, so no further than to the first player's second marker. Returns how many were played.
    """
    order = batch.bid_order
    bidders, most = 1, int((order[:, 0] != NONE).sum())
    while bidders < most and not (order[bidders] == order[:bidders]).any():
        bidders += 1
    seats = order[:bidders].copy()
    found = prospects(Batch(np.tile(batch.data, bidders)), weights, seats.ravel())
    turns = best_turns(found.cells).reshape(-1, bidders, len(batch))
    coin = found.coin.reshape(bidders, -1)
    for number in range(bidders):
        _bid(batch, turns[:, number], coin[number], weights, noise)
    return bidders * len(batch)


def _bid(batch: Batch, turns: Floats, coin: Floats, weights: Weights, noise: float) -> Ints:
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
