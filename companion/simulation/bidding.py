"""The playout policy's bids (rules 3): a place in the round is worth a share of the best turn that it leaves."""

from __future__ import annotations

import numpy as np

from companion.rules.engine.rounds import ZERO_SPOTS
from companion.rules.model.components import BID_SPOTS
from companion.simulation.batch import Batch
from companion.simulation.card_prospects import LOWEST
from companion.simulation.chance import gumbel
from companion.simulation.evaluation import Floats, Weights
from companion.simulation.layout import NONE, PRICES, Ints
from companion.simulation.prospects import prospects
from companion.simulation.rounds import place_bid

_SALT_BID = 5


def play_bids(batch: Batch, weights: Weights, *, noise: float = 0.0) -> Ints:
    """Bid in every lane, all of them in stage BID; `noise` is as for turns. Returns the prices bid."""
    at = np.arange(len(batch))
    found = prospects(batch, weights)
    price = choose_bids(batch, best_turns(found.cells), found.coin, weights, noise=noise)
    place_bid(batch, at, price, np.zeros(len(batch), dtype=np.int16))
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
    placed = batch.turn_seat != NONE
    gold = batch.gold[batch.mover, lanes]
    later = (batch.bid_order != NONE).sum(axis=0) - 1
    best = np.full(len(batch), LOWEST, dtype=np.float32)
    chosen = np.zeros(len(batch), dtype=np.int16)
    luck = noise * gumbel(batch, lanes, _SALT_BID, len(PRICES)) if noise else np.zeros(len(PRICES), dtype=np.float32)
    cheapest = np.full(len(batch), NONE, dtype=np.int16)
    for number, price in enumerate(PRICES):
        at_price = ((batch.turn_price == price) & placed).sum(axis=0)
        free = at_price < (ZERO_SPOTS if price == 0 else 1)
        cheapest = np.where(free & (cheapest == NONE), np.int16(price), cheapest)
        dearer = ((batch.turn_price > price) & placed).sum(axis=0)
        # All who bid nothing later on play before whoever bids nothing now (rules 3.2); dearer places are outbid less.
        place = dearer + later * np.float32(weights.outbid**number)
        before = np.minimum(place.astype(np.int64), len(turns) - 2)
        share = np.minimum(place - before, 1)
        turn = turns[before, lanes] * (1 - share) + turns[before + 1, lanes] * share
        worth = np.where(free & (gold >= price), weights.discount * turn - price * coin + luck[number], LOWEST)
        better = worth > best
        best, chosen = np.where(better, worth, best), np.where(better, np.int16(price), chosen)
    # Who can pay for no free spot takes the cheapest (rules 3.4).
    return np.where(best > LOWEST / 2, chosen, cheapest).astype(np.int16)
