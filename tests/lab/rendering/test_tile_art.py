from __future__ import annotations

from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.lab.rendering.tile_art import draw_tile, standard_art, upright
from companion.lab.rendering.tile_badges import BADGE, DISC
from companion.notation.tokens import parse_board
from companion.rules.model.components import TILE_KINDS
from companion.vision.locate.grid import HALF_TURN

SIDE = 96
PAIRS = list(combinations(TILE_KINDS, 2))


def part(picture: NDArray[Any], middle: tuple[float, float], half: float) -> NDArray[Any]:
    x, y = (round(SIDE * share) for share in middle)
    reach = round(SIDE * half)
    return picture[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach].astype(int)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_kind_is_drawn_differently(one: str, other: str, small_art: dict[str, list[NDArray[Any]]]) -> None:
    first, second = small_art[one][0], small_art[other][0]
    assert np.abs(first.astype(int) - second).mean() > 6


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_rules_1_1_the_disc_tells_value_and_colour(
    one: str, other: str, small_art: dict[str, list[NDArray[Any]]]
) -> None:
    kinds = TILE_KINDS[one], TILE_KINDS[other]
    apart = np.abs(part(small_art[one][0], DISC, 0.07) - part(small_art[other][0], DISC, 0.07)).mean()
    same = (kinds[0].vp, kinds[0].blue) == (kinds[1].vp, kinds[1].blue)
    assert apart < 1 if same else apart > 5


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_rules_6_the_badge_tells_the_action(one: str, other: str, small_art: dict[str, list[NDArray[Any]]]) -> None:
    apart = np.abs(part(small_art[one][0], BADGE, 0.1) - part(small_art[other][0], BADGE, 0.1)).mean()
    same = TILE_KINDS[one].action is TILE_KINDS[other].action
    assert apart < 6 if same else apart > 9


@pytest.mark.parametrize("code", TILE_KINDS)
def test_red_and_blue_values(code: str, small_art: dict[str, list[NDArray[Any]]]) -> None:
    blue, _, red = part(small_art[code][0], (DISC[0], DISC[1] + 0.085), 0.02).reshape(-1, 3).mean(0)
    assert (blue > 1.5 * red) if TILE_KINDS[code].blue else (red > 1.5 * blue)


def test_a_seed_draws_one_picture() -> None:
    one, again, other = (draw_tile("O8", np.random.default_rng(seed), SIDE) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert one.shape == (SIDE, SIDE, 3)


def test_there_is_no_tile_of_another_code() -> None:
    with pytest.raises(KeyError):
        draw_tile("O7", np.random.default_rng(0), SIDE)


def test_a_board_that_was_found_half_turned_is_cut_the_right_way_up() -> None:
    kinds = [kind for kind in TILE_KINDS.values() for _ in range(kind.count)]
    board = parse_board("\n".join(" ".join(kind.code for kind in kinds[row : row + 6]) for row in range(0, 30, 6)))
    size = 160
    photo = np.full((5 * size, 6 * size, 3), 90, np.uint8)
    for square, kind in enumerate(kinds):
        row, column = divmod(square, 6)
        picture = cv2.resize(standard_art()[kind.code][0], (size, size), interpolation=cv2.INTER_AREA)
        photo[row * size : (row + 1) * size, column * size : (column + 1) * size] = picture
    right = np.diag([float(size), float(size), 1.0])
    assert np.array_equal(upright(photo, right, board), right)
    assert np.allclose(upright(photo, right @ HALF_TURN, board), right)
