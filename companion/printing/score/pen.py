"""What every part of a score sheet is drawn with: the page, lengths, type sizes, colours, words, how much ink."""

from __future__ import annotations

from dataclasses import dataclass

from companion.printing.core.geometry import Box
from companion.printing.core.icons import Drawing, draw_icon
from companion.printing.core.page import Document
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Align
from companion.printing.core.typefaces import Face
from companion.printing.score.template import Layout, ScorePalette, ScoreTemplate, ScoreWords

WHITE = "#FFFFFF"
HAIRLINE_MM = 0.15
FRAME_MM = 0.4
LEADING = 1.16
"""Height of a line as a share of its type size."""


@dataclass(frozen=True, slots=True)
class ScorePen:
    """Draws the pieces that parts of a sheet are made of. With `full_ink` False all surfaces stay white."""

    page: Document
    template: ScoreTemplate
    layout: Layout
    words: ScoreWords
    language: str
    full_ink: bool

    @property
    def palette(self) -> ScorePalette:
        """The colours of lettering, lines and surfaces."""
        return self.template.palette

    def tint(self, colour: str) -> str:
        """The colour that a surface has: its own, or white to save ink."""
        return colour if self.full_ink else WHITE

    def icon(self, drawing: Drawing, box: Box, tint: str | None, *, light: bool = False, weight: float = 1.3) -> None:
        """Draw an icon into the middle of a box, as large as it can be; `light` is white on a dark ground."""
        size = min(box.w, box.h)
        square = Box(box.centre[0] - size / 2, box.centre[1] - size / 2, size, size)
        ink = WHITE if light else self.palette.ink
        draw_icon(
            self.page, drawing, square, ink=ink, tint=None if light or tint is None else self.tint(tint), weight=weight
        )

    def hairline(self, x1: float, y1: float, x2: float, y2: float, *, dash: float = 0.0) -> None:
        """Draw a thin line between boxes."""
        self.page.line(x1, y1, x2, y2, colour=self.palette.line, width=HAIRLINE_MM, dash=dash)

    def lines(
        self,
        box: Box,
        lines: list[str],
        size: float,
        *,
        face: Face = Face.REGULAR,
        colour: str | None = None,
        align: Align = "left",
    ) -> None:
        """Write lines below each other, together in the middle of the box's height; smaller where it is too low."""
        size = min(size, max(MIN_TYPE_PT, box.h * PT_PER_MM / (LEADING * len(lines))) if lines else size)
        height = line_mm(size)
        top = Box(box.x, box.centre[1] - height * len(lines) / 2, box.w, height * len(lines))
        for line, row in zip(lines, top.rows([height] * len(lines)), strict=True):
            self.page.text(row, line, size, face=face, colour=colour or self.palette.quiet, align=align)


def line_mm(size: float) -> float:
    """The height in mm of a line at a type size in points."""
    return size * LEADING / PT_PER_MM


def fitting_lines(lines: list[str], size: float, room: float) -> list[str]:
    """The lines that a height in mm has room for, at least one; those beyond are put on the last, to be cut there."""
    fitting = max(1, int(room / line_mm(size) + 0.05))
    return lines if len(lines) <= fitting else [*lines[: fitting - 1], " ".join(lines[fitting - 1 :])]
