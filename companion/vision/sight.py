"""One look at the photo: heat of tile corners and tile centres, and their peaks in px."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.load import Picture
from companion.vision.networks import HEAT_STRIDE, LOCATE_SIDE_PX, Floats, locate_heat
from companion.vision.plane import Points

PEAK_HEAT = 0.25
"""Least heat of a corner or centre that the grid is grown from."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one look at a square of the photo showed.

    `heat` is (2, 128, 128), of corners and of centres; `corners` and `centres` are its peaks in px of the
    photo; `origin` is the square's top left corner in px and `px_per_cell` the size of a heat cell.
    """

    heat: Floats
    corners: Points
    centres: Points
    origin: tuple[float, float]
    px_per_cell: float

    def heat_at(self, channel: int, points: Points) -> NDArray[np.float64]:
        """The greatest heat within one cell of each point (N, 2) in px; 0 outside the look."""
        cells = np.rint((points - np.array(self.origin)) / self.px_per_cell - 0.5)
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
    source, ratio_x, ratio_y = photo, 1.0, 1.0
    if scale < 0.5:
        # An area average first, or fine patterns alias into false corners.
        shrink = scale * 2
        source = np.asarray(cv2.resize(photo, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        ratio_x, ratio_y = source.shape[1] / photo.shape[1], source.shape[0] / photo.shape[0]
    matrix = np.array([[scale / ratio_x, 0, -left * scale], [0, scale / ratio_y, -top * scale]], dtype=np.float64)
    view = cv2.warpAffine(source, matrix, (LOCATE_SIDE_PX, LOCATE_SIDE_PX), flags=cv2.INTER_LINEAR)
    heat = locate_heat(np.asarray(view, dtype=np.uint8))
    px_per_cell = HEAT_STRIDE / scale
    origin = (left, top)
    peaks = [np.array(origin) + (find_peaks(channel, PEAK_HEAT)[:, :2] + 0.5) * px_per_cell for channel in heat]
    return Sight(heat, peaks[0], peaks[1], origin, px_per_cell)


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
