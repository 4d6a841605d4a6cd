"""Hands and other things drawn over photos of a board, for the reader to notice that they're no part of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.lab.rendering.textures import Floats, Image, rough_noise, table_texture
from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.rectify import rectify
from companion.vision.networks import white_level
from companion.vision.numerics import Float64, scaled_and_moved

TILE_PX, AROUND_TILES = 64, 4.0
"""A tile, and the rim around the board, in the picture that an obstacle is drawn in, as seen from above."""

_SIZE = round((ROWS + 2 * AROUND_TILES) * TILE_PX), round((COLUMNS + 2 * AROUND_TILES) * TILE_PX)
_TO_BOARD = scaled_and_moved(1 / TILE_PX, -AROUND_TILES, -AROUND_TILES)
_Y, _X = ((np.mgrid[: _SIZE[0], : _SIZE[1]] / TILE_PX) - AROUND_TILES).astype(np.float32)

_SKINS = (
    (196, 222, 250),
    (150, 182, 226),
    (124, 160, 210),
    (98, 134, 190),
    (74, 106, 160),
    (54, 80, 128),
    (32, 44, 72),
)
"""From light to dark, BGR."""

_PALM, _FINGERS, _KNUCKLES = 1.45, np.array([1.2, 1.4, 1.3, 1.0]), (-0.45, -0.15, 0.15, 0.43)
"""The lengths of a palm and its fingers, and how far aside each of these begins, in tile sides."""

_CURLED = ((0, 0.8, 0.85, 0.9), (0.35, 0.5, 0.7, 0.75), (0, 0, 0, 0), (0.95, 0.95, 0.95, 0.95))
"""How far each finger is curled: of a hand that points, holds something, lies open, is a fist."""

_Limb = tuple[float, float, float, float, float, float]
"""From where to where (x, y, x, y), and how thick at either end."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something seen from above, in a picture of `TILE_PX` a tile: its colours, BGR, how far it covers, 0 to 1, and
    how high it is in tile sides.
    """

    colours: Floats
    covers: Floats
    height: float

    def shares(self, cells: int = 1, rim_tiles: float = 0.0) -> Floats:
        """How much of each cell is covered, so many a tile side, of the board with a rim around it: (rows, columns)."""
        first, side = round((AROUND_TILES - rim_tiles) * TILE_PX), TILE_PX // cells
        rows, columns = (round((tiles + 2 * rim_tiles) * cells) for tiles in (ROWS, COLUMNS))
        board = self.covers[first : first + rows * side, first : first + columns * side]
        return np.asarray(board.reshape(rows, side, columns, side).mean(axis=(1, 3)), np.float32)


def draw_obstacle(rng: np.random.Generator) -> Obstacle:
    """A hand that reaches over one to nine tiles, or in one of three cases something that lies on them."""
    while True:
        drawn = _thing(rng) if rng.random() < 1 / 3 else _hand(rng)
        if 1 <= int((drawn.shares() > 0.3).sum()) <= 9:
            return drawn


def lay_over(photo: Image, homography: Float64, obstacle: Obstacle, rng: np.random.Generator) -> Image:
    """A photo with something over the board, in its light and with its shadow."""
    size, onto = (photo.shape[1], photo.shape[0]), homography @ _TO_BOARD
    middle = abs(homography[2] @ (COLUMNS / 2, ROWS / 2, 1.0))
    tile_px = float(np.sqrt(abs(np.linalg.det(homography)) / middle**3))
    covers = cv2.warpPerspective(obstacle.covers, onto, size, flags=cv2.INTER_AREA)
    colours = cv2.warpPerspective(obstacle.colours, onto, size) * (white_level(rectify(photo, homography)) / 235)
    angle, away = rng.uniform(0, 2 * np.pi), obstacle.height * tile_px
    shift = np.array([[1, 0, away * np.cos(angle)], [0, 1, away * np.sin(angle)]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(covers, shift, size), (0, 0), max(1.0, away / 2))
    blur = rng.uniform(0.4, 1.3) * tile_px / 150
    blurred, over = cv2.GaussianBlur(colours, (0, 0), blur), cv2.GaussianBlur(covers, (0, 0), blur)[..., None]
    under = photo * (1 - rng.uniform(0.2, 0.6) * shadow[..., None])
    laid = under * (1 - over) + (blurred + rng.normal(0, rng.uniform(1, 4), photo.shape)) * over
    return np.asarray(np.clip(laid, 0, 255), np.uint8)


def _hand(rng: np.random.Generator) -> Obstacle:
    """A hand and its arm from any side, bare or in a sleeve."""
    side, reach, along = int(rng.integers(4)), rng.uniform(-0.4, 3.2), rng.uniform(0.2, 0.8)
    x, y = along * COLUMNS, along * ROWS
    tip = np.array(((reach, y), (COLUMNS - reach, y), (x, reach), (x, ROWS - reach))[side])
    angle = (0.0, np.pi, np.pi / 2, -np.pi / 2)[side] + rng.normal(0, 0.45)
    scale = rng.uniform(0.85, 1.3)
    forward = scale * np.array([np.cos(angle), np.sin(angle)])
    axes = np.array([np.array([-forward[1], forward[0]]) * rng.choice([-1, 1]), forward])
    curled = np.clip(np.array(_CURLED[rng.integers(len(_CURLED))]) + rng.normal(0, 0.08, 4), 0, 1)
    wrist = tip - forward * (_PALM + max(_FINGERS * (1 - 0.75 * curled)))
    if rng.random() < 1 / 6:
        # An arm alone, that reaches beyond the board.
        wrist = wrist + forward * rng.uniform(2, 6)
    spread, thumb = rng.uniform(0.1, 0.8), rng.uniform(0.2, 1.1)
    x, y = -0.35 - 0.65 * np.sin(thumb), 0.55 + 0.65 * np.cos(thumb)
    limbs: list[_Limb] = [
        (0, 0.2, 0, -9, 0.42, 0.62),
        (-0.35, 0.55, x, y, 0.26, 0.18),
        (x, y, x - 0.5 * np.sin(thumb - 0.4), y + 0.5 * np.cos(thumb - 0.4), 0.18, 0.14),
    ]
    for knuckle, length, curl in zip(_KNUCKLES, _FINGERS, curled, strict=True):
        turn = spread * knuckle + rng.normal(0, 0.04)
        dx, dy = length / 2 * np.sin(turn), length / 2 * np.cos(turn)
        x, y = knuckle + dx * (1 - curl / 2), _PALM + dy * (1 - curl / 2)
        limbs.append((0.55 * knuckle, 0.1, knuckle, _PALM, 0.28, 0.21))
        limbs.append((knuckle, _PALM, x, y, 0.17, 0.15))
        limbs.append((x, y, x + dx * (1 - 1.6 * curl), y + dy * (1 - 1.6 * curl), 0.15, 0.12))
    heights = _heights(limbs, wrist, axes, scale)
    skin = np.array(_SKINS[rng.integers(len(_SKINS))]) * rng.uniform(0.9, 1.08) + rng.normal(0, 4, 3)
    colours = skin * (1 + 0.04 * rough_noise(rng, _SIZE, 5, 12)[..., None]) * _shading(heights, rng)
    if rng.random() < 0.75:
        wide = rng.uniform(0.58, 0.85)
        sleeve = (0, -rng.uniform(0.3, 2.7), rng.normal(0, 0.3), -10, wide, wide * rng.uniform(1, 1.4))
        cloth = _heights([sleeve], wrist, axes, scale)
        folds = np.where(cloth > 0, cloth + 0.1 * rough_noise(rng, _SIZE, 3, 30), 0)
        colours = np.where(cloth[..., None] > 0, _stuff(rng) * _shading(folds, rng), colours)
        heights = np.maximum(heights, cloth)
    return Obstacle(np.asarray(colours, np.float32), _edged(heights > 0), rng.uniform(0.15, 0.6))


def _thing(rng: np.random.Generator) -> Obstacle:
    """A cup, a phone, a book or a sheet of paper, or anything else of that shape."""
    angle, other = rng.uniform(0, np.pi), rng.uniform(1.0, 4.2, 2)
    wide, long = ((1.1, 2.3), (other[0], other[1]))[int(rng.integers(2))]
    x, y = _X - rng.uniform(0, COLUMNS), _Y - rng.uniform(0, ROWS)
    across, down = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    colours, lies = _stuff(rng), (2 * abs(across) < wide) & (2 * abs(down) < long)
    match int(rng.integers(3)):
        case 0:
            away, inner = np.hypot(x, y) / rng.uniform(0.5, 1.5), rng.uniform(0.6, 0.9)
            lies, rim = away < 1, _shading(np.maximum(abs(away - inner), 0.1), rng)
            colours = np.where((away < inner)[..., None], rng.uniform(10, 240, 3), rng.uniform(10, 250, 3)) * rim
        case 1:
            colours = np.full((*_SIZE, 3), rng.uniform(200, 250), np.float32)
            lines = np.sin(down * rng.uniform(12, 30)) > 0.55
            colours[lines & (rough_noise(rng, _SIZE, 2, 150) > rng.uniform(-0.6, 3))] *= rng.uniform(0.2, 0.6)
    return Obstacle(np.asarray(colours, np.float32), _edged(lies), rng.uniform(0.02, 0.4))


def _stuff(rng: np.random.Generator) -> Floats:
    """Cloth, or anything else that has a colour or a pattern, over the whole picture."""
    texture = table_texture(("cloth", "plain", "pattern", "pattern", "blobs")[rng.integers(5)], rng)
    tint = rng.uniform(0.1, 1.6, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0.1, 1.6))
    return np.asarray(np.clip(texture[: _SIZE[0], : _SIZE[1]] * tint, 5, 250), np.float32)


def _heights(limbs: Sequence[_Limb], origin: Float64, axes: Float64, scale: float) -> Floats:
    """How high round limbs stand in tile sides, whose ends are in these axes."""
    heights = np.zeros(_SIZE, np.float32)
    for x0, y0, x1, y1, thick, thin in limbs:
        start, way = origin + (x0, y0) @ axes, (x1 - x0, y1 - y0) @ axes
        x, y = _X - start[0], _Y - start[1]
        along = np.clip((x * way[0] + y * way[1]) / (way @ way), 0, 1)
        aside = (x - along * way[0]) ** 2 + (y - along * way[1]) ** 2
        round_ = (scale * (thick + (thin - thick) * along)) ** 2 - aside
        np.maximum(heights, np.sqrt(np.maximum(round_, 0)), out=heights)
    return heights


def _shading(heights: ArrayLike, rng: np.random.Generator) -> Floats:
    """How bright a body of these heights is, (H, W, 1), in light from any side."""
    smooth = cv2.GaussianBlur(np.asarray(heights, np.float32), (0, 0), 0.02 * TILE_PX)
    slope_x, slope_y = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3) / 8 * TILE_PX for way in ((1, 0), (0, 1)))
    angle = rng.uniform(0, 2 * np.pi)
    towards = (0.8 - 0.5 * np.cos(angle) * slope_x - 0.5 * np.sin(angle) * slope_y) / np.hypot(0.8, 0.5)
    bright = 0.45 + 0.6 * towards / np.sqrt(1 + slope_x**2 + slope_y**2)
    return np.asarray(np.clip(bright, 0.12, 1.15)[..., None], np.float32)


def _edged(lies: NDArray[np.bool_]) -> Floats:
    """How far something covers what's under it: all of it, but for soft edges."""
    return np.asarray(cv2.GaussianBlur(lies.astype(np.float32), (0, 0), 1.0), np.float32)
