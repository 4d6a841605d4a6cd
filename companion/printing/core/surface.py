"""What is drawn on, in millimetres from the top left: a page or a picture, with one way to set lines of text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from companion.printing.core.geometry import PT_PER_MM as PT_PER_MM
from companion.printing.core.geometry import Box, Outline
from companion.printing.core.lettering import cleaned
from companion.printing.core.tagging import StructElement, Tag
from companion.printing.core.typefaces import Face, Fonts, Run

CAP_HEIGHT = 0.70
"""Height of a capital as a share of the type size; the bundled faces agree to 1%."""
_ASCENT, _DESCENT = 0.76, 0.22
_TALLEST = 1.13
"""The largest type in a box as a share of its height: capitals are 0.7 of the type, and few letters reach lower."""
_MIN_TYPE_SHARE = 0.6
"""Text too wide for its place is set smaller down to this share of its size, then cut with an ellipsis."""
MIN_TYPE_PT = 6.0
"""Nothing on a page is set smaller than this to make it fit."""

_BREAKS = re.compile(r"[ \t\r\n]+(?![—–] )")
"""Where a line may end: no-break spaces (U+00A0) keep words together, and no line begins with a dash."""

Align = Literal["left", "centre", "right"]
Ink = str | None
"""A colour as #RRGGBB, None for none."""


@dataclass(frozen=True, slots=True)
class Written:
    """A text that was drawn: its words, the box in mm that its letters may touch, and its page from 0."""

    text: str
    box: Box
    page: int


class Surface(ABC):
    """Something to draw on.

    `written` lists every text drawn, for checks of the layout. Nothing is set smaller than `least_pt` to
    make it fit.
    """

    def __init__(self, fonts: Fonts, least_pt: float = MIN_TYPE_PT) -> None:
        self.least_pt = least_pt
        self.written: list[Written] = []
        self._unit_widths: dict[tuple[str, Face], float] = {}
        self._fonts = fonts
        self._page = 0

    @abstractmethod
    def box(self, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, radius: float = 0.0) -> None:
        """Draw a rectangle with colours as #RRGGBB, a line width and a corner radius in mm."""

    @abstractmethod
    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str, width: float = 0.2) -> None:
        """Draw a straight line."""

    @abstractmethod
    def outline(
        self, path: Outline, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, opacity: float = 1.0
    ) -> None:
        """Draw a closed or open outline, its unit square stretched to the box, so opaque where it is filled."""

    @abstractmethod
    def _letters(self, x: float, baseline: float, runs: Sequence[Run], size: float, colour: str, said: str) -> None:
        """Set runs one after the other from a point in mm, at a size in points; `said` is what they stand for."""

    @contextmanager
    def tagged(
        self, tag: Tag | StructElement, *, alternative: str = "", across: bool = False
    ) -> Iterator[StructElement]:
        """Within this everything that is drawn belongs to a part of that kind, or to a part begun before.

        `alternative` is said for a figure, `across` makes a header cell one of a column. A picture has no parts: there
        it changes nothing.
        """
        yield tag if isinstance(tag, StructElement) else StructElement(tag, alternative, across)

    @contextmanager
    def ornament(self) -> Iterator[None]:
        """Within this nothing that is drawn is read out: numbers of pages, cut marks, scales."""
        yield

    def form_xobject(self, name: str, place: Box, draw: Callable[[Box], None]) -> None:
        """Put what has no text into a place; what is put again by the same name has the same size and looks.

        `draw` draws it into a box of the place's size. A PDF keeps it once and refers to it.
        """
        draw(place)

    def text(
        self,
        box: Box,
        text: str,
        size: float,
        *,
        face: Face = Face.REGULAR,
        colour: str = "#000000",
        align: Align = "left",
        tag: Tag | StructElement | None = None,
    ) -> float:
        """Write one line, its capitals in the middle of the box's height; the width it took in mm.

        `size` in points. A text too high or too wide for the box is set smaller, though not below `least_pt`, and cut
        with an ellipsis if need be. `tag` is the part that it is by itself.
        """
        if tag is not None:
            with self.tagged(tag):
                return self.text(box, text, size, face=face, colour=colour, align=align)
        if not text:
            return 0.0
        size = min(size, max(self.least_pt, _TALLEST * box.h * PT_PER_MM))
        runs, size = self._fitted(text, face, size, box.w * PT_PER_MM)
        width = sum(run.width(size) for run in runs) / PT_PER_MM
        x = box.x + {"left": 0.0, "centre": (box.w - width) / 2, "right": box.w - width}[align]
        baseline = box.y + (box.h + CAP_HEIGHT * size / PT_PER_MM) / 2
        em = size / PT_PER_MM
        place = Box(x, baseline - _ASCENT * em, width, (_ASCENT + _DESCENT) * em)
        self.written.append(Written("".join(run.text for run in runs), place, self._page))
        self._letters(x, baseline, runs, size, colour, cleaned(text))
        return width

    def lines(
        self,
        box: Box,
        lines: Iterable[str],
        size: float,
        leading: float,
        *,
        face: Face = Face.REGULAR,
        colour: str,
        align: Align = "left",
    ) -> None:
        """Write lines below each other from the top of a box, each `leading` times as high as its type."""
        height = size * leading / PT_PER_MM
        for number, line in enumerate(lines):
            row = Box(box.x, box.y + number * height, box.w, height)
            self.text(row, line, size, face=face, colour=colour, align=align)

    def width(self, text: str, size: float, face: Face = Face.REGULAR) -> float:
        """The width in mm of a text at a size in points."""
        if (text, face) not in self._unit_widths:
            self._unit_widths[text, face] = sum(run.width(1.0) for run in self._fonts.runs(text, face)) / PT_PER_MM
        return self._unit_widths[text, face] * size

    def room_before(self, box: Box, text: str, size: float, gap: float) -> Box:
        """The part of a box, from its left, that one text may fill so that a second has room after a gap in mm.

        The second one, of `size` points, keeps what it takes set as small as `text` sets it, but no more than half.
        """
        if not text:
            return box
        free = box.w - gap
        least = self.width(text, self._smallest(size))
        return Box(box.x, box.y, max(free - least, free / 2), box.h)

    def wrapped(self, text: str, size: float, width: float, face: Face = Face.REGULAR) -> list[str]:
        """The text in lines no wider than `width` mm, broken at spaces that may break; a word too wide stands alone."""
        lines: list[str] = []
        taken, space = 0.0, self.width(" ", size, face)
        for word in filter(None, _BREAKS.split(text)):
            # Letters stand side by side without kerning, so that widths add up.
            wide = self.width(word, size, face)
            if lines and taken + space + wide <= width:
                lines[-1] += f" {word}"
                taken += space + wide
            else:
                lines.append(word)
                taken = wide
        return lines

    def balanced(self, text: str, size: float, width: float, face: Face = Face.REGULAR) -> list[str]:
        """As few lines as `wrapped` makes, of like length, so that no last word is left alone."""
        lines = self.wrapped(text, size, width, face)
        while len(lines) > 1:
            longest = max(self.width(line, size, face) for line in lines)
            shorter = self.wrapped(text, size, longest - 1e-3, face)
            if len(shorter) > len(lines) or max(self.width(line, size, face) for line in shorter) >= longest:
                break
            lines = shorter
        return lines

    def _fitted(self, text: str, face: Face, size: float, room: float) -> tuple[list[Run], float]:
        runs = self._fonts.runs(text, face)
        width = sum(run.width(size) for run in runs)
        if width <= room:
            return runs, size
        smaller = max(size * room / width, self._smallest(size))
        if sum(run.width(smaller) for run in runs) <= room + 1e-6:
            return runs, smaller

        def cut(length: int) -> list[Run]:
            return self._fonts.runs(text[:length].rstrip() + "…", face)

        # The longest beginning that fits; by halves, for a text may be of any length.
        fits, too_long = 0, len(text)
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if sum(run.width(smaller) for run in cut(middle)) <= room + 1e-6:
                fits = middle
            else:
                too_long = middle
        return cut(fits), smaller

    def _smallest(self, size: float) -> float:
        """The type size in points down to which a text of `size` points is set smaller; beyond that it is cut."""
        return max(size * _MIN_TYPE_SHARE, min(size, self.least_pt))
