"""Find what has four straight sides in a photo: cards, the panels on them, and much that is neither.

A card's white rim is lighter and paler than the panel inside it under any lamp, and the panel's edge shows on a
white table too, where the card's own edge does not. So outlines are taken from both sides of several local
thresholds; classifying them is left to `detection`.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.load import Picture
from companion.vision.numerics import Float64, GreyImage, brightest_channel, scaled_down

Quad = Float64
"""Corners (4, 2) in px, x then y, clockwise as seen in the photo."""

SEARCH_SIDE_PX = 1200
"""Long side of the copy that is searched: a card as wide as a 30th of it still has its rim."""

BLOCKS_PX = (25, 75)
"""Neighbourhoods that a pixel is compared with: the narrow one parts rims, the wide one sees through blur."""

STEP = 6
"""Levels by which a pixel must differ from its neighbourhood; dim photos still have some 20 between rim and panel."""

MIN_SHARE, MAX_SHARE = 0.0007, 0.25
"""A card's area in parts of the photo's."""

MIN_SIDE_PX = 20.0
"""A narrower card has no picture left to know it by."""

ASPECTS = (1.0, 2.7)
"""Long side by short: cards have 1.53, seen from 40 degrees above the table 1.0 to 2.4."""

MAX_OUTLINES = 500
"""More than these are not looked at: a table with cards has some 40 to 150, a tiled floor any number."""

SAME_CARD = 0.3
"""Outlines that share more than this of the smaller one are of one card."""

SAME_PX = 3.0
"""Outlines whose corners lie this near each other, on average, are one."""

_TURNED = np.array([(0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0)])
"""The corners of an outline, beginning at each of them."""


def find_outlines(photo: Picture) -> list[Quad]:
    """Outlines with four straight sides, in the photo's px; each once, `MAX_OUTLINES` at most, in no order."""
    quads: list[Quad] = []
    middles = np.full((MAX_OUTLINES, 2), np.inf)
    scale = min(1.0, SEARCH_SIDE_PX / max(photo.shape[:2]))
    copy = scaled_down(photo, scale)
    area = copy.shape[0] * copy.shape[1]
    for contour in contours(copy):
        if MIN_SHARE * area < cv2.contourArea(contour) < MAX_SHARE * area:
            quad = fit_quad(contour)
            if quad is None:
                continue
            quad, middle = quad / scale, quad.mean(axis=0) / scale
            # What is clear comes again and again. Outlines that are one have their middles close together.
            near = np.flatnonzero((np.abs(middles - middle) <= 2 * SAME_PX).all(axis=1))
            if all(np.abs(quads[at] - quad[_TURNED]).mean(axis=(1, 2)).min() > SAME_PX for at in near):
                middles[len(quads)] = middle
                quads.append(quad)
                if len(quads) == MAX_OUTLINES:
                    break
    return quads


def _channels(picture: Picture) -> Iterator[GreyImage]:
    """Blue (the panel lacks it, the rim does not), the brightest of the three, and how far from grey it is."""
    yield np.ascontiguousarray(picture[:, :, 0])
    yield brightest_channel(picture)
    yield np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)[:, :, 1], dtype=np.uint8)


def contours(picture: Picture) -> Iterator[NDArray[np.int32]]:
    """What differs from its neighbourhood, outlined (N, 1, 2) in px, from both sides of several thresholds."""
    for channel in _channels(picture):
        smooth = cv2.GaussianBlur(channel, (3, 3), 0)
        for block in BLOCKS_PX:
            around = cv2.blur(smooth, (block, block))
            for difference in (cv2.subtract(around, smooth), cv2.subtract(smooth, around)):
                mask = (difference > STEP).astype(np.uint8)
                outlined, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
                yield from (np.asarray(contour, np.int32) for contour in outlined if len(contour) > 3 * MIN_SIDE_PX)


def fit_quad(contour: NDArray[np.int32]) -> Quad | None:
    """The four straight sides of a contour (N, 1, 2), its corners rounded or not; None if it is something else."""
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if cv2.contourArea(contour) < 0.82 * hull_area:
        return None
    rough = _rough_quad(hull)
    sides = rough[_TURNED[3]] - rough
    lengths = np.hypot(*sides.T)[:, None]
    if lengths.min() < MIN_SIDE_PX / 2:
        return None
    # All four sides at once, (4, N): how far along its side each point lies, and how far off it.
    along_x, along_y = np.split(sides / lengths, 2, axis=1)
    x, y = contour[:, 0].T.astype(np.float64)[:, None] - rough.T[:, :, None]
    far, off = x * along_x + y * along_y, y * along_x - x * along_y
    near = (far > 0.15 * lengths) & (far < 0.85 * lengths) & (np.abs(off) < np.maximum(0.07 * lengths, 3.0))
    if (near.sum(axis=1) < 0.3 * lengths[:, 0]).any():
        return None
    lines = []
    for side in near:
        points = contour[side, 0].astype(np.float32)
        dx, dy, px, py = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        lines.append((dy, -dx, dx * py - dy * px))
    crossings = np.cross([lines[-1], *lines[:-1]], lines)
    if np.any(np.abs(crossings[:, 2]) < 1e-6):
        return None
    quad = crossings[:, :2] / crossings[:, 2:]
    area = cv2.contourArea(quad.astype(np.float32))
    if not cv2.isContourConvex(quad.astype(np.float32)) or not 0.8 * area < hull_area < 1.12 * area:
        return None
    short, long = sorted(mean_sides(quad))
    if short < MIN_SIDE_PX or not ASPECTS[0] <= long / short <= ASPECTS[1]:
        return None
    # Clockwise as seen, y pointing down.
    return quad if cv2.contourArea(quad.astype(np.float32), True) > 0 else np.ascontiguousarray(quad[::-1])


def _rough_quad(hull: cv2.typing.MatLike) -> Quad:
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08):
        corners = cv2.approxPolyDP(hull, share * around, True)
        if len(corners) == 4:
            return np.asarray(corners[:, 0], dtype=np.float64)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), dtype=np.float64)


def mean_sides(quad: Quad) -> tuple[float, float]:
    """How long an outline's first and third side are on average, and its second and fourth, in px."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def quad_area(quad: Quad) -> float:
    """The area of an outline in px."""
    return float(cv2.contourArea(quad.astype(np.float32)))


def overlap(first: Quad, second: Quad) -> float:
    """What two outlines share, in parts of the smaller one."""
    common, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
    smaller = min(quad_area(first), quad_area(second))
    return float(common) / smaller if smaller > 0 else 0.0
