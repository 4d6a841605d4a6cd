"""Pages that are filled from the top: headings, lines and tables one below the other, and on over the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.advisor.advice import Estimate
from companion.language.catalogue import catalogued, translate
from companion.language.phrase import decimal
from companion.printing.core.geometry import PT_PER_MM, Box
from companion.printing.core.kinds import SCORE
from companion.printing.core.page import Document
from companion.printing.core.surface import Align
from companion.printing.core.tagging import StructElement, Tag
from companion.printing.core.template import Table, filled, pick_words
from companion.printing.core.typefaces import Face
from companion.rules.model.components import Colour

LEADING = 1.32
HEADING_MM, NOTE_MM = 6.0, 4.5
_PAGE_NUMBER_MM = 5.0


class Pages:
    """A document in the making; `y` is where its next part begins, between `top` and `bottom`, in mm.

    `number` is that of its page, from 1; `words` are a report's, `names` the players'; `labels` those of points.
    """

    def __init__(self, document: Document, template: Table, words: Table, names: Mapping[Colour, str]) -> None:
        self.document, self.template, self.words = document, template, words
        self.gap, self.sizes, self.palette = template.parts.gap, template.type, template.palette
        self.language = catalogued(document.language)
        self.labels = pick_words(SCORE.load(), self.language).labels
        self._names = names
        margins = template.page
        self.x, self.w = margins.side, document.paper.w - 2 * margins.side
        self.top: float = margins.top
        self.y, self.bottom = self.top, document.paper.h - margins.bottom
        self.number = 1

    def called(self, colour: Colour) -> str:
        """How a player is spoken of: "Anna (pink)", or the colour where there is no name."""
        word: str = self.words.colours[colour.value]
        name = self._names.get(colour)
        return f"{name} ({word})" if name else word

    def said(self, text: str) -> str:
        """A text in the language of the document, if it is a phrase."""
        return translate(text, self.language)

    def placed(self, height: float) -> Box:
        """Room of that height over the whole width, at the top of a new page where this one is full."""
        if self.y + height > self.bottom and self.y > self.top:
            self.next_page()
        return Box(self.x, self.y, self.w, height)

    def next_page(self) -> None:
        """End the page with its number and begin another."""
        self.number_page()
        self.document.next_page()
        self.number += 1
        self.y = self.top

    def number_page(self) -> None:
        foot = Box(self.x, self.bottom + 0.5, self.w, _PAGE_NUMBER_MM)
        text = filled(self.words.page, page=self.number)
        with self.document.ornament():
            self.text(foot, text, self.sizes.small_pt, colour=self.palette.quiet, align="right")

    def heading(self, text: str, *, keep: float = 0.0) -> None:
        """A heading, on the same page as that many mm of what comes below it."""
        box = self.placed(HEADING_MM + keep)
        line = Box(box.x, box.y, box.w, HEADING_MM)
        self.text(line, text, self.sizes.heading_pt, face=Face.BOLD, colour=self.palette.accent, tag=Tag.HEADING_2)
        self.y = line.bottom

    def paragraph(self, text: str, size: float, *, face: Face = Face.REGULAR, colour: str | None = None) -> None:
        """Words over the whole width, in lines."""
        step = self.step(size)
        with self.document.tagged(Tag.PARAGRAPH):
            for line in self.document.wrapped(text, size, self.w, face):
                box = self.placed(step)
                self.text(box, line, size, face=face, colour=colour)
                self.y = box.bottom

    def chart(self, heading: str, note: str, height: float, draw: Callable[[Box], None]) -> None:
        """A chart of that height in mm over the whole width, under its heading and over what its signs mean."""
        self.heading(heading, keep=height + NOTE_MM)
        with self.document.tagged(Tag.FIGURE, alternative=f"{heading}. {note}"):
            draw(Box(self.x, self.y, self.w, height))
        self.y += height
        line = self.placed(NOTE_MM)
        self.text(line, note, self.sizes.small_pt, colour=self.palette.quiet)
        self.y = line.bottom

    def step(self, size: float) -> float:
        """The height of a line at a type size in points, in mm."""
        return size / PT_PER_MM * LEADING

    def name(self, box: Box, colour: Colour, size: float, *, face: Face = Face.REGULAR) -> None:
        """A player's name after a square of the player's colour."""
        side = size / PT_PER_MM * 0.8
        self.document.box(
            Box(box.x, box.centre[1] - side / 2, side, side), fill=self.template.curves[colour.value], radius=0.4
        )
        place = Box(box.x + side + 1.2, box.y, box.w - side - 1.2, box.h)
        self.text(place, self.called(colour), size, face=face)

    def text(
        self,
        box: Box,
        text: str,
        size: float,
        *,
        face: Face = Face.REGULAR,
        colour: str | None = None,
        align: Align = "left",
        tag: Tag | StructElement | None = None,
    ) -> None:
        """One line, in ink where no colour is given."""
        self.document.text(box, text, size, face=face, colour=colour or self.palette.ink, align=align, tag=tag)


HEAD_LEADING = 1.2
CELL_SIDE_MM = 0.8
_HAIRLINE_MM = 0.15


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: what stands over it, its width in mm (None for the one that takes the rest), and where its texts go.

    A colour over it is that of the player who is named there.
    """

    head: str | Colour
    width: float | None
    align: Align = "left"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row on its page: the places of its cells, and their parts, which texts are drawn into."""

    cells: tuple[Box, ...]
    parts: tuple[StructElement, ...]


class FlowTable:
    """A table whose rows are placed one by one, with its heads `heads` mm high, cells that many mm off their edges.

    The first cell of a row is its header: whose it is.
    """

    def __init__(
        self, pages: Pages, columns: Sequence[TableColumn], heads: float | None = None, *, side: float = CELL_SIDE_MM
    ) -> None:
        self._pages, self._columns, self._side = pages, columns, side
        self._heads = pages.step(pages.sizes.small_pt) * HEAD_LEADING if heads is None else heads
        fixed = sum(column.width or 0.0 for column in columns)
        self._widths = [pages.w - fixed if column.width is None else column.width for column in columns]
        with pages.document.tagged(Tag.TABLE) as part:
            self._part = part
        self._page = -1

    def row(
        self, height: float, *, ground: str | None = None, rule: str | None = None, width: float = _HAIRLINE_MM
    ) -> TableRow:
        """Room for the next row, with its heads above it where it is the first on its page; drawn are its ground and
        the `rule` above it, both in colours as #RRGGBB.
        """
        pages = self._pages
        place = pages.placed(height + (self._heads if self._page != pages.number else 0.0))
        above = self._heads if self._page != pages.number else 0.0
        if above:
            self._draw_heads(Box(place.x, place.y, place.w, above))
        box = Box(place.x, place.y + above, place.w, height)
        if ground is not None:
            pages.document.box(box, fill=ground)
        pages.document.line(box.x, box.y, box.right, box.y, colour=rule or pages.palette.line, width=width)
        pages.y = box.bottom
        part = self._part.add(Tag.ROW)
        parts = [part.add(Tag.HEADER_CELL), *(part.add(Tag.CELL) for _ in self._columns[1:])]
        return TableRow(tuple(self._cells(box)), tuple(parts))

    def _cells(self, box: Box) -> list[Box]:
        return [cell.inset(self._side, 0) for cell in box.columns(self._widths)]

    def _draw_heads(self, box: Box) -> None:
        pages, document = self._pages, self._pages.document
        first = self._page < 0
        self._page = pages.number
        row = self._part.add(Tag.ROW) if first else None
        for cell, column in zip(self._cells(box), self._columns, strict=True):
            # Heads are said once, though they are printed on each page.
            part = row.add(Tag.HEADER_CELL, across=True) if row is not None else None
            with document.ornament() if part is None else document.tagged(part):
                if isinstance(column.head, Colour):
                    pages.name(cell, column.head, pages.sizes.text_pt, face=Face.BOLD)
                else:
                    pages.text(cell, column.head, pages.sizes.small_pt, colour=pages.palette.quiet, align=column.align)


MINUS = "\u2212"


def number(value: float, language: str) -> str:
    """A number without a plus: "2.1", in Russian "2,1"."""
    return signed(value, language).removeprefix("+")


def signed(value: float, language: str, digits: int = 1) -> str:
    """A margin or difference with its sign; what rounds to 0 has none."""
    rounded = float(f"{value:.{digits}f}")
    # A value that rounds to 0 from below would be written as -0.
    shown = decimal(value if rounded else 0.0, digits, signed=rounded != 0)
    return translate(shown, language).replace("-", MINUS)


def with_error(estimate: Estimate, language: str) -> str:
    """A margin with its standard error: "+3.1 ± 0.4"."""
    return signed(estimate.value, language) + error_of(estimate, language)


def error_of(estimate: Estimate, language: str) -> str:
    """The standard error of a number, to stand behind it; "" if it is counted and not sampled."""
    return f" ± {number(estimate.error, language)}" if estimate.error else ""
