"""Heatmaps of tile corners and tile centres, from a square of the photo or from the board as seen from above."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.load import Picture
from companion.vision.networks import HEAT_STRIDE, forward, normalise
from companion.vision.numerics import Float32, Float64, Points, find_peaks, project, sigmoid

LOCATE_SIDE_PX = 512
"""Side of the square that the network takes."""


MIN_PEAK_SCORE = 0.25
"""Least score of a corner or centre that the grid is grown from."""

STRAIGHT_TILE_PX = 66.0
"""Side of a tile in a look at a board from straight above: the whole board and most of a tile around it."""

_VIEW_TO_CELLS = np.array([[1 / HEAT_STRIDE, 0, -0.5], [0, 1 / HEAT_STRIDE, -0.5], [0, 0, 1]], dtype=np.float64)

_HALF_A_PIXEL = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Heatmaps:
    """Where one pass of the network over (part of) the photo saw corners and centres of tiles.

    `scores` is (2, 128, 128), of corners and of centres; `corners` and `centres` are its peaks in px of the
    photo; `to_cells` (3, 3) maps px of the photo to cells of the heatmaps.
    """

    scores: Float32
    corners: Points
    centres: Points
    to_cells: Float64

    def max_near(self, channel: int, points: Points) -> Float64:
        """The greatest score within one cell of each point (N, 2) in px; 0 outside the heatmap."""
        cells = np.rint(project(self.to_cells, points))
        cells = np.clip(np.nan_to_num(cells, nan=-1e6), -1e6, 1e6).astype(int)
        dilated = cv2.dilate(self.scores[channel], np.ones((3, 3), np.uint8))
        size = dilated.shape[0]
        inside = ((cells >= 0) & (cells < size)).all(axis=1)
        clipped = np.clip(cells, 0, size - 1)
        return np.where(inside, dilated[clipped[:, 1], clipped[:, 0]], 0.0)


def detect_lattice_points(photo: Picture, square: tuple[float, float, float]) -> Heatmaps:
    """Run the network on a square (left, top, side) of the photo, in px; it may reach outside."""
    left, top, side = square
    scale = LOCATE_SIDE_PX / side
    to_view = np.array([[scale, 0, -left * scale], [0, scale, -top * scale], [0, 0, 1]], dtype=np.float64)
    return _detect_through(photo, to_view, scale)


def detect_rectified_points(photo: Picture, homography: Float64, tile_px: float) -> Heatmaps:
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
    return _detect_through(photo, to_middle @ np.linalg.inv(homography), side / tile_px)


def _detect_through(photo: Picture, to_view: Float64, scale: float) -> Heatmaps:
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
    view = np.asarray(cv2.warpPerspective(source, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    scores = sigmoid(forward("locate", normalise(view)[None])[0])
    to_cells = _VIEW_TO_CELLS @ to_view
    to_photo = np.asarray(np.linalg.inv(to_cells), dtype=np.float64)
    corners, centres = (project(to_photo, find_peaks(channel, MIN_PEAK_SCORE)[:, :2]) for channel in scores)
    return Heatmaps(scores, corners, centres, to_cells)
