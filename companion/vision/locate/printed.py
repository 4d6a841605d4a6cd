"""The sultanate drawn on a printed card, told from one of tiles by where the card's code lies beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.load import Picture
from companion.vision.locate.codes import SeenCode, codes_in
from companion.vision.locate.grid import HALF_TURN, Lattice
from companion.vision.numerics import Points, project

CODE_SIDES_TILES = (0.9, 4.5)
"""A card's code is so many of its drawn tiles wide: 1.3 on A4, 1.5 on Letter, 1.4 and 1.6 in the first cards. Beside
tiles of the game it is half a tile wide."""

CODE_PLACE_TILES = ((4.0, 6.0), (12.0, 15.0))
"""Between these places, in board coordinates, the middle of a card's code lies: (6.6, 8.1) on A4, (8, 8.6) on Letter,
(5.6, 7.9) in the first cards; with a template of one's own it may be farther."""

MOST_ASKEW = np.sin(np.radians(15))
"""A code is printed straight below the drawn board; so much of its side may run across that, of a curled page."""

WINDOW_TILES = ((4.0, 6.3), (10.0, 10.6))
"""Where a card's code is looked for once more, in board coordinates: left and top, right and bottom."""

WINDOW_TILE_PX = 150
"""How large a tile is where it is looked for."""

SHARPENED, SHARPENED_PX = 3.0, 5.0
"""How much of what is finer than so many px is added there: of blurred codes one in three more can be read."""


def is_drawn(lattice: Lattice, codes: Sequence[SeenCode]) -> bool:
    """Whether the sultanate found in a photo is the drawing on a card that has one of these codes."""
    to_board = np.asarray(np.linalg.inv(lattice.homography), dtype=np.float64)
    cards = [project(to_board, code.corners) for code in codes if code.is_ours or not code.text]
    return any(_is_cards(corners) for card in cards for corners in (card, project(HALF_TURN, card)))


def _is_cards(corners: Points) -> bool:
    """Whether a code with these corners in board coordinates is that of a card on which the board is drawn."""
    middle = corners.mean(axis=0)
    across = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[3] + corners[2] - corners[0] - corners[1]) / 2
    width, height = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    least, most = CODE_SIDES_TILES
    return bool(
        (CODE_PLACE_TILES[0] < middle).all()
        and (middle < CODE_PLACE_TILES[1]).all()
        and least < min(width, height)
        and max(width, height) < most
        and across[0] > 0
        and down[1] > 0
        and abs(across[1]) < MOST_ASKEW * width
        and abs(down[0]) < MOST_ASKEW * height
    )


def find_cards_code(photo: Picture, lattice: Lattice) -> list[SeenCode]:
    """The codes, read or not, where a card has its own if the sultanate found in the photo is the drawing on it."""
    size = tuple(round((far - near) * WINDOW_TILE_PX) for near, far in zip(*WINDOW_TILES, strict=True))
    (left, top), tile = WINDOW_TILES[0], WINDOW_TILE_PX
    to_window = np.array([[tile, 0, -left * tile], [0, tile, -top * tile], [0, 0, 1]], dtype=np.float64)
    found: list[SeenCode] = []
    for homography in (lattice.homography, lattice.homography @ HALF_TURN):
        to_photo = homography @ np.linalg.inv(to_window)
        way = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        window = cv2.warpPerspective(photo, to_photo, size, flags=way)
        soft = cv2.GaussianBlur(window, (0, 0), SHARPENED_PX)
        sharp = np.asarray(cv2.addWeighted(window, 1 + SHARPENED, soft, -SHARPENED, 0), dtype=np.uint8)
        found += [replace(code, corners=project(to_photo, code.corners)) for code in codes_in(sharp)]
    return found
