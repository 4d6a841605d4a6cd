"""Boards drawn flat, as from straight above, with things lying about: many styles for little time.

A rendered photo takes a second and shows a style or three; a flat board takes a tenth of that. What pieces hide and
what light does is only hinted at: rendered photos have to be among the examples too.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.lab.rendering.boards import shuffled_kinds
from companion.lab.rendering.pieces import CAMEL_HSV, MEEPLE_HSV
from companion.lab.rendering.sketch import Colour, Points
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Floats, Image, smooth_noise
from companion.lab.rendering.tile_badges import MEEPLE_SHAPE
from companion.lab.tiles.frames import drawn_art
from companion.lab.tiles.numerals import ring
from companion.lab.tiles.papers import drawn
from companion.lab.tiles.unknown import UNKNOWN
from companion.lab.training.dataset import JPEG_QUALITY, NO_KIND, Example
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.board.kinds import KINDS
from companion.vision.board.tiles import TURNS

_TILE_PX = 128
_RIM_PX = _TILE_PX // 2
_ART_PX = 160
_SALT = 41_013

_FEW, _MANY = 15, 110
"""Things on a board."""


def _paint(rng: np.random.Generator) -> Colour:
    hues = [hsv[0] for hsv in (*MEEPLE_HSV.values(), *CAMEL_HSV.values())]
    hue = hues[int(rng.integers(len(hues)))] + float(rng.normal(0, 6))
    if rng.random() < 0.2:
        return drawn(rng, (0, 360), (0, 0.12), (0.1, 0.98))
    return drawn(rng, (hue, hue), (0.5, 0.95), (0.3, 0.95))


def _outline(rng: np.random.Generator) -> Points:
    if rng.random() < 0.6:
        return MEEPLE_SHAPE
    return ring(0, 0, 0.55, int(rng.integers(4, 11)), inner=float(rng.uniform(0.25, 0.55)))


def _litter(board: Image, rng: np.random.Generator) -> None:
    """Prisms that lean all the same way, as standing pieces do in a photo, each with its shadow."""
    lean = rng.normal(0, 0.16, 2) * _TILE_PX
    shade = rng.normal(0, 0.14, 2) * _TILE_PX
    height, width = board.shape[:2]
    for _ in range(int(rng.integers(_FEW, _MANY))):
        turn = float(rng.uniform(0, 2 * np.pi))
        frame = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        foot = _outline(rng) @ frame * float(rng.uniform(0.17, 0.3)) * _TILE_PX + rng.uniform((0, 0), (width, height))
        colour = _paint(rng)
        top = foot + (lean if rng.random() < 0.7 else 0.3 * lean)
        hull = cv2.convexHull(np.vstack([foot, foot + shade]).astype(np.int32))
        left, upper, wide, tall = cv2.boundingRect(hull)
        x0, y0, x1, y1 = max(left, 0), max(upper, 0), min(left + wide, width), min(upper + tall, height)
        if x0 >= x1 or y0 >= y1:
            continue
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, hull - [x0, y0], 110)
        part = board[y0:y1, x0:x1]
        part[...] = (part * (1 - cv2.blur(mask, (7, 7))[..., None] / np.float32(255))).astype(np.uint8)
        for share in np.linspace(0, 1, 5):
            dark = tuple(float(c) * 0.6 for c in colour)
            cv2.fillPoly(board, [(foot + share * (top - foot)).astype(np.int32)], dark, cv2.LINE_AA)
        cv2.fillPoly(board, [top.astype(np.int32)], colour, cv2.LINE_AA)


def _light(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Uneven light, what a board's pixels are multiplied by, (height, width, 1)."""
    shade = np.asarray(1 + float(rng.uniform(0, 0.2)) * smooth_noise(rng, size, (3, 3)), np.float32)
    return np.clip(shade, 0.35, 1.6)[..., None]


def flat_example(seed: int, outside: Art | None, fonts: Sequence[str] = ()) -> Example:
    """A board in a made-up style (or of `outside` art and our own) as an example; `feet` are not told: it has none."""
    rng = np.random.default_rng((_SALT, seed))
    art = drawn_art(rng, outside, _ART_PX, fonts)
    known = [KINDS.index(kind) for kind in shuffled_kinds(rng)]
    turned = rng.random() < 0.3
    strange = rng.random(SQUARES) < (0.0 if rng.random() < 0.35 else float(rng.uniform(0.05, 0.4)))
    kinds, turns = np.zeros(SQUARES, dtype=np.int64), np.zeros(SQUARES, dtype=np.int64)
    board = np.full((ROWS * _TILE_PX + 2 * _RIM_PX, COLUMNS * _TILE_PX + 2 * _RIM_PX, 3), _paint(rng), np.uint8)
    for square in range(SQUARES):
        kinds[square] = NO_KIND if strange[square] else known[square]
        turns[square] = int(rng.integers(TURNS)) if turned else 0
        pictures = art[UNKNOWN if strange[square] else KINDS[known[square]].code]
        picture = np.rot90(pictures[int(rng.integers(len(pictures)))], -int(turns[square]))
        row, column = divmod(square, COLUMNS)
        side = round(_TILE_PX * float(rng.uniform(0.95, 1.0)))
        tile = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        left, top = _RIM_PX + column * _TILE_PX, _RIM_PX + row * _TILE_PX
        left, top = (int(v + rng.integers(0, _TILE_PX - side + 1)) for v in (left, top))
        board[top : top + side, left : left + side] = tile
    _litter(board, rng)
    lit = np.clip(board * _light((board.shape[0], board.shape[1]), rng), 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        spot = rng.uniform((0, 0), (lit.shape[1], lit.shape[0])).astype(int).tolist()
        glare = np.zeros(lit.shape[:2], np.uint8)
        cv2.circle(glare, spot, int(rng.integers(40, 220)), int(rng.integers(60, 200)), -1)
        lit = np.asarray(cv2.add(lit, cv2.cvtColor(cv2.blur(glare, (91, 91)), cv2.COLOR_GRAY2BGR)), np.uint8)
    _, jpeg = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    homography = np.array([[_TILE_PX, 0, _RIM_PX], [0, _TILE_PX, _RIM_PX], [0, 0, 1]], dtype=np.float64)
    nothing = np.zeros((0, 4), dtype=np.float64)
    return Example(jpeg.ravel(), homography, nothing, np.zeros(0, dtype=np.int64), kinds, turns)
