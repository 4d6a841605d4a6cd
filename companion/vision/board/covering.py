"""What lies over the board and is no part of the game: a hand, a sleeve, a cup, a sheet of paper.

The piece network's features tell it apart from tiles and pieces by a weighted sum, fitted by the lab on photos over
which such things were drawn (`companion.lab.training.covering`).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np

from companion.rules.model.board import COLUMNS, NEIGHBOURS, ROWS, SQUARES
from companion.vision.board.pieces import PieceFeatures
from companion.vision.board.rectify import BOARD_SIZE_PX, MARGIN_TILES, TILE_PX
from companion.vision.networks import HEAT_STRIDE
from companion.vision.numerics import Float32, sigmoid

CELL_PX = 4 * HEAT_STRIDE
"""Side of the cells that are looked at, in px of the rectified board."""

COVERED_FROM, BESIDE_FROM = 0.27, 0.15
"""The share of a tile from which it counts as covered, and from which it does so beside one that is. Of 211 photos
without a hand, those in strange printings among them, none has a tile over 0.25."""


def covering_cells(features: PieceFeatures) -> Float32:
    """The features of each cell of the rectified board, (rows, columns, 160): the mean over the cell."""
    return np.concatenate([_pooled(part) for part in (features.fine, features.coarse)]).transpose(1, 2, 0)


def _pooled(maps: Float32) -> Float32:
    """Maps (N, H, W) over the rectified board by `CELL_PX`."""
    rows, columns = (side // CELL_PX for side in reversed(BOARD_SIZE_PX))
    cells = maps.reshape(len(maps), rows, maps.shape[1] // rows, columns, maps.shape[2] // columns)
    return np.asarray(cells.mean(axis=(2, 4)), dtype=np.float32)


@cache
def _fitted() -> tuple[Float32, float]:
    """The weights (160,) of a cell's features, and the offset."""
    stored = json.loads((files("companion.vision") / "weights" / "covering.json").read_text(encoding="utf-8"))
    return np.array(stored["weights"], dtype=np.float32), float(stored["offset"])


def covered_shares(features: PieceFeatures) -> Float32:
    """How much of each tile is covered (30,)."""
    weights, offset = _fitted()
    chances = sigmoid(covering_cells(features) @ weights + np.float32(offset))
    side, rim = TILE_PX // CELL_PX, round(MARGIN_TILES * TILE_PX) // CELL_PX
    board = chances[rim : rim + ROWS * side, rim : rim + COLUMNS * side]
    return np.asarray(board.reshape(ROWS, side, COLUMNS, side).mean(axis=(1, 3)).ravel(), dtype=np.float32)


def covered_squares(features: PieceFeatures) -> frozenset[int]:
    """The squares over which something lies."""
    shares = covered_shares(features).tolist()
    sure = {square for square, share in enumerate(shares) if share >= COVERED_FROM}
    beside = {
        square for square in range(SQUARES) if shares[square] >= BESIDE_FROM and sure.intersection(NEIGHBOURS[square])
    }
    return frozenset(sure | beside)
