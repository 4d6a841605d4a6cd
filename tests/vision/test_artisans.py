"""Purple meeples are an expansion's: they are told, and the piece network never sees them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.lab.rendering.tile_badges import MEEPLE_SHAPE
from companion.vision.board.artisans import find_artisans
from companion.vision.board.rectify import BOARD_SIZE_PX, MARGIN_TILES, TILE_PX
from companion.vision.load import Picture

PURPLE, BLUE, PINK, LILAC = (150, 50, 100), (170, 70, 20), (150, 60, 220), (206, 168, 190)


def sand() -> Picture:
    return np.full((BOARD_SIZE_PX[1], BOARD_SIZE_PX[0], 3), (158, 200, 226), np.uint8)


def with_meeple(board: Picture, x: float, y: float, colour: tuple[int, int, int]) -> Picture:
    outline = (MEEPLE_SHAPE * 0.28 + (x + MARGIN_TILES, y + MARGIN_TILES)) * TILE_PX
    return np.asarray(cv2.fillPoly(board.copy(), [outline.astype(np.int32)], colour, cv2.LINE_AA), np.uint8)


def test_a_purple_meeple_is_found_where_it_is_and_painted_over() -> None:
    board = with_meeple(with_meeple(sand(), 2.4, 1.6, PURPLE), 4.5, 3.3, BLUE)
    found = find_artisans(board)
    assert len(found.places) == 1
    assert found.places[0] == pytest.approx((2.4, 1.6), abs=0.08)
    x, y = (round((place + MARGIN_TILES) * TILE_PX) for place in found.places[0])
    assert np.abs(found.without[y, x].astype(int) - sand()[0, 0]).max() < 12
    other = (slice(round((3.0 + MARGIN_TILES) * TILE_PX), None), slice(round((4.0 + MARGIN_TILES) * TILE_PX), None))
    assert np.array_equal(found.without[other], board[other])


@pytest.mark.parametrize("colour", [BLUE, PINK, LILAC])
def test_no_piece_of_the_game_is_purple(colour: tuple[int, int, int]) -> None:
    board = with_meeple(sand(), 2.4, 1.6, colour)
    found = find_artisans(board)
    assert found.places == () and found.without is board


def test_a_lamp_s_tint_does_not_make_or_hide_an_artisan() -> None:
    board = with_meeple(with_meeple(sand(), 2.4, 1.6, PURPLE), 4.5, 3.3, BLUE)
    warm = np.clip(board * np.array([0.55, 0.8, 1.0]), 0, 255).astype(np.uint8)
    assert [tuple(round(v, 1) for v in place) for place in find_artisans(warm).places] == [(2.4, 1.6)]


def test_a_round_purple_plate_is_no_meeple() -> None:
    centre = tuple(round((place + MARGIN_TILES) * TILE_PX) for place in (2.8, 1.2))
    board = np.asarray(
        cv2.circle(with_meeple(sand(), 4.5, 3.3, BLUE), centre, round(0.115 * TILE_PX), PURPLE, -1), np.uint8
    )
    assert find_artisans(board).places == ()


def test_where_no_builder_is_bluer_the_purple_ones_are_the_builders() -> None:
    assert find_artisans(with_meeple(sand(), 2.4, 1.6, PURPLE)).places == ()


def test_what_lies_beside_the_sultanate_is_not_asked_for() -> None:
    assert find_artisans(with_meeple(with_meeple(sand(), -0.25, 2.0, PURPLE), 4.5, 3.3, BLUE)).places == ()
