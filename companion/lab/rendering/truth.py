"""What a rendered picture shows, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import Board

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class PieceTruth:
    """One piece in the picture.

    `kind` is "meeple", "camel", "palm" or "palace"; `colour` the notation's letter (meeples y w b g r,
    camels K O B P, else empty); `square` the tile it stands on, None beside the sultanate; `pose`
    "standing" or "lying". `foot_px` is where it touches the tile, `centre_px` the middle of its body,
    `box_px` its bounds (left, top, right, bottom), all in px; `visible` the share of it not hidden.
    """

    kind: str
    colour: str
    square: int | None
    pose: str
    foot_px: tuple[float, float]
    centre_px: tuple[float, float]
    box_px: tuple[float, float, float, float]
    visible: float


@dataclass(frozen=True, slots=True)
class TileTruth:
    """One tile in the picture: its square, its kind's code, its corners in px and its quarter turns.

    The corners begin with the tile's own top left (left of the value disc) and go round clockwise as
    printed; `turn` counts quarter turns clockwise against the board.
    """

    square: int
    code: str
    corners_px: Corners
    turn: int


@dataclass(frozen=True, slots=True)
class Truth:
    """All that a rendered picture shows.

    `corners_px` are the sultanate's corners at a1, f1, f5 and a5; `homography` (3, 3) takes
    (column, row, 1) in tile sides from a1's outer corner to px on the tops of the tiles, as near as a
    homography comes to a bent picture; `size` is (width, height) in px.
    """

    board: Board
    size: tuple[int, int]
    corners_px: Corners
    homography: NDArray[np.float64]
    tiles: tuple[TileTruth, ...]
    pieces: tuple[PieceTruth, ...]
