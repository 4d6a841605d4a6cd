"""An SVG picture to draw on, in its own units; letters are outlines, so that it looks alike in every viewer.

It is a file of its own, or stands in a web page (`Vector.fragment`).
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from reportlab.pdfbase.pdfmetrics import stringWidth

from companion.printing.core.geometry import Box, Outline
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Ink, Surface
from companion.printing.core.tagging import xml_escaped
from companion.printing.core.typefaces import Fonts, Run

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

SCREEN = 96 / 25.4
"""The px of a mm on a screen."""


class Vector(Surface):
    """A picture in the making; what stands as mm elsewhere is a unit of it, which a viewer shows as a px.

    `ground` is the colour of the paper, None for none; `photo` is a JPEG that is laid into a box below everything
    else; `note` says more than the title to those who cannot see it; a unit is `zoom` px by default;
    `prefix` begins the names of what is drawn several times, letters among it; one name is the same everywhere.
    """

    def __init__(
        self,
        paper: Box,
        fonts: Fonts,
        *,
        ground: str | None,
        title: str,
        note: str = "",
        zoom: float = 1.0,
        photo: tuple[bytes, Box] | None = None,
        prefix: str = "g",
        least_pt: float = MIN_TYPE_PT,
    ) -> None:
        super().__init__(fonts, least_pt)
        self._title = title
        self._paper = paper
        self._prefix = prefix
        self._note = note
        size = f'width="{_number(paper.w * zoom)}" height="{_number(paper.h * zoom)}"'
        names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        self._head = f'<svg {names} {size} viewBox="0 0 {paper.w:g} {paper.h:g}">'
        self.defs: dict[str, str] = {}
        self._parts: list[str] = []
        if ground is not None:
            self.box(paper, fill=ground)
        if photo is not None:
            content, place = photo
            data = base64.b64encode(content).decode()
            self._parts.append(f'<image {_place(place)} href="data:image/jpeg;base64,{data}"/>')

    def to_bytes(self) -> bytes:
        """The finished picture as a file's bytes."""
        title = f"<title>{xml_escaped(self._title)}</title>"
        title += f"<desc>{xml_escaped(self._note)}</desc>" if self._note else ""
        return "\n".join([self._head, title, *svg_defs(self.defs), *self._parts, "</svg>", ""]).encode()

    def fragment(self, over: str = "") -> str:
        """The picture as an element of a web page, as `svg_fragment` has it."""
        return svg_fragment(self._paper, self._title, self.defs, self.drawn, over)

    @property
    def drawn(self) -> str:
        """What was drawn so far, which refers to `defs`: shapes and letters by their names."""
        return "".join(self._parts)

    def form_xobject(self, name: str, place: Box, draw: Callable[[Box], None]) -> None:
        name = self._prefix + name
        if name not in self.defs:
            before, self._parts = self._parts, []
            draw(Box(0, 0, place.w, place.h))
            self.defs[name], self._parts = f'<g id="{name}">{self.drawn}</g>', before
        self._parts.append(f'<use xlink:href="#{name}" x="{_number(place.x)}" y="{_number(place.y)}"/>')

    def box(self, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, radius: float = 0.0) -> None:
        round_ = f' rx="{_number(radius)}"' if radius else ""
        self._parts.append(f"<rect {_place(box)}{round_}{_paint(fill, stroke, width)}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str, width: float = 0.2) -> None:
        path = f"M{_number(x1)} {_number(y1)}L{_number(x2)} {_number(y2)}"
        self._parts.append(f'<path d="{path}"{_paint(None, colour, width)}/>')

    def outline(
        self, path: Outline, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, opacity: float = 1.0
    ) -> None:
        steps = []
        for command, numbers in path:
            points = zip(numbers[::2], numbers[1::2], strict=True)
            placed = [f"{_number(box.x + x * box.w)} {_number(box.y + y * box.h)}" for x, y in points]
            steps.append(command + " ".join(placed))
        opaque = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
        self._parts.append(f'<path d="{"".join(steps)}"{_paint(fill, stroke, width)}{opaque} stroke-linejoin="round"/>')

    def _letters(self, x: float, baseline: float, runs: Sequence[Run], size: float, colour: str, said: str) -> None:
        drawn = []
        for run in runs:
            units = int(_typeface(run.font)["head"].unitsPerEm)
            scale = size / PT_PER_MM / units
            at = 0.0
            for letter in run.text:
                if path := letter_path(run.font, letter):
                    name = f"{self._prefix}{zlib.crc32(path.encode()):08x}"
                    self.defs.setdefault(name, f'<path id="{name}" d="{path}"/>')
                    place = f"translate({_number(x + at * scale)} {_number(baseline)}) scale({scale:.5g} {-scale:.5g})"
                    drawn.append(f'<use xlink:href="#{name}" transform="{place}"/>')
                at += stringWidth(letter, run.font, units)
            x += at * scale
        self._parts.append(f'<g role="img" aria-label="{xml_escaped(said)}" fill="{colour}">{"".join(drawn)}</g>')


def svg_defs(defs: Mapping[str, str]) -> Sequence[str]:
    """What drawings refer to by its names, as an element of SVG; nothing where they refer to nothing."""
    return [f"<defs>{''.join(defs.values())}</defs>"] if defs else []


def svg_fragment(paper: Box, title: str, defs: Mapping[str, str], drawn: str, over: str = "") -> str:
    """A drawing as an element of a web page, as large as the page makes it.

    What is `drawn` is not read out: what is to be, such as links, is SVG laid `over` it.
    """
    size = " ".join(map(_number, (paper.x, paper.y, paper.w, paper.h)))
    role = f'role="img" aria-label="{xml_escaped(title)}"' if not over else 'role="group"'
    inside = f'{"".join(svg_defs(defs))}<g aria-hidden="true">{drawn}</g>{over}'
    return f'<svg viewBox="{size}" {role}>{inside}</svg>'


def _place(box: Box) -> str:
    return f'x="{_number(box.x)}" y="{_number(box.y)}" width="{_number(box.w)}" height="{_number(box.h)}"'


def _paint(fill: Ink, stroke: Ink, width: float) -> str:
    inside = f' fill="{fill or "none"}"'
    return inside if stroke is None else f'{inside} stroke="{stroke}" stroke-width="{_number(width)}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=16)
def _typeface(font: str) -> TTFont:
    # Prints, which have no outlines of letters, load nothing of it.
    from fontTools.ttLib import TTFont

    return TTFont(font, fontNumber=0, lazy=True)


@lru_cache(maxsize=4096)
def letter_path(font: str, letter: str) -> str:
    """The outline of a letter as the data of an SVG path, in the font's units with y upwards; "" for a space."""
    from fontTools.pens.svgPathPen import SVGPathPen

    typeface = _typeface(font)
    glyphs = typeface.getGlyphSet()
    pen = SVGPathPen(glyphs)
    glyphs[typeface.getBestCmap().get(ord(letter), ".notdef")].draw(pen)
    return str(pen.getCommands())
