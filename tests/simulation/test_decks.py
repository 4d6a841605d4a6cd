"""Chance in many games at once: how likely things are, and the same in every lane of a world (rules 8.1, 11).

What is drawn from which deck, the twin compares with the rules.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np

from companion.rules.engine.setup import new_game
from companion.simulation import decks
from companion.simulation.bridge import pack
from companion.simulation.layout import CARDS
from companion.simulation.rounds import end_turn

WORLDS = 4000


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
    batch, at = pack([new_game(4, 1)] * WORLDS, range(WORLDS)), np.arange(WORLDS)
    bag = np.tile(np.array([[6], [0], [3], [0], [1]], dtype=np.int16), WORLDS)
    drawn = decks.pick_meeples(batch, at, bag.copy())
    assert (drawn.sum(axis=0) == 3).all()
    assert (drawn <= bag).all()
    for tribe, count in ((0, 6), (2, 3), (4, 1)):
        assert abs(int(drawn[tribe].sum()) - WORLDS * 3 * count / 10) < 3 * sqrt(WORLDS)


def test_a_row_that_nothing_can_fill_stays_short_8_1() -> None:
    state = new_game(2, 1)
    batch = pack([replace(state, position=replace(state.position, row=("fish",) * 4))], [0])
    batch.deck_next[0] = batch.deck_size[0] - 1
    top = int(batch.deck[batch.deck_next[0], 0])
    batch.discards[3, 0] = 2
    batch.face_up[1:, 0] = -1
    batch.djinn_next[0] = batch.djinn_size[0]
    order = batch.bid_order.copy()
    end_turn(batch, np.arange(1))
    assert batch.row[:5, 0].tolist() == [7, 7, 7, 7, top]
    assert batch.row[5:, 0].tolist() == [3, 3, -1, -1]
    assert batch.face_up[1:, 0].tolist() == [-1, -1]
    assert (batch.bid_order == order).all()
