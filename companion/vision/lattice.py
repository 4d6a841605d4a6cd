"""Find the sultanate: heat of tile corners and centres -> a grid -> the board's homography.

Board coordinates: x 0-6 to the right, y 0-5 down, in tile sides, (0, 0) the top left corner of a1.
A homography here maps board coordinates to the photo's pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.rules.board import COLUMNS, ROWS
from companion.vision.grid import REACH, grow_grids
from companion.vision.load import Picture
from companion.vision.plane import Points, project
from companion.vision.sight import Sight, look

FIT_TOLERANCE = 0.22
"""How far, in tile sides, a point may lie from its place in the grid while fitting."""

LEAST_TILES = 20
"""Tiles that must be seen at their places in the grid, of 30, for a sultanate to be called found."""

ENOUGH_TILES = 28
"""With so many tiles at their places no other grid is tried."""

ZOOM_MARGIN = 0.12
"""Margin around the board found first, in parts of its size, for the second and closer look."""


OUTLINE: Points = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], dtype=np.float64)
"""The sultanate's corners in board coordinates, top left first, clockwise."""

CENTRES: Points = np.array([(x + 0.5, y + 0.5) for y in range(ROWS) for x in range(COLUMNS)], dtype=np.float64)
NODES: Points = np.array([(x, y) for y in range(ROWS + 1) for x in range(COLUMNS + 1)], dtype=np.float64)
"""Middles and corners of the tiles in board coordinates, row by row."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where the sultanate lies in the photo.

    `homography` (3, 3) maps board coordinates to px; `tiles_seen` counts tile centres of 30 that were
    seen at their places.
    """

    homography: NDArray[np.float64]
    tiles_seen: int

    def to_photo(self, points: Points) -> Points:
        """Board coordinates (N, 2) as px in the photo."""
        return project(self.homography, points)

    @property
    def corners(self) -> Points:
        """The sultanate's corners in px, top left first, clockwise on the board."""
        return self.to_photo(OUTLINE)


def find_lattice(photo: Picture) -> Lattice:
    """The sultanate in a photo, from any side.

    Raises PhotoError if none is found, or if part of it is outside the picture.
    """
    height, width = photo.shape[:2]
    first = look(photo, (0.0, 0.0, float(max(height, width))))
    grid = _grow_best(first)
    if grid is None:
        raise PhotoError(
            "no sultanate found in the photo: take it from above, all 30 tiles in view and sharp, "
            "the board at least half as wide as the picture"
        )
    corners = grid.corners
    low, high = corners.min(axis=0), corners.max(axis=0)
    side = float((high - low).max()) * (1 + 2 * ZOOM_MARGIN)
    left, top = (low + high) / 2 - side / 2
    closer = _fit(grid.homography, look(photo, (float(left), float(top), side)))
    found = closer if closer is not None and closer.tiles_seen >= grid.tiles_seen - 2 else grid
    if found.tiles_seen < LEAST_TILES:
        raise PhotoError(
            f"no whole sultanate found in the photo, only {found.tiles_seen} of 30 tiles: take it from above, "
            "all tiles in view, and clear away what hides them"
        )
    _check_inside(found, width, height)
    return found


def refine_lattice(starts: Sequence[NDArray[np.float64]], photo: Picture) -> Lattice | None:
    """Of several homographies of one place, the one that the tiles seen there fit best, fitted to them.

    None if hardly any tile is seen. Raises PhotoError if part of the board is outside the picture.
    """
    height, width = photo.shape[:2]
    corners = project(starts[0], OUTLINE)
    low, high = corners.min(axis=0), corners.max(axis=0)
    side = float((high - low).max()) * (1 + 2 * ZOOM_MARGIN)
    left, top = (low + high) / 2 - side / 2
    sight = look(photo, (float(left), float(top), side))
    fitted = [lattice for start in starts if (lattice := _fit(start, sight)) is not None]
    if not fitted:
        return None
    best = max(fitted, key=lambda lattice: lattice.tiles_seen)
    _check_inside(best, width, height)
    return best


def _grow_best(sight: Sight) -> Lattice | None:
    """The best grid over several seed tiles, as a lattice of the best 6 x 5 window."""
    best: Lattice | None = None
    best_heat = 0.0
    for homography in grow_grids(sight.centres):
        window = _best_window(homography, sight)
        fitted = None if window is None else _fit(window, sight)
        if fitted is None:
            continue
        heat = float(sight.heat_at(1, fitted.to_photo(CENTRES)).sum())
        if heat > best_heat:
            best, best_heat = fitted, heat
        if fitted.tiles_seen >= ENOUGH_TILES:
            break
    return best


def _best_window(grid_to_px: NDArray[np.float64], sight: Sight) -> NDArray[np.float64] | None:
    """The 6 x 5 window of grid places, lying or standing, with the most heat, as a board homography."""
    places = np.array([(x, y) for y in range(-REACH, REACH + 1) for x in range(-REACH, REACH + 1)], dtype=np.float64)
    centre_heat = sight.heat_at(1, project(grid_to_px, places)).reshape(2 * REACH + 1, 2 * REACH + 1)
    windows = [
        (float(centre_heat[top : top + high, left : left + wide].sum()), left, top, wide, high)
        for wide, high in ((COLUMNS, ROWS), (ROWS, COLUMNS))
        for top in range(2 * REACH + 2 - high)
        for left in range(2 * REACH + 2 - wide)
    ]
    warmest = max(windows)[0]
    if warmest <= 0:
        return None
    best: tuple[float, NDArray[np.float64]] | None = None
    for heat, left, top, wide, high in windows:
        # Corners decide only between windows whose centres say nearly the same.
        if heat < warmest - 2.0:
            continue
        x, y = left - REACH - 0.5, top - REACH - 0.5
        # Lying: the board's x runs along the grid's x. Standing: along the grid's y, upwards.
        shift = np.array(
            [[1, 0, x], [0, 1, y], [0, 0, 1]] if wide == COLUMNS else [[0, 1, x], [-1, 0, y + high], [0, 0, 1]],
            dtype=np.float64,
        )
        homography = grid_to_px @ shift
        heat += 0.5 * float(sight.heat_at(0, project(homography, NODES)).sum())
        if best is None or heat > best[0]:
            best = (heat, homography)
    return None if best is None else best[1]


def _fit(homography: NDArray[np.float64], sight: Sight) -> Lattice | None:
    """The homography fitted anew to every corner and centre seen near its place."""
    for _ in range(3):
        board: list[Points] = []
        photo: list[Points] = []
        seen = 0
        for ideal, peaks in ((NODES, sight.corners), (CENTRES, sight.centres)):
            if not len(peaks):
                continue
            expected = project(homography, ideal)
            reach = (
                FIT_TOLERANCE
                * np.linalg.norm(
                    project(homography, ideal + (0.5, 0.5)) - project(homography, ideal - (0.5, 0.5)), axis=1
                )
                / 1.414
            )
            distances = np.linalg.norm(expected[:, None] - peaks[None], axis=2)
            nearest = distances.argmin(axis=1)
            close = distances[np.arange(len(ideal)), nearest] < reach
            board.append(ideal[close])
            photo.append(peaks[nearest[close]])
            seen = int(close.sum())
        if not board or sum(len(part) for part in board) < 12:
            return None
        cv2.setRNGSeed(1)
        fitted, _ = cv2.findHomography(np.vstack(board), np.vstack(photo), cv2.RANSAC, 2.5 * sight.px_per_cell)
        if fitted is None:
            return None
        homography = np.asarray(fitted, dtype=np.float64)
    if (
        not np.all(np.isfinite(homography))
        or cv2.contourArea(project(homography, OUTLINE).astype(np.float32), True) <= 0
    ):
        return None
    return Lattice(homography, seen)


def _check_inside(lattice: Lattice, width: int, height: int) -> None:
    """Refuse a board of which a whole strip is cut off."""
    centres = lattice.to_photo(CENTRES)
    cut = [
        side
        for side, outside in (
            ("left", centres[:, 0] < 0),
            ("right", centres[:, 0] > width),
            ("top", centres[:, 1] < 0),
            ("bottom", centres[:, 1] > height),
        )
        if outside.any()
    ]
    if cut:
        raise PhotoError(
            f"the sultanate is cut off at the {' and '.join(cut)} of the photo: "
            "step back so that all 30 tiles are in view"
        )
