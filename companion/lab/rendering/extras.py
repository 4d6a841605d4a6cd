"""What else lies about on a table: coins, cards, mugs and blocks."""

from __future__ import annotations

import cv2
import numpy as np

from companion.lab.rendering.camera import TILE_THICKNESS_MM, Reals, View, turned
from companion.lab.rendering.pieces import Cut, Finish, linear
from companion.lab.rendering.scene import LYING, Extra
from companion.lab.rendering.solids import Solid, build
from companion.lab.rendering.textures import Floats, Image

_ROUND = 40


def _round(diameter: float) -> Reals:
    turn = 2 * np.pi * np.arange(_ROUND) / _ROUND
    return np.asarray(diameter / 2 * np.column_stack([np.cos(turn), 1 + np.sin(turn)]), np.float64)


def _oblong(width: float, depth: float) -> Reals:
    return np.array([[-width / 2, 0], [width / 2, 0], [width / 2, depth], [-width / 2, depth]])


def extra_solids(extra: Extra, eye: Reals) -> list[Solid]:
    """The solids of an extra on the table; none for a card, which is flat."""
    if extra.kind == "card":
        return []
    width, depth, height = extra.size
    outline = _round(width) if extra.kind in ("coin", "mug") else _oblong(width, depth)
    cut = Cut(outline, height, min(0.4, height / 3))
    finish = Finish(None, 0.4 if extra.kind in ("coin", "mug") else 0.1, 0.02)
    place = (extra.x, extra.y, -TILE_THICKNESS_MM)
    return [build(cut, place, extra.angle, LYING, linear(extra.colour), finish, eye)]


def card_picture(extra: Extra) -> Image:
    """The face of a card, BGR: a pale rim, a tinted panel with a round medal, signs in two corners."""
    wide, high = 150, max(round(150 * extra.size[1] / extra.size[0]), 1)
    colour = np.asarray(extra.colour)
    panel = 0.55 * colour + 0.45 * np.array([120, 150, 165])
    picture = np.full((high, wide, 3), (206, 224, 232), np.uint8)
    cv2.rectangle(picture, (9, 9), (wide - 10, high - 10), panel.tolist(), -1)
    middle = (wide // 2, high // 2)
    cv2.circle(picture, middle, 44, (0.5 * panel + 110).tolist(), -1, cv2.LINE_AA)
    cv2.circle(picture, middle, 44, (40, 60, 80), 3, cv2.LINE_AA)
    seed = round(extra.angle * 1000) + round(extra.x)
    rng = np.random.default_rng(abs(seed))
    for _ in range(9):
        spot = np.asarray(middle) + rng.normal(0, 15, 2)
        hue = (0.6 * rng.uniform(20, 220, 3) + 0.4 * panel).tolist()
        size = int(rng.integers(6, 16))
        axes, turn = (size, size // 2 + 2), float(rng.uniform(0, 180))
        cv2.ellipse(picture, spot.astype(int).tolist(), axes, turn, 0, 360, hue, -1, cv2.LINE_AA)
    for corner in ((24, 24), (wide - 25, high - 25)):
        cv2.circle(picture, corner, 11, (214, 232, 238), -1, cv2.LINE_AA)
        cv2.circle(picture, corner, 11, (60, 80, 100), 2, cv2.LINE_AA)
    return picture


def card_corners(extra: Extra) -> Reals:
    """Corners (4, 3) of a card in mm, from its top left clockwise as printed."""
    flat = _oblong(extra.size[0], extra.size[1]) - [0, extra.size[1] / 2]
    place = turned(flat, extra.angle) + [extra.x, extra.y]
    return np.column_stack([place, np.full(4, extra.size[2] - TILE_THICKNESS_MM)])


def finish_extra(picture: Floats, extra: Extra, solid: Solid, view: View) -> None:
    """Stain the upper face of a coin or a mug, in place: the relief of the one, the drink in the other."""
    share, stain = {"mug": (0.88, (0.25, 0.35, 0.5)), "coin": (0.72, (0.8, 0.8, 0.8))}.get(extra.kind, (0.0, ()))
    if not stain:
        return
    middle = solid.inner.mean(0)
    ring = np.round(view.straight(middle + share * (solid.inner - middle)))
    (left, top), (right, bottom) = np.maximum(ring.min(0), 0).astype(int), np.maximum(ring.max(0) + 1, 0).astype(int)
    part = picture[top:bottom, left:right]
    if part.size == 0:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [(ring - (left, top)).astype(np.int32)], 1)
    part *= 1 - mask[..., None] * (1 - np.asarray(stain, np.float32))
