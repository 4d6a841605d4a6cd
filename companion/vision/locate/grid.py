"""Grow a grid from tile centres, lay the board's 6 x 5 places onto it, and fit where exactly they lie.

A grid's homography maps whole grid steps to px, its seed tile being (0, 0); it grows from the seed's neighbours to
theirs, whatever the perspective. A board's homography maps board coordinates to px: x 0-6 to the right, y 0-5 down, in
tile sides, (0, 0) the top left corner of a1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.locate.heatmaps import Heatmaps
from companion.vision.numerics import Float64, Points, project

REACH = 7
"""Grid places tried on each side of the seed tile: the board is at most six tiles wide."""

SEEDS = 8
"""Tiles nearest the middle that a grid is grown from, in turn."""

NEAR = 6
"""Neighbours of a seed that may be one step away; some may be false or on the diagonal."""

MIN_SINE = 0.55
"""Two steps of a grid are never nearer to one line than this, at any angle photos are taken from."""

MIN_PLACES = 10
TOLERANCE = 0.33
"""How far, in steps, a tile may lie from where its neighbour's step expects it."""


FIT_TOLERANCE = 0.22
"""How far, in tile sides, a point may lie from its place in the grid while fitting."""

MIN_BEYOND_SCORE = 0.5
"""Least score of a tile beside the board: a dotted table cloth comes to 0.3."""

MIN_POINTS = 12
RANSAC_CELLS = 2.5

CORNERS_WEIGHT = 3
"""Corners lie flat on the table; the scores of middles lean towards the pieces. They count so many times as much."""

EMPTY_PLACE_COST = 0.3
"""What an empty spot of the table costs as a tile's place; a place beyond the photo's edge costs nothing."""

OUTLINE: Points = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], dtype=np.float64)
"""The sultanate's corners in board coordinates, top left first, clockwise."""

CENTRES: Points = np.array([(x + 0.5, y + 0.5) for y in range(ROWS) for x in range(COLUMNS)], dtype=np.float64)
NODES: Points = np.array([(x, y) for y in range(ROWS + 1) for x in range(COLUMNS + 1)], dtype=np.float64)
"""Middles and corners of the tiles in board coordinates, row by row."""

BESIDE: tuple[Points, ...] = tuple(
    np.array(line, dtype=np.float64)
    for line in (
        [(-0.5, y + 0.5) for y in range(ROWS)],
        [(COLUMNS + 0.5, y + 0.5) for y in range(ROWS)],
        [(x + 0.5, -0.5) for x in range(COLUMNS)],
        [(x + 0.5, ROWS + 0.5) for x in range(COLUMNS)],
    )
)
"""Where the middles of a further column or row of tiles would lie, on each side."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where the sultanate lies in the photo.

    `homography` (3, 3) maps board coordinates to px; `tiles_seen` counts tile centres of 30, `corners_seen`
    tile corners of 42 that were seen at their places, `tiles_beyond` those in line beside the board, on
    the side where most are.
    """

    homography: Float64
    tiles_seen: int
    corners_seen: int = 0
    tiles_beyond: int = 0

    def to_photo(self, points: Points) -> Points:
        """Board coordinates (N, 2) as px in the photo."""
        return project(self.homography, points)

    @property
    def corners(self) -> Points:
        """The sultanate's corners in px, top left first, clockwise on the board."""
        return self.to_photo(OUTLINE)

    @property
    def tile_px(self) -> float:
        """The side of a square as large as a tile is on average in the photo, in px."""
        return float(np.sqrt(abs(cv2.contourArea(self.corners.astype(np.float32))) / (COLUMNS * ROWS)))


def grow_grids(centres: Points) -> Iterator[Float64]:
    """Homographies of the largest grid grown from each of several seeds among tile centres (N, 2)."""
    if len(centres) < MIN_PLACES:
        return
    middle = np.median(centres, axis=0)
    for seed in np.argsort(np.linalg.norm(centres - middle, axis=1), kind="stable")[:SEEDS]:
        homography = _fit_places(centres, _largest(centres, int(seed)))
        if homography is not None:
            yield homography


def _largest(centres: Points, seed: int) -> dict[tuple[int, int], int]:
    """The largest grid from a seed over the pairs of first steps: grid place -> centre."""
    steps = centres - centres[seed]
    lengths = np.linalg.norm(steps, axis=1)
    near = [int(index) for index in np.argsort(lengths, kind="stable")[1 : 1 + NEAR]]
    pairs = sorted(combinations(near, 2), key=lambda pair: lengths[pair[0]] + lengths[pair[1]])
    best: dict[tuple[int, int], int] = {}
    for one, other in pairs:
        turn = _cross(steps[one], steps[other]) / (lengths[one] * lengths[other])
        if abs(turn) < MIN_SINE:
            continue
        # Rows run down the picture when columns run right: a board is never seen mirrored.
        right, down = (steps[one], steps[other]) if turn > 0 else (steps[other], steps[one])
        places = _grow(centres, seed, right, down)
        if len(places) > len(best):
            best = places
        if len(best) > 0.8 * min(len(centres), 30):
            break
    return best


def _grow(centres: Points, seed: int, right: Points, down: Points) -> dict[tuple[int, int], int]:
    places: dict[tuple[int, int], int] = {(0, 0): seed}
    steps: dict[tuple[int, int], tuple[Points, Points]] = {(0, 0): (right, down)}
    taken = {seed}
    queue = [(0, 0)]
    while queue:
        place = queue.pop(0)
        here = centres[places[place]]
        right, down = steps[place]
        reach = TOLERANCE * min(np.linalg.norm(right), np.linalg.norm(down))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            new = (place[0] + dx, place[1] + dy)
            if new in places or max(abs(new[0]), abs(new[1])) > REACH:
                continue
            distances = np.linalg.norm(centres - (here + dx * right + dy * down), axis=1)
            match = int(np.argmin(distances))
            if match in taken or distances[match] > reach:
                continue
            step = (centres[match] - here) * (dx + dy)
            # The step just measured is the better guess for the next one in perspective.
            steps[new] = (step, down) if dx else (right, step)
            places[new] = match
            taken.add(match)
            queue.append(new)
    return places


def _fit_places(centres: Points, places: dict[tuple[int, int], int]) -> Float64 | None:
    if len(places) < MIN_PLACES:
        return None
    grid = np.array(list(places), dtype=np.float64)
    if np.ptp(grid[:, 0]) < 2 or np.ptp(grid[:, 1]) < 2:
        return None
    found = centres[list(places.values())]
    away = np.linalg.norm(found - found[0], axis=1) / np.maximum(np.linalg.norm(grid, axis=1), 1)
    cv2.setRNGSeed(1)
    homography, _ = cv2.findHomography(grid, found, cv2.RANSAC, max(0.2 * float(np.median(away)), 1.0))
    return None if homography is None else np.asarray(homography, dtype=np.float64)


def _cross(one: Points, other: Points) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def fit(homography: Float64, heatmaps: Heatmaps) -> Lattice | None:
    """The homography fitted anew to every corner and centre seen near its place; None if too few are."""
    to_cells = heatmaps.to_cells @ homography
    seen = [0, 0]
    peaks = [project(heatmaps.to_cells, points) for points in (heatmaps.corners, heatmaps.centres)]
    for _ in range(3):
        board: list[Points] = []
        found: list[Points] = []
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
            found += [peaks[channel][nearest[close]]] * times
            seen[channel] = int(close.sum())
        if sum(seen) < MIN_POINTS:
            return None
        cv2.setRNGSeed(1)
        fitted, _ = cv2.findHomography(np.vstack(board), np.vstack(found), cv2.RANSAC, RANSAC_CELLS)
        if fitted is None:
            return None
        to_cells = np.asarray(fitted, dtype=np.float64)
    in_photo = np.asarray(np.linalg.inv(heatmaps.to_cells) @ to_cells, dtype=np.float64)
    if not _is_seen_from_above(in_photo):
        return None
    beyond = max(int((heatmaps.max_near(1, project(in_photo, line)) >= MIN_BEYOND_SCORE).sum()) for line in BESIDE)
    return Lattice(in_photo, tiles_seen=seen[1], corners_seen=seen[0], tiles_beyond=beyond)


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
    across, down = places
    grid = np.array([(x, y) for y in down for x in across], dtype=np.float64)
    px = project(grid_to_px, grid)
    in_photo = ((px >= 0) & (px < size)).all(axis=1)
    worth = (heatmaps.max_near(1, px) - EMPTY_PLACE_COST * in_photo).reshape(len(down), len(across))
    windows = [
        (float(worth[top : top + high, left : left + wide].sum()), left, top, wide, high)
        for wide, high in ((COLUMNS, ROWS), (ROWS, COLUMNS))
        for top in range(len(down) + 1 - high)
        for left in range(len(across) + 1 - wide)
    ]
    highest = max(windows)[0]
    best: tuple[float, Float64] | None = None
    for score, left, top, wide, high in windows:
        # Corners decide only between windows whose centres say nearly the same.
        if score < highest - 2.0:
            continue
        x, y = left + across.start - 0.5, top + down.start - 0.5
        # Lying: the board's x runs along the grid's x. Standing: along the grid's y, upwards.
        shift = np.array(
            [[1, 0, x], [0, 1, y], [0, 0, 1]] if wide == COLUMNS else [[0, 1, x], [-1, 0, y + high], [0, 0, 1]],
            dtype=np.float64,
        )
        homography = grid_to_px @ shift
        score += 0.5 * float(heatmaps.max_near(0, project(homography, NODES)).sum())
        if best is None or score > best[0]:
            best = (score, homography)
    return None if best is None or not heatmaps.scores.any() else best[1]
