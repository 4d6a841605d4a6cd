"""Bids, turns and rounds of many games at once; the twin plays them all, here stands what it meets seldom."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from companion.rules.engine.setup import new_game
from companion.rules.engine.sowing import has_legal_sowing as has_legal_sowing_by_rules
from companion.rules.model.board import NO_MEEPLES, SQUARES, with_meeples
from companion.rules.model.components import MEEPLE_COUNTS
from companion.rules.model.state import GameState
from companion.simulation.bridge import pack
from companion.simulation.rounds import end_turn, has_legal_sowing, place_bid

FIRST = np.arange(1)


def sparse(number: int) -> GameState:
    """A board with few meeples, often alone or in one heap with few neighbours."""
    random = Random(number)
    state = new_game(4, 1)
    meeples = [list(NO_MEEPLES) for _ in range(SQUARES)]
    squares = random.sample(range(SQUARES), random.randint(1, 3))
    for _ in range(random.choice((0, 1, 2, 3, 5, 8, 18))):
        tribe = random.randrange(5)
        if sum(heap[tribe] for heap in meeples) < MEEPLE_COUNTS[tribe]:
            meeples[random.choice(squares)][tribe] += 1
    board = tuple(with_meeples(tile, tuple(heap)) for tile, heap in zip(state.position.board, meeples, strict=True))
    return replace(state, position=state.position.with_board(board))


def test_a_legal_move_is_found_where_there_is_one_4_6_9_2() -> None:
    states = [sparse(number) for number in range(600)]
    batch = pack(states, range(len(states)))
    expected = [has_legal_sowing_by_rules(state.position.board) for state in states]
    assert 100 < sum(expected) < 500
    assert has_legal_sowing(batch, np.arange(len(states))).tolist() == expected
    some = np.array([7, 3, 500])
    assert has_legal_sowing(batch, some).tolist() == [expected[lane] for lane in some]


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


def test_a_turn_begins_without_anything_of_the_one_before() -> None:
    state = new_game(2, 1)
    batch = pack([state], [0])
    for price in (0, 1, 3, 5):
        place_bid(batch, FIRST, np.array([price]), np.array([0]))
    fields = [batch.end, batch.tribe, batch.count, batch.income, batch.factor, batch.used, batch.drawn, batch.resume]
    fresh = [field.copy() for field in fields]
    for field in fields:
        field[...] = 1
    end_turn(batch, FIRST)
    assert all((field == before).all() for field, before in zip(fields, fresh, strict=True))
