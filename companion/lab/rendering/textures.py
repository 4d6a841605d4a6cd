"""Procedural surfaces: noise, and the tops of tables. All pictures are BGR uint8 unless told otherwise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

TABLE_SIDE_PX = 768
"""Side of a table texture, which is laid out again and again."""


def smooth_noise(rng: np.random.Generator, size: tuple[int, int], cells: tuple[int, int]) -> Floats:
    """Noise of mean 0 and deviation about 1 on (height, width) `size`, with (rows, columns) `cells` lumps."""
    coarse = rng.standard_normal((max(cells[0], 2), max(cells[1], 2)), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (size[1], size[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def rough_noise(rng: np.random.Generator, size: tuple[int, int], octaves: int = 4, cells: int = 4) -> Floats:
    """Cloudy noise of several octaves, each twice as fine and half as strong; deviation about 1."""
    total = np.zeros(size, np.float32)
    weight = 1.0
    for octave in range(octaves):
        lumps = cells * 2**octave
        total += weight * smooth_noise(rng, size, (lumps, lumps))
        weight *= 0.55
    return np.asarray(total / 1.2, np.float32)


def seamless(texture: Image) -> Image:
    """The texture and its mirror images, so that it can be laid out without seams."""
    row = np.hstack([texture, texture[:, ::-1]])
    return np.asarray(np.vstack([row, row[::-1]]), np.uint8)


def tinted(base: tuple[float, float, float], shade: Floats) -> Image:
    """A BGR `base` colour (0 to 255) made lighter and darker by a field `shade` around 0, 1 being twice as light."""
    picture = np.asarray(base, np.float32) * (1 + shade[..., None])
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def wood(rng: np.random.Generator, base: tuple[float, float, float]) -> Image:
    """Planks with grain along x and dark joints."""
    side = TABLE_SIDE_PX
    shade = np.zeros((side, side), np.float32)
    planks = int(rng.integers(1, 7))
    height = side // planks
    depth = rng.uniform(0.05, 0.16)
    for plank in range(planks):
        rows = slice(plank * height, side if plank == planks - 1 else (plank + 1) * height)
        size = (rows.stop - rows.start, side)
        grain = 0.6 * smooth_noise(rng, size, (size[0] // 3, 5)) + smooth_noise(rng, size, (size[0] // 14, 3))
        rings = np.sin(smooth_noise(rng, size, (3, 2)) * rng.uniform(4, 14))
        shade[rows] = depth * (0.5 * grain + 0.5 * rings) + rng.normal(0, 0.05)
        if planks > 1:
            shade[rows.start : rows.start + int(rng.integers(2, 5))] -= rng.uniform(0.3, 0.7)
            cut = int(rng.integers(0, side))
            shade[rows, cut : cut + 3] -= 0.4
    return tinted(base, shade)


def cloth(rng: np.random.Generator, base: tuple[float, float, float]) -> Image:
    """Woven cloth with soft folds."""
    size = (TABLE_SIDE_PX, TABLE_SIDE_PX)
    weave = rng.standard_normal(size, dtype=np.float32)
    weave = cv2.blur(weave, (1, 3)) + cv2.blur(weave, (3, 1))
    return tinted(base, rng.uniform(0.02, 0.09) * weave + rng.uniform(0.0, 0.07) * rough_noise(rng, size, 3))


def plain(rng: np.random.Generator, base: tuple[float, float, float]) -> Image:
    """A smooth table top, hardly mottled."""
    return tinted(base, rng.uniform(0.005, 0.03) * rough_noise(rng, (TABLE_SIDE_PX, TABLE_SIDE_PX), 5))


def pattern(rng: np.random.Generator, base: tuple[float, float, float]) -> Image:
    """A printed cloth: stripes, checks or spots in a few colours."""
    side = TABLE_SIDE_PX
    picture = np.full((side, side, 3), base, np.float32)
    kind = int(rng.integers(0, 3))
    step = side / int(rng.integers(4, 16))
    other = rng.uniform(20, 240, 3)
    for number in range(int(side / step) + 1):
        start = int(number * step)
        width = max(int(step * rng.uniform(0.2, 0.6)), 2)
        if kind == 0 or kind == 1:
            picture[start : start + width] = 0.4 * picture[start : start + width] + 0.6 * other
        if kind == 1:
            picture[:, start : start + width] = 0.5 * picture[:, start : start + width] + 0.5 * other
        if kind == 2:
            for column in range(int(side / step) + 1):
                centre = (int((column + 0.5 * (number % 2)) * step), start)
                cv2.circle(picture, centre, max(int(step * 0.3), 2), other.tolist(), -1)
    shade = 0.03 * rng.standard_normal((side, side), dtype=np.float32)
    return np.asarray(np.clip(picture * (1 + shade[..., None]), 0, 255), np.uint8)


def blobs(rng: np.random.Generator, base: tuple[float, float, float]) -> Image:
    """Anything at all: a heap of coloured shapes, to teach a reader what to leave alone."""
    side = TABLE_SIDE_PX
    picture = np.full((side, side, 3), base, np.uint8)
    for _ in range(int(rng.integers(10, 70))):
        colour = rng.uniform(0, 255, 3).tolist()
        centre = tuple(int(v) for v in rng.integers(0, side, 2))
        size = int(rng.integers(6, side // 5))
        form = int(rng.integers(0, 3))
        if form == 0:
            cv2.circle(picture, centre, size, colour, -1)
        elif form == 1:
            axes = (size, int(rng.integers(4, size + 4)))
            cv2.ellipse(picture, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1)
        else:
            points = np.asarray(centre) + rng.normal(0, size, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(picture, [points.astype(np.int32)], colour)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 8))), np.uint8)


_WOODS = ((86, 128, 172), (62, 98, 142), (44, 68, 102), (34, 48, 70), (120, 160, 200), (46, 52, 60), (70, 86, 150))
_CLOTHS = ((70, 110, 60), (120, 70, 40), (50, 40, 130), (120, 118, 115), (60, 58, 56), (40, 90, 120), (190, 195, 198))
_PLAINS = ((232, 236, 238), (205, 214, 220), (40, 40, 44), (90, 96, 104), (160, 185, 205), (150, 130, 110))

TABLES = ("wood", "cloth", "plain", "pattern", "blobs")
"""Kinds of table tops; "blobs" is for training only."""


def table_texture(kind: str, rng: np.random.Generator) -> Image:
    """The top of a table of one of the kinds in `TABLES`, to be laid out side by side (it has no seams)."""
    palette = {"wood": _WOODS, "cloth": _CLOTHS, "plain": _PLAINS}.get(kind, _CLOTHS + _PLAINS)
    blue, green, red = np.asarray(palette[int(rng.integers(len(palette)))], np.float64) * rng.uniform(0.85, 1.12, 3)
    painter = {"wood": wood, "cloth": cloth, "plain": plain, "pattern": pattern, "blobs": blobs}[kind]
    return seamless(painter(rng, (float(blue), float(green), float(red))))
