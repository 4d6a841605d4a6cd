"""Which pieces stand where: heat of feet on the rectified board -> pieces with probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.rules.model.board import COLUMNS, ROWS
from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.vision.board.rectify import cells_to_board
from companion.vision.locate.heatmaps import find_peaks
from companion.vision.networks import HEAT_STRIDE, Floats

PIECE_CLASSES: tuple[str, ...] = (*TRIBE_LETTERS, *(colour.letter for colour in Colour), "palm", "palace")
"""Classes in the order of the network's channels: meeples and camels by their letters of the notation."""

LEAST_HEAT = 0.05
"""Feet fainter than this are not even doubted."""

SAME_FOOT_TILES = 0.09
"""Two classes seen closer together than this are one piece in doubt, not two pieces."""

SAME_PIECE_TILES = 0.15
LARGE_PIECE_TILES: dict[str, float] = {"palm": 0.22, "palace": 0.22}
"""Feet of one class closer together than this are one piece seen twice; palms and palaces are larger. On rendered
photos held out of training it took away a third of the palms and palaces too many and lost none."""

EDGE_BLUR_TILES = 0.03
"""How exactly a foot is placed: nearer to an edge than this, it may stand on the next tile."""

LEAST_STRAY = 0.002
"""Chances of standing on the next tile below this are not followed."""

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
    def squares(self) -> tuple[tuple[int, float], ...]:
        """The tiles that it may stand on with their chances: its own, and the next one if the edge is near."""
        row, column = divmod(self.square, COLUMNS)
        beyond = [
            (distance, next_row * COLUMNS + next_column)
            for distance, next_row, next_column in (
                (self.x - column, row, column - 1),
                (column + 1 - self.x, row, column + 1),
                (self.y - row, row - 1, column),
                (row + 1 - self.y, row + 1, column),
            )
            if 0 <= next_row < ROWS and 0 <= next_column < COLUMNS
        ]
        distance, square = min(beyond)
        stray = 0.5 * math.erfc(max(distance, 0.0) / EDGE_BLUR_TILES / math.sqrt(2))
        if stray < LEAST_STRAY:
            return ((self.square, 1.0),)
        return ((self.square, 1.0 - stray), (square, stray))


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
    """One foot is one piece: of several classes at one place, and of one class very near, the likeliest stays."""
    kept: list[Foot] = []
    for foot in feet:
        if all(np.hypot(foot.x - other.x, foot.y - other.y) > _least_step(foot, other) for other in kept):
            kept.append(foot)
    return kept


def _least_step(one: Foot, other: Foot) -> float:
    """How far apart two feet must be, in tile sides, to be two pieces."""
    if one.kind != other.kind:
        return SAME_FOOT_TILES
    return LARGE_PIECE_TILES.get(one.kind, SAME_PIECE_TILES)
