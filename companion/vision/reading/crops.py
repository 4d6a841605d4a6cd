"""Pictures of single tiles and cards, straight from above, for a person to look at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, crop_tile, rectify
from companion.vision.cards.sight import CardSight
from companion.vision.cards.titles import Box
from companion.vision.load import Picture

RIM_TILES = 0.3
"""What is shown around a tile: pieces lean out of it, and neighbours help to find it."""

ZOOM = 2
GAP_PX = 8
CARD_PX = (192, 288)
"""Width and height of the picture of a card."""

TITLE_HEIGHT_PX = 96
TITLE_RIM = 0.6
"""What is shown around a title, in parts of its height."""


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


def card_picture(photo: Picture, card: CardSight) -> Picture:
    """A resource card upright and straight from above, `CARD_PX`."""
    wide, high = CARD_PX
    ideal = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(np.array(card.corners_px, dtype=np.float32), ideal)
    return np.asarray(cv2.warpPerspective(photo, warp, CARD_PX, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def title_picture(photo: Picture, box: Box) -> Picture:
    """A djinn's title as it lies in the photo, with a little around it."""
    left, top, width, height = box
    rim = round(TITLE_RIM * min(width, height))
    part = photo[max(top - rim, 0) : top + height + rim, max(left - rim, 0) : left + width + rim]
    zoom = TITLE_HEIGHT_PX / max(min(part.shape[:2]), 1)
    return np.asarray(cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


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
