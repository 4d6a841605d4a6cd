"""Cards are put in reading order whichever side the photo was taken from."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.cards.detection import Upright, reading_lines
from companion.vision.numerics import project
from tests.vision.cards.tables import CARD_MM, Camera, Laid, camera_matrix, lines_of


def seen(laid: list[Laid], camera: Camera) -> list[Upright]:
    """The cards' corners as the camera sees them."""
    to_px = camera_matrix(camera, (2016, 1512))
    half = np.array(CARD_MM) / 2 * [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    cards = []
    for card in laid:
        c, s = np.cos(np.radians(card.turn)), np.sin(np.radians(card.turn))
        corners = half @ np.array([[c, s], [-s, c]]) + [card.x, card.y]
        cards.append(Upright(project(to_px, corners), 1.0))
    return cards


def named(counts: list[int]) -> list[list[str | None]]:
    return [[f"{line}.{place}" for place in range(count)] for line, count in enumerate(counts)]


def read(laid: list[Laid], camera: Camera, shuffle: int = 0) -> list[list[str | None]]:
    order = np.random.default_rng(shuffle).permutation(len(laid))
    mixed = [laid[at] for at in order]
    return [[mixed[at].name for at in line] for line in reading_lines(seen(mixed, camera))]


def test_lines_are_read_from_any_side() -> None:
    for counts, side, slant in product(([9], [6, 6], [3, 5, 4], [1], [9, 2]), (0, 35, 90, 180, 270), (0, 30, 48)):
        names = named(counts)
        laid = lines_of(names, rng=np.random.default_rng(5))
        assert read(laid, Camera(side, slant, 900)) == names, (counts, side, slant)


@given(st.integers(0, 999), st.floats(0, 360), st.floats(0, 45), st.floats(0, 30))
def test_a_row_of_nine_laid_by_hand_is_one_line(seed: int, side: float, slant: float, gap: float) -> None:
    names = named([9])
    laid = lines_of(names, gap, np.random.default_rng(seed))
    assert read(laid, Camera(side, slant, 1000), seed) == names


def test_cards_dealt_upside_down_do_not_turn_the_row() -> None:
    laid = lines_of(named([9]))
    mixed = [Laid(card.name, card.x, card.y, 180.0 if at in (1, 4, 8) else 0.0) for at, card in enumerate(laid)]
    assert read(mixed, Camera(180, 20)) == named([9])


def test_a_line_that_faces_another_player_is_read_from_his_side_and_comes_last() -> None:
    row = lines_of(named([7]))
    his = [Laid(f"his {at}", 150 - 50 * at, -160, 180.0) for at in range(4)]
    assert read([*his, *row], Camera()) == [named([7])[0], [f"his {at}" for at in range(4)]]
    assert read([*row, Laid("lone", 0.0, -180.0, 100.0)], Camera()) == [named([7])[0], ["lone"]]
    assert reading_lines([]) == []
