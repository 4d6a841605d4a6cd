"""Which tile lies where: kinds told tile by tile, then made one board of the thirty in the box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.rules.model.components import TILE_KINDS, TileKind
from companion.vision.board.assignment import best_assignment
from companion.vision.board.rectify import crop_tile
from companion.vision.load import Picture
from companion.vision.networks import normalise, tile_logits

KINDS: tuple[TileKind, ...] = tuple(TILE_KINDS.values())
"""Kinds in the order of the network's classes."""

TURNS = 4

_IN_BOX = [index for index, kind in enumerate(KINDS) for _ in range(kind.count)]


@dataclass(frozen=True, slots=True)
class TileSight:
    """What was seen of a tile: its kind on the whole board's evidence, and how sure.

    `probability` is that of `kind`, `other` the next best kind and `other_probability` its own; `turn`
    is the tile's turn in clockwise quarters against the rectified board.
    """

    kind: TileKind
    probability: float
    other: TileKind
    other_probability: float
    turn: int


def tile_probabilities(board: Picture) -> NDArray[np.float64]:
    """Probabilities (30, 8 kinds, 4 turns) of each tile of a rectified board, each tile for itself."""
    crops = np.stack([normalise(crop_tile(board, square), board) for square in range(SQUARES)])
    logits = tile_logits(crops).astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True)
    likely = np.exp(logits)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True)).reshape(SQUARES, len(KINDS), TURNS)


def is_half_turned(probabilities: NDArray[np.float64]) -> bool:
    """Whether more tiles stand on their heads than upright on this rectified board."""
    by_turn = probabilities.sum(axis=(0, 1))
    return bool(by_turn[2] > by_turn[0])


def half_turn(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same probabilities for the board turned by 180 degrees."""
    return np.asarray(np.roll(probabilities[::-1], 2, axis=2))


def assign_tiles(probabilities: NDArray[np.float64]) -> list[TileSight]:
    """The likeliest board of exactly the thirty tiles in the box (rules 1.1), by square."""
    by_kind = probabilities.sum(axis=2)
    costs = -np.log(by_kind[:, _IN_BOX] + 1e-6)
    chosen = best_assignment(costs)
    sights = []
    for square in range(SQUARES):
        index = _IN_BOX[chosen[square]]
        others = by_kind[square].copy()
        others[index] = -1.0
        other = int(others.argmax())
        sights.append(
            TileSight(
                kind=KINDS[index],
                probability=float(by_kind[square, index]),
                other=KINDS[other],
                other_probability=float(by_kind[square, other]),
                turn=int(probabilities[square, index].argmax()),
            )
        )
    return sights
