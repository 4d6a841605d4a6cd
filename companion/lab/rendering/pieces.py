"""Silhouettes and paints of the wooden pieces. All of them are flat shapes cut out of a board.

An outline is (48, 2) in mm: x along the foot, y up from it, middle of the foot at (0, 0). Colours are
BGR, linear light, 0 to 1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.components import Colour, Tribe

Outline = NDArray[np.float64]
LinearColour = NDArray[np.float32]
Hsv = tuple[float, float, float]
"""Hue in degrees, saturation and value of a paint in fair light."""

OUTLINE_POINTS = 48

_USUAL_POINTS = 72
"""Of the game's own pieces, whose leaves are pointed."""

MEEPLE, CAMEL, PALM, PALACE = "meeple", "camel", "palm", "palace"
PIECE_KINDS = (MEEPLE, CAMEL, PALM, PALACE)

SIZES_MM = {MEEPLE: (16.5, 16.5, 9.5), CAMEL: (23.0, 16.5, 10.0), PALM: (17.5, 24.0, 9.5), PALACE: (24.5, 20.0, 9.5)}
"""Width, height and thickness of each kind beside a tile of 64 mm, as people cut them."""

_USUAL_MM = {MEEPLE: (16.0, 18.5, 9.5), CAMEL: (21.0, 16.3, 9.5), PALM: (17.5, 22.0, 9.0), PALACE: (20.5, 19.0, 9.0)}
"""The same of the game's own pieces."""

_OUTLINES = json.loads(Path(__file__).with_name("outlines.json").read_text(encoding="utf-8"))


def outlines(box: str, kind: str) -> list[NDArray[np.float64]]:
    """The outlines (n, 2) of a kind of piece in "plain", "usual" or "foreign" boxes.

    Usual ones are traced from pictures of the game's own pieces. Those and plain ones are 1 high and 1 wide, camels
    looking right; of other plain pieces there is the right half, from the top down. Foreign ones are in mm.
    """
    return [np.array(points) for points in _OUTLINES[box][kind]]


def low_mm(kind: str) -> list[float]:
    """Up to which height each of the foreign outlines has the second tone of pieces in two tones."""
    return list(_OUTLINES["foreign_low_mm"][kind])


@dataclass(frozen=True, slots=True)
class Cut:
    """How the pieces of one kind are cut in one box: outline in mm, thickness and bevel in mm.

    `low` tells which points of the outline are painted in the second tone of pieces in two tones.
    """

    outline: Outline
    thickness: float
    bevel: float
    low: NDArray[np.bool_] | None = None


def _rounded(points: NDArray[np.float64], times: int) -> NDArray[np.float64]:
    """The closed line with its corners cut `times` times (Chaikin)."""
    for _ in range(times):
        after = np.roll(points, -1, axis=0)
        points = np.stack([0.78 * points + 0.22 * after, 0.22 * points + 0.78 * after], 1).reshape(-1, 2)
    return points


def _even(points: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """`count` points at even steps along the closed line."""
    closed = np.vstack([points, points[:1]])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    at = np.linspace(0, along[-1], count, endpoint=False)
    return np.column_stack([np.interp(at, along, closed[:, axis]) for axis in (0, 1)])


def _whole(right: NDArray[np.float64]) -> NDArray[np.float64]:
    left = right[::-1] * [-1, 1]
    return np.vstack([right, left[np.abs(left[:, 0]) > 1e-6]])


_TRUNK_SHARE = 0.36
"""How far up the trunks of plain palms reach, as a share of their height."""


def squared(points: NDArray[np.float64], thickness: float, bevel: float, low: NDArray[np.bool_] | None = None) -> Cut:
    """The cut of a closed line, turned to go round anticlockwise; without `low` its lower third is that."""
    if low is None:
        low = points[:, 1] < points[:, 1].min() + _TRUNK_SHARE * np.ptp(points[:, 1])
    area = np.sum(points[:, 0] * np.roll(points[:, 1], -1) - np.roll(points[:, 0], -1) * points[:, 1])
    if area < 0:
        points, low = points[::-1], low[::-1]
    return Cut(np.ascontiguousarray(points), thickness, bevel, low)


def make_cut(kind: str, rng: np.random.Generator) -> Cut:
    """The cut of a kind of piece in one box: one of several outlines, its proportions some 12% off."""
    if kind == CAMEL:
        points = outlines("plain", kind)[int(rng.choice(3, p=(0.6, 0.2, 0.2)))] - [0.5, 0]
    else:
        halves = outlines("plain", kind)
        points = _whole(halves[int(rng.integers(len(halves)))])
    # Rounding takes a little off; the size is made right after it.
    points = _even(_rounded(points, 2), OUTLINE_POINTS)
    points = points - [points[:, 0].mean(), points[:, 1].min()]
    width, height, thickness = np.asarray(SIZES_MM[kind]) * np.clip(rng.normal(1, 0.07, 3), 0.85, 1.15)
    points = points * [width / np.ptp(points[:, 0]), height / np.ptp(points[:, 1])]
    return squared(points, float(thickness), float(rng.uniform(0.35, 0.8)))


def usual_cut(kind: str, rng: np.random.Generator) -> Cut:
    """The cut of a kind of the game's own pieces: one outline, its size 4% and its proportions some 3% off."""
    points = _even(_rounded(outlines("usual", kind)[0], 1), _USUAL_POINTS)
    points = points - [(points[:, 0].max() + points[:, 0].min()) / 2, points[:, 1].min()]
    width, height, thickness = np.asarray(_USUAL_MM[kind]) * rng.normal(1, 0.04) * rng.normal(1, 0.03, 3)
    points = points * [width / np.ptp(points[:, 0]), height / np.ptp(points[:, 1])]
    return squared(points, float(thickness), float(rng.uniform(0.2, 0.7)))


def linear(bgr: Sequence[float] | NDArray[np.float64]) -> LinearColour:
    """Linear light of a BGR colour of 0 to 255."""
    return np.asarray((np.asarray(bgr, np.float64) / 255) ** 2.2, np.float32)


# Hue in degrees, saturation, value of the paints as they look in fair light.
MEEPLE_HSV = {
    Tribe.VIZIER: (52, 0.88, 0.87),
    Tribe.ELDER: (45, 0.05, 0.86),
    Tribe.BUILDER: (224, 0.85, 0.62),
    Tribe.MERCHANT: (140, 0.85, 0.42),
    Tribe.ASSASSIN: (358, 0.85, 0.74),
}
CAMEL_HSV = {
    Colour.BLACK: (30, 0.1, 0.13),
    Colour.ORANGE: (22, 0.9, 0.92),
    Colour.BLUE: (199, 0.85, 0.56),
    Colour.PINK: (336, 0.68, 0.74),
}
_CAMELS_HSV: dict[Colour, tuple[Hsv, Hsv]] = {
    Colour.BLACK: ((0, 0.0, 0.08), (40, 0.15, 0.2)),
    Colour.ORANGE: ((18, 0.75, 0.8), (26, 0.95, 0.97)),
    Colour.BLUE: ((189, 0.6, 0.48), (202, 0.9, 0.86)),
    Colour.PINK: ((325, 0.4, 0.7), (342, 0.72, 0.95)),
}
"""Camels as they are drawn, bright, and as photos show them, darker: from, to."""

_SAND_HSV, _SAWN_HSV = ((32, 0.2, 0.74), (38, 0.46, 0.95)), ((26, 0.34, 0.5), (33, 0.56, 0.74))
"""Faces and sawn sides of palms, which are of bare wood: from, to."""

_GOLD_HSV, _BROWN_HSV = ((38, 0.55, 0.68), (47, 0.8, 0.94)), ((24, 0.38, 0.26), (34, 0.62, 0.56))
"""Faces and sides of palaces: from, to."""


def make_paint(hsv: Hsv, rng: np.random.Generator) -> LinearColour:
    """The paint of one box, a little off the usual."""
    hue = (hsv[0] + rng.normal(0, 3.5)) % 360
    saturation = float(np.clip(hsv[1] * rng.normal(1, 0.09) + rng.normal(0, 0.012), 0, 1))
    value = float(np.clip(hsv[2] * rng.normal(1, 0.1), 0.04, 0.97))
    sextant = np.array([5, 3, 1]) + hue / 60
    share = np.clip(np.minimum(sextant % 6, 4 - sextant % 6), 0, 1)
    red, green, blue = value - value * saturation * share
    return linear([255 * blue, 255 * green, 255 * red])


def between(limits: tuple[Hsv, Hsv], rng: np.random.Generator) -> Hsv:
    """A paint at random between two, its hue from 0 to 360 degrees."""
    hue, saturation, value = (float(rng.uniform(*ends)) for ends in zip(*limits, strict=True))
    return hue % 360, saturation, value


@dataclass(frozen=True, slots=True)
class Finish:
    """How the pieces of one kind are finished.

    `lower` is the second paint of pieces in two tones, None if they have one; `gloss` the strength of
    highlights (0 matt to 1 lacquered, above for metal); `grain` how much the wood shows; `side` the paint of
    their sawn sides, None where these are painted as the faces are.
    """

    lower: LinearColour | None
    gloss: float
    grain: float
    side: LinearColour | None = None


@dataclass(frozen=True, slots=True)
class PieceSet:
    """The pieces of one copy of the game: cuts and finishes by kind, paints by (kind, colour letter)."""

    cuts: dict[str, Cut]
    paints: dict[tuple[str, str], LinearColour]
    finishes: dict[str, Finish]


def make_piece_set(rng: np.random.Generator) -> PieceSet:
    """The pieces of a copy of the game itself: one shape a kind, its size and paints a little off.

    Palms are of bare sand-coloured wood, palaces have faces of gold and brown sides.
    """
    paints: dict[tuple[str, str], LinearColour] = {}
    for tribe, hsv in MEEPLE_HSV.items():
        paints[MEEPLE, tribe.letter] = make_paint(hsv, rng)
    for colour, limits in _CAMELS_HSV.items():
        paints[CAMEL, colour.letter] = make_paint(between(limits, rng), rng)
    paints[PALM, ""] = make_paint(between(_SAND_HSV, rng), rng)
    paints[PALACE, ""] = make_paint(between(_GOLD_HSV, rng), rng)
    gloss, grain = float(rng.uniform(0.05, 0.6)), float(rng.uniform(0.03, 0.16))
    sawn = make_paint(between(_SAWN_HSV, rng), rng) if rng.random() < 0.6 else None
    finishes = {kind: Finish(None, gloss, grain) for kind in (MEEPLE, CAMEL)}
    finishes[PALM] = Finish(None, float(rng.uniform(0, 0.2)), float(rng.uniform(0.08, 0.25)), sawn)
    brown = make_paint(between(_BROWN_HSV, rng), rng)
    finishes[PALACE] = Finish(None, float(rng.uniform(0.7, 2.0)), float(rng.uniform(0.02, 0.1)), brown)
    return PieceSet({kind: usual_cut(kind, rng) for kind in PIECE_KINDS}, paints, finishes)
