"""Points of all players in many games at once (rules 10)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Worth
from companion.rules.engine.scoring import CATEGORIES, VP_FOR_FEWER_VIZIERS
from companion.simulation.batch import Batch
from companion.simulation.djinns import DJINN_VP, ELDER, FAKIRS_PER_GOOD, PALM, VIZIER, WILD, Revalued
from companion.simulation.layout import FAKIR_ID, SEATS, SET_PRICES, Ints, Wide

_SEATS = np.arange(SEATS)[:, None]
_TILE_BITS = 10
"""No board is worth 2**10 VP or holds so many palms, so three sums over own tiles fit one number."""
_SUM = (1 << _TILE_BITS) - 1


PALACE_VP = Worth().palace


def scores(batch: Batch) -> Ints:
    """Everybody's points in VP, [categories, seats, lanes] in the order of `rules.engine.scoring.CATEGORIES`.

    Seats where nobody sits have 0.
    """
    points = np.zeros((len(CATEGORIES), SEATS, len(batch)), dtype=np.int16)
    playing = batch.seats > _SEATS
    gold, viziers, elders, djinns, palms, palaces, tiles, goods = points
    gold[...] = batch.gold
    viziers[...] = batch.viziers * _each(batch, VIZIER) + VP_FOR_FEWER_VIZIERS * _opponents_below(batch, playing)
    elders[...] = batch.elders * _each(batch, ELDER)
    djinns[...] = np.matmul(DJINN_VP, batch.owns)
    on_tiles = _on_own_tiles(batch)
    palms[...] = (on_tiles >> _TILE_BITS & _SUM) * _each(batch, PALM)
    palaces[...] = (on_tiles >> 2 * _TILE_BITS) * PALACE_VP
    tiles[...] = on_tiles & _SUM
    goods[...] = hands_value(batch)
    points *= playing
    return points


def totals(batch: Batch) -> Ints:
    """Everybody's points in VP, [seats, lanes]; 0 where nobody sits."""
    return np.asarray(scores(batch).sum(axis=0, dtype=np.int16))


def goods_value(cards: Wide, wild: Wide | None = None) -> Ints:
    """GC for hands of goods sold in the best way (rules 7.1, 10.7).

    `cards` is [10, ...] by card, the fakirs first, who give nothing here; `wild` [...] are goods of choice that come
    on top (rules 11.12). The result is [...].
    """
    goods = cards[FAKIR_ID + 1 :]
    if wild is not None and wild.any():
        goods = _with_wild(goods, wild)
    value = np.zeros(goods.shape[1:], dtype=np.int16)
    for level in range(int(goods.max(initial=0))):
        # Of each set that is as large as possible, how many goods it has; small bytes are summed fastest.
        value += SET_PRICES[(goods > level).sum(axis=0, dtype=np.int8)]
    return value


def hands_value(batch: Batch) -> Ints:
    """What everybody's goods are worth, those made of fakirs among them (rules 11.12): GC, [seats, lanes]."""
    cards = np.moveaxis(batch.cards, 1, 0)
    owned = batch.owns[:, WILD]
    return goods_value(cards, batch.cards[:, FAKIR_ID] // FAKIRS_PER_GOOD * owned if owned.any() else None)


def _with_wild(goods: Wide, wild: Wide) -> Wide:
    """The counts after goods of choice are named in the best way: each to the good with the fewest, rarest first."""
    named = goods.copy()
    flat, left = named.reshape(len(goods), -1), wild.ravel()
    lanes = np.nonzero(left > 0)[0]
    left = left[lanes]
    while len(lanes):
        flat[flat[:, lanes].argmin(axis=0), lanes] += 1
        left = left - 1
        lanes, left = lanes[left > 0], left[left > 0]
    return named


def _each(batch: Batch, worth: Revalued) -> Ints:
    """What one of something is worth to everybody, [seats, lanes]."""
    return np.asarray(worth.plain + worth.more * batch.owns[:, worth.djinn], dtype=np.int16)


def _opponents_below(batch: Batch, playing: npt.NDArray[np.bool_]) -> Ints:
    """How many opponents have fewer viziers, [seats, lanes] (rules 10.2)."""
    viziers = batch.viziers
    below = np.zeros(viziers.shape, dtype=np.int16)
    for other in range(SEATS):
        below += (viziers[other] < viziers) & playing[other]
    return below


def _on_own_tiles(batch: Batch) -> npt.NDArray[np.int32]:
    """Sums over everybody's tiles, [seats, lanes]: palaces, palms and values, `_TILE_BITS` bits each."""
    worth = batch.palaces.astype(np.int32) << 2 * _TILE_BITS
    worth += batch.palms.astype(np.int32) << _TILE_BITS
    worth += batch.tile_vp
    own = np.empty((SEATS, len(batch)), dtype=np.int32)
    for seat in range(SEATS):
        own[seat] = (worth * (batch.camel == seat)).sum(axis=0)
    return own
