"""What was seen of a board as chances, before it is decided what stands there: so several photos can be made one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, ROWS, Board
from companion.vision.board.pieces import Foot
from companion.vision.board.tallies import Chances
from companion.vision.board.tiles import half_turn

HALF_TURN = np.array([[-1, 0, COLUMNS], [0, -1, ROWS], [0, 0, 1]], dtype=np.float64)
"""Board coordinates of a board turned by 180 degrees as those of the board."""


@dataclass(frozen=True, slots=True)
class BoardSight:
    """A board as a photo shows it.

    `tiles` are the chances (30, 8 kinds, 4 turns) of what each tile is, `pieces` those of the numbers on it, `feet`
    the pieces seen, each with its chance; `homography` (3, 3) maps board coordinates to px of the photo. `known` is
    the board whose tiles a code tells, None where the photo alone does.
    """

    tiles: NDArray[np.float64]
    pieces: Chances
    feet: tuple[Foot, ...]
    homography: NDArray[np.float64]
    known: Board | None = None

    def feet_on(self, square: int) -> list[Foot]:
        """The pieces seen on a tile."""
        return [foot for foot in self.feet if foot.square == square]


def half_turned(sight: BoardSight) -> BoardSight:
    """The same sight with the board's columns and rows counted from the other end."""
    return replace(
        sight,
        tiles=half_turn(sight.tiles),
        pieces=tuple(shares[::-1] for shares in sight.pieces),
        feet=tuple(replace(foot, x=COLUMNS - foot.x, y=ROWS - foot.y) for foot in sight.feet),
        homography=sight.homography @ HALF_TURN,
        known=None if sight.known is None else sight.known[::-1],
    )
