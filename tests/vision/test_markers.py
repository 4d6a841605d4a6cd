"""Corner markers: they stand in where the tiles alone do not tell the board's place, and change nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import PhotoError
from companion.notation.fiducials import (
    CORNER_MARKER_MM,
    CORNER_MARKERS,
    CORNER_RIM_MM,
    MARKER_MODULES,
    MARKER_PATTERNS,
    dark_modules,
)
from companion.vision.load import Picture, load_photo
from companion.vision.locate import lattice as lattice_search
from companion.vision.locate import markers
from companion.vision.locate.grid import OUTLINE, Lattice
from companion.vision.locate.lattice import find_lattice
from companion.vision.locate.markers import TILE_MM, board_starts, find_board, find_markers

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PX_PER_MM = 6


def cut_out(number: int) -> Picture:
    """A marker as it is cut out."""
    side = round((CORNER_MARKER_MM + 2 * CORNER_RIM_MM) * PX_PER_MM)
    picture = np.full((side, side, 3), 235, np.uint8)
    module = CORNER_MARKER_MM / MARKER_MODULES
    for column, row in dark_modules(number):
        left, top = CORNER_RIM_MM + column * module, CORNER_RIM_MM + row * module
        x, y, across, down = (round(value * PX_PER_MM) for value in (left, top, left + module, top + module))
        picture[y:down, x:across] = 25
    return picture


def with_markers(photo: Picture, homography: np.ndarray, places: Sequence[int], first: int = 0) -> Picture:
    """The photo with markers at the board's corners, clockwise from a1's; `first` is the number at a1."""
    side = (CORNER_MARKER_MM + 2 * CORNER_RIM_MM) / TILE_MM
    photo = photo.copy()
    for place in places:
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[place]
        lie = np.array([(-side, -side), (0, -side), (0, 0), (-side, 0)]) @ np.array([[c, s], [-s, c]]) + OUTLINE[place]
        seen = np.hstack([lie, np.ones((4, 1))]) @ homography.T
        marker = cut_out(CORNER_MARKERS[(place + first) % 4])
        high = marker.shape[0]
        matrix = cv2.getPerspectiveTransform(
            np.array([(0, 0), (high, 0), (high, high), (0, high)], np.float32),
            (seen[:, :2] / seen[:, 2:]).astype(np.float32),
        )
        size = (photo.shape[1], photo.shape[0])
        cover = cv2.warpPerspective(np.full((high, high), 255, np.uint8), matrix, size)
        laid = cv2.warpPerspective(cv2.GaussianBlur(marker, (0, 0), 1.5), matrix, size, flags=cv2.INTER_AREA)
        photo[cover > 127] = laid[cover > 127]
    return photo


@cache
def table() -> tuple[Picture, Lattice]:
    photo = cv2.resize(load_photo(SAMPLES / "mid.jpg"), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    # Room for markers that would lie beyond the picture's edge.
    photo = cv2.copyMakeBorder(photo, 200, 200, 160, 160, cv2.BORDER_CONSTANT, value=(60, 70, 80))
    return photo, find_lattice(photo)


def farthest(one: np.ndarray, other: np.ndarray) -> float:
    """How far apart two homographies put a corner of the board at most, in tile sides, half-turned or not."""
    corners = np.hstack([OUTLINE, np.ones((4, 1))]) @ (np.linalg.inv(other) @ one).T
    corners = corners[:, :2] / corners[:, 2:]
    return min(
        float(np.linalg.norm(corners - expected, axis=1).max()) for expected in (OUTLINE, np.roll(OUTLINE, 2, axis=0))
    )


def test_patterns_are_those_of_the_dictionary() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    for number in range(len(MARKER_PATTERNS)):
        drawn = cv2.aruco.generateImageMarker(dictionary, number, MARKER_MODULES)
        dark = {(int(column), int(row)) for row, column in zip(*np.nonzero(drawn == 0), strict=True)}
        assert dark == set(dark_modules(number))


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.glob("*.jpg")))
def test_no_marker_is_seen_where_none_is(name: str) -> None:
    assert find_markers(load_photo(SAMPLES / name), CORNER_MARKERS) == []


@pytest.mark.parametrize("first", [0, 3])
@pytest.mark.parametrize("places", [(0, 1, 2, 3), (1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)], ids=str)
def test_markers_at_the_corners_tell_where_the_board_is(places: tuple[int, ...], first: int) -> None:
    photo, lattice = table()
    found = find_markers(with_markers(photo, lattice.homography, places, first), CORNER_MARKERS)
    assert len(found) == len(places)
    starts = board_starts(found)
    assert min(farthest(start, lattice.homography) for start in starts) < 0.15


@pytest.mark.parametrize("quarters", [0, 1])
def test_a_board_hidden_from_the_finder_is_found_by_its_markers(quarters: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(_: Picture) -> Lattice:
        raise PhotoError("no sultanate found in the photo")

    photo, lattice = table()
    marked = np.ascontiguousarray(np.rot90(with_markers(photo, lattice.homography, range(4)), quarters))
    true = find_lattice(marked)
    monkeypatch.setattr(lattice_search, "search_photo", blind)
    found = find_board(marked)
    assert found.tiles_seen >= 20
    assert farthest(found.homography, true.homography) < 0.1


def test_a_board_found_elsewhere_is_mended_by_its_markers(monkeypatch: pytest.MonkeyPatch) -> None:
    photo, lattice = table()
    shifted = Lattice(lattice.homography @ np.array([[1.0, 0, 1], [0, 1, 0], [0, 0, 1]]), 25)
    monkeypatch.setattr(lattice_search, "search_photo", lambda _: shifted)
    marked = with_markers(photo, lattice.homography, range(4))
    assert farthest(find_board(marked).homography, lattice.homography) < 0.1
    assert find_board(photo) is shifted, "without markers the finder's word stands"


def test_markers_around_no_board_invent_none() -> None:
    photo, lattice = table()
    empty = np.full_like(photo, (70, 90, 120))
    noise = np.random.default_rng(3).normal(0, 6, empty.shape)
    marked = with_markers(np.clip(empty + noise, 0, 255).astype(np.uint8), lattice.homography, range(4))
    with pytest.raises(PhotoError, match="hardly a tile between them"):
        find_board(marked)


def test_markers_that_lie_anyhow_are_left_alone() -> None:
    photo, lattice = table()
    found = find_markers(with_markers(photo, lattice.homography, range(4)), CORNER_MARKERS)
    assert board_starts(found[:2]) == []
    assert board_starts([found[0], *found]) == []
    twisted = [
        markers.Marker(marker.number, np.roll(marker.corners, place, axis=0)) for place, marker in enumerate(found)
    ]
    assert board_starts(twisted) == []
