"""Coins laid out are counted by the numbers on them (rules 1.3)."""

from __future__ import annotations

import numpy as np

from companion.vision.cards.coins import CoinDetection, Disc, find_coins, find_discs
from companion.vision.reading.coins import count_values, gold_of
from tests.vision.cards.coin_photos import coin_photo
from tests.vision.cards.tables import Camera, photograph

VALUES = [5, 5, 1, 5, 1, 1, 5, 5, 5, 1]


def coin(value: int | None, confidence: float = 0.99) -> CoinDetection:
    return CoinDetection(value, confidence, Disc(0.0, 0.0, 40.0, 40.0, 0.0))


def test_coins_in_rows_are_counted_whichever_way_round_they_lie() -> None:
    found = find_coins(coin_photo(VALUES, np.random.default_rng(4)))
    assert [one.value for one in found] == VALUES
    assert gold_of(found) == 34 and count_values(found) == {5: 6, 1: 4}


def test_an_empty_table_and_a_plain_picture_hold_no_coins() -> None:
    empty = photograph([], lambda card: np.zeros((1, 1, 3), np.uint8), np.random.default_rng(1), Camera())
    assert find_coins(empty) == ()
    assert find_coins(np.full((300, 300, 3), 128, np.uint8)) == ()
    assert list(find_discs(np.full((300, 300, 3), 128, np.uint8))) == []


def test_gold_is_not_known_where_a_coin_shows_no_number() -> None:
    assert gold_of([coin(5), coin(None)]) is None
    assert gold_of([]) == 0
    assert count_values([coin(5), coin(None), coin(1), coin(5)]) == {5: 2, 1: 1}
    assert not coin(5, 0.6).is_sure and not coin(None).is_sure and coin(1).is_sure
