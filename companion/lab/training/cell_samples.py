"""What pictures for cell networks have in common: what one holds, the table it begins with, and what lies about."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.training.card_samples import choice
from companion.lab.training.card_stock import Stock
from companion.vision.cards.cells import STRIDE
from companion.vision.load import Picture

SIDE = 320
"""Width and height of a sample, px."""

CELLS = SIDE // STRIDE

IGNORED = -1
"""The kind of a cell that nothing is learnt from."""


@dataclass(frozen=True, slots=True)
class CellSample:
    """A picture (SIDE, SIDE, 3), BGR, and what its cells of `STRIDE` px hold.

    `kinds` (CELLS, CELLS) are numbers of kinds, that of nothing or `IGNORED`; `details` (n, CELLS, CELLS) what the
    network is to say of a cell that holds something, its first two the way to the middle in cells (x, y).
    """

    picture: Picture
    kinds: NDArray[np.int64]
    details: NDArray[np.float32]


def empty_picture(stock: Stock, rng: np.random.Generator) -> Picture:
    """A table, or a part of one with other things on it, as it is before anything is laid: (SIDE, SIDE, 3), BGR."""
    ground = choice(rng, stock.grounds)
    side = min(int(SIDE / rng.uniform(0.6, 1.6)), *ground.shape[:2])
    top, left = (int(rng.integers(0, ground.shape[axis] - side + 1)) for axis in (0, 1))
    part = np.rot90(ground[top : top + side, left : left + side], int(rng.integers(4)))
    return np.asarray(cv2.resize(part, (SIDE, SIDE)), dtype=np.uint8)


def empty_sample(stock: Stock, nothing: int, details: int, rng: np.random.Generator) -> CellSample:
    """Such a picture, and cells that hold nothing."""
    kinds = np.full((CELLS, CELLS), nothing, np.int64)
    return CellSample(empty_picture(stock, rng), kinds, np.zeros((details, CELLS, CELLS), np.float32))


def way_to(place: NDArray[np.float64]) -> NDArray[np.float64]:
    """The way (2, CELLS, CELLS) from each cell's middle to a place in px, in cells."""
    ys, xs = np.mgrid[0:CELLS, 0:CELLS] * float(STRIDE) + STRIDE / 2
    return np.stack([place[0] - xs, place[1] - ys]) / STRIDE


def blot(picture: Picture, rng: np.random.Generator) -> None:
    """Some coloured thing anywhere on the picture, in place."""
    middle = rng.uniform(0, SIDE, 2).astype(int).tolist()
    size = rng.uniform(6, 40, 2).astype(int).tolist()
    colour = rng.uniform(0, 255, 3).tolist()
    cv2.ellipse(picture, middle, size, float(rng.uniform(0, 180)), 0, 360, colour, -1)


def keystoned(size: float, turn: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """From a thing's own measure to px: turned by radians, of that size, near the middle, a little slanted."""
    c, s = size * np.cos(turn), size * np.sin(turn)
    place = (np.eye(2) + rng.normal(0, 0.06, (2, 2))) @ np.array([[c, -s], [s, c]])
    middle = SIDE / 2 + rng.normal(0, 50, 2)
    flat = np.array([[*place[0], middle[0]], [*place[1], middle[1]], [0, 0, 1]])
    return np.asarray(flat @ np.array([[1, 0, 0], [0, 1, 0], [*rng.normal(0, 0.03, 2), 1]]))
