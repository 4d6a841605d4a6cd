"""One look at the photo: heat of tile corners and tile centres, and their peaks in px."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.load import Picture
from companion.vision.networks import HEAT_STRIDE, LOCATE_SIDE_PX, Floats, locate_heat
from companion.vision.plane import Points, project

PEAK_HEAT = 0.25
"""Least heat of a corner or centre that the grid is grown from."""

STRAIGHT_TILE_PX = 66.0
"""Side of a tile in a look at a board from straight above: the whole board and most of a tile around it."""

_VIEW_TO_CELLS = np.array([[1 / HEAT_STRIDE, 0, -0.5], [0, 1 / HEAT_STRIDE, -0.5], [0, 0, 1]], dtype=np.float64)

_HALF_A_PIXEL = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Sight:
    """What one look at the photo showed.

    `heat` is (2, 128, 128), of corners and of centres; `corners` and `centres` are its peaks in px of the
    photo; `to_cells` (3, 3) maps px of the photo to heat cells.
    """

    heat: Floats
    corners: Points
    centres: Points
    to_cells: NDArray[np.float64]

    def heat_at(self, channel: int, points: Points) -> NDArray[np.float64]:
        """The greatest heat within one cell of each point (N, 2) in px; 0 outside the look."""
        cells = np.rint(project(self.to_cells, points))
        cells = np.clip(np.nan_to_num(cells, nan=-1e6), -1e6, 1e6).astype(int)
        swollen = cv2.dilate(self.heat[channel], np.ones((3, 3), np.uint8))
        size = swollen.shape[0]
        inside = ((cells >= 0) & (cells < size)).all(axis=1)
        clipped = np.clip(cells, 0, size - 1)
        return np.where(inside, swollen[clipped[:, 1], clipped[:, 0]], 0.0)


def look(photo: Picture, square: tuple[float, float, float]) -> Sight:
    """Run the network on a square (left, top, side) of the photo, in px; it may reach outside."""
    left, top, side = square
    scale = LOCATE_SIDE_PX / side
    to_view = np.array([[scale, 0, -left * scale], [0, scale, -top * scale], [0, 0, 1]], dtype=np.float64)
    return _look_through(photo, to_view, scale)


def look_straight(photo: Picture, homography: NDArray[np.float64], tile_px: float) -> Sight:
    """Run the network on the board as it would be seen from straight above.

    `homography` maps board coordinates to px of the photo, in which a tile is `tile_px` wide.
    """
    side = STRAIGHT_TILE_PX
    to_middle = np.array(
        [
            [side, 0, (LOCATE_SIDE_PX - COLUMNS * side) / 2],
            [0, side, (LOCATE_SIDE_PX - ROWS * side) / 2],
            [0, 0, 1],
        ]
    )
    return _look_through(photo, to_middle @ np.linalg.inv(homography), side / tile_px)


def _look_through(photo: Picture, to_view: NDArray[np.float64], scale: float) -> Sight:
    """Run the network on a view: `to_view` maps px of the photo to the view's, `scale` says how far it shrinks."""
    from_source = to_view
    source = photo
    if scale < 0.5:
        # An area average first, or fine patterns alias into false corners.
        shrink = scale * 2
        source = np.asarray(cv2.resize(photo, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        from_source = to_view @ np.diag([photo.shape[1] / source.shape[1], photo.shape[0] / source.shape[0], 1.0])
    # OpenCV counts from the middle of the first pixel, the photo and its homographies from its edge.
    matrix = np.linalg.inv(_HALF_A_PIXEL) @ from_source @ _HALF_A_PIXEL
    size = (LOCATE_SIDE_PX, LOCATE_SIDE_PX)
    heat = locate_heat(np.asarray(cv2.warpPerspective(source, matrix, size, flags=cv2.INTER_LINEAR), np.uint8))
    to_cells = _VIEW_TO_CELLS @ to_view
    to_photo = np.asarray(np.linalg.inv(to_cells), dtype=np.float64)
    corners, centres = (project(to_photo, find_peaks(channel, PEAK_HEAT)[:, :2]) for channel in heat)
    return Sight(heat, corners, centres, to_cells)


def find_peaks(heat: Floats, least: float) -> Points:
    """Local maxima of a heatmap as (N, 3): x and y in cells, subpixel, and the heat; hottest first."""
    swollen = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= swollen) & (heat >= least))
    padded = np.pad(heat, 1, mode="edge").astype(np.float64)
    peaks = np.empty((len(rows), 3))
    for index, (row, column) in enumerate(zip(rows, columns, strict=True)):
        window = padded[row : row + 3, column : column + 3]
        weight = window.sum()
        peaks[index] = (
            column + (window[:, 2].sum() - window[:, 0].sum()) / weight,
            row + (window[2].sum() - window[0].sum()) / weight,
            heat[row, column],
        )
    return peaks[np.argsort(-peaks[:, 2], kind="stable")]
