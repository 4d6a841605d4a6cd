"""The sultanate by its outline: what differs from the table around it, as a quadrilateral.

Tiles of a strange printing may not be known one by one where they lie askew; the whole still stands out from its table.
What is found is only where to look closer: whether tiles lie there is decided by the heatmaps.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.load import Picture
from companion.vision.locate.grid import OUTLINE
from companion.vision.numerics import Float64, Points, scaled_and_moved, scaled_down

SIDE_PX = 240
"""The photo's longer side while outlines are looked for: enough to tell a board from its table."""

MIN_SIDE_PX = 40
"""Photos that are smaller then show no outline."""

RIM_SHARE = 0.05
"""How much of the photo's sides is taken for table at first."""

TABLE_COLOURS = 5
"""A patterned table is known by this many colours."""

GRAB_ROUNDS = 3
"""GrabCut settles in a few rounds, and each takes as long."""

SHARES = (0.08, 0.9)
"""How much of the photo a board fills at least, and at most."""

MIN_SOLID = 0.65
"""How much of its own hull an outline fills: pieces that stand over the edge, and their shadows, cost some of it."""

MIN_FILLED = 0.85
"""How much of its quadrilateral that hull fills: else it is something else."""

SQUARE_TILES = (0.67, 1.5)
"""How much wider than high a tile may come out to be: an outline of other proportions is not the board's. A corner that
is a little off changes the focal length, and with it the proportions, by a lot."""

FOCAL_LENGTHS = (0.5, 4.0)
"""Shortest and longest that are believed, in the photo's longer side; one that cannot be measured is taken to be 1."""

_CLOSED_PX = 7
"""Gaps narrower than this, in the small copy, part no outline: those between tiles."""


def outline_homographies(photo: Picture) -> Iterator[Float64]:
    """Homographies from board coordinates to px, of what stands out from its surroundings and has a board's shape."""
    scale = min(SIDE_PX / max(photo.shape[:2]), 1.0)
    small = scaled_down(photo, scale)
    if min(small.shape[:2]) < MIN_SIDE_PX:
        return
    for mask in _masks(small):
        corners = _quadrilateral(mask)
        if corners is None:
            continue
        for first in (0, 1):
            there = (np.roll(corners, -first, axis=0) / scale).astype(np.float32)
            homography = np.asarray(cv2.getPerspectiveTransform(OUTLINE.astype(np.float32), there), dtype=np.float64)
            if SQUARE_TILES[0] < tile_aspect(homography, (photo.shape[1], photo.shape[0])) < SQUARE_TILES[1]:
                yield homography


def tile_aspect(homography: Float64, size: tuple[int, int]) -> float:
    """How many times as wide as high the tiles of a homography from board coordinates are on the table.

    `size` is the photo's (width, height) in px. The camera is taken to have square pixels and its axis in the photo's
    middle; then the focal length follows from the right angle between the tiles' sides (Zhang 2000), if perspective
    shows it.
    """
    width, height = size
    across, down = (scaled_and_moved(1.0, -width / 2, -height / 2) @ homography)[:, :2].T
    shown = across[2] * down[2]
    squared = -(across[0] * down[0] + across[1] * down[1]) / shown if abs(shown) > 1e-12 else 0.0
    longer = max(size)
    focal = float(np.clip(np.sqrt(squared) / longer, *FOCAL_LENGTHS)) * longer if squared > 0 else float(longer)
    one, other = (np.hypot(np.hypot(side[0], side[1]) / focal, side[2]) for side in (across, down))
    return float(one / other)


def _masks(picture: Picture) -> Iterator[NDArray[np.uint8]]:
    """What stands out from the table, by how unlike its colours are, and as GrabCut (2004) cuts it out from there."""
    unlike = _unlike_table(picture)
    threshold, mask = cv2.threshold(unlike, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield _closed(np.asarray(mask, dtype=np.uint8))
    labels = np.where(unlike > threshold, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    labels[_rim(labels.shape)] = cv2.GC_BGD
    if (labels == cv2.GC_PR_FGD).any():
        cv2.setRNGSeed(1)
        models = np.zeros((1, 65)), np.zeros((1, 65))
        cv2.grabCut(picture, labels, (0, 0, 0, 0), *models, GRAB_ROUNDS, cv2.GC_INIT_WITH_MASK)
        yield _closed(np.where(labels == cv2.GC_PR_FGD, 255, 0).astype(np.uint8))


def _rim(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which pixels lie along the picture's sides."""
    height, width = shape[:2]
    wide = max(round(RIM_SHARE * min(height, width)), 2)
    rim = np.ones((height, width), dtype=bool)
    rim[wide:-wide, wide:-wide] = False
    return rim


def _unlike_table(picture: Picture) -> NDArray[np.uint8]:
    """How far each pixel's colour is from the nearest of those along the picture's sides, (H, W)."""
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), dtype=np.float32)
    table = np.ascontiguousarray(lab[_rim(picture.shape)])
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, _, colours = cv2.kmeans(table, TABLE_COLOURS, np.empty(0), stop, 2, cv2.KMEANS_PP_CENTERS)
    away = np.linalg.norm(lab[:, :, None] - colours[None, None], axis=3).min(axis=2)
    return np.asarray(np.clip(2 * cv2.GaussianBlur(away, (0, 0), 1.5), 0, 255), dtype=np.uint8)


def _closed(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The mask with the gaps between tiles filled, and without specks."""
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_CLOSED_PX, _CLOSED_PX))
    filled = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, wide)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, wide), dtype=np.uint8)


def _quadrilateral(mask: NDArray[np.uint8]) -> Points | None:
    """The corners (4, 2) of the largest thing in a mask, clockwise in the picture; None if it has not four sides."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    contour = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(contour)
    area, whole = cv2.contourArea(hull), mask.size
    if not SHARES[0] * whole < area < SHARES[1] * whole or cv2.contourArea(contour) < MIN_SOLID * area:
        return None
    ring = np.asarray(cv2.approxPolyN(hull, 4), dtype=np.float64).reshape(-1, 2)
    if len(ring) != 4 or area < MIN_FILLED * cv2.contourArea(ring.astype(np.float32)):
        return None
    return ring if cv2.contourArea(ring.astype(np.float32), True) > 0 else ring[::-1].copy()
