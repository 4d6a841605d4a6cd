"""The board seen straight from above: one truth about geometry, for reading and for training alike."""

from __future__ import annotations

import cv2
import numpy as np

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.numerics import Float64

TILE_PX = 128
"""Side of a tile on the rectified board, in px."""

MARGIN_TILES = 0.5
"""Rim around the rectified board, in tile sides: standing pieces lean out of their tiles."""

BOARD_SIZE_PX = (round((COLUMNS + 2 * MARGIN_TILES) * TILE_PX), round((ROWS + 2 * MARGIN_TILES) * TILE_PX))
"""Width and height of the rectified board."""

BEYOND = (40, 40, 40)
"""What lies beyond the photo's edge looks like a dark table: repeating the edge would smear pieces out of it."""

_TO_RECTIFIED = np.array(
    [[TILE_PX, 0, MARGIN_TILES * TILE_PX], [0, TILE_PX, MARGIN_TILES * TILE_PX], [0, 0, 1]], dtype=np.float64
)


def rectify(photo: Picture, homography: Float64) -> Picture:
    """The board straight from above, `BOARD_SIZE_PX`, margin included.

    `homography` maps board coordinates (tile sides) to the photo's px.
    """
    scale = min(1.0, 1.5 * TILE_PX / max(Lattice(homography, 0).tile_px, 1.0))
    if scale < 0.8:
        # Averaged first: sampling a large photo at few points would alias fine print.
        width, height = round(photo.shape[1] * scale), round(photo.shape[0] * scale)
        shrink = np.diag([width / photo.shape[1], height / photo.shape[0], 1.0])
        photo = np.asarray(cv2.resize(photo, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        homography = shrink @ homography
    matrix = _TO_RECTIFIED @ np.linalg.inv(homography)
    warped = cv2.warpPerspective(photo, matrix, BOARD_SIZE_PX, flags=cv2.INTER_LINEAR, borderValue=BEYOND)
    return np.asarray(warped, dtype=np.uint8)


def tile_within(board: Picture, square: int, rim_tiles: float) -> Picture:
    """The part of a rectified board that shows a tile, and so much around it, in tile sides."""
    row, column = divmod(square, COLUMNS)
    left = round((column + MARGIN_TILES - rim_tiles) * TILE_PX)
    top = round((row + MARGIN_TILES - rim_tiles) * TILE_PX)
    side = round((1 + 2 * rim_tiles) * TILE_PX)
    return board[top : top + side, left : left + side]


def board_to_cells(x: float, y: float, stride: int) -> tuple[float, float]:
    """Board coordinates (tile sides) as cells of a heatmap of that stride over the rectified board."""
    return (x + MARGIN_TILES) * TILE_PX / stride - 0.5, (y + MARGIN_TILES) * TILE_PX / stride - 0.5


def cells_to_board(x: float, y: float, stride: int) -> tuple[float, float]:
    """Cells of a heatmap of that stride over the rectified board as board coordinates (tile sides)."""
    return (x + 0.5) * stride / TILE_PX - MARGIN_TILES, (y + 0.5) * stride / TILE_PX - MARGIN_TILES
