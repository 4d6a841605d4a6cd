"""Hands and things drawn over photos cover what they say, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from companion.lab.rendering.obstacles import draw_obstacle, lay_over
from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.rectify import TILE_PX, rectify
from companion.vision.load import Picture
from companion.vision.numerics import Float64

HOMOGRAPHY = np.array([(70.0, 6.0, 60.0), (-4.0, 66.0, 50.0), (0.0001, 0.0002, 1.0)])


CELLS = 4


def by_cell(board: Picture) -> Float64:
    """A rectified board's mean colours by cells, so many a tile side."""
    rows, columns = (ROWS + 1) * CELLS, (COLUMNS + 1) * CELLS
    side = TILE_PX // CELLS
    return np.asarray(board.astype(np.float64).reshape(rows, side, columns, side, 3).mean(axis=(1, 3)))


@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_covered_changes_and_what_nothing_touches_only_lies_in_shadow(seed: int) -> None:
    rng = np.random.default_rng(seed)
    photo = np.full((480, 600, 3), (90, 160, 200), np.uint8)
    obstacle = draw_obstacle(rng)
    obstacle_over = lay_over(photo, HOMOGRAPHY, obstacle, rng)
    shares = obstacle.shares(CELLS, 0.5)
    assert shares.shape == ((ROWS + 1) * CELLS, (COLUMNS + 1) * CELLS)
    before, after = (by_cell(rectify(one, HOMOGRAPHY)) for one in (photo, obstacle_over))
    free, covered = shares == 0, shares > 0.99
    # In a soft shadow all channels are darker alike.
    assert (after - before)[free].max() <= 1 and np.ptp(after / before, axis=2)[free].max() < 0.02
    assert (abs(after - before).max(axis=2)[covered] > 10).mean() > 0.9
    assert 1 <= (obstacle.shares() > 0.3).sum() <= 9


def test_the_same_seed_draws_the_same() -> None:
    one, other = (draw_obstacle(np.random.default_rng(7)) for _ in range(2))
    assert (one.colours == other.colours).all() and (one.covers == other.covers).all()
