"""Where a board can lie in a photo: its places in board coordinates, and grids grown from tile centres.

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
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.numerics import Float64, Points, project

MOST_CENTRES = 90
"""So many of the surest middles of tiles are made into grids: a board has thirty, a page of text shows hundreds."""

REACH = 7
"""Grid places tried on each side of the seed tile: the board is at most six tiles wide."""

SEEDS, SEEDS_IN_CROWD = 8, 3
"""Tiles nearest the middle that a grid is grown from, in turn; and where there are more than `MOST_CENTRES`."""

NEAR = 6
"""Neighbours of a seed that may be one step away; some may be false or on the diagonal."""

MIN_SINE = 0.55
"""Two steps of a grid are never nearer to one line than this, at any angle photos are taken from."""

MIN_PLACES = 10
TOLERANCE = 0.33
"""How far, in steps, a tile may lie from where its neighbour's step expects it."""

OUTLINE: Points = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], dtype=np.float64)
"""The sultanate's corners in board coordinates, top left first, clockwise."""

CENTRES: Points = np.array([(x + 0.5, y + 0.5) for y in range(ROWS) for x in range(COLUMNS)], dtype=np.float64)
NODES: Points = np.array([(x, y) for y in range(ROWS + 1) for x in range(COLUMNS + 1)], dtype=np.float64)
"""Middles and corners of the tiles in board coordinates, row by row."""

HALF_TURN: Float64 = np.array([[-1, 0, COLUMNS], [0, -1, ROWS], [0, 0, 1]], dtype=np.float64)
"""Board coordinates of a board turned by 180 degrees as those of the board."""

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
    the side where most are; `score` is the sum of the tile centres' scores.
    """

    homography: Float64
    tiles_seen: int
    corners_seen: int = 0
    tiles_beyond: int = 0
    score: float = 0.0

    def to_photo(self, points: Points) -> Points:
        """Board coordinates (N, 2) as px in the photo."""
        return project(self.homography, points)

    @property
    def corners(self) -> Points:
        """The sultanate's corners in px, top left first, clockwise on the board."""
        return self.to_photo(OUTLINE)

    @property
    def middle(self) -> Points:
        """The middle of all tiles in px, (2,)."""
        return np.asarray(self.to_photo(CENTRES).mean(axis=0))

    @property
    def tile_px(self) -> float:
        """The side of a square as large as a tile is on average in the photo, in px."""
        return float(np.sqrt(abs(cv2.contourArea(self.corners.astype(np.float32))) / (COLUMNS * ROWS)))


def grow_grids(centres: Points) -> Iterator[Float64]:
    """Homographies of the largest grid grown from each of several seeds among tile centres (N, 2), the surest first."""
    seeds, centres = SEEDS if len(centres) <= MOST_CENTRES else SEEDS_IN_CROWD, centres[:MOST_CENTRES]
    if len(centres) < MIN_PLACES:
        return
    middle = np.median(centres, axis=0)
    for seed in np.argsort(np.linalg.norm(centres - middle, axis=1), kind="stable")[:seeds]:
        homography = _fit_places(centres, _largest(centres, int(seed)))
        if homography is not None:
            yield homography


def _largest(centres: Points, seed: int) -> dict[tuple[int, int], int]:
    """The largest grid from a seed over the pairs of first steps: grid place -> centre."""
    # As complex numbers two dimensions are one: lists of places grow by thousands of small sums.
    points = centres @ np.array([1, 1j])
    steps = points - points[seed]
    near = np.argsort(abs(steps), kind="stable")[1 : 1 + NEAR]
    pairs = sorted(combinations(steps[near].tolist(), 2), key=lambda pair: abs(pair[0]) + abs(pair[1]))
    best: dict[tuple[int, int], int] = {}
    for one, other in pairs:
        turn = (one.conjugate() * other).imag / abs(one * other)
        if abs(turn) < MIN_SINE:
            continue
        # Rows run down the picture when columns run right: a board is never seen mirrored.
        places = _grow(points, seed, *((one, other) if turn > 0 else (other, one)))
        if len(places) > len(best):
            best = places
        if len(best) > 0.8 * min(len(points), 30):
            break
    return best


def _grow(points: NDArray[np.complex128], seed: int, right: complex, down: complex) -> dict[tuple[int, int], int]:
    places: dict[tuple[int, int], int] = {(0, 0): seed}
    steps: dict[tuple[int, int], tuple[complex, complex]] = {(0, 0): (right, down)}
    known = points.tolist()
    taken = {seed}
    queue = [(0, 0)]
    for place in queue:
        here = known[places[place]]
        right, down = steps[place]
        reach = TOLERANCE * min(abs(right), abs(down))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            new = (place[0] + dx, place[1] + dy)
            if new in places or max(abs(new[0]), abs(new[1])) > REACH:
                continue
            away = abs(points - (here + dx * right + dy * down))
            match = int(away.argmin())
            if match in taken or away[match] > reach:
                continue
            step = (known[match] - here) * (dx + dy)
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
    points = centres[list(places.values())]
    away = np.linalg.norm(points - points[0], axis=1) / np.maximum(np.linalg.norm(grid, axis=1), 1)
    cv2.setRNGSeed(1)
    homography, _ = cv2.findHomography(grid, points, cv2.RANSAC, max(0.2 * float(np.median(away)), 1.0))
    return None if homography is None else np.asarray(homography, dtype=np.float64)
