"""What cards of the row are worth to the mover of each lane, and so the markets (rules 6.3, 6.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.components import GOODS, ROW_LENGTH, SET_PRICES_GC, TileAction, Tribe
from companion.simulation.evaluation import FEATURE_ID, MAX_SET, RARE_GOODS, Floats
from companion.simulation.layout import FAKIR_ID, NONE, Batch, Index, Ints
from companion.simulation.walks import COUNTED_VISITS

LOWEST = np.float32(-1e4)
"""What stands for the worth of something that is not there."""
_SMALL, _LARGE = MARKETS[TileAction.SMALL_MARKET], MARKETS[TileAction.LARGE_MARKET]
MAX_GONE = 4
"""Row cards that merchants take before the market's cards are no longer distinguished."""

_PRICES = np.array(SET_PRICES_GC, dtype=np.float32)
_LEVELS = 3
"""Sets that are distinguished: a fourth like good counts as a third."""
_GOODS = np.arange(1, len(GOODS) + 1, dtype=np.int16)[:, None]
_OFFERED = np.arange(MAX_GONE + 1)[:, None] + np.arange(_LARGE.among)
"""Places of the row that a market offers when that many first cards are gone, [gone, offered]."""
_GONE = np.arange(MAX_GONE + 1)[:, None, None]


@dataclass(slots=True, eq=False)
class CardWorths:
    """Worths in VP. Once merchants have taken the first cards of the row: of one more card of a kind, of a second one,
    [0 to 4 gone, card id, lanes], and of small and large markets, [0 to 4 gone, lanes], never below 0. And
    of those first cards, [cards, lanes], as many as any merchants can take.
    """

    card: Floats
    second_card: Floats
    first: Floats
    small: Floats
    large: Floats


def card_worths(batch: Batch, by_lane: Floats, hand: Ints, fakir: Floats, coin: Floats, gold: Ints) -> CardWorths:
    """What cards are worth to players with these hands [card id, lanes], whose fakirs are worth `fakir` each."""
    lanes = np.arange(len(batch))
    worths = _set_worths(by_lane)
    goods = hand[FAKIR_ID + 1 :]
    row = batch.row
    # No hand takes more cards than there are merchants on a tile, and those that it leaves there itself.
    merchants = int(batch.meeples[:, Tribe.MERCHANT].max(initial=0)) + COUNTED_VISITS
    most = max(min(merchants, ROW_LENGTH), MAX_GONE)
    # Hands after the first card, after the first two, and so on.
    after = np.empty((most + 1, len(goods), len(batch)), dtype=np.int16)
    after[0] = goods
    after[1:] = row[:most, None] == _GOODS
    np.cumsum(after, axis=0, out=after)
    first = np.zeros((most + 1, len(batch)), dtype=np.float32)
    np.cumsum((row[:most] == FAKIR_ID) * fakir, axis=0, out=first[1:])
    steps = []
    for level in range(_LEVELS):
        size = (after > level).sum(axis=1, dtype=np.int8)
        worth = worths[level][size, lanes]
        first += worth
        steps.append(worths[level][np.minimum(size[: MAX_GONE + 1] + 1, MAX_SET), lanes] - worth[: MAX_GONE + 1])
    rare = by_lane[FEATURE_ID["rare goods"]]
    first += rare * (after[:, RARE_GOODS] > 0).sum(axis=1, dtype=np.int8)
    first -= first[0].copy()
    card, second_card = _one_more(steps, after[: MAX_GONE + 1], fakir)
    card[:, FAKIR_ID + 1 :] += rare * RARE_GOODS[:, None] * (after[: MAX_GONE + 1] == 0)
    kind = row[np.minimum(_OFFERED, ROW_LENGTH - 1)]
    kind[_OFFERED >= ROW_LENGTH] = NONE
    small, large = _markets(kind, card, second_card, lanes)
    small = np.where(gold >= _SMALL.price, np.maximum(small - _SMALL.price * coin, 0), np.float32(0))
    large = np.where(gold >= _LARGE.price, np.maximum(large - _LARGE.price * coin, 0), np.float32(0))
    return CardWorths(card, second_card, first, small, large)


def best_cards(row: Ints, card: Floats, second_card: Floats) -> tuple[Index, Floats]:
    """The best card of a row and the best second one: places and worths, [2, lanes]; far below 0 for none."""
    lanes = np.arange(row.shape[1])
    kind = np.maximum(row, 0)
    worth = np.where(row == NONE, LOWEST, card[kind, lanes])
    place = worth.argmax(axis=0)
    best = worth[place, lanes]
    # A second card of the kind goes to another set.
    then = np.where((row == row[place, lanes]) & (row != NONE), second_card[kind, lanes], worth)
    then[place, lanes] = LOWEST
    second = then.argmax(axis=0)
    return np.stack([place, second]), np.stack([best, then[second, lanes]])


def _set_worths(by_lane: Floats) -> tuple[Floats, Floats, Floats]:
    """What the largest, the next and any further set of each size are worth with their options, [0 to 9, lanes]."""
    worths = np.zeros((_LEVELS, MAX_SET + 1, by_lane.shape[1]), dtype=np.float32)
    worths[: _LEVELS - 1, 1:] = by_lane[: (_LEVELS - 1) * MAX_SET].reshape(_LEVELS - 1, MAX_SET, -1)
    worths += _PRICES[:, None]
    return worths[0], worths[1], worths[2]


def _one_more(steps: list[Floats], goods: Ints, fakir: Floats) -> tuple[Floats, Floats]:
    """What one more card of each kind is worth, and what a second one is, [hands, card id, lanes] each.

    `steps` is what a set of each level grows by, [hands, lanes]; goods are [hands, good, lanes].
    """
    level = np.minimum(goods, _LEVELS - 1)
    # Flat places in the steps: [level, hands, lanes].
    place = (level * np.intp(len(goods)) + np.arange(len(goods))[:, None, None]) * len(fakir) + np.arange(len(fakir))
    flat = np.stack([*steps, steps[-1]]).reshape(-1)
    card = np.empty((len(goods), goods.shape[1] + 1, len(fakir)), dtype=np.float32)
    second = np.empty_like(card)
    card[:, FAKIR_ID] = second[:, FAKIR_ID] = fakir
    card[:, FAKIR_ID + 1 :] = flat.take(place)
    second[:, FAKIR_ID + 1 :] = flat.take(place + steps[0].size)
    return card, second


def _markets(kind: Ints, card: Floats, second_card: Floats, lanes: Index) -> tuple[Floats, Floats]:
    """The best card at small markets and the best two at large ones, [gone, lanes] (rules 6.3, 6.4).

    `kind` are the cards offered, [gone, offered, lanes].
    """
    there = kind != NONE
    place = np.maximum(kind, 0)
    worth = np.where(there, card[_GONE, place, lanes], LOWEST)
    small = worth[:, : _SMALL.among].max(axis=1)
    at = worth.argmax(axis=1)[:, None]
    best = np.take_along_axis(worth, at, axis=1)
    same = (kind == np.take_along_axis(kind, at, axis=1)) & there
    then = np.where(same, second_card[_GONE, place, lanes], worth)
    np.put_along_axis(then, at, LOWEST, axis=1)
    return small, np.maximum(best[:, 0], 0) + np.maximum(then.max(axis=1), 0)
