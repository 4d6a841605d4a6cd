"""Pictures of tiles: of our own drawing, or cut from a photo of the owner's tiles.

Our own have the publisher's signs in the publisher's places, and nothing of its art. What is cut from a photo is for
training only and is never stored with the project.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.sketch import CREAM, PALE, Sketch
from companion.lab.rendering.textures import Image, rough_noise
from companion.lab.rendering.tile_badges import badge, camel_spot, value_disc
from companion.lab.rendering.tile_pictures import PAINTERS
from companion.rules.model.board import COLUMNS, Board
from companion.rules.model.components import TILE_KINDS
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import is_known_half_turned, tile_probabilities
from companion.vision.load import Picture
from companion.vision.locate.grid import HALF_TURN

_FINE = 2
"""Tiles are drawn this many times finer than they are wanted."""

ART_PX = 400
_BORDER = 0.014

EDGE_TILES = 0.012
"""Cut this far inside each tile's lattice cell, in tile sides: the gaps between tiles are not art."""


def _ground(side: int, rng: np.random.Generator) -> Image:
    """Parchment: mottled, a little darker towards the edge, with a pale rim."""
    mottle = 0.035 * rough_noise(rng, (side, side), 4, 3) + 0.012 * rough_noise(rng, (side, side), 2, 60)
    across = np.abs(np.linspace(-1, 1, side, dtype=np.float32))
    edge = np.maximum(across[None], across[:, None])
    mottle -= 0.1 * np.clip((edge - 0.82) / 0.18, 0, 1) ** 2
    picture = np.asarray(CREAM, np.float32) * (1 + mottle[..., None])
    rim = np.clip((edge - (1 - 2 * _BORDER)) * side / 2, 0, 1)[..., None]
    picture = picture * (1 - rim) + np.asarray(PALE, np.float32) * rim
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def draw_tile(code: str, rng: np.random.Generator, side_px: int = ART_PX) -> Image:
    """A picture of an empty tile of that kind, BGR, (side_px, side_px, 3); no two draws are quite alike.

    Raises KeyError for an unknown code.
    """
    kind = TILE_KINDS[code]
    sketch = Sketch(side_px * _FINE, rng, CREAM)
    sketch.sheet = np.asarray(cv2.resize(_ground(side_px, rng), (sketch.side, sketch.side)), np.uint8)
    PAINTERS[code](sketch)
    camel_spot(sketch)
    badge(sketch, kind.action)
    value_disc(sketch, kind)
    return np.asarray(cv2.resize(sketch.sheet, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def standard_art(pictures: int = 3, side_px: int = ART_PX) -> dict[str, tuple[Image, ...]]:
    """The project's own set of tiles: so many pictures of each kind, always the same."""
    return {
        code: tuple(draw_tile(code, np.random.default_rng([number, copy]), side_px) for copy in range(pictures))
        for number, code in enumerate(TILE_KINDS)
    }


def upright(photo: Picture, homography: NDArray[np.float64], board: Board) -> NDArray[np.float64]:
    """The homography of a photo's sultanate as its `board` is told: what finds it may have it half-turned."""
    turned = is_known_half_turned(tile_probabilities(rectify(photo, homography)), board)
    return np.asarray(homography @ HALF_TURN) if turned else homography


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
