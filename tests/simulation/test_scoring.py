"""Points of many games at once against those of the rules (rules 10)."""

from __future__ import annotations

from random import Random

import numpy as np

from companion.rules.model.components import best_goods_value
from companion.simulation.evaluation import goods_value


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
