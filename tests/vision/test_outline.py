"""A board is found by its outline: where it stands out from the table, and has a board's shape in space."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import PhotoError
from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.load import Picture
from companion.vision.locate import lattice
from companion.vision.locate.grid import OUTLINE
from companion.vision.locate.lattice import find_lattice
from companion.vision.locate.outline import outline_homographies, tile_aspect
from companion.vision.numerics import Float64, project
from tests.vision import tables

SIZE = (900, 700)
TABLE = (60, 90, 120)


def seen_from(tilt_deg: float, turn_deg: float, focal: float = 900.0, wide: float = 1.0) -> Float64:
    """The homography of a board whose tiles are `wide` times as wide as high, for a camera over its middle."""
    tilt, turn = np.radians([tilt_deg, turn_deg])
    spun = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    leant = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    sides = (leant @ spun)[:, :2] * [wide, 1.0]
    away = np.array([0, 0, focal / 75])
    middle = np.array([[1, 0, -COLUMNS / 2], [0, 1, -ROWS / 2], [0, 0, 1]])
    inner = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    return np.asarray(inner @ np.column_stack([sides, away]) @ middle)


def drawn(homography: Float64, seed: int = 1) -> Picture:
    """A board of thirty plain tiles in any colours on a plain table, with a little noise."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), TABLE, np.uint8)
    for row in range(ROWS):
        for column in range(COLUMNS):
            ring = project(homography, np.array([(0.0, 0), (0.97, 0), (0.97, 0.97), (0, 0.97)]) + (column, row))
            cv2.fillPoly(picture, [np.rint(ring).astype(np.int32)], [int(v) for v in rng.integers(140, 255, 3)])
    noisy = picture + rng.normal(0, 4, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def distance_tiles(found: Float64, true: Float64) -> float:
    """How far the corners lie from where they are, in tile sides; a board half-turned is the same."""
    corners, wanted = project(found, OUTLINE), project(true, OUTLINE)
    side = float(np.linalg.norm(wanted[1] - wanted[0])) / COLUMNS
    return min(float(np.linalg.norm(np.roll(corners, turn, axis=0) - wanted, axis=1).max()) for turn in (0, 2)) / side


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 50), st.floats(0, 360), st.floats(700, 2500), st.floats(0.6, 1.7))
def test_tiles_are_as_wide_as_they_are_from_wherever_they_are_seen(
    tilt: float, turn: float, focal: float, wide: float
) -> None:
    told = tile_aspect(seen_from(tilt, turn, focal, wide), SIZE)
    # Where a side runs along the table's horizon perspective does not tell the focal length.
    tells = tilt > 15 and min(turn % 90, 90 - turn % 90) > 10
    assert told == pytest.approx(wide, rel=1e-3 if tells and focal < 3000 else 0.45)


def test_a_board_that_stands_out_is_found_at_its_place() -> None:
    for tilt, turn in ((0, 17), (45, 100), (50, 250)):
        true = seen_from(tilt, turn)
        found = list(outline_homographies(drawn(true)))
        assert found and min(distance_tiles(one, true) for one in found) < 0.3


def test_what_stands_over_a_corner_hides_no_board() -> None:
    for tilt, turn, corner, radius_px in ((35, 40, 3, 30), (50, 250, 0, 36)):
        true = seen_from(tilt, turn)
        picture = drawn(true)
        inward = OUTLINE.mean(axis=0) - OUTLINE[corner]
        over = project(true, (OUTLINE[corner] - 0.1 * inward / np.linalg.norm(inward))[None])[0]
        cv2.circle(picture, (round(float(over[0])), round(float(over[1]))), radius_px, (220, 230, 240), -1)
        found = list(outline_homographies(picture))
        # One corner that far off is near enough for the look from straight above.
        assert found and min(distance_tiles(one, true) for one in found) < 0.9


def test_what_has_not_the_shape_of_a_board_is_left() -> None:
    assert not list(outline_homographies(drawn(seen_from(0, 10, wide=0.45))))
    assert not list(outline_homographies(np.full((400, 500, 3), 90, np.uint8)))
    disc = np.full((400, 500, 3), 90, np.uint8)
    cv2.circle(disc, (250, 200), 150, (200, 220, 240), -1)
    assert not list(outline_homographies(disc))
    for size in ((1, 1), (3, 2), (40, 40), (60, 4000)):
        noise = np.random.default_rng(7).integers(0, 256, (*size, 3)).astype(np.uint8)
        assert not list(outline_homographies(noise))


def test_where_no_tile_is_known_by_itself_the_outline_says_where_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = tables.sample("mid")
    known = tables.located("mid", small=True)
    monkeypatch.setattr(lattice, "_grow_best", lambda heatmaps, size: None)
    found = find_lattice(photo)
    assert distance_tiles(found.homography, known.homography) < 0.05
    # From farther off as well, if nearly all tiles are seen at the place that is found from there.
    wide = np.array([[1.2, 0, -0.1 * COLUMNS], [0, 1.2, -0.1 * ROWS], [0, 0, 1]])
    said = known.homography @ wide
    assert distance_tiles(said, known.homography) > lattice.MAX_MOVED_TILES
    monkeypatch.setattr(lattice, "outline_homographies", lambda photo: iter([said]))
    assert distance_tiles(find_lattice(photo).homography, known.homography) < 0.05
    monkeypatch.setattr(lattice, "outline_homographies", lambda photo: iter(()))
    with pytest.raises(PhotoError, match="no sultanate"):
        find_lattice(photo)
