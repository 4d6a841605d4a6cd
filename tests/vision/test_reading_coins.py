"""Coins in photos: players' gold, and what is said where it cannot be so (rules 1.3)."""

from __future__ import annotations

from companion.rules.engine.setup import random_setup
from companion.rules.model.components import COINS, Colour
from companion.vision.board.reading import Reading
from companion.vision.cards.coins import CoinDetection, Disc
from companion.vision.reading.coins import add_coins, correct_coin, doubtful_coins
from companion.vision.reading.table import TableReading

BLUE, PINK = Colour.BLUE, Colour.PINK


def laid(*values: int | None) -> tuple[CoinDetection, ...]:
    """Coins of these values; None shows no number."""
    return tuple(CoinDetection(value, 1.0 if value else 0.3, Disc(5.0, 5.0, 8.0, 8.0, 0.0)) for value in values)


def bare() -> TableReading:
    return TableReading(Reading(random_setup(2, 7, colours=(BLUE, PINK)), (), turned=0))


def test_rules_1_3_all_the_coins_of_the_box_may_be_counted_and_no_more() -> None:
    assert add_coins(bare(), {BLUE: laid(*[5] * COINS[5])}).reading.notes == ()
    (note,) = add_coins(bare(), {BLUE: laid(*[5] * (COINS[5] + 1))}).reading.notes
    assert f"the box holds {COINS[5]}" in note


def test_a_coin_that_is_told_takes_its_note_away_and_leaves_the_others_coins() -> None:
    read = add_coins(bare(), {BLUE: laid(5, None), PINK: laid(1)})
    assert read.reading.position.player(BLUE).gold is None
    (note,) = read.reading.notes
    assert "shows no number" in note
    (doubtful,) = doubtful_coins(read)
    told = correct_coin(read, doubtful, 1)
    assert told.reading.notes == () and doubtful_coins(told) == []
    assert [told.reading.position.player(colour).gold for colour in (BLUE, PINK)] == [6, 1]
    assert {colour: len(coins) for colour, coins in told.coins.items()} == {BLUE: 2, PINK: 1}
