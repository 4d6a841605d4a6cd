"""The grid is found from corners and centres alone, some missing, some false, seen from any side."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.vision import lattice
from companion.vision.lattice import CENTRES, NODES, OUTLINE, Lattice, find_lattice
from companion.vision.networks import HEAT_STRIDE, LOCATE_SIDE_PX
from companion.vision.plane import project
from companion.vision.sight import Sight, find_peaks

CELLS = LOCATE_SIDE_PX // HEAT_STRIDE


def seen(homography: NDArray[np.float64], rng: np.random.Generator, missing: float, false: int) -> Sight:
    """What a look would show of a board there: noisy peaks, some missing, some that are none."""
    heat = np.zeros((2, CELLS, CELLS), np.float32)
    peaks = []
    for channel, ideal in enumerate((NODES, CENTRES)):
        points = project(homography, ideal)
        points = points[rng.random(len(points)) >= missing] + rng.normal(0, 1.0, (1, 2))
        points = np.vstack([points, rng.uniform(0, LOCATE_SIDE_PX, (false, 2))])
        for x, y in points / HEAT_STRIDE - 0.5:
            column, row = round(x), round(y)
            if 0 <= column < CELLS and 0 <= row < CELLS:
                heat[channel, row, column] = 0.9
        peaks.append(points)
    return Sight(heat, peaks[0], peaks[1], (0.0, 0.0), float(HEAT_STRIDE))


def camera(turn: float, tilt: float) -> NDArray[np.float64]:
    """A board in the middle of a 512 px square, turned by degrees and tilted away at its far side."""
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = (OUTLINE - (3, 2.5)) @ spin.T * 50
    depth = 1 - tilt * flat[:, 1:2] / 200
    return cv2.getPerspectiveTransform(OUTLINE.astype(np.float32), (256 + flat / depth).astype(np.float32)).astype(
        float
    )


@pytest.mark.parametrize("turn", range(0, 360, 40))
@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_found_from_any_side_with_gaps_and_false_points(turn: float, tilt: float) -> None:
    homography = camera(turn, tilt)
    sight = seen(homography, np.random.default_rng(turn), missing=0.12, false=8)
    grid = lattice._grow_best(sight)
    assert grid is not None and grid.tiles_seen >= 20
    true = project(homography, OUTLINE)
    errors = [np.abs(np.roll(grid.corners, shift, axis=0) - true).max() for shift in (0, 2)]
    assert min(errors) < 0.1 * 50


def test_scattered_points_are_no_board() -> None:
    rng = np.random.default_rng(3)
    points = rng.uniform(0, 512, (30, 2))
    heat = np.zeros((2, CELLS, CELLS), np.float32)
    grid = lattice._grow_best(Sight(heat, points, points, (0.0, 0.0), 4.0))
    assert grid is None or grid.tiles_seen < lattice.LEAST_TILES


def test_peaks_are_local_maxima_hottest_first() -> None:
    heat = np.zeros((20, 20), np.float32)
    heat[4, 5], heat[4, 6], heat[12, 15], heat[18, 2] = 0.8, 0.4, 0.9, 0.1
    peaks = find_peaks(heat, 0.25)
    assert len(peaks) == 2
    assert peaks[0, :2].tolist() == [15, 12]
    assert 5 < peaks[1, 0] < 6 and peaks[1, 1] == 4


@pytest.mark.parametrize("seed", range(3))
def test_pictures_without_a_board_are_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noise = cv2.resize(rng.integers(0, 255, (30, 40, 3), dtype=np.uint8), (1200, 900), interpolation=cv2.INTER_CUBIC)
    with pytest.raises(PhotoError, match="no .*sultanate"):
        find_lattice(noise)


def test_a_board_cut_off_is_refused_with_its_side() -> None:
    found = Lattice(np.array([[100.0, 0, -90], [0, 100, 50], [0, 0, 1]]), 30)
    with pytest.raises(PhotoError, match="cut off at the left of the photo: step back"):
        lattice._check_inside(found, 800, 700)
