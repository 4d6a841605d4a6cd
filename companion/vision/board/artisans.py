"""Purple meeples, which the base game has not: an expansion's artisans.

They are told by their colour alone, against the tiles' pale border, and painted over before the piece network looks:
it knows five tribes and would take an artisan for one of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX
from companion.vision.load import Picture
from companion.vision.networks import white_level
from companion.vision.numerics import Float32

HUES = (250.0, 290.0)
"""Degrees between which a paint is purple: builders lie below, pink camels above."""

BUILDERS_HUES = (212.0, 244.0)
"""Degrees between which builders are painted."""

MIN_SATURATION = 0.4
"""A paint is purple from here; lilac signs on tiles and violet shadows are paler."""

LEVELS = (0.1, 1.01)
"""Brightness, in that of the tiles' border, between which a piece of wood lies."""

AREA_TILES = (0.014, 0.14)
"""How much of a tile an artisan covers, seen from above or standing."""

MAX_SIDE_TILES = 0.62
MIN_FILLED = 0.35
"""The longer side of the box around an artisan, and how much of the box it fills at least: prints are ragged."""

MAX_ROUND = 0.82
"""Share of a circle of its rim's length that a meeple covers at most: what is rounder is a plate with a value."""

_GROWN_PX = 9


@dataclass(frozen=True, slots=True)
class Artisans:
    """Purple meeples on a rectified board: where, as (x, y) in board coordinates, and the board without them."""

    places: tuple[tuple[float, float], ...]
    without: Picture


def find_artisans(board: Picture) -> Artisans:
    """The purple meeples on a rectified board (BGR).

    None are told where no builder is seen to be bluer: then the purple ones are the builders of that copy.
    """
    # The wood's own colour: what is left when the lamp's is taken away.
    scaled = np.minimum(board.astype(np.float32) / white_level(board).astype(np.float32), 1.0)
    colours = cv2.cvtColor(cv2.GaussianBlur(scaled, (0, 0), 1.2), cv2.COLOR_BGR2HSV)
    purple = _pieces(np.asarray(colours, dtype=np.float32), HUES)
    if not purple or not _pieces(np.asarray(colours, dtype=np.float32), BUILDERS_HUES):
        return Artisans((), board)
    hidden = np.any([blob for _, blob in purple], axis=0).astype(np.uint8)
    grown = cv2.dilate(hidden, np.ones((_GROWN_PX, _GROWN_PX), np.uint8))
    without = np.asarray(cv2.inpaint(board, grown, 5, cv2.INPAINT_TELEA), dtype=np.uint8)
    return Artisans(tuple(place for place, _ in purple), without)


def _pieces(colours: Float32, hues: tuple[float, float]) -> list[tuple[tuple[float, float], NDArray[np.bool_]]]:
    """What may be a piece of paints between two hues: its place in board coordinates, and where it is seen.

    `colours` (H, W, 3) are hue in degrees, saturation and level of a rectified board.
    """
    hue, saturation, level = colours[..., 0], colours[..., 1], colours[..., 2]
    painted = (hue >= hues[0]) & (hue <= hues[1]) & (saturation >= MIN_SATURATION)
    painted &= (level >= LEVELS[0]) & (level <= LEVELS[1])
    mask = cv2.morphologyEx(painted.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, boxes, middles = cv2.connectedComponentsWithStats(mask)
    found = []
    for number in range(1, count):
        _, _, width, height, area = (int(v) for v in boxes[number])
        x, y = (float(v) / TILE_PX - MARGIN_TILES for v in middles[number])
        inside = 0 <= x < COLUMNS and 0 <= y < ROWS
        fits = AREA_TILES[0] <= area / TILE_PX**2 <= AREA_TILES[1] and max(width, height) <= MAX_SIDE_TILES * TILE_PX
        if inside and fits and area >= MIN_FILLED * width * height and _roundness(labels == number) <= MAX_ROUND:
            found.append(((x, y), labels == number))
    return found


def _roundness(blob: NDArray[np.bool_]) -> float:
    """How much of a circle whose rim is as long as a blob's the blob covers, holes filled."""
    outlines, _ = cv2.findContours(blob.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    return float(4 * np.pi * cv2.contourArea(outline) / max(cv2.arcLength(outline, True), 1.0) ** 2)
