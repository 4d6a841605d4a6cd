"""Taps to a right position, and where the truth stands among what is offered."""

from __future__ import annotations

from collections.abc import Sequence

from companion.lab.accuracy.answers import CHOOSING, FINDING, NAMING, TYPING, count_answers
from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.position import Position
from companion.vision.board.reading import Reading, TileReading


def reading(tiles: Sequence[TileReading]) -> Reading:
    """The reading of a board that begins with these tiles; all others are bare cities."""
    every = (*tiles, *(seen("S6", 1.0) for _ in range(SQUARES - len(tiles))))
    return Reading(Position(tuple(one.tile for one in every)), every, 0)


def board(*tiles: str) -> Board:
    return (*map(parse_tile, tiles), *(parse_tile("S6") for _ in range(SQUARES - len(tiles))))


def seen(tile: str, confidence: float, *others: str) -> TileReading:
    return TileReading(parse_tile(tile), confidence, others=tuple(map(parse_tile, others)))


def test_what_is_offered_is_chosen_and_what_is_not_is_typed() -> None:
    readings = [
        seen("O8", 0.99),
        seen("O8:g", 0.5, "O8^1", "O8"),
        seen("O8:g", 0.5, "O8^1", "O8"),
        seen("O8:g", 0.5, "O8^1", "O8"),
        seen("O8:g", 0.5, "O8^1", "O8"),
        seen("O8:g", 0.99, "O8^1", "O8"),
    ]
    truth = board("O8", "O8:g", "O8^1", "O8", "O8:gg", "O8^1")
    counted = count_answers(reading(readings), truth)
    assert counted.places == (1, 2, None, None)
    assert counted.taps == 3 * CHOOSING + TYPING + (FINDING + TYPING)
    assert counted.answers == 5
    assert [counted.among_first(number) for number in (1, 2, 3)] == [1, 2, 2]


def test_a_right_board_without_doubts_asks_nothing() -> None:
    counted = count_answers(reading([seen("V5@K", 0.99, "V5")]), board("V5@K"))
    assert (counted.taps, counted.answers, counted.places) == (0, 0, ())


def test_wrong_tiles_are_named_where_most_doubtful_ones_are_right() -> None:
    readings = [*(seen("M6", 0.5, "M6:r") for _ in range(8)), seen("O8:g", 0.5, "O8^1"), seen("V5", 0.99)]
    counted = count_answers(reading(readings), board(*["M6"] * 8, "O8^1", "V5#1"))
    assert counted.taps == (NAMING + CHOOSING) + (NAMING + TYPING + FINDING)
    assert counted.answers == 3


def test_one_word_does_where_all_doubtful_tiles_are_right() -> None:
    counted = count_answers(reading([seen("M6", 0.5, "M6:r") for _ in range(8)]), board(*["M6"] * 8))
    assert (counted.taps, counted.answers) == (CHOOSING, 1)
