"""Selling sets of different goods, in many games at once (rules 7)."""

from __future__ import annotations

import numpy as np

from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.layout import CARDS, FAKIR_ID, SET_PRICES, STAGE_ID, Index, Ints

_SELL = STAGE_ID[Stage.SELL]
_BITS = np.arange(len(CARDS) - 1)[:, None]


def sell(batch: Batch, at: Index, goods: Ints) -> None:
    """The movers sell a set each: bit g - 1 of `goods` for good g of `layout.CARDS`, at least one (rules 7.1)."""
    sold = ((goods >> _BITS) & 1).astype(np.int16)
    mover = batch.mover[at]
    batch.cards[mover, FAKIR_ID + 1 :, at] -= sold.T
    batch.discards[FAKIR_ID + 1 :, at] += sold
    batch.gold[mover, at] += SET_PRICES[sold.sum(axis=0)]
    batch.stage[at] = _SELL
