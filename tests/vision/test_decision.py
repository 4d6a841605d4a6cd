"""A tile's reading in the end: the tile, how sure, and what else it may be, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.notation.tokens import parse_tile
from companion.rules.model.components import TILE_KINDS
from companion.rules.model.position import Position
from companion.vision.board.constraints import TileContents
from companion.vision.board.decision import MIN_LOSS_VP, corrected_tiles, decide_board, differences, loss_vp, read_tile
from companion.vision.board.pieces import PieceDetection
from companion.vision.board.tiles import TileClassification
from companion.vision.readings import DOUBT_BELOW, Reading, TileReading
from tests.vision.tables import numbers
from tests.vision.test_out_of_distribution import evidence


def sight(probability: float = 1.0) -> TileClassification:
    return TileClassification(TILE_KINDS["O8"], probability, TILE_KINDS["V5"], 1 - probability, 0)


def test_a_clear_tile_has_no_doubts() -> None:
    reading = read_tile(sight(), TileContents(numbers(y=1, palm=2, camel=4), 1.0, ((1e-5, numbers(y=2)),)), [])
    assert str(reading.tile) == "O8:y@P^2"
    assert reading.confidence > DOUBT_BELOW
    assert reading.doubts == () and not reading.is_doubtful


def test_a_doubtful_tile_says_what_else_it_may_be_likeliest_first() -> None:
    others = ((0.3, numbers(y=2)), (0.1, numbers(y=1, camel=1)), (0.001, numbers(y=1, g=1)))
    reading = read_tile(
        sight(), TileContents(numbers(y=1), 0.4, others, ("one more vizier seen than the box holds",)), []
    )
    assert reading.is_doubtful
    assert reading.doubts == (
        "perhaps 2 viziers (not 1)",
        "perhaps a black camel",
        "one more vizier seen than the box holds",
    )
    assert str(reading.others[0]) == "O8:yy"


def test_a_doubtful_tile_is_never_without_words() -> None:
    reading = read_tile(sight(), TileContents(numbers(y=1), 0.05, ((0.01, numbers()),)), [])
    assert reading.is_doubtful and reading.doubts == ("perhaps no vizier",)
    reading = read_tile(sight(0.05), TileContents(numbers(), 1.0), [])
    assert reading.doubts == ("perhaps the tile is V5",)
    assert reading.others[0].kind.code == "V5"


def test_another_kind_stands_before_other_pieces_where_it_is_likelier() -> None:
    reading = read_tile(sight(0.3), TileContents(numbers(y=1), 0.9, ((0.05, numbers(y=2)),)), [])
    assert [str(other) for other in reading.others] == ["V5:y", "O8:yy"]


def test_10_at_stake_is_what_the_others_would_give_as_likely_as_the_reading_is_wrong() -> None:
    reading = read_tile(sight(), TileContents(numbers(y=1), 0.4, ((0.3, numbers(y=1, camel=1)),)), [])
    other = reading.others[0]
    assert reading.expected_loss == pytest.approx((1 - reading.confidence) * loss_vp(reading.tile, other), abs=1e-3)
    assert loss_vp(reading.tile, other) > 1


def test_a_board_turned_in_its_photo_is_said_to_be_so() -> None:
    """In degrees clockwise, as the photo shows it: its y axis points down."""
    for turned in (0, 30, 270):
        cos, sin = np.cos(np.radians(turned)), np.sin(np.radians(turned))
        homography = np.array([[50 * cos, -50 * sin, 400], [50 * sin, 50 * cos, 100], [0, 0, 1]])
        assert decide_board(replace(evidence(), homography=homography)).turned == turned


def test_feet_are_the_likeliest_of_what_stands_there() -> None:
    feet = [PieceDetection("y", 0.2, 0.2, 0.4), PieceDetection("y", 0.7, 0.7, 0.9), PieceDetection("r", 0.5, 0.5, 0.3)]
    reading = read_tile(sight(), TileContents(numbers(y=1, g=1), 1.0), feet)
    assert reading.detections == (("y", 0.7, 0.7),)


def test_differences_in_words() -> None:
    for tile, other, words in (
        ("O8:y", "O8", ["no vizier"]),
        ("O8", "O8:ww", ["2 elders"]),
        ("O8:ggg", "O8:g", ["1 merchant (not 3)"]),
        ("O8:wb", "O8:bb", ["no elder", "2 builders (not 1)"]),
        ("V5@K", "V5", ["no camel"]),
        ("V5@K", "V5@P", ["the camel is pink"]),
        ("V5", "V5@O#1", ["an orange camel", "1 palace"]),
    ):
        assert list(differences(parse_tile(tile), parse_tile(other))) == words


def test_10_points_between_two_readings_are_the_same_both_ways() -> None:
    assert loss_vp(parse_tile("O8:g"), parse_tile("O8:g")) == 0
    for tile, other, points in (
        ("S15", "S15@K", 15),  # 10.6: the owner's value
        ("S15@O", "S15@K", 30),  # one has it, the other has not
        ("V5@K#1", "V5@K#2", 5),  # 10.5
        ("O8@K^1", "O8@K", 3),
        ("O8@K^2", "O8^2", 14),  # 10.5, 10.6: what stands on it goes with the tile
        ("V5#1", "V5", 2.5),  # nobody's yet
        ("M4@K", "M6@K", 2),
        ("M4:y", "M4", 1),  # 10.2
        ("M4:ww", "M4", 4),  # 10.3
        ("M4:bg", "M4:b", 1),
        ("O8:g", "O8^1", 2.5),
    ):
        one, two = parse_tile(tile), parse_tile(other)
        assert loss_vp(one, two) == loss_vp(two, one) == points >= MIN_LOSS_VP, (tile, other)


def test_doubts_come_by_what_they_cost_then_by_how_sure_they_are() -> None:
    clear = TileReading(parse_tile("M4"), 0.99, expected_loss=9.0)
    seen = [replace(clear, confidence=0.5, expected_loss=cost) for cost in (0.5, 6.0, 0.5)]
    seen[2] = replace(seen[2], confidence=0.3)
    reading = Reading(Position(board=tuple([clear.tile] * 30)), (*seen, *[clear] * 27), 0)
    assert list(reading.doubts.items()) == [(1, 0.5), (2, 0.3), (0, 0.5)]
    told = corrected_tiles(reading.tiles, None, {1: clear.tile})
    assert replace(reading, tiles=told).doubtful == (2, 0)
