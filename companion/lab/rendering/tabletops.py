"""Table tops of all kinds, those among them that no reader is trained on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import cv2
import numpy as np

from companion.lab.rendering.textures import TABLE_SIDE_PX, Image, rough_noise, seamless, smooth_noise, table_texture


def terrazzo(rng: np.random.Generator) -> Image:
    """Chips of stone in pale cement, ground flat."""
    side = TABLE_SIDE_PX
    tint = np.exp(rng.normal(0, 0.03, 3))
    floor = np.full((side, side, 3), rng.uniform(180, 222) * tint, np.uint8)
    chips = [(90, 110, 130), (60, 62, 66), (150, 160, 170), (120, 140, 190), (110, 125, 100), (205, 215, 225)]
    chosen = rng.choice(len(chips), 4, replace=False)
    for _ in range(int(rng.integers(500, 1100))):
        middle, size = rng.uniform(0, side, 2), rng.gamma(2.5, 2.6) + 2
        turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 8))))
        corners = middle + size * rng.uniform(0.6, 1.1, (len(turns), 1)) * np.column_stack(
            [np.cos(turns), np.sin(turns)]
        )
        colour = np.clip(np.array(chips[int(rng.choice(chosen))]) * rng.normal(1, 0.12), 0, 255).tolist()
        cv2.fillPoly(floor, [corners.astype(np.int32)], colour, cv2.LINE_AA)
    shade = 1 + 0.015 * rough_noise(rng, (side, side), 4, 6)
    return np.asarray(np.clip(floor * shade[..., None], 0, 255), np.uint8)


def slats(rng: np.random.Generator) -> Image:
    """A garden table of narrow painted boards with dark gaps between them."""
    side = TABLE_SIDE_PX
    paints = [(206, 214, 216), (178, 196, 190), (196, 178, 150), (140, 168, 196)]
    paint = np.array(paints[int(rng.integers(len(paints)))], np.float32) * rng.uniform(0.9, 1.08)
    number = int(rng.integers(6, 13))
    rows = np.linspace(0, side, number + 1).astype(int)
    gap = int(rng.integers(5, 11))
    shade = np.ones((side, side), np.float32)
    for top, bottom in pairwise(rows):
        strokes = smooth_noise(rng, (bottom - top, side), ((bottom - top) // 3, 6))
        shade[top:bottom] += 0.03 * strokes + rng.normal(0, 0.03)
        shade[top : top + 2] *= 1.08
        shade[bottom - gap : bottom] = 0.16
    return np.asarray(np.clip(paint * shade[..., None], 0, 255), np.uint8)


def rug(rng: np.random.Generator) -> Image:
    """A woven rug: bands of zigzags and rhombs in a few deep colours."""
    side = TABLE_SIDE_PX
    wools = [(40, 44, 128), (96, 58, 36), (52, 70, 44), (150, 186, 206), (48, 110, 172), (46, 44, 50)]
    chosen = [wools[int(i)] for i in rng.permutation(len(wools))[:4]]
    bands = int(rng.integers(6, 12))
    high = side / bands
    x = np.arange(side)[None, :]
    y = np.arange(side)[:, None]
    step = side / int(rng.integers(6, 14))
    # Of every band the height, 0 to 1, and along it the distance from the nearest tip, 0 to 1.
    up = (y % high) / high
    tip = np.abs(2 * ((x / step) % 1) - 1)
    form = rng.integers(0, 3, bands + 1)[(y // high).astype(int)]
    zigzag = np.abs(up - 0.25 - 0.5 * tip) < 0.14
    rhomb = np.abs(2 * up - 1) + tip < 0.8
    figure = np.where(form == 0, zigzag, np.where(form == 1, rhomb, up < 0.3))
    ground = rng.integers(0, 2, bands + 1)[(y // high).astype(int)]
    which = np.where(figure, 2 + (form + ground) % 2, ground + 0 * x)
    picture = np.asarray(chosen, np.float32)[which]
    weave = 1 + 0.09 * rng.standard_normal((side, side), dtype=np.float32) + 0.05 * rough_noise(rng, (side, side), 4, 5)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 1.2) * weave[..., None], 0, 255), np.uint8)


FOREIGN_TABLES: Mapping[str, Callable[[np.random.Generator], Image]] = {
    "terrazzo": terrazzo,
    "slats": slats,
    "rug": rug,
}
"""Painters of the kinds of table tops that are kept out of training."""


def tabletop(kind: str, rng: np.random.Generator) -> Image:
    """The top of a table of a kind of `textures.TABLES` or `FOREIGN_TABLES`, without seams."""
    if kind in FOREIGN_TABLES:
        return seamless(FOREIGN_TABLES[kind](rng))
    return table_texture(kind, rng)
