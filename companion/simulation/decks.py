"""Chance and drawing in many games at once: cards, djinns and meeples of the bag (rules 8.1, 11)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.rules.engine.powers import MEEPLES_REVIVED
from companion.rules.model.components import CARD_COUNTS, MEEPLE_COUNTS, Tribe
from companion.simulation.djinns import DJINN_COUNT
from companion.simulation.layout import CARDS, CARDS_IN_BOX, NONE, TRIBE, TRIBES, Batch, Index, Ints

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def uniform(batch: Batch, at: Index, salt: int | Index, size: int = 1) -> npt.NDArray[np.float64]:
    """Numbers in [0, 1), shape [size, lanes], by world and clock of the lanes `at` and by what they are for.

    `salt` says that: one number, or one a lane.
    """
    # No generator is drawn from in turn: a lane has the same luck whatever is played beside it.
    key = batch.world[at].astype(np.uint64) * np.uint64(0x10000) + batch.clock[at].astype(np.uint64)
    key = key * np.uint64(0x10000) + np.asarray(salt, dtype=np.uint64) % np.uint64(0x10000)
    with np.errstate(over="ignore"):
        mixed = (key[None, :] * np.uint64(64) + np.arange(size, dtype=np.uint64)[:, None] + np.uint64(1)) * _GOLDEN
        # SplitMix64 (Steele, Lea and Flood 2014).
        mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX_1
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_2
        mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53)


_TABLE_SIZE = 1 << 13


@cache
def _gumbel_table() -> npt.NDArray[np.float32]:
    """Gumbel noise at evenly spread probabilities, in an order drawn once for all."""
    shares = (np.arange(_TABLE_SIZE) + 0.5) / _TABLE_SIZE
    return np.random.default_rng(0).permutation(-np.log(-np.log(shares))).astype(np.float32)


def gumbel(batch: Batch, at: Index, salt: int, size: int) -> npt.NDArray[np.float32]:
    """Gumbel noise, [size, lanes]: a maximum of values with it is a draw from their softmax.

    Each lane has a stretch of one table, which begins where `uniform` says: far cheaper than as many new numbers.
    """
    windows = np.lib.stride_tricks.sliding_window_view(_gumbel_table(), size)
    first = (uniform(batch, at, salt)[0] * len(windows)).astype(np.intp)
    return np.asarray(windows[first].T)


_CARD_SALT, _DJINN_SALT, _MEEPLE_SALT = 101, 102, 103

_SLOT_CARD: Ints = np.array([card for card, name in enumerate(CARDS) for _ in range(CARD_COUNTS[name])], dtype=np.int16)
"""Every card of the box: what it is."""
_SLOT_NUMBER: Ints = np.array([number for name in CARDS for number in range(CARD_COUNTS[name])], dtype=np.int16)
"""Every card of the box: which of its kind it is, from 0."""
_BAG: Ints = np.array(MEEPLE_COUNTS, dtype=np.int16)


def card_order(batch: Batch, at: Index, counts: Ints) -> Ints:
    """Decks made of that many of each card, `counts` [cards, n], shuffled: [CARDS_IN_BOX, n], NONE after the last.

    Every card of the box has its own number by world and clock, and a deck lies in the order of these. So decks of
    one world are alike as far as they hold the same cards.
    """
    keys = uniform(batch, at, _CARD_SALT, CARDS_IN_BOX)
    # Cards that are elsewhere sort behind all that are here.
    keys[_SLOT_NUMBER[:, None] >= counts[_SLOT_CARD]] = 2.0
    order = np.argsort(keys, axis=0)
    void = np.arange(CARDS_IN_BOX)[:, None] >= counts.sum(axis=0)
    return np.where(void, np.int16(NONE), _SLOT_CARD[order])


def djinn_order(batch: Batch, at: Index, there: Ints) -> Ints:
    """Decks of the djinns that are `there` [djinns, n], shuffled: [DJINN_COUNT, n], NONE after the last."""
    keys = uniform(batch, at, _DJINN_SALT, DJINN_COUNT)
    keys[there == 0] = 2.0
    order = np.argsort(keys, axis=0).astype(np.int16)
    void = np.arange(DJINN_COUNT)[:, None] >= there.sum(axis=0)
    return np.where(void, np.int16(NONE), order)


class Deck(NamedTuple):
    """One of the two decks of a batch: the names of its fields, and how it is shuffled."""

    cards: str
    next: str
    size: str
    discards: str
    order: Callable[[Batch, Index, Ints], Ints]


CARD_DECK = Deck("deck", "deck_next", "deck_size", "discards", card_order)
DJINN_DECK = Deck("djinn_deck", "djinn_next", "djinn_size", "djinn_discards", djinn_order)


def top_up(batch: Batch, at: Index, deck: Deck, wanted: Ints) -> tuple[Ints, Ints, Ints]:
    """Ensure that many cards can be drawn (rules 8.1); gives views of the deck, the next place in it and its size."""
    cards, top, size, discards = (getattr(batch, name) for name in deck[:4])
    left = size[at] - top[at]
    short = np.nonzero(left < wanted)[0]
    if len(short):
        short = short[discards[:, at[short]].any(axis=0)]
    if len(short):
        lanes, left = at[short], left[short]
        counts = discards[:, lanes]
        remade = deck.order(batch, lanes, counts)
        cards[:, lanes] = _laid_on(cards[:, lanes], top[lanes], left, remade)
        top[lanes] = 0
        size[lanes] = left + counts.sum(axis=0)
        discards[:, lanes] = 0
    return cards, top, size


def _laid_on(deck: Ints, begun: Ints, left: Ints, remade: Ints) -> Ints:
    """Remade decks, [places, lanes], with what is `left` of the old ones on top, which is drawn first (rules 8.1)."""
    place = np.arange(len(deck))[:, None]
    old = np.take_along_axis(deck, np.minimum(place + begun, len(deck) - 1), axis=0)
    new = np.take_along_axis(remade, np.maximum(place - left, 0), axis=0)
    return np.where(place < left, old, new)


def _draw(batch: Batch, at: Index, deck: Deck) -> Ints:
    cards, top, size = top_up(batch, at, deck, np.ones(len(at), dtype=np.int16))
    place = top[at]
    there = place < size[at]
    top[at] = place + there
    return np.where(there, cards[np.minimum(place, len(cards) - 1), at], np.int16(NONE))


def draw_card(batch: Batch, at: Index) -> Ints:
    """Take the top resource card, by id; NONE where there is no card anywhere (rules 8.1)."""
    return _draw(batch, at, CARD_DECK)


def draw_djinn(batch: Batch, at: Index) -> Ints:
    """Take the top djinn, by id; NONE where there is none anywhere (rules 8.1)."""
    return _draw(batch, at, DJINN_DECK)


def bag(batch: Batch, at: Index) -> Ints:
    """Meeples in the bag, [tribes, n]: neither on a tile, nor in front of a player, nor in hand."""
    left = _BAG[:, None] - np.take(batch.meeples, at, axis=2).sum(axis=0, dtype=np.int16)
    left[Tribe.VIZIER] -= batch.viziers[:, at].sum(axis=0, dtype=np.int16)
    left[Tribe.ELDER] -= batch.elders[:, at].sum(axis=0, dtype=np.int16)
    # A power may be used while the meeples taken are in hand (rules 11); later they are in front of the player or
    # in the bag.
    held = np.nonzero(batch.stage[at] == TRIBE)[0]
    left[batch.tribe[at[held]], held] -= batch.count[at[held]]
    return np.asarray(left)


def draw_meeples(batch: Batch, at: Index) -> Ints:
    """Meeples that come back from the bag, [tribes, n]: three, or what it still has (rules 11.11)."""
    return pick_meeples(batch, at, bag(batch, at))


def pick_meeples(batch: Batch, at: Index, left: Ints) -> Ints:
    """Up to three of the meeples in the bags `left` [tribes, n], each meeple being equally likely."""
    left = np.maximum(left, 0)
    drawn = np.zeros((TRIBES, len(at)), dtype=np.int16)
    lanes = np.arange(len(at))
    for number in uniform(batch, at, _MEEPLE_SALT, MEEPLES_REVIVED):
        upto = left.cumsum(axis=0, dtype=np.int16)
        there = upto[-1] > 0
        tribe = np.minimum((upto <= np.floor(number * upto[-1])).sum(axis=0), TRIBES - 1)
        left[tribe, lanes] -= there
        drawn[tribe, lanes] += there
    return drawn
