"""Pages that are filled from the top: headings, lines and tables one below the other, and on over the page."""

from __future__ import annotations

from collections.abc import Callable

from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM, Align
from companion.printing.core.tagging import Tag
from companion.printing.core.template import CamelTints, filled
from companion.printing.core.typefaces import Face
from companion.printing.review.template import ReportMargins, ReportPalette, ReportSizes
from companion.rules.model.components import Colour

LEADING = 1.32
HEADING_MM = 6.0
_PAGE_NUMBER_MM = 5.0


class Pages:
    """A document in the making; `y` is where its next part begins, in mm.

    `called` says how a player is spoken of, `page_words` are those of the page number ("page {page}"), and `gap` lies
    between parts.
    """

    def __init__(
        self,
        document: Document,
        margins: ReportMargins,
        sizes: ReportSizes,
        palette: ReportPalette,
        tints: CamelTints,
        *,
        gap: float,
        called: Callable[[Colour], str],
        page_words: str,
    ) -> None:
        self.document, self.sizes, self.palette, self.gap, self.called = document, sizes, palette, gap, called
        self._tints, self._page_words = tints, page_words
        self.x, self.w = margins.side, document.paper.w - 2 * margins.side
        self.y, self.bottom = margins.top, document.paper.h - margins.bottom
        self._top = margins.top
        self._number = 1

    @property
    def at_top(self) -> bool:
        """Whether nothing is on this page yet."""
        return self.y == self._top

    def placed(self, height: float) -> Box:
        """Room of that height over the whole width, at the top of a new page where this one is full."""
        if self.y + height > self.bottom and not self.at_top:
            self.next_page()
        return Box(self.x, self.y, self.w, height)

    def next_page(self) -> None:
        """End the page with its number and begin another."""
        self.number_page()
        self.document.next_page()
        self._number += 1
        self.y = self._top

    def number_page(self) -> None:
        """The number of the page in its foot."""
        foot = Box(self.x, self.bottom + 0.5, self.w, _PAGE_NUMBER_MM)
        said = filled(self._page_words, page=self._number)
        with self.document.ornament():
            self.text(foot, said, self.sizes.small_pt, colour=self.palette.quiet, align="right")

    def heading(self, text: str, tag: Tag = Tag.HEADING_2, *, keep: float = 0.0) -> None:
        """A heading, on the same page as so many mm of what comes below it."""
        box = self.placed(HEADING_MM + keep)
        with self.document.tagged(tag):
            line = Box(box.x, box.y, box.w, HEADING_MM)
            self.text(line, text, self.sizes.heading_pt, face=Face.BOLD, colour=self.palette.accent)
        self.y = line.bottom

    def paragraph(self, text: str, size: float, *, face: Face = Face.REGULAR, colour: str | None = None) -> None:
        """Words over the whole width, in lines."""
        step = self.step(size)
        with self.document.tagged(Tag.PARAGRAPH):
            for line in self.document.wrapped(text, size, self.w, face):
                box = self.placed(step)
                self.text(box, line, size, face=face, colour=colour)
                self.y = box.bottom

    def step(self, size: float) -> float:
        """The height of a line at a type size in points, in mm."""
        return size / PT_PER_MM * LEADING

    def name(self, box: Box, colour: Colour, size: float, *, face: Face = Face.REGULAR) -> None:
        """A player's name after a square of his colour."""
        side = size / PT_PER_MM * 0.8
        tint: str = getattr(self._tints, colour.value)
        self.document.box(Box(box.x, box.centre[1] - side / 2, side, side), fill=tint, radius=0.4)
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
    ) -> None:
        """One line, in ink where no colour is given."""
        self.document.text(box, text, size, face=face, colour=colour or self.palette.ink, align=align)
