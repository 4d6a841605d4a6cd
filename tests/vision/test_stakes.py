"""What a wrong reading costs in points (rules 10), and the order of doubts that follows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.tokens import parse_tile
from companion.rules.model.board import Tile
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Position
from companion.vision.board.decision import LEAST_VP, loss_vp
from companion.vision.board.reading import Reading, TileReading
from tests.strategies import ALL_KINDS

TILES = st.builds(
    Tile,
    st.sampled_from(ALL_KINDS),
    st.tuples(*[st.integers(0, 4)] * len(Tribe)),
    st.sampled_from([None, *Colour]),
    st.integers(0, 3),
    st.integers(0, 3),
)


@pytest.mark.parametrize(
    ("tile", "other", "points"),
    [
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
    ],
)
def test_10_points_between_two_readings(tile: str, other: str, points: float) -> None:
    assert loss_vp(parse_tile(tile), parse_tile(other)) == points


@given(TILES, TILES)
def test_stakes_are_the_same_both_ways_and_nothing_where_nothing_differs(one: Tile, other: Tile) -> None:
    assert loss_vp(one, other) == loss_vp(other, one)
    assert loss_vp(one, other) >= LEAST_VP if one != other else loss_vp(one, other) == 0


def test_doubts_come_by_what_they_cost_then_by_how_sure_they_are() -> None:
    clear = TileReading(parse_tile("M4"), 0.99, expected_loss=9.0)
    seen = [replace(clear, confidence=0.5, expected_loss=cost) for cost in (0.5, 6.0, 0.5)]
    seen[2] = replace(seen[2], confidence=0.3)
    board = tuple([clear.tile] * 30)
    reading = Reading(Position(board=board), (*seen, *[clear] * 27), 0)
    assert reading.doubtful == (1, 2, 0)
    assert list(reading.doubts.items()) == [(1, 0.5), (2, 0.3), (0, 0.5)]
    assert reading.corrected(1, clear.tile).doubtful == (2, 0)
