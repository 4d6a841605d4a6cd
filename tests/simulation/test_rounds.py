"""Rounds of many games at once: what the twin, which plays them all, never meets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.rules.engine.setup import new_game
from companion.simulation.bridge import pack
from companion.simulation.rounds import end_turn

FIRST = np.arange(1)


def test_a_row_that_nothing_can_fill_stays_short_8_1() -> None:
    state = new_game(2, 1)
    batch = pack([replace(state, position=replace(state.position, row=("fish",) * 4))], [0])
    batch.deck_next[0] = batch.deck_size[0] - 1
    top = int(batch.deck[batch.deck_next[0], 0])
    batch.discards[3, 0] = 2
    batch.face_up[1:, 0] = -1
    batch.djinn_next[0] = batch.djinn_size[0]
    order = batch.bid_order.copy()
    end_turn(batch, FIRST)
    assert batch.row[:5, 0].tolist() == [7, 7, 7, 7, top]
    assert batch.row[5:, 0].tolist() == [3, 3, -1, -1]
    assert batch.face_up[1:, 0].tolist() == [-1, -1]
    assert (batch.bid_order == order).all()
