"""A page to draw on in millimetres from the top left; what reportlab wants is worked out here and only here."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from companion.printing.core.geometry import Box
from companion.printing.core.outline import Outline
from companion.printing.core.typefaces import Face, Fonts, Run

PT_PER_MM = 72 / 25.4
_CAP_HEIGHT = 0.70
"""Height of a capital as a share of the type size; the bundled faces agree to 1%."""
_ASCENT, _DESCENT = 0.76, 0.22
_MIN_TYPE_SHARE = 0.6
"""Text too wide for its place is set smaller down to this share of its size, then cut with an ellipsis."""

Align = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Written:
    """A text that was drawn: its words, the box in mm that its letters may touch, and its page from 0."""

    text: str
    box: Box
    page: int


class Document:
    """A PDF in the making, a page at a time.

    The same drawing gives the same bytes. `written` lists every text drawn, for whoever wants to check the layout.
    """

    def __init__(self, paper: Box, fonts: Fonts, *, title: str, language: str) -> None:
        self.paper = paper
        self.written: list[Written] = []
        self._fonts = fonts
        self._page = 0
        self._buffer = io.BytesIO()
        size = (paper.w * PT_PER_MM, paper.h * PT_PER_MM)
        self._canvas = Canvas(self._buffer, pagesize=size, invariant=1, pageCompression=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Five Tribes companion")
        self._canvas.setSubject(title)
        self._canvas.setViewerPreference("DisplayDocTitle", "true")
        self._canvas.setViewerPreference("PrintScaling", "None")

    def next_page(self) -> None:
        """End the page and begin another."""
        self._canvas.showPage()
        self._page += 1

    def to_bytes(self) -> bytes:
        """The finished PDF."""
        self._canvas.save()
        return self._buffer.getvalue()

    def box(
        self, box: Box, *, fill: str | None = None, stroke: str | None = None, width: float = 0.2, radius: float = 0.0
    ) -> None:
        """Draw a rectangle with colours as #RRGGBB, a line width and a corner radius in mm."""
        self._paint(fill, stroke, width)
        x, y, w, h = (value * PT_PER_MM for value in (box.x, self.paper.h - box.bottom, box.w, box.h))
        self._canvas.roundRect(
            x, y, w, h, radius * PT_PER_MM, stroke=int(stroke is not None), fill=int(fill is not None)
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, colour: str, width: float = 0.2, dash: float = 0.0
    ) -> None:
        """Draw a straight line, dashed with strokes and gaps of `dash` mm if given."""
        self._paint(None, colour, width)
        self._canvas.setDash([dash * PT_PER_MM] * 2 if dash else [])
        self._canvas.line(*self._point(x1, y1), *self._point(x2, y2))
        self._canvas.setDash([])

    def outline(
        self, outline: Outline, box: Box, *, fill: str | None = None, stroke: str | None = None, width: float = 0.2
    ) -> None:
        """Draw a closed or open outline, its unit square stretched to the box."""
        self._paint(fill, stroke, width)
        path = self._canvas.beginPath()
        for command, numbers in outline:
            points = [
                value
                for x, y in zip(numbers[::2], numbers[1::2], strict=True)
                for value in self._point(box.x + x * box.w, box.y + y * box.h)
            ]
            match command:
                case "M":
                    path.moveTo(*points)
                case "L":
                    path.lineTo(*points)
                case "C":
                    path.curveTo(*points)
                case "Z":
                    path.close()
        self._canvas.drawPath(path, stroke=int(stroke is not None), fill=int(fill is not None))

    def squares(self, boxes: Sequence[Box], colour: str) -> None:
        """Fill many boxes as one shape, so that no hairline shows between neighbours."""
        self._paint(colour, None, 0)
        path = self._canvas.beginPath()
        for box in boxes:
            x, y, w, h = (value * PT_PER_MM for value in (box.x, self.paper.h - box.bottom, box.w, box.h))
            path.rect(x, y, w, h)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def text(
        self,
        box: Box,
        text: str,
        size: float,
        *,
        face: Face = Face.REGULAR,
        colour: str = "#000000",
        align: Align = "left",
    ) -> float:
        """Write one line, its capitals in the middle of the box's height; the width it took in mm.

        `size` in points. A text too wide for the box is set smaller, and cut with an ellipsis if need be.
        """
        if not text:
            return 0.0
        runs, size = self._fitted(text, face, size, box.w * PT_PER_MM)
        width = sum(run.width(size) for run in runs) / PT_PER_MM
        x = box.x + {"left": 0.0, "centre": (box.w - width) / 2, "right": box.w - width}[align]
        baseline = box.y + (box.h + _CAP_HEIGHT * size / PT_PER_MM) / 2
        em = size / PT_PER_MM
        self.written.append(
            Written(
                "".join(run.text for run in runs),
                Box(x, baseline - _ASCENT * em, width, (_ASCENT + _DESCENT) * em),
                self._page,
            )
        )
        self._paint(colour, None, 0)
        line = self._canvas.beginText(*self._point(x, baseline))
        for run in runs:
            line.setFont(run.font, size)
            line.textOut(run.text)
        self._canvas.drawText(line)
        return width

    def picture(self, drawing: Drawing, x: float, y: float) -> None:
        """Put a vector drawing of reportlab's with its upper left corner at a point in mm."""
        left, top = self._point(x, y)
        renderPDF.draw(drawing, self._canvas, left, top - drawing.height)

    def width(self, text: str, size: float, face: Face = Face.REGULAR) -> float:
        """The width in mm of a text at a size in points."""
        return sum(run.width(size) for run in self._fonts.runs(text, face)) / PT_PER_MM

    def wrapped(self, text: str, size: float, width: float, face: Face = Face.REGULAR) -> list[str]:
        """The text in lines no wider than `width` mm, broken at spaces; a word too wide stands alone."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.width(longer, size, face) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _fitted(self, text: str, face: Face, size: float, room: float) -> tuple[list[Run], float]:
        runs = self._fonts.runs(text, face)
        width = sum(run.width(size) for run in runs)
        if width <= room:
            return runs, size
        smaller = size * max(room / width, _MIN_TYPE_SHARE)
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

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return x * PT_PER_MM, (self.paper.h - y) * PT_PER_MM

    def _paint(self, fill: str | None, stroke: str | None, width: float) -> None:
        if fill is not None:
            self._canvas.setFillColor(_colour(fill))
        if stroke is not None:
            self._canvas.setStrokeColor(_colour(stroke))
            self._canvas.setLineWidth(width * PT_PER_MM)
            self._canvas.setLineCap(1)
            self._canvas.setLineJoin(1)


def _colour(text: str) -> Color:
    return HexColor(text)
