"""The board seen straight from above: one truth about geometry, for reading and for training alike."""

from __future__ import annotations

import cv2
import numpy as np

from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.numerics import Float64, scaled_and_moved

TILE_PX = 128
"""Side of a tile on the rectified board, in px."""

MARGIN_TILES = 0.5
"""Rim around the rectified board, in tile sides: standing pieces lean out of their tiles."""

BOARD_SIZE_PX = (round((COLUMNS + 2 * MARGIN_TILES) * TILE_PX), round((ROWS + 2 * MARGIN_TILES) * TILE_PX))
"""Width and height of the rectified board."""

BEYOND = (40, 40, 40)
"""What lies beyond the photo's edge looks like a dark table: repeating the edge would smear pieces out of it."""

FLAT_PX, FLAT_LEVELS = 7, 3
"""Where all channels stay within this many of 255 levels over this many px, nothing is seen: it's burnt out or painted
over. Sensors' noise and printing leave hardly such a place on a photo of a table."""

WHITE_LEVEL = 250
HIDDEN_WHITE, HIDDEN_FLAT = 0.01, 0.08
"""The share of a tile from which a part of it counts as hidden: in burnt-out white, and flat in whatever colour beyond
the board's median, since photos that were shared often are smooth all over."""

_TO_RECTIFIED = scaled_and_moved(TILE_PX, MARGIN_TILES * TILE_PX, MARGIN_TILES * TILE_PX)


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
    """The part of a rectified board that shows a tile, and that much around it, in tile sides."""
    row, column = divmod(square, COLUMNS)
    left = round((column + MARGIN_TILES - rim_tiles) * TILE_PX)
    top = round((row + MARGIN_TILES - rim_tiles) * TILE_PX)
    side = round((1 + 2 * rim_tiles) * TILE_PX)
    return board[top : top + side, left : left + side]


def hidden_squares(board: Picture) -> frozenset[int]:
    """The tiles of a rectified board of which a part can't be seen: something shines there, or was laid over it."""
    around = np.ones((FLAT_PX, FLAT_PX), np.uint8)
    lowest = cv2.erode(board, around)
    flat = cv2.subtract(cv2.dilate(board, around), lowest).max(axis=2) <= FLAT_LEVELS
    white = lowest.min(axis=2) >= WHITE_LEVEL
    flat_share, white_share = (
        np.array([tile_within(part, square, 0.0).mean() for square in range(SQUARES)]) for part in (flat, white)
    )
    hidden = (white_share >= HIDDEN_WHITE) | (flat_share - np.median(flat_share) >= HIDDEN_FLAT)
    return frozenset(np.flatnonzero(hidden).tolist())


def board_to_cells(x: float, y: float, stride: int) -> tuple[float, float]:
    """Board coordinates (tile sides) as cells of a heatmap of that stride over the rectified board."""
    return (x + MARGIN_TILES) * TILE_PX / stride - 0.5, (y + MARGIN_TILES) * TILE_PX / stride - 0.5


def cells_to_board(x: float, y: float, stride: int) -> tuple[float, float]:
    """Cells of a heatmap of that stride over the rectified board as board coordinates (tile sides)."""
    return (x + 0.5) * stride / TILE_PX - MARGIN_TILES, (y + 0.5) * stride / TILE_PX - MARGIN_TILES
