"""The bids of the playout policy, all lanes in lockstep (rules 3)."""

from __future__ import annotations

import numpy as np

from companion.rules.model.components import BID_SPOTS, SPOT_PRICES_GC
from companion.simulation.card_worths import LOWEST
from companion.simulation.decks import gumbel
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import NONE, Batch, Ints
from companion.simulation.prospects import prospects
from companion.simulation.rounds import free_spots, place_bid

_BIDDING_LANES = 256
"""Lanes up to which all bidders look at their boards at once; more do not fit the processor's cache."""

_SALT_BID = 5
_PRICES = np.array(SPOT_PRICES_GC, dtype=np.int16)[:, None]
_NUMBERS = np.arange(len(SPOT_PRICES_GC), dtype=np.float32)[:, None]


def play_bids(batch: Batch, weights: Weights, *, noise: float = 0.0, together: bool = True) -> int:
    """Place the next bids in all lanes, with `noise`; how many. Bidders look `together` as far as no bid changes what
    they see: up to anybody's second marker, or to one where lanes differ or are many.
    """
    order, left = batch.bid_order, (batch.bid_order != NONE).sum(axis=0)
    bidders, most = 1, int(left[0])
    if not together or len(batch) > _BIDDING_LANES or (left != left[0]).any():
        most = 1
    while bidders < most and not (order[bidders] == order[:bidders]).any():
        bidders += 1
    seats = order[:bidders].copy()
    looks = batch if bidders == 1 else Batch(np.tile(batch.data, bidders))
    # One look at copies of the lanes, as seen by each bidder.
    outlook = prospects(looks, weights, seats.ravel())
    turns = best_turns(outlook.cells).reshape(-1, bidders, len(batch))
    coin = outlook.coin.reshape(bidders, -1)
    lanes, no_fakirs = np.arange(len(batch)), np.zeros(len(batch), dtype=np.int16)
    for number in range(bidders):
        price = choose_bids(batch, turns[:, number], coin[number], weights, noise=noise)
        place_bid(batch, lanes, price, no_fakirs)
    return bidders * len(batch)


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
