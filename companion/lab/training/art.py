"""Tile art from a photo of the owner's empty tiles, for training only; it is never stored with the project."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import COLUMNS, Board
from companion.vision.load import Picture

ART_PX = 400
EDGE_TILES = 0.012
"""Cut this far inside each tile's lattice cell, in tile sides: the gaps between tiles are not art."""


def cut_tiles(photo: Picture, homography: NDArray[np.float64], board: Board) -> dict[str, list[Picture]]:
    """The pictures of the thirty empty tiles of a photo by kind, `ART_PX` a side, upright.

    `homography` maps board coordinates (tile sides) to px, `board` says which tile lies where.
    """
    art: dict[str, list[Picture]] = {}
    inner = 1 - 2 * EDGE_TILES
    for square, tile in enumerate(board):
        row, column = divmod(square, COLUMNS)
        to_board = np.array(
            [[inner / ART_PX, 0, column + EDGE_TILES], [0, inner / ART_PX, row + EDGE_TILES], [0, 0, 1]]
        )
        picture = cv2.warpPerspective(
            photo,
            homography @ to_board,
            (ART_PX, ART_PX),
            flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        art.setdefault(tile.kind.code, []).append(np.asarray(picture, dtype=np.uint8))
    return art
