"""Points of many games at once against those of the rules (rules 10)."""

from __future__ import annotations

from random import Random

import numpy as np

from companion.rules.engine.scoring import CATEGORIES, score
from companion.rules.model.components import best_goods_value
from companion.simulation.bridge import pack
from companion.simulation.scoring import goods_value, margins, scores, totals
from tests.simulation.test_bridge import states_of


def test_points_are_those_of_the_rules_by_category() -> None:
    for players in (2, 3, 4):
        states = states_of(players, 3, promo=players == 4)[::5]
        batch = pack(states, range(len(states)))
        points, sums, ahead = scores(batch), totals(batch), margins(batch)
        for lane, state in enumerate(states):
            expected = list(score(state.position).values())
            for seat, result in enumerate(expected):
                assert points[:, seat, lane].tolist() == [result.points[category] for category in CATEGORIES]
                others = [other.total for other in expected if other is not result]
                assert int(ahead[seat, lane]) == result.total - max(others)
            assert sums[:players, lane].tolist() == [result.total for result in expected]
            assert not points[:, players:, lane].any()
            assert not ahead[players:, lane].any()


def test_goods_and_fakirs_for_goods_are_sold_in_the_best_way() -> None:
    # Hands far beyond a box too: rules 7.1, 10.7, 11.12.
    random = Random(4)
    hands = [[random.choice((0, 0, 1, 1, 2, 6)) for _ in range(10)] for _ in range(300)]
    wild = [random.choice((0, 0, 0, 1, 2, 5, 9)) for _ in hands]
    cards = np.array(hands, dtype=np.int16).T
    plain = [best_goods_value(tuple(hand[1:])) for hand in hands]
    named = [best_goods_value(tuple(hand[1:]), number) for hand, number in zip(hands, wild, strict=True)]
    assert goods_value(cards).tolist() == plain
    assert goods_value(cards, np.array(wild, dtype=np.int16)).tolist() == named
    assert goods_value(cards.reshape(10, 3, 100)).tolist() == np.array(plain).reshape(3, 100).tolist()
