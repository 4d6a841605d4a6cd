"""A page to draw on in millimetres from the top left; what reportlab wants is worked out here and only here."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from companion.printing.core.geometry import Box
from companion.printing.core.outline import Outline
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Fonts, Run


class Document(Surface):
    """A PDF in the making, a page at a time.

    The same drawing gives the same bytes.
    """

    def __init__(self, paper: Box, fonts: Fonts, *, title: str, language: str) -> None:
        super().__init__(fonts)
        self.paper = paper
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

    def _letters(self, x: float, baseline: float, runs: Sequence[Run], size: float, colour: str) -> None:
        self._paint(colour, None, 0)
        line = self._canvas.beginText(*self._point(x, baseline))
        for run in runs:
            line.setFont(run.font, size)
            line.textOut(run.text)
        self._canvas.drawText(line)

    def picture(self, drawing: Drawing, x: float, y: float) -> None:
        """Put a vector drawing of reportlab's with its upper left corner at a point in mm."""
        left, top = self._point(x, y)
        renderPDF.draw(drawing, self._canvas, left, top - drawing.height)

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
