from __future__ import annotations

from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.tile_art import BADGE, DISC, standard_art, upright
from companion.notation.tokens import parse_board
from companion.rules.model.components import TILE_KINDS
from companion.vision.locate.grid import HALF_TURN

SIDE = 96


def part(picture: NDArray[Any], middle: tuple[float, float], half: float) -> NDArray[Any]:
    x, y = (round(SIDE * share) for share in middle)
    reach = round(SIDE * half)
    return picture[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach].astype(int)


def test_every_kind_has_its_picture_its_disc_and_its_badge(small_art: dict[str, list[NDArray[Any]]]) -> None:
    """The disc tells value and colour (rules 1.1), the badge the action (rules 6)."""
    for one, other in combinations(TILE_KINDS.values(), 2):
        first, second = small_art[one.code][0], small_art[other.code][0]
        assert np.abs(first.astype(int) - second).mean() > 6
        apart = np.abs(part(first, DISC, 0.07) - part(second, DISC, 0.07)).mean()
        assert apart < 3 if (one.vp, one.blue) == (other.vp, other.blue) else apart > 5
        apart = np.abs(part(first, BADGE, 0.1) - part(second, BADGE, 0.1)).mean()
        assert apart < 6 if one.action is other.action else apart > 9
    for code, kind in TILE_KINDS.items():
        blue, _, red = part(small_art[code][0], (DISC[0], DISC[1] + 0.085), 0.02).reshape(-1, 3).mean(0)
        assert (blue > 1.5 * red) if kind.blue else (red > 1.5 * blue)


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
