"""Which pieces stand where: heat of feet on the rectified board -> pieces with probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.rules.board import COLUMNS, ROWS
from companion.rules.components import TRIBE_LETTERS, Colour
from companion.vision.networks import HEAT_STRIDE, Floats
from companion.vision.rectify import cells_to_board
from companion.vision.sight import find_peaks

PIECE_CLASSES: tuple[str, ...] = (*TRIBE_LETTERS, *(colour.letter for colour in Colour), "palm", "palace")
"""Classes in the order of the network's channels: meeples and camels by their letters of the notation."""

LEAST_HEAT = 0.05
"""Feet fainter than this are not even doubted."""

SAME_FOOT_TILES = 0.09
"""Two classes seen closer together than this are one piece in doubt, not two pieces."""

OFF_BOARD_TILES = 0.12
"""Feet farther outside the board than this belong to no tile."""


@dataclass(frozen=True, slots=True)
class Foot:
    """A piece seen: its class, where it stands in board coordinates (tile sides), and how probable."""

    kind: str
    x: float
    y: float
    probability: float

    @property
    def square(self) -> int:
        """The tile it stands on."""
        column = min(max(int(self.x), 0), COLUMNS - 1)
        row = min(max(int(self.y), 0), ROWS - 1)
        return row * COLUMNS + column

    @property
    def edge_distance(self) -> float:
        """How far inside its tile it stands, in tile sides; only edges to other tiles count."""
        row, column = divmod(self.square, COLUMNS)
        distances = [0.5]
        if column > 0:
            distances.append(self.x - column)
        if column < COLUMNS - 1:
            distances.append(column + 1 - self.x)
        if row > 0:
            distances.append(self.y - row)
        if row < ROWS - 1:
            distances.append(row + 1 - self.y)
        return min(distances)


def find_feet(heat: Floats) -> list[Foot]:
    """Every piece seen on the board, likeliest first; faint ones too.

    `heat` is (11, H, W) over the rectified board, a channel for each of `PIECE_CLASSES`.
    """
    feet = []
    for kind, channel in zip(PIECE_CLASSES, heat, strict=True):
        for x_cell, y_cell, warmth in find_peaks(channel, LEAST_HEAT):
            x, y = cells_to_board(x_cell, y_cell, HEAT_STRIDE)
            if -OFF_BOARD_TILES <= x <= COLUMNS + OFF_BOARD_TILES and -OFF_BOARD_TILES <= y <= ROWS + OFF_BOARD_TILES:
                feet.append(Foot(kind, float(x), float(y), float(warmth)))
    feet.sort(key=lambda foot: -foot.probability)
    return _without_doubles(feet)


def _without_doubles(feet: list[Foot]) -> list[Foot]:
    """One foot is one piece: of several classes at one place the likeliest stays."""
    kept: list[Foot] = []
    for foot in feet:
        if all(np.hypot(foot.x - other.x, foot.y - other.y) > SAME_FOOT_TILES for other in kept):
            kept.append(foot)
    return kept
