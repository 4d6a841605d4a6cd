"""The grid is found from corners and centres alone, some missing, some false, seen from any side."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.vision.load import Picture
from companion.vision.locate import lattice
from companion.vision.locate.grid import CENTRES, NODES, OUTLINE, Lattice
from companion.vision.locate.heatmaps import (
    LOCATE_SIDE_PX,
    Heatmaps,
    best_window,
)
from companion.vision.locate.lattice import find_lattice
from companion.vision.networks import HEAT_STRIDE
from companion.vision.numerics import find_peaks, project
from tests.vision import tables

CELLS = LOCATE_SIDE_PX // HEAT_STRIDE
SIZE = (LOCATE_SIDE_PX, LOCATE_SIDE_PX)
TO_CELLS = np.array([[1 / HEAT_STRIDE, 0, -0.5], [0, 1 / HEAT_STRIDE, -0.5], [0, 0, 1]])


def seen(homography: NDArray[np.float64], rng: np.random.Generator, missing: float, false: int) -> Heatmaps:
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
    return Heatmaps(heat, peaks[0], peaks[1], TO_CELLS)


def camera(turn: float, tilt: float) -> NDArray[np.float64]:
    """A board in the middle of a 512 px square, turned by degrees and tilted away at its far side."""
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = (OUTLINE - (3, 2.5)) @ spin.T * 50
    depth = 1 - tilt * flat[:, 1:2] / 200
    return cv2.getPerspectiveTransform(OUTLINE.astype(np.float32), (256 + flat / depth).astype(np.float32)).astype(
        float
    )


def test_found_from_any_side_with_gaps_and_false_points() -> None:
    for turn, tilt in ((0, 0.0), (40, 0.3), (160, 0.0), (200, 0.3), (280, 0.3)):
        homography = camera(turn, tilt)
        sight = seen(homography, np.random.default_rng(turn), missing=0.12, false=8)
        grid = lattice._grow_best(sight, SIZE)
        assert grid is not None and grid.tiles_seen >= 20
        true = project(homography, OUTLINE)
        errors = [np.abs(np.roll(grid.corners, shift, axis=0) - true).max() for shift in (0, 2)]
        assert min(errors) < 0.1 * 50


def test_peaks_are_local_maxima_hottest_first() -> None:
    heat = np.zeros((20, 20), np.float32)
    heat[4, 5], heat[4, 6], heat[12, 15], heat[18, 2] = 0.8, 0.4, 0.9, 0.1
    peaks = find_peaks(heat, 0.25)
    assert len(peaks) == 2
    assert peaks[0, :2].tolist() == [15, 12]
    assert 5 < peaks[1, 0] < 6 and peaks[1, 1] == 4


def test_what_shows_grids_everywhere_is_given_up_after_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, settled = [], []
    sight = seen(camera(20, 0.2), np.random.default_rng(3), missing=0.4, false=60)

    def look(photo: Picture, square: tuple[float, float, float]) -> Heatmaps:
        looks.append(square)
        return sight

    monkeypatch.setattr(lattice, "detect_lattice_points", look)
    monkeypatch.setattr(lattice, "_settle", lambda photo, grid, shift=True: settled.append(grid))
    monkeypatch.setattr(lattice, "outline_homographies", lambda photo: iter(()))
    # A page of text is as full of contrast as it can be: it is not looked at once more with more.
    page = tables.sample("mid")
    cv2.putText(page, "text", (0, 900), cv2.FONT_HERSHEY_PLAIN, 40, (255, 255, 255), 60)
    with pytest.raises(PhotoError, match="no sultanate"):
        find_lattice(page)
    assert len(looks) == len(set(looks)) == 19
    whole, *parts = [round(side / 1400, 2) for _, _, side in looks]
    assert (whole, parts) == (1.0, [0.62] * 6 + [0.42] * 12)
    assert len(settled) == 1 + 2 * lattice.MOST_SETTLED


def test_a_flat_photo_is_looked_at_with_more_contrast_in_its_larger_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = []
    nothing = Heatmaps(np.zeros((2, CELLS, CELLS), np.float32), np.empty((0, 2)), np.empty((0, 2)), TO_CELLS)

    def look(photo: Picture, square: tuple[float, float, float]) -> Heatmaps:
        sides.append(round(square[2] / 1400, 2))
        return nothing

    monkeypatch.setattr(lattice, "detect_lattice_points", look)
    monkeypatch.setattr(lattice, "outline_homographies", lambda photo: iter(()))
    hazy = (200 + 30 * (tables.sample("mid") / 255.0)).astype(np.uint8)
    with pytest.raises(PhotoError, match="no sultanate"):
        find_lattice(hazy)
    assert sides == [1.0, *[0.62] * 6, *[0.42] * 12, 1.0, *[0.62] * 6]


def test_a_finer_grid_in_a_printing_is_no_second_sultanate(monkeypatch: pytest.MonkeyPatch) -> None:
    photo, right = tables.whole("mid"), tables.located("mid")
    finer = Lattice(right.homography @ np.array([[0.5, 0, 1.2], [0, 0.5, 0.8], [0, 0, 1]]), 29, 20)
    look = lattice._find_in
    found = iter([finer])
    monkeypatch.setattr(lattice, "_find_in", lambda photo, heatmaps: next(found, None) or look(photo, heatmaps))
    corners = find_lattice(photo).corners
    # A lattice has no right way up: that's told by the tiles.
    off = min(np.abs(np.roll(corners, turn, axis=0) - right.corners).max() for turn in (0, 2))
    assert off < 0.1 * right.tile_px


def test_a_board_found_a_row_or_column_off_is_moved_back() -> None:
    homography = camera(20, 0.2)
    sight = seen(homography, np.random.default_rng(1), missing=0.1, false=5)
    for across, down in ((-1, 0), (0, 1), (1, 1)):
        off = homography @ np.array([[1, 0, across + 0.5], [0, 1, down + 0.5], [0, 0, 1]])
        window = best_window(off, sight, (range(-1, 7), range(-1, 6)), SIZE)
        assert window is not None
        assert np.abs(project(window, OUTLINE) - project(homography, OUTLINE)).max() < 1


def test_missing_tiles_are_sought_beyond_the_photo_not_on_its_empty_table() -> None:
    # Five columns are seen at the photo's left edge: the sixth is cut off there.
    homography = np.array([[60.0, 0, -60], [0, 60.0, 100], [0, 0, 1]])
    sight = seen(homography, np.random.default_rng(2), missing=0.0, false=0)
    right = homography @ np.array([[1, 0, 1.5], [0, 1, 0.5], [0, 0, 1]])
    window = best_window(right, sight, (range(-1, 7), range(-1, 6)), SIZE)
    assert window is not None
    assert np.abs(project(window, OUTLINE) - project(homography, OUTLINE)).max() < 1


def farthest(found: NDArray[np.float64], homography: NDArray[np.float64]) -> float:
    """How far a corner of a tile lies from where it should, in tile sides; the board may be half-turned."""
    places = project(np.linalg.inv(homography), project(found, NODES))
    return min(float(np.linalg.norm(places - nodes, axis=1).max()) for nodes in (NODES, NODES[::-1]))


def test_a_small_board_anywhere_in_the_photo_is_found() -> None:
    photo = tables.sample("mid")
    whole = tables.located("mid", small=True).homography
    place = np.array([[0.22, -0.17, 380.0], [0.17, 0.22, 60.0], [0, 0, 1]])
    small = tables.table()
    cv2.warpPerspective(photo, place, tables.SIZE, small, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    assert farthest(find_lattice(small).homography, place @ whole) < 0.1
