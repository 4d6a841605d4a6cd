"""Figures as different printers set them: outlines of fonts, strokes of pens."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files

import cv2
import numpy as np

from companion.lab.rendering.textures import Image
from companion.lab.tiles.sketch import Colour, Points, Sketch, smooth

_TALL_PX = 96
"""Figures are made this tall and brought to size afterwards."""

_ROOM_PX = 48
"""Room around a figure for its weight and its slant."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """How figures are set: a family of `NUMERALS`, widened by `stretch`, slanted by `shear`, as heavy as `weight`."""

    family: str
    stretch: float
    shear: float
    weight: float


def _blank(text: str, advance: float) -> Image:
    wide = round(_TALL_PX * (advance * len(text))) + 2 * _ROOM_PX
    return np.zeros((_TALL_PX + 2 * _ROOM_PX, wide), np.uint8)


def _hershey(face: int, heavy: float = 14) -> Callable[[str, float], Image]:
    """In one of OpenCV's own faces, with a pen so many px wide."""

    def mask(text: str, weight: float) -> Image:
        canvas = _blank(text, 1.0)
        scale = _TALL_PX / cv2.getTextSize("0", face, 1, 1)[0][1]
        pen = max(round(heavy * weight), 2)
        cv2.putText(canvas, text, (_ROOM_PX, _ROOM_PX + _TALL_PX), face, scale, 255, pen, cv2.LINE_AA)
        return canvas

    return mask


def _serif(text: str, weight: float) -> Image:
    """In a font of the package."""
    from PIL import Image as Pictures
    from PIL import ImageDraw, ImageFont

    content = (files("companion.printing") / "fonts" / "PTSerif-Bold.ttf").read_bytes()
    font = ImageFont.truetype(io.BytesIO(content), round(_TALL_PX * 1.38))
    height, width = _blank(text, 0.9).shape
    page = Pictures.new("L", (width, height))
    ImageDraw.Draw(page).text((_ROOM_PX, _ROOM_PX + _TALL_PX), text, 255, font, anchor="ls")
    canvas = np.asarray(page, np.uint8)
    heavier = round(9 * (weight - 0.8))
    if heavier > 0:
        canvas = np.asarray(cv2.dilate(canvas, np.ones((heavier, heavier), np.uint8)), np.uint8)
    return canvas


def _stencilled(text: str, weight: float) -> Image:
    """Cut with gaps, as on a crate."""
    canvas = _hershey(cv2.FONT_HERSHEY_SIMPLEX, 18)(text, weight)
    canvas[_ROOM_PX + _TALL_PX // 2 - 4 : _ROOM_PX + _TALL_PX // 2 + 4] = 0
    return canvas


NUMERALS: Mapping[str, Callable[[str, float], Image]] = {
    "serif-bold": _serif,
    "script": _hershey(cv2.FONT_HERSHEY_SCRIPT_COMPLEX),
    "felt-pen": _hershey(cv2.FONT_HERSHEY_DUPLEX, 16),
    "brush": _hershey(cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 20),
    "stencil": _stencilled,
}
"""Draws a text in a mask (uint8, any size) with a weight (about 1), by family."""


def set_figures(
    sketch: Sketch,
    text: str,
    place: tuple[float, float],
    tall: float,
    lettering: Lettering,
    fill: Colour,
    rim: Colour | None = None,
) -> None:
    """Set figures centred on a place of a sketch, that tall, with a rim or none; shares of the sheet's side."""
    mask = NUMERALS[lettering.family](text, lettering.weight)
    slant = np.array([[lettering.stretch, -lettering.shear, 40.0 * abs(lettering.shear)], [0, 1, 0]], np.float32)
    size = (round(mask.shape[1] * lettering.stretch + 80 * abs(lettering.shear)) + 1, mask.shape[0])
    mask = np.asarray(cv2.warpAffine(mask, slant, size), np.uint8)
    rows, columns = np.nonzero(mask.max(1))[0], np.nonzero(mask.max(0))[0]
    mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = tall * sketch.side / mask.shape[0]
    size = (max(round(mask.shape[1] * scale), 1), max(round(mask.shape[0] * scale), 1))
    mask = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)
    edge = max(round(0.016 * sketch.side), 1)
    mask = np.asarray(cv2.copyMakeBorder(mask, edge, edge, edge, edge, cv2.BORDER_CONSTANT), np.uint8)
    if rim is not None:
        _stamp(sketch, np.asarray(cv2.dilate(mask, np.ones((edge, edge), np.uint8)), np.uint8), place, rim)
    _stamp(sketch, mask, place, fill)


def _stamp(sketch: Sketch, mask: Image, place: tuple[float, float], colour: Colour) -> None:
    """Colour what a mask covers, its middle on a place; what is off the sheet is cut."""
    height, width = mask.shape
    left, top = round(place[0] * sketch.side - width / 2), round(place[1] * sketch.side - height / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, sketch.side), min(top + height, sketch.side)
    if x0 >= x1 or y0 >= y1:
        return
    share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    part = sketch.sheet[y0:y1, x0:x1]
    part[...] = (part * (1 - share) + np.asarray(colour, np.float32) * share).astype(np.uint8)


def ring(x: float, y: float, reach: float, corners: int, turn: float = 0.0, inner: float | None = None) -> Points:
    """A regular polygon around a place, a star where every other corner is only `inner` away."""
    angles = turn + 2 * np.pi * np.arange(corners) / corners
    far = np.full(corners, reach) if inner is None else np.where(np.arange(corners) % 2, inner, reach)
    return np.column_stack([x + far * np.sin(angles), y - far * np.cos(angles)])


def soft(points: Points) -> Points:
    """A closed outline with its corners a little rounded."""
    return smooth(points, 2)
