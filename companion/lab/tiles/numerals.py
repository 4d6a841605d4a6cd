"""Figures as different printers set them: outlines of fonts, strokes of pens, segments."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

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
    """How figures are set: a family, widened by `stretch`, slanted by `shear`, as heavy as `weight`.

    The family is one of `NUMERALS` or the path of a font file.
    """

    family: str
    stretch: float
    shear: float
    weight: float


_Strokes: TypeAlias = "tuple[tuple[tuple[float, float], ...], ...]"

# Strokes of each figure in a box 0.6 wide and 1 high, y down; our own.
_STROKES: dict[str, _Strokes] = {
    "0": (((0.3, 0), (0.02, 0.16), (0.02, 0.84), (0.3, 1), (0.58, 0.84), (0.58, 0.16), (0.3, 0)),),
    "1": (((0.08, 0.24), (0.34, 0.0), (0.34, 1.0)),),
    "2": (((0.04, 0.22), (0.16, 0.02), (0.46, 0.0), (0.58, 0.24), (0.5, 0.48), (0.02, 1.0), (0.6, 1.0)),),
    "3": (
        ((0.04, 0.12), (0.3, -0.02), (0.56, 0.2), (0.28, 0.47)),
        ((0.28, 0.47), (0.64, 0.72), (0.3, 1.02), (0.0, 0.86)),
    ),
    "4": (((0.44, 1.0), (0.44, 0.0), (0.0, 0.68), (0.6, 0.68)),),
    "5": (
        ((0.54, 0.0), (0.12, 0.0), (0.08, 0.44)),
        ((0.08, 0.44), (0.38, 0.34), (0.62, 0.66), (0.4, 1.0), (0.02, 0.92)),
    ),
    "6": (((0.5, 0.02), (0.2, 0.14), (0.0, 0.6), (0.16, 1.0), (0.46, 1.0), (0.6, 0.7), (0.4, 0.44), (0.06, 0.58)),),
    "8": (
        ((0.3, 0.46), (0.06, 0.3), (0.12, 0.02), (0.48, 0.02), (0.54, 0.3), (0.3, 0.46)),
        ((0.3, 0.46), (0.0, 0.68), (0.08, 1.0), (0.52, 1.0), (0.6, 0.68), (0.3, 0.46)),
    ),
}


def _rounded(points: Points, times: int) -> Points:
    """An open line with its corners rounded, its ends kept."""
    for _ in range(times):
        cut = np.stack([0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]], 1)
        points = np.vstack([points[:1], cut.reshape(-1, 2), points[-1:]])
    return points


def _blank(text: str, advance: float) -> Image:
    wide = round(_TALL_PX * (advance * len(text))) + 2 * _ROOM_PX
    return np.zeros((_TALL_PX + 2 * _ROOM_PX, wide), np.uint8)


def _hershey(face: int) -> Callable[[str, float], Image]:
    def mask(text: str, weight: float) -> Image:
        canvas = _blank(text, 1.0)
        scale = _TALL_PX / cv2.getTextSize("0", face, 1, 1)[0][1]
        cv2.putText(
            canvas, text, (_ROOM_PX, _ROOM_PX + _TALL_PX), face, scale, 255, max(round(14 * weight), 2), cv2.LINE_AA
        )
        return canvas

    return mask


@cache
def _font(name: str) -> object:
    """A font of the package by its file's name, or any by its path."""
    from PIL import ImageFont

    path = Path(name)
    content = (path if path.is_absolute() else files("companion.printing") / "fonts" / name).read_bytes()
    return ImageFont.truetype(io.BytesIO(content), round(_TALL_PX * 1.38))


def _outlined(name: str) -> Callable[[str, float], Image]:
    def mask(text: str, weight: float) -> Image:
        from PIL import Image as Pictures
        from PIL import ImageDraw

        height, width = _blank(text, 0.9).shape
        page = Pictures.new("L", (width, height))
        ImageDraw.Draw(page).text((_ROOM_PX, _ROOM_PX + _TALL_PX), text, 255, _font(name), anchor="ls")  # type: ignore[arg-type]
        canvas = np.asarray(page, np.uint8)
        heavier = round(9 * (weight - 0.8))
        if heavier > 0:
            canvas = np.asarray(cv2.dilate(canvas, np.ones((heavier, heavier), np.uint8)), np.uint8)
        return canvas

    return mask


def _penned(
    rounding: int, nib: tuple[float, float, float], strokes: Mapping[str, _Strokes] | None = None
) -> Callable[[str, float], Image]:
    """Drawn with a pen whose nib has a width, a height and an angle in degrees; `strokes` are `_STROKES` if None."""
    written = _STROKES if strokes is None else strokes

    def mask(text: str, weight: float) -> Image:
        canvas = _blank(text, 0.82)
        for number, figure in enumerate(text):
            for stroke in written[figure]:
                line = _rounded(np.asarray(stroke, np.float64), rounding)
                steps = np.vstack([np.linspace(a, b, 24) for a, b in zip(line[:-1], line[1:], strict=True)])
                for x, y in steps:
                    place = (_ROOM_PX + _TALL_PX * (x + 0.82 * number), _ROOM_PX + _TALL_PX * y)
                    half = (max(_TALL_PX * weight * nib[0], 2.0), max(_TALL_PX * weight * nib[1], 2.0))
                    cv2.ellipse(canvas, (place, (2 * half[0], 2 * half[1]), nib[2]), 255, -1, cv2.LINE_AA)
        return canvas

    return mask


def _stencilled(text: str, weight: float) -> Image:
    """Cut with gaps, as on a crate."""
    canvas = _penned(1, (0.1, 0.1, 0))(text, weight)
    for number in range(len(text)):
        middle = round(_ROOM_PX + _TALL_PX * (0.3 + 0.82 * number))
        canvas[:, middle - 3 : middle + 3] = 0
    return canvas


NUMERALS: Mapping[str, Callable[[str, float], Image]] = {
    "sans-bold": _outlined("PTSans-Bold.ttf"),
    "serif-bold": _outlined("PTSerif-Bold.ttf"),
    "script": _hershey(cv2.FONT_HERSHEY_SCRIPT_COMPLEX),
    "felt-pen": _penned(3, (0.09, 0.09, 0)),
    "brush": _penned(2, (0.06, 0.15, 25)),
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
