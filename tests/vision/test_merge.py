"""Readings of one table from several photos become one: aligned, tile by tile, within the box (rules 1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import PhotoError
from companion.notation.tokens import parse_tile
from companion.rules.board import SQUARES, Board, Tile, empty_tile
from companion.rules.components import TILE_KINDS
from companion.rules.legality import problems
from companion.rules.position import Position
from companion.vision.merge import PIECES_MOVED, align_readings, half_turned, merge_readings
from companion.vision.reading import Reading, TileReading
from tests.strategies import boards

BARE: Board = tuple(empty_tile(kind.code) for kind in TILE_KINDS.values() for _ in range(kind.count))
A1, B1 = 0, 1


def reading(board: Board, confidence: float = 0.95, **changes: TileReading) -> Reading:
    tiles = [TileReading(tile, confidence) for tile in board]
    return Reading(Position(board), tuple(tiles), turned=10, homography=((2.0, 0.1, 5.0), (0.0, 3.0, 7.0), (0, 0, 1.0)))


def having(base: Reading, square: int, tile: TileReading) -> Reading:
    tiles = [*base.tiles[:square], tile, *base.tiles[square + 1 :]]
    return replace(base, tiles=tuple(tiles), position=Position(tuple(seen.tile for seen in tiles)))


def seen(token: str, confidence: float, *doubts: str, other: str | None = None) -> TileReading:
    return TileReading(parse_tile(token), confidence, doubts, other=parse_tile(other) if other else None)


def merge(*tiles: TileReading) -> TileReading:
    """The first square's merged reading, of photos A.jpg, B.jpg and so on that agree in all others."""
    named = [(f"{name}.jpg", having(reading(BARE), A1, tile)) for name, tile in zip("ABC", tiles, strict=False)]
    return merge_readings(align_readings(named)).tiles[A1]


def test_one_reading_stays_as_it_is() -> None:
    only = reading(BARE)
    assert merge_readings(align_readings([("A.jpg", only)])) is only


def test_a_clear_photo_answers_the_doubts_of_another_that_agrees() -> None:
    one = merge(seen("O8:gg", 0.8, "perhaps one more elder"), seen("O8:gg", 0.95))
    assert one.tile == parse_tile("O8:gg")
    assert one.confidence > 0.95 and one.doubts == ()


def test_what_no_photo_shows_clearly_stays_doubtful_though_they_agree() -> None:
    one = merge(seen("O8:gg", 0.8, "perhaps one more elder"), seen("O8:gg", 0.9, "perhaps no merchant"))
    assert one.doubts == ("perhaps no merchant",) and one.confidence <= 0.9


@pytest.mark.parametrize("hidden", ["O8:g", "O8:gg^1", "O8:gg@K"])
def test_a_piece_is_sooner_hidden_than_made_up(hidden: str) -> None:
    more = "O8:gg@K^1"
    assert (
        merge(seen(hidden, 0.8), seen(more, 0.8)).tile
        == merge(seen(more, 0.8), seen(hidden, 0.8)).tile
        == parse_tile(more)
    )


def test_clear_readings_that_differ_are_doubted_by_the_photos_names() -> None:
    one = merge(seen("O8:gg", 0.95), seen("O8:ggw", 0.99))
    assert one.tile == parse_tile("O8:ggw") and one.other == parse_tile("O8:gg")
    assert one.doubts == ("A.jpg shows O8:gg, B.jpg shows O8:wgg",)
    assert one.confidence < 0.99


def test_a_clear_reading_outvotes_a_doubtful_one() -> None:
    one = merge(seen("O8:gg", 0.5, "perhaps one more elder", other="O8:ggw"), seen("O8:ggw", 0.99))
    assert one.tile == parse_tile("O8:ggw") and not one.is_doubtful


def test_two_of_three_that_agree_win_with_a_doubt() -> None:
    one = merge(seen("O8:gg", 0.95), seen("O8:ggw", 0.97), seen("O8:gg", 0.95))
    assert one.tile == parse_tile("O8:gg") and "B.jpg shows O8:wgg" in one.doubts[0]


def test_what_both_photos_suspect_may_win_over_what_each_shows() -> None:
    one = merge(seen("O8:g", 0.2, "?", other="O8:gg"), seen("O8:ggg", 0.2, "?", other="O8:gg"))
    assert one.tile == parse_tile("O8:gg") and one.is_doubtful


@given(boards())
def test_half_a_turn_twice_is_none(board: Board) -> None:
    base = reading(board)
    twice = half_turned(half_turned(base))
    assert (twice.position, twice.tiles, twice.turned) == (base.position, base.tiles, base.turned)
    assert np.allclose(twice.homography, base.homography)


@given(boards())
def test_a_photo_from_the_other_side_is_turned(board: Board) -> None:
    one = reading(board)
    other = half_turned(having(one, A1, replace(one.tiles[A1], feet=(("y", 0.25, 0.5),))))
    _, (name, turned) = align_readings([("A.jpg", one), ("B.jpg", other)])
    assert (name, turned.position.board, turned.turned) == ("B.jpg", board, 10)
    assert turned.tiles[A1].feet == (("y", 0.25, 0.5),)
    # The same place of the board is the same place in the photo.
    corner = np.array(half_turned(one).homography) @ [6, 5, 1]
    assert np.allclose(corner[:2] / corner[2], [5.0, 7.0])


def test_two_tables_are_refused_by_name() -> None:
    with pytest.raises(PhotoError, match=r"two different tables.*A\.jpg and B\.jpg"):
        align_readings([("A.jpg", reading(BARE)), ("B.jpg", reading(BARE[11:] + BARE[:11]))])


def test_moved_pieces_are_told() -> None:
    one = reading(BARE)
    other = one
    for square in range(6):
        other = having(
            other, square, replace(one.tiles[square], tile=replace(one.tiles[square].tile, meeples=(1, 0, 0, 0, 0)))
        )
    merged = merge_readings(align_readings([("A.jpg", one), ("B.jpg", other)]))
    assert merged.notes == (PIECES_MOVED,)
    assert len(merged.doubtful) == 6


@settings(max_examples=40)
@given(boards(), boards(), st.lists(st.floats(0.05, 1.0), min_size=2 * SQUARES, max_size=2 * SQUARES), st.data())
def test_what_is_merged_can_stand_on_a_table(one: Board, other: Board, sure: list[float], data: st.DataObject) -> None:
    # The same tiles with other pieces, and two tiles of the second photo mixed up (rules 1.1 to 1.5).
    kinds = [tile.kind for tile in one]
    a, b = data.draw(st.tuples(st.integers(0, 29), st.integers(0, 29)))
    kinds[a], kinds[b] = kinds[b], kinds[a]
    second = tuple(replace(tile, kind=kind) for tile, kind in zip(other, kinds, strict=True))
    readings = [
        Reading(Position(board), tuple(TileReading(t, c) for t, c in zip(board, chances, strict=True)), 0)
        for board, chances in ((one, sure[:SQUARES]), (second, sure[SQUARES:]))
    ]
    merged = merge_readings(align_readings([("A.jpg", readings[0]), ("B.jpg", readings[1])]))
    assert problems(merged.position) == []
    assert merged.position.board == tuple(tile.tile for tile in merged.tiles)
    for square, tile in enumerate(merged.tiles):
        shown: set[Tile] = {readings[0].tiles[square].tile, readings[1].tiles[square].tile}
        assert 0 <= tile.confidence <= 1
        assert tile.tile in shown or tile.doubts


def test_too_many_of_a_piece_are_taken_back_where_it_costs_least() -> None:
    # 18 red meeples (rules 1.2): nine tiles with two each in one photo, another red pair in the other.
    full = tuple(replace(tile, meeples=(0, 0, 0, 0, 2 if square < 9 else 0)) for square, tile in enumerate(BARE))
    one = reading(full, 0.95)
    other = having(having(one, 9, seen("M6:rr", 0.97)), 8, seen("M6", 0.6, "?", other="M6:rr"))
    merged = merge_readings(align_readings([("A.jpg", one), ("B.jpg", other)]))
    assert problems(merged.position) == []
    assert merged.tiles[9].is_doubtful or merged.tiles[8].is_doubtful
