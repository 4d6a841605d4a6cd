"""Table tops of all kinds, those among them that no reader is trained on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.rendering.textures import TABLE_SIDE_PX, Image, rough_noise, seamless, smooth_noise, table_texture


def newspaper(rng: np.random.Generator) -> Image:
    """A printed page: columns of lines of words, headlines and grey pictures."""
    side = TABLE_SIDE_PX
    paper, ink = float(rng.uniform(195, 228)), float(rng.uniform(40, 90))
    page = np.full((side, side), paper, np.float32)
    columns = int(rng.integers(5, 9))
    wide = side // columns
    for column in range(columns):
        left, right, y = column * wide + 5, (column + 1) * wide - 5, 6
        while y < side - 14:
            sort = rng.random()
            if sort < 0.02:
                high = min(right - left, side - y)
                page[y : y + high, left:right] = 125 + 28 * rough_noise(rng, (right - left,) * 2, 4, 6)[:high]
                y += high + 8
                continue
            # Words are dashes with gaps; headlines are thicker.
            thick = 7 if sort < 0.05 else 2
            x = left
            while x < right - 2 * thick:
                word = int(rng.integers(2, 8)) * (thick + 1)
                cv2.line(page, (x, y), (min(x + word, right), y), ink, thick)
                x += word + 2 * thick
            y += 2 * thick + 3
    tint = np.array([0.9, 0.97, 1.0], np.float32)
    grain = 1 + 0.02 * rough_noise(rng, (side, side), 3, 8)
    return np.asarray(np.clip((page * grain)[..., None] * tint, 0, 255), np.uint8)


def checks(rng: np.random.Generator) -> Image:
    """A checked table cloth: white with bands of a colour, deeper where they cross."""
    side = TABLE_SIDE_PX
    colour = np.asarray([(60, 50, 190), (150, 80, 40), (90, 130, 60)][int(rng.integers(3))], np.float32)
    pitch = side // int(2 * rng.integers(4, 9))
    band = (np.arange(side) // pitch % 2).astype(np.float32)
    share = 0.5 * (band[None] + band[:, None])
    weave = 1 + 0.05 * rng.standard_normal((side, side), dtype=np.float32)
    white = np.array([225, 230, 232], np.float32)
    picture = white + share[..., None] * (colour - white)
    return np.asarray(np.clip(picture * weave[..., None], 0, 255), np.uint8)


def marble(rng: np.random.Generator) -> Image:
    """Polished stone with thin veins."""
    size = (TABLE_SIDE_PX, TABLE_SIDE_PX)
    pale = rng.random() < 0.65
    base = rng.uniform(195, 225) if pale else rng.uniform(45, 70)
    stone = base + 9 * rough_noise(rng, size, 4, 3)
    x, y = np.meshgrid(*[np.linspace(0, 1, TABLE_SIDE_PX, dtype=np.float32)] * 2)
    turn = rng.uniform(0, np.pi)
    along = np.cos(turn) * x + np.sin(turn) * y
    for veins, depth, width in ((5, 55, 0.05), (13, 28, 0.06)):
        ridge = np.abs(np.sin(np.pi * veins * along + 2.2 * rough_noise(rng, size, 5, 3)))
        strength = np.clip(smooth_noise(rng, size, (5, 5)) + 0.3, 0, 1.4)
        stone += (-depth if pale else depth) * strength * np.exp(-ridge / width)
    tint = np.exp(rng.normal(0, 0.03, 3)).astype(np.float32)
    return np.asarray(np.clip(stone[..., None] * tint, 0, 255), np.uint8)


FOREIGN_TABLES: Mapping[str, Callable[[np.random.Generator], Image]] = {
    "newspaper": newspaper,
    "checks": checks,
    "marble": marble,
}
"""Painters of the kinds of table tops that are kept out of training."""


def tabletop(kind: str, rng: np.random.Generator) -> Image:
    """The top of a table of a kind of `textures.TABLES` or `FOREIGN_TABLES`, without seams."""
    if kind in FOREIGN_TABLES:
        return seamless(FOREIGN_TABLES[kind](rng))
    return table_texture(kind, rng)
