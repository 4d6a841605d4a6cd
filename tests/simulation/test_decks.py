"""Chance in many games at once: what is drawn, how likely, and the same in every lane of a world (rules 8.1, 11)."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np

from companion.rules.engine.setup import new_game
from companion.simulation import decks
from companion.simulation.bridge import pack
from companion.simulation.layout import CARDS, NONE, Batch, Index

WORLDS = 4000


def a_game(worlds: int) -> tuple[Batch, Index]:
    return pack([new_game(4, 1)] * worlds, range(worlds)), np.arange(worlds)


def test_an_empty_deck_is_remade_of_the_discards_8_1() -> None:
    batch, at = a_game(WORLDS)
    batch.deck_next[...] = batch.deck_size - 1
    last = batch.deck[batch.deck_next, at]
    batch.discards[[0, 4], :] = [[3], [1]]
    assert (decks.draw_card(batch, at) == last).all()
    assert batch.discards.any(), "discards stay as long as the deck has a card"
    first = Counter(CARDS[card] for card in decks.draw_card(batch, at))
    assert not batch.discards.any()
    assert set(first) == {CARDS[0], CARDS[4]}
    assert abs(first[CARDS[0]] - WORLDS * 3 / 4) < 2 * sqrt(WORLDS)
    assert sorted(decks.draw_card(batch, at)[:1].tolist() + decks.draw_card(batch, at)[:1].tolist()) in ([0, 0], [0, 4])
    decks.draw_card(batch, at)
    assert (decks.draw_card(batch, at) == NONE).all()


def test_djinns_put_away_come_again_only_when_the_deck_is_empty_8_1() -> None:
    batch, at = a_game(3)
    size = int(batch.djinn_size[0])
    drawn = np.array([decks.draw_djinn(batch, at) for _ in range(size)])
    batch.djinn_discards[drawn[:2], at] = 1
    again = np.array([decks.draw_djinn(batch, at) for _ in range(3)])
    assert (np.sort(again[:2], axis=0) == np.sort(drawn[:2], axis=0)).all()
    assert (again[2] == NONE).all()
    batch.djinn_discards[drawn[0], at] = 1
    assert (decks.draw_djinn(batch, at) == drawn[0]).all()


def test_lanes_of_a_world_have_the_same_luck_and_each_moment_its_own() -> None:
    batch = pack([new_game(4, 1)] * 40, [5] * 20 + [6] * 20)
    at = np.arange(40)
    counts = np.full((len(CARDS), 40), 2, dtype=np.int16)
    order = decks.card_order(batch, at, counts)
    assert (order[:, :20] == order[:, :1]).all()
    assert (order[:, 0] != order[:, 20]).any()
    batch.clock[at] += 1
    assert (decks.card_order(batch, at, counts)[:, 0] != order[:, 0]).any()


def test_each_meeple_in_the_bag_is_as_likely_11_11() -> None:
    batch, at = a_game(WORLDS)
    bag = np.tile(np.array([[6], [0], [3], [0], [1]], dtype=np.int16), WORLDS)
    drawn = decks.pick_meeples(batch, at, bag.copy())
    assert (drawn.sum(axis=0) == 3).all()
    assert (drawn <= bag).all()
    for tribe, count in ((0, 6), (2, 3), (4, 1)):
        assert abs(int(drawn[tribe].sum()) - WORLDS * 3 * count / 10) < 3 * sqrt(WORLDS)
