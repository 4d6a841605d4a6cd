"""The outlines of letters, read from TrueType fonts, for pictures whose viewers may not have the font."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

from reportlab.pdfbase import pdfmetrics

_ON_CURVE, _X_SHORT, _Y_SHORT, _REPEAT, _X_SAME, _Y_SAME = 1, 2, 4, 8, 16, 32
_WORDS, _OFFSETS, _SCALE, _MORE, _SCALES, _MATRIX = 1, 2, 8, 32, 64, 128
_DEEPEST = 6
"""How deep letters may be put together from others."""

_Contour = list[tuple[float, float, bool]]
"""Points and whether the outline passes through them."""


@lru_cache(maxsize=64)
def units_per_em(font: str) -> int:
    """How many units of its outlines a font's em has; `font` is a name that reportlab knows."""
    return int(struct.unpack(">H", pdfmetrics.getFont(font).face.get_table("head")[18:20])[0])


@lru_cache(maxsize=4096)
def letter_path(font: str, letter: str) -> str:
    """The outline of a letter as the data of an SVG path, in the font's units with y upwards; "" for a space."""
    face = pdfmetrics.getFont(font).face
    return "".join(_as_path(contour) for contour in _contours(font, face.charToGlyph.get(ord(letter), 0)))


def letter_width(font: str, letter: str) -> float:
    """How far the next letter stands, in the font's units."""
    return float(pdfmetrics.stringWidth(letter, font, units_per_em(font)))


def _contours(font: str, glyph: int, depth: int = 0) -> list[_Contour]:
    face = pdfmetrics.getFont(font).face
    start, end = face.glyphPos[glyph], face.glyphPos[glyph + 1]
    data = face.get_table("glyf")[start:end]
    if len(data) < 10 or depth > _DEEPEST:
        return []
    (number,) = struct.unpack(">h", data[:2])
    return _simple(data, number) if number >= 0 else _composed(font, data, depth)


def _simple(data: bytes, number: int) -> list[_Contour]:
    ends = struct.unpack(f">{number}H", data[10 : 10 + 2 * number])
    at = 10 + 2 * number
    at += 2 + struct.unpack(">H", data[at : at + 2])[0]
    count = ends[-1] + 1 if ends else 0
    flags: list[int] = []
    while len(flags) < count:
        flag = data[at]
        at += 1
        flags.append(flag)
        if flag & _REPEAT:
            flags += [flag] * data[at]
            at += 1
    across, at = _coordinates(data, at, flags, _X_SHORT, _X_SAME)
    up, at = _coordinates(data, at, flags, _Y_SHORT, _Y_SAME)
    points = [
        (float(x), float(y), bool(flag & _ON_CURVE)) for x, y, flag in zip(across, up, flags[:count], strict=True)
    ]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return [points[first : last + 1] for first, last in zip(starts, ends, strict=True)]


def _coordinates(data: bytes, at: int, flags: Sequence[int], short: int, same: int) -> tuple[list[int], int]:
    """One coordinate of all points: each is told by how far it is from the one before."""
    value, found = 0, []
    for flag in flags:
        if flag & short:
            value += data[at] if flag & same else -data[at]
            at += 1
        elif not flag & same:
            value += struct.unpack(">h", data[at : at + 2])[0]
            at += 2
        found.append(value)
    return found, at


def _composed(font: str, data: bytes, depth: int) -> list[_Contour]:
    """A letter that is put together from others, such as one with an accent."""
    found: list[_Contour] = []
    at, flags = 10, _MORE
    while flags & _MORE:
        flags, glyph = struct.unpack(">HH", data[at : at + 4])
        at += 4
        pair, size = (">hh", 4) if flags & _WORDS else (">bb", 2)
        dx, dy = struct.unpack(pair, data[at : at + size]) if flags & _OFFSETS else (0, 0)
        at += size
        numbers = 4 if flags & _MATRIX else 2 if flags & _SCALES else 1 if flags & _SCALE else 0
        told = [value / 16384 for value in struct.unpack(f">{numbers}h", data[at : at + 2 * numbers])]
        at += 2 * numbers
        match told:
            case [scale]:
                a, b, c, d = scale, 0.0, 0.0, scale
            case [across, up]:
                a, b, c, d = across, 0.0, 0.0, up
            case [a, b, c, d]:
                pass
            case _:
                a, b, c, d = 1.0, 0.0, 0.0, 1.0
        for contour in _contours(font, glyph, depth + 1):
            found.append([(a * x + c * y + dx, b * x + d * y + dy, on) for x, y, on in contour])
    return found


def _as_path(contour: _Contour) -> str:
    """A contour as path data; between two points off the curve lies one on it."""
    if not contour:
        return ""
    first = next((place for place, point in enumerate(contour) if point[2]), None)
    if first is None:
        middle = _middle(contour[-1], contour[0])
        turned = [(*middle, True), *contour]
    else:
        turned = contour[first:] + contour[:first]
    parts = [f"M{turned[0][0]:g} {turned[0][1]:g}"]
    off: tuple[float, float, bool] | None = None
    for point in [*turned[1:], turned[0]]:
        if off is None:
            if point[2]:
                parts.append(f"L{point[0]:g} {point[1]:g}")
        else:
            x, y = point[:2] if point[2] else _middle(off, point)
            parts.append(f"Q{off[0]:g} {off[1]:g} {x:g} {y:g}")
        off = None if point[2] else point
    return "".join(parts) + "Z"


def _middle(one: tuple[float, float, bool], other: tuple[float, float, bool]) -> tuple[float, float]:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
