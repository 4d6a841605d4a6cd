"""Pictures of single tiles, straight from above, for a person to look at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.board import COLUMNS
from companion.vision.load import Picture
from companion.vision.rectify import MARGIN_TILES, TILE_PX, crop_tile, rectify

RIM_TILES = 0.3
"""What is shown around a tile: pieces lean out of it, and neighbours help to find it."""

ZOOM = 2
GAP_PX = 8


def tile_pictures(
    views: Iterable[tuple[Picture, NDArray[np.float64]]], squares: Collection[int]
) -> dict[int, tuple[Picture, Picture]]:
    """For each square the picture to keep, of the first view, and the picture to look at, of all side by side.

    `views` are photos of the board with their homographies from board coordinates to px.
    """
    boards = [rectify(photo, homography) for photo, homography in views]
    return {
        square: (crop_tile(boards[0], square), _beside([_wide(board, square) for board in boards]))
        for square in squares
    }


def encode_crops(pictures: Mapping[str, Picture]) -> dict[str, bytes]:
    """Pictures by name as PNG files' bytes."""
    return {name: cv2.imencode(".png", picture)[1].tobytes() for name, picture in pictures.items()}


def _wide(board: Picture, square: int) -> Picture:
    row, column = divmod(square, COLUMNS)
    left = round((column + MARGIN_TILES - RIM_TILES) * TILE_PX)
    top = round((row + MARGIN_TILES - RIM_TILES) * TILE_PX)
    side = round((1 + 2 * RIM_TILES) * TILE_PX)
    crop = board[top : top + side, left : left + side]
    return np.asarray(cv2.resize(crop, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _beside(pictures: list[Picture]) -> Picture:
    gap = np.zeros((pictures[0].shape[0], GAP_PX, 3), np.uint8)
    parts = [part for picture in pictures for part in (picture, gap)]
    return np.asarray(np.hstack(parts[:-1]), dtype=np.uint8)
