"""What every part of a score sheet is drawn with: the page, lengths, type sizes, colours, words, how much ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.drawing.palette import PAPER
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CAMEL, Drawing, draw_icon
from companion.printing.core.kinds import MIN_CAPTION_PT
from companion.printing.core.page import Document
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Align
from companion.printing.core.template import Table
from companion.printing.core.typefaces import Face
from companion.rules.model.components import Colour

HAIRLINE_MM = 0.15
FRAME_MM = 0.4
LEADING = 1.16
"""Height of a line as a share of its type size."""


@dataclass(frozen=True, slots=True)
class ScorePen:
    """Draws the pieces that parts of a sheet are made of. With `full_ink` False all surfaces stay white."""

    page: Document
    template: Table
    layout: Table
    words: Table
    language: str
    full_ink: bool

    @property
    def palette(self) -> Table:
        """The colours of lettering, lines and surfaces."""
        palette: Table = self.template.palette
        return palette

    def tint(self, colour: str) -> str:
        """The colour that a surface has: its own, or white to save ink."""
        return colour if self.full_ink else PAPER

    def icon(self, drawing: Drawing, box: Box, tint: str | None, *, light: bool = False, weight: float = 1.3) -> None:
        """Draw an icon into the middle of a box, as large as it can be; `light` is white on a dark ground."""
        ink, filled = PAPER if light else self.palette.ink, None if light or tint is None else self.tint(tint)
        draw_icon(self.page, drawing, box.square(), ink=ink, tint=filled, weight=weight)

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
        top = Box(box.x, box.centre[1] - line_mm(size) * len(lines) / 2, box.w, box.h)
        self.page.lines(top, lines, size, LEADING, face=face, colour=colour or self.palette.quiet, align=align)


def line_mm(size: float) -> float:
    """The height in mm of a line at a type size in points."""
    return size * LEADING / PT_PER_MM


def fitting_lines(lines: list[str], size: float, room: float) -> list[str]:
    """The lines that a height in mm has room for, at least one; those beyond are put on the last, to be cut there."""
    fitting = max(1, int(room / line_mm(size) + 0.05))
    return lines if len(lines) <= fitting else [*lines[: fitting - 1], " ".join(lines[fitting - 1 :])]


_CAMEL_SHARE = 0.5
"""Share of a head's height that the camel takes with what is said below it; the name has the rest."""
_RULE_MM = 1.2
"""From the rule under a name down to the table."""
_APART_MM = 2.4
"""Between the camels of a column and those of the next, where a column has several."""
_SMALLER = (1.0, 0.9, 0.8)
"""Sizes that a name is tried in before it is cut, as shares of its type size."""


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a player's column.

    `colours` are the possible ones: among several the player marks one. `name` is empty where it is to be written by
    hand; `won` is said beside the colour.
    """

    colours: Sequence[Colour]
    name: str = ""
    won: bool = False


def name_room(box: Box) -> Box:
    """Where the name stands in the head of a column: below the camel, down to the rule."""
    inner = Box(box.x + 0.6, box.y, box.w - 1.2, box.h - _RULE_MM)
    return inner.rows([inner.h * _CAMEL_SHARE, inner.h * (1 - _CAMEL_SHARE)])[1]


def draw_head(pen: ScorePen, box: Box, head: ColumnHead) -> None:
    below = name_room(box)
    above = Box(below.x, box.y, below.w, below.y - box.y)
    if len(head.colours) == 1:
        colour = head.colours[0]
        caption = " · ".join([pen.words.colours[colour.value]] + [pen.words.winner] * head.won)
        _draw_camel(pen, Box(box.x + 0.1, above.y, box.w - 0.2, above.h), colour, caption, Face.REGULAR)
    else:
        each = min((above.w - _APART_MM) / len(head.colours), above.h)
        row = Box(above.centre[0] - each * len(head.colours) / 2, above.y, each * len(head.colours), above.h)
        letters = colour_letters([pen.words.colours[colour.value] for colour in Colour])
        for colour, place in zip(head.colours, row.grid(len(head.colours), 1), strict=True):
            _draw_camel(pen, place, colour, letters[list(Colour).index(colour)], Face.BOLD)
    if head.name:
        _draw_name(pen, below, head.name)
    pen.page.line(below.x, below.bottom, below.right, below.bottom, colour=pen.palette.ink, width=HAIRLINE_MM)


def colour_letters(names: Sequence[str]) -> list[str]:
    """A letter for each of the four colours: the first of its name, or that of notation where two begin alike.

    >>> colour_letters(["black", "orange", "blue", "pink"])
    ['K', 'O', 'B', 'P']
    """
    first = [name[:1].upper() for name in names]
    return first if len(set(first)) == len(first) else [colour.letter for colour in Colour]


def _draw_camel(pen: ScorePen, box: Box, colour: Colour, caption: str, face: Face) -> None:
    size = min(pen.layout.small_pt, pen.layout.hint_pt)
    camel, words = box.rows([box.h - line_mm(size), line_mm(size)])
    tint = pen.template.camels[colour.value]
    pen.icon(CAMEL, camel.inset(0.2), tint, weight=1.1)
    pen.page.text(words, caption, size, face=face, colour=pen.palette.quiet, align="centre")


def _draw_name(pen: ScorePen, box: Box, name: str) -> None:
    """A name on one line or two, smaller if it must be, its end cut off at last."""
    page, largest = pen.page, pen.layout.label_pt
    sizes = [max(largest * share, MIN_CAPTION_PT) for share in _SMALLER]
    for size in sizes:
        lines = page.balanced(name, size, box.w, Face.BOLD)
        if len(lines) * line_mm(size) <= box.h and all(page.width(line, size, Face.BOLD) <= box.w for line in lines):
            break
    else:
        lines = fitting_lines(lines, size, box.h)
    height = line_mm(size) * len(lines)
    low = Box(box.x, box.bottom - height, box.w, height)
    pen.lines(low, lines, size, face=Face.BOLD, colour=pen.palette.ink, align="centre")
