"""Pictures of tiles: of our own drawing, or cut from a photo of the owner's tiles.

Our own have the publisher's signs in the publisher's places, and nothing of its art. What is cut from a photo is for
training only and is never stored with the project.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.textures import Image
from companion.rules.model.board import COLUMNS, Board
from companion.rules.model.components import TILE_KINDS
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import is_known_half_turned, score_tiles
from companion.vision.load import Picture
from companion.vision.locate.grid import HALF_TURN
from companion.vision.numerics import scaled_and_moved

ART_PX = 400

DISC, BADGE = (0.815, 0.155), (0.24, 0.77)
"""The middles of a tile's value and of its sign, as shares of its side."""

_PICTURES, _ROWS = 3, 4
"""Pictures of each kind side by side on the sheet, and kinds below one another; then the next column of kinds."""

EDGE_TILES = 0.012
"""Cut this far inside each tile's lattice cell, in tile sides: the gaps between tiles are not art."""


@cache
def standard_art() -> dict[str, tuple[Image, ...]]:
    """The project's own set of tiles: three pictures (BGR, `ART_PX` a side) of each kind, from `tiles.webp`."""
    sheet = np.asarray(cv2.imread(str(Path(__file__).with_name("tiles.webp"))), np.uint8)
    art = {}
    for number, code in enumerate(TILE_KINDS):
        column, row = divmod(number, _ROWS)
        strip = sheet[
            row * ART_PX : (row + 1) * ART_PX, column * _PICTURES * ART_PX : (column + 1) * _PICTURES * ART_PX
        ]
        art[code] = tuple(np.ascontiguousarray(picture) for picture in np.hsplit(strip, _PICTURES))
    return art


def upright(photo: Picture, homography: NDArray[np.float64], board: Board) -> NDArray[np.float64]:
    """The homography of a photo's sultanate as its `board` is told: what finds it may have it half-turned."""
    turned = is_known_half_turned(score_tiles(rectify(photo, homography)).probabilities, board)
    return np.asarray(homography @ HALF_TURN) if turned else homography


def cut_tiles(photo: Picture, homography: NDArray[np.float64], board: Board) -> dict[str, list[Picture]]:
    """The pictures of the thirty empty tiles of a photo by kind, `ART_PX` a side, upright.

    `homography` maps board coordinates (tile sides) to px, `board` says which tile lies where.
    """
    art: dict[str, list[Picture]] = {}
    inner = 1 - 2 * EDGE_TILES
    for square, tile in enumerate(board):
        row, column = divmod(square, COLUMNS)
        to_board = scaled_and_moved(inner / ART_PX, column + EDGE_TILES, row + EDGE_TILES)
        picture = cv2.warpPerspective(
            photo,
            homography @ to_board,
            (ART_PX, ART_PX),
            flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        art.setdefault(tile.kind.code, []).append(np.asarray(picture, dtype=np.uint8))
    return art
