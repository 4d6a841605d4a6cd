"""A sheet to draw pictures of tiles on.

Places and sizes are shares of the sheet's side, x to the right and y down; colours are BGR, 0 to 255.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.lab.rendering.textures import Image

Colour = tuple[float, float, float]
Points = NDArray[np.float64]

INK: Colour = (38, 52, 74)

_SHIFT = 4


def toned(colour: Colour, factor: float) -> Colour:
    """The colour lighter (above 1) or darker."""
    blue, green, red = (min(max(c * factor, 0), 255) for c in colour)
    return blue, green, red


def _blurred(mask: Image, sigma: float) -> Image:
    """The mask blurred; wide blurs are made on a smaller copy, which looks the same."""
    step = max(int(sigma / 3), 1)
    if step == 1:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)
    size = (mask.shape[1], mask.shape[0])
    small = cv2.resize(mask, (max(size[0] // step, 1), max(size[1] // step, 1)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / step), size), np.uint8)


class Sketch:
    """A square sheet of `side` px with pen and brush; `rng` makes every stroke a little different."""

    def __init__(self, side: int, rng: np.random.Generator, ground: Colour) -> None:
        self.side = side
        self.rng = rng
        self.sheet: Image = np.full((side, side, 3), ground, np.uint8)

    def px(self, points: ArrayLike) -> NDArray[np.int32]:
        """Points in the fixed-point px that OpenCV draws with."""
        return np.round(np.asarray(points, np.float64) * self.side * (1 << _SHIFT)).astype(np.int32)

    def width(self, share: float) -> int:
        """A line's width in px, at least 1."""
        return max(round(share * self.side), 1)

    def polygon(self, points: ArrayLike, fill: Colour, ink: Colour | None = INK, pen: float = 0.004) -> None:
        """A filled polygon with an inked rim, or none."""
        px = self.px(points)
        cv2.fillPoly(self.sheet, [px], fill, cv2.LINE_AA, _SHIFT)
        if ink is not None:
            cv2.polylines(self.sheet, [px], True, ink, self.width(pen), cv2.LINE_AA, _SHIFT)

    def line(self, points: ArrayLike, ink: Colour = INK, pen: float = 0.004) -> None:
        """A line through the points."""
        cv2.polylines(self.sheet, [self.px(points)], False, ink, self.width(pen), cv2.LINE_AA, _SHIFT)

    def wash(self, points: ArrayLike, colour: Colour, strength: float, blur: float) -> None:
        """Colour the inside of a polygon, softly at the rim and not hiding what is there."""
        places = np.asarray(points, np.float64)
        reach = 3 * blur + 0.01
        left, top = np.clip(np.floor((places.min(0) - reach) * self.side).astype(int), 0, self.side - 1)
        right, bottom = np.clip(np.ceil((places.max(0) + reach) * self.side).astype(int), 1, self.side)
        rows, columns = slice(int(top), int(bottom)), slice(int(left), int(right))
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [self.px(places - np.array([left, top]) / self.side)], 255, cv2.LINE_AA, _SHIFT)
        share = _blurred(mask, max(blur * self.side, 0.3)).astype(np.float32)
        share = share[..., None] * np.float32(strength / 255)
        part = self.sheet[rows, columns]
        part[...] = (part * (1 - share) + np.asarray(colour, np.float32) * share).astype(np.uint8)

    def pick(self, colours: Sequence[Colour]) -> Colour:
        """One of the colours, a little lighter or darker."""
        return toned(colours[int(self.rng.integers(len(colours)))], float(self.rng.uniform(0.9, 1.12)))

    def jitter(self, amount: float) -> float:
        """A random number around 0, of that deviation."""
        return float(self.rng.normal(0, amount))


def lump(sketch: Sketch, x: float, y: float, size: float, corners: int = 9, rough: float = 0.16) -> Points:
    """An uneven closed outline around a place."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False) + sketch.rng.uniform(0, 0.6)
    reach = size * (1 + rough * sketch.rng.standard_normal(corners))
    return np.column_stack([x + reach * np.cos(turn), y + 0.82 * reach * np.sin(turn)])


def smooth(points: Points, times: int = 3) -> Points:
    """The closed line with its corners rounded."""
    for _ in range(times):
        after = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after], 1).reshape(-1, 2)
    return points
