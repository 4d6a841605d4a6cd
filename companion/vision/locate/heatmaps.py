"""Heatmaps of tile corners and tile centres, from a square of the photo or from the board as seen from above.

And which place of the board fits them best: the 6 x 5 window of a grid, the homography to all that was seen of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision import fitted
from companion.vision.load import Picture
from companion.vision.locate.grid import BESIDE, CENTRES, NODES, OUTLINE, Lattice
from companion.vision.networks import HEAT_STRIDE, forward, normalise
from companion.vision.numerics import (
    Float32,
    Float64,
    Points,
    find_peaks,
    project,
    scaled_and_moved,
    scaled_down,
    sigmoid,
)

LOCATE_SIDE_PX = 512
"""Side of the square that the network takes."""

MIN_PEAK_SCORE = 0.25
"""Least score of a corner or centre that the grid is grown from."""

STRAIGHT_TILE_PX = 66.0
"""Side of a tile in a look at a board from straight above: the whole board and most of a tile around it."""

FIT_TOLERANCE = 0.22
"""How far, in tile sides, a point may lie from its place in the grid while fitting."""

MIN_POINTS, RANSAC_CELLS, RANSAC_ROUNDS = 12, 2.5, 500
"""A homography takes four; with this many, one that is farther off than this, in cells, can be told from the rest. In
this many rounds four right ones are drawn where half are right; where fewer are, OpenCV would go on for 2,000."""

CORNERS_WEIGHT = 3
"""Corners lie flat on the table; the scores of middles lean towards the pieces. They count this many times as much."""

EMPTY_PLACE_COST = 0.3
"""What an empty spot of the table costs as a tile's place; a place beyond the photo's edge costs nothing."""

CLOSE_SCORES = 2.0
"""Windows whose tile centres score less below the best than this are compared by their corners too."""

_VIEW_TO_CELLS = scaled_and_moved(1 / HEAT_STRIDE, -0.5, -0.5)

_HALF_A_PIXEL = scaled_and_moved(1.0, 0.5, 0.5)


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

    def max_near(self, channel: int, places: Points) -> Float64:
        """The greatest score within one cell of each place (N, 2), in cells; 0 outside the heatmap."""
        cells = np.clip(np.nan_to_num(np.rint(places), nan=-1e6), -1e6, 1e6).astype(int)
        dilated = cv2.dilate(self.scores[channel], np.ones((3, 3), np.uint8))
        size = dilated.shape[0]
        inside = ((cells >= 0) & (cells < size)).all(axis=1)
        clipped = np.clip(cells, 0, size - 1)
        return np.where(inside, dilated[clipped[:, 1], clipped[:, 0]], 0.0)


def detect_lattice_points(photo: Picture, square: tuple[float, float, float]) -> Heatmaps:
    """Run the network on a square (left, top, side) of the photo, in px; it may reach outside."""
    left, top, side = square
    scale = LOCATE_SIDE_PX / side
    return _detect_through(photo, scaled_and_moved(scale, -left * scale, -top * scale), scale)


def detect_rectified_points(photo: Picture, homography: Float64, tile_px: float) -> Heatmaps:
    """Run the network on the board as it would be seen from straight above.

    `homography` maps board coordinates to px of the photo, in which a tile is `tile_px` wide.
    """
    side = STRAIGHT_TILE_PX
    left, top = (LOCATE_SIDE_PX - COLUMNS * side) / 2, (LOCATE_SIDE_PX - ROWS * side) / 2
    to_view = scaled_and_moved(side, left, top) @ np.linalg.inv(homography)
    return _detect_through(photo, to_view, side / tile_px)


def _detect_through(photo: Picture, to_view: Float64, scale: float) -> Heatmaps:
    """Run the network on a view: `to_view` maps px of the photo to the view's, `scale` says how far it shrinks."""
    # An area average first, or fine patterns alias into false corners.
    source = scaled_down(photo, 2 * scale)
    from_source = to_view @ np.diag([photo.shape[1] / source.shape[1], photo.shape[0] / source.shape[0], 1.0])
    # OpenCV counts from the middle of the first pixel, the photo and its homographies from its edge.
    matrix = np.linalg.inv(_HALF_A_PIXEL) @ from_source @ _HALF_A_PIXEL
    size = (LOCATE_SIDE_PX, LOCATE_SIDE_PX)
    view = np.asarray(cv2.warpPerspective(source, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    (logits,) = forward("locate", normalise(view)[None])
    scores = sigmoid(logits[0])
    to_cells = _VIEW_TO_CELLS @ to_view
    to_photo = np.asarray(np.linalg.inv(to_cells), dtype=np.float64)
    corners, centres = (project(to_photo, find_peaks(channel, MIN_PEAK_SCORE)[:, :2]) for channel in scores)
    return Heatmaps(scores, corners, centres, to_cells)


def fit(homography: Float64, heatmaps: Heatmaps) -> Lattice | None:
    """The homography fitted anew to every corner and centre seen near its place; None if too few are."""
    to_cells = heatmaps.to_cells @ homography
    counts = [0, 0]
    peaks = [project(heatmaps.to_cells, points) for points in (heatmaps.corners, heatmaps.centres)]
    before: Points | None = None
    for _ in range(3):
        board: list[Points] = []
        matched: list[Points] = []
        for channel, ideal in enumerate((NODES, CENTRES)):
            if not len(peaks[channel]):
                continue
            expected = project(to_cells, ideal)
            diagonals = project(to_cells, ideal + (0.5, 0.5)) - project(to_cells, ideal - (0.5, 0.5))
            reach = FIT_TOLERANCE * np.linalg.norm(diagonals, axis=1) / np.sqrt(2)
            distances = np.linalg.norm(expected[:, None] - peaks[channel][None], axis=2)
            nearest = distances.argmin(axis=1)
            close = distances[np.arange(len(ideal)), nearest] < reach
            times = CORNERS_WEIGHT if channel == 0 else 1
            board += [ideal[close]] * times
            matched += [peaks[channel][nearest[close]]] * times
            counts[channel] = int(close.sum())
        if sum(counts) < MIN_POINTS:
            return None
        pairs = np.hstack([np.vstack(board), np.vstack(matched)])
        if before is not None and np.array_equal(pairs, before):
            break
        before = pairs
        cv2.setRNGSeed(1)
        refined, _ = cv2.findHomography(pairs[:, :2], pairs[:, 2:], cv2.RANSAC, RANSAC_CELLS, maxIters=RANSAC_ROUNDS)
        if refined is None:
            return None
        to_cells = np.asarray(refined, dtype=np.float64)
    in_photo = np.asarray(np.linalg.inv(heatmaps.to_cells) @ to_cells, dtype=np.float64)
    if not _is_seen_from_above(in_photo):
        return None
    places = [project(to_cells, line) for line in (CENTRES, *BESIDE)]
    scores, *outer = (heatmaps.max_near(1, line) for line in places)
    beyond = max(int((line >= fitted.MIN_BEYOND_SCORE).sum()) for line in outer)
    return Lattice(in_photo, counts[1], corners_seen=counts[0], tiles_beyond=beyond, score=float(scores.sum()))


def _is_seen_from_above(homography: Float64) -> bool:
    """Whether the whole board lies before the camera and its face is seen, not its back."""
    if not np.all(np.isfinite(homography)):
        return False
    depths = np.hstack([OUTLINE, np.ones((4, 1))]) @ homography[2]
    if not (np.all(depths > 0) or np.all(depths < 0)):
        return False
    corners = project(homography, OUTLINE).astype(np.float32)
    return bool(cv2.contourArea(corners, True) > 0 and cv2.isContourConvex(corners))


def best_window(
    grid_to_px: Float64, heatmaps: Heatmaps, places: tuple[range, range], size: tuple[int, int]
) -> Float64 | None:
    """The 6 x 5 window of grid places, lying or standing, with the most score, as a board homography.

    `grid_to_px` maps whole grid places, the tiles' middles, to px; `places` are the columns and rows of the
    grid looked at; `size` is the photo's (width, height). None if nothing scores at all.
    """
    if not heatmaps.scores.any():
        return None
    across, down = places
    middles = np.array([(x, y) for y in down for x in across], dtype=np.float64)
    corners = np.array([(x - 0.5, y - 0.5) for y in _and_one(down) for x in _and_one(across)], dtype=np.float64)
    to_cells = heatmaps.to_cells @ grid_to_px
    px, middle_cells = project(grid_to_px, middles), project(to_cells, middles)
    corner_cells = project(to_cells, corners)
    in_photo = ((px >= 0) & (px < size)).all(axis=1)
    worth = (heatmaps.max_near(1, middle_cells) - EMPTY_PLACE_COST * in_photo).reshape(len(down), len(across))
    corner_worth = heatmaps.max_near(0, corner_cells).reshape(len(down) + 1, len(across) + 1)
    windows = [
        (float(worth[top : top + high, left : left + wide].sum()), left, top, wide, high)
        for wide, high in ((COLUMNS, ROWS), (ROWS, COLUMNS))
        for top in range(len(down) + 1 - high)
        for left in range(len(across) + 1 - wide)
    ]
    highest = max(windows)[0]
    best, best_score = windows[0], -np.inf
    for window in windows:
        score, left, top, wide, high = window
        # Corners decide only between windows whose centres say nearly the same.
        if score < highest - CLOSE_SCORES:
            continue
        score += 0.5 * float(corner_worth[top : top + high + 1, left : left + wide + 1].sum())
        if score > best_score:
            best, best_score = window, score
    _, left, top, wide, high = best
    x, y = left + across.start - 0.5, top + down.start - 0.5
    # Lying: the board's x runs along the grid's x. Standing: along the grid's y, upwards.
    shift = np.array(
        [[1, 0, x], [0, 1, y], [0, 0, 1]] if wide == COLUMNS else [[0, 1, x], [-1, 0, y + high], [0, 0, 1]],
        dtype=np.float64,
    )
    return np.asarray(grid_to_px @ shift)


def _and_one(places: range) -> range:
    """The places and one more: of that many tiles in a line there is one corner more."""
    return range(places.start, places.stop + 1)
