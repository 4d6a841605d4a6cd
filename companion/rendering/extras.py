"""What else lies about on a table: coins, cards, mugs and blocks."""

from __future__ import annotations

import cv2
import numpy as np

from companion.rendering.camera import View
from companion.rendering.pieces import Cut, linear
from companion.rendering.scene import LYING, Extra
from companion.rendering.solids import Solid, build
from companion.rendering.surface import TILE_THICKNESS_MM
from companion.rendering.textures import Floats

_ROUND = 40


def _round(diameter: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    turn = 2 * np.pi * np.arange(_ROUND) / _ROUND
    return np.asarray(diameter / 2 * np.column_stack([np.cos(turn), 1 + np.sin(turn)]), np.float64)


def _oblong(width: float, depth: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([[-width / 2, 0], [width / 2, 0], [width / 2, depth], [-width / 2, depth]])


def extra_solids(extra: Extra, eye: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[Solid]:
    """The solids of an extra, on the table."""
    width, depth, height = extra.size
    outline = _round(width) if extra.kind in ("coin", "mug") else _oblong(width, depth)
    bevel = min(0.4, height / 3)
    cut = Cut(outline, height, bevel)
    gloss = 0.4 if extra.kind in ("coin", "mug") else 0.1
    place = (extra.x, extra.y, -TILE_THICKNESS_MM)
    return [build(cut, place, extra.angle, LYING, linear(extra.colour), eye, gloss=gloss, grain=0.02)]


def finish_extra(picture: Floats, extra: Extra, solid: Solid, view: View) -> None:
    """Paint what an extra shows on its upper face, into a linear picture in place."""
    middle = solid.inner.mean(0)
    if extra.kind == "mug":
        share, colour = 0.88, linear((24, 36, 60) if extra.colour[0] < 130 else (40, 90, 120))
    elif extra.kind == "card":
        share, colour = 0.86, linear([(c + 90) % 256 for c in extra.colour])
    elif extra.kind == "coin":
        share, colour = 0.7, linear([c * 0.8 for c in extra.colour])
    else:
        return
    ring = view.straight(middle + share * (solid.inner - middle))
    if extra.kind == "card":
        cv2.fillPoly(picture, [np.round(ring * 16).astype(np.int32)], (colour * 0.4).tolist(), cv2.LINE_8, 4)
        ring = view.straight(middle + 0.5 * (solid.inner - middle))
        colour = linear([255 - c for c in extra.colour])
    level = 0.6
    cv2.fillPoly(picture, [np.round(ring * 16).astype(np.int32)], (colour * level).tolist(), cv2.LINE_8, 4)
