"""Little drawings of our own out of `drawings.toml`: icons, and an emblem for each djinn; all read in grey."""

from __future__ import annotations

import math
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.drawing.palette import PAPER
from companion.printing.core.geometry import GRID, PT_PER_MM, Box, Outline, parse_outline
from companion.printing.core.surface import MIN_TYPE_PT, Surface
from companion.printing.core.typefaces import Face
from companion.rules.model.components import TileAction, Tribe

Drawing = tuple[tuple[str, ...], ...]
"""Strokes: "tint" (filled and outlined), "line" (outlined) or "solid" (filled with the ink), each with its path."""

_FILE = Path(__file__).resolve().parents[1] / "drawings.toml"
_TABLES = tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _drawings(table: str) -> dict[str, Drawing]:
    return {name: tuple(tuple(stroke.split(" ", 1)) for stroke in strokes) for name, strokes in _TABLES[table].items()}


CATEGORY_ICONS, CARD_ICONS = _drawings("categories"), _drawings("cards")
"""A drawing for each category of a score and for the total; one for each resource card."""
ACTION_ICONS = {TileAction[name.upper()]: drawing for name, drawing in _drawings("actions").items()}
"""A drawing for each kind of tile."""
CAMEL, MEEPLE, MARKER = _drawings("pieces").values()
TRIBE_SHAPES = {tribe: str(_TABLES["tribes"][tribe.noun]) for tribe in Tribe}
"""The shape of each tribe's meeples, so that they can be told apart without colour."""
_PARTS = {**_drawings("cards"), **_drawings("actions"), **_drawings("pieces"), **_drawings("parts"), **CATEGORY_ICONS}
STAR = _PARTS["star"][0][1]
"""The star of eight points on which values stand."""

FIELD = (40.0, 24.0)
"""Width and height of the field that emblems are drawn on."""


@dataclass(frozen=True, slots=True)
class EmblemPart:
    """A drawing in a box of the field, turned clockwise by degrees, or a `text`, white where it stands on the dark.

    `tint` names a colour of the template.
    """

    box: Box
    drawing: Drawing = ()
    tint: str = ""
    turned: float = 0.0
    text: str = ""
    white: bool = False


def _part(line: str) -> EmblemPart:
    name, x, y, w, h, *more = line.split()
    box = Box(float(x), float(y), float(w), float(h))
    if name.startswith("'"):
        return EmblemPart(box, text=name.strip("'"), white=bool(more))
    return EmblemPart(box, _PARTS[name], more[0], float(more[1]) if more[1:] else 0.0)


Emblem = tuple[EmblemPart, ...]
EMBLEMS: dict[str, Emblem] = {name: tuple(map(_part, lines)) for name, lines in _TABLES["emblems"].items()}
"""The emblem of each djinn by its name (rules 11): what its power is about."""


def draw_icon(page: Surface, drawing: Drawing, box: Box, *, ink: str, tint: str | None, weight: float = 1.3) -> None:
    """Draw an icon into a box; `weight` is the line's width on the 24 grid, `tint` None leaves shapes unfilled.

    It is a stamp: a page has most of its icons several times.
    """
    width = weight * min(box.w, box.h) / GRID
    # A drawing has no name of its own; this number is the same in every run.
    looks = zlib.crc32(repr((drawing, ink, tint, weight)).encode())

    def draw(at: Box) -> None:
        for paint, text in drawing:
            _draw_stroke(page, paint, parse_outline(text), at, ink, tint, width)

    page.form_xobject(f"icon-{looks:08x}-{round(100 * box.w)}-{round(100 * box.h)}", box, draw)


def _draw_stroke(
    page: Surface, paint: str, outline: Outline, box: Box, ink: str, tint: str | None, width: float
) -> None:
    if paint == "solid":
        page.outline(outline, box, fill=ink)
    else:
        page.outline(outline, box, fill=tint if paint == "tint" else None, stroke=ink, width=width)


def draw_tribe(page: Surface, tribe: Tribe, box: Box, *, fill: str | None, ink: str, width: float = 0.25) -> None:
    """Draw a tribe's shape into a box, outlined in ink."""
    page.outline(parse_outline(TRIBE_SHAPES[tribe]), box, fill=fill, stroke=ink, width=width)


def draw_tribes_rule(page: Surface, box: Box, *, tints: Mapping[str, str], ink: str, accent: str) -> None:
    """Draw a double rule as wide as a box that begins with the five tribes' shapes, as high as it."""
    x = box.x
    for tribe in Tribe:
        draw_tribe(page, tribe, Box(x, box.y, box.h, box.h), fill=tints[tribe.noun], ink=ink, width=0.18)
        x += box.h * 1.45
    for offset in (-0.35, 0.35):
        y = box.centre[1] + offset
        page.line(x + 1, y, box.right, y, colour=accent, width=0.2)


def draw_emblem(
    page: Surface, emblem: Emblem, box: Box, *, ink: str, tints: dict[str, str], weight: float = 0.34
) -> None:
    """Draw an emblem as large as fits into the middle of a box, its lines `weight` mm thick."""
    scale = min(box.w / FIELD[0], box.h / FIELD[1])
    left, top = box.centre[0] - FIELD[0] * scale / 2, box.centre[1] - FIELD[1] * scale / 2
    with page.ornament():
        for part in emblem:
            at = part.box
            place = Box(left + at.x * scale, top + at.y * scale, at.w * scale, at.h * scale)
            if part.text:
                colour = PAPER if part.white and tints["accent"] != PAPER else ink
                size = max(place.h * PT_PER_MM, MIN_TYPE_PT)
                page.text(place, part.text, size, face=Face.BOLD, colour=colour, align="centre")
            for paint, text in part.drawing:
                outline = turned(parse_outline(text), part.turned)
                _draw_stroke(page, paint, outline, place, ink, tints[part.tint], weight)


def turned(outline: Outline, degrees: float) -> Outline:
    """The outline turned clockwise about the middle of its square."""
    if not degrees:
        return outline
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def moved(numbers: tuple[float, ...]) -> tuple[float, ...]:
        pairs = [(x - 0.5, y - 0.5) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        return tuple(value for x, y in pairs for value in (0.5 + x * cos - y * sin, 0.5 + x * sin + y * cos))

    return tuple((command, moved(numbers)) for command, numbers in outline)
