"""Tiles that are known beforehand, from a set-up card's code, found again on the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.vision.board.tiles import KINDS, TileSight, half_turn

SAME_TABLE = 20
"""Tiles of 30 that must look like the known ones for the table to be that one."""

CLEAR = 0.8
"""Probability from which a tile, seen for itself, is told clearly."""

CLEAR_TILES = 15
"""With fewer clear tiles than this, what was found is no table: a card's own drawing has a grid too."""

CONTRADICTED_BELOW = 0.02
"""A known tile that looks so unlikely, and clearly like another, is doubted."""


class OtherTilesError(PhotoError):
    """The tiles on the table are not the known ones; `is_table` says whether they were seen clearly at all."""

    def __init__(self, message: str, *, is_table: bool) -> None:
        super().__init__(message)
        self.is_table = is_table


def is_known_half_turned(probabilities: NDArray[np.float64], known: Board) -> bool:
    """Whether the tiles seen (30, 8 kinds, 4 turns) fit the known board better turned by 180 degrees."""
    return _likelihood(half_turn(probabilities), known) > _likelihood(probabilities, known)


def check_known(probabilities: NDArray[np.float64], known: Board) -> None:
    """Raises OtherTilesError if most tiles seen (30, 8 kinds, 4 turns) do not look like the known ones."""
    by_kind = probabilities.sum(axis=2)
    indices = [KINDS.index(tile.kind) for tile in known]
    agreeing = int((by_kind.argmax(axis=1) == indices).sum())
    if agreeing < SAME_TABLE:
        clear = int((by_kind.max(axis=1) >= CLEAR).sum())
        odd = [name for name, seen, index in zip(SQUARE_NAMES, by_kind, indices, strict=True) if seen.argmax() != index]
        raise OtherTilesError(
            f"the code is of another set-up than the tiles on the table ({', '.join(odd[:3])} and {len(odd) - 3} more"
            " differ): photograph the board with its own card, or without one",
            is_table=clear >= CLEAR_TILES,
        )


def known_tiles(probabilities: NDArray[np.float64], known: Board) -> list[TileSight]:
    """The known kinds as they were seen (30, 8 kinds, 4 turns), by square.

    A tile that clearly looks like another kind keeps the known one, in doubt.
    """
    return [_sight(seen, KINDS.index(tile.kind)) for seen, tile in zip(probabilities, known, strict=True)]


def _sight(seen: NDArray[np.float64], index: int) -> TileSight:
    """A known tile, of which (8 kinds, 4 turns) was seen."""
    by_kind = seen.sum(axis=1)
    others = by_kind.copy()
    others[index] = -1.0
    other = int(others.argmax())
    doubted = by_kind[index] < CONTRADICTED_BELOW and by_kind[other] >= CLEAR
    return TileSight(
        kind=KINDS[index],
        probability=float(by_kind[index]) if doubted else 1.0,
        other=KINDS[other],
        other_probability=float(by_kind[other]) if doubted else 0.0,
        turn=int(seen[index].argmax()),
    )


def _likelihood(probabilities: NDArray[np.float64], known: Board) -> float:
    by_kind = probabilities.sum(axis=2)
    return float(sum(np.log(by_kind[square, KINDS.index(tile.kind)] + 1e-6) for square, tile in enumerate(known)))
