"""Pages that are filled from the top: headings, lines and tables one below the other, and on over the page."""

from __future__ import annotations

from collections.abc import Mapping

from companion.language.catalogue import translate
from companion.printing.core.geometry import PT_PER_MM, Box
from companion.printing.core.page import Document
from companion.printing.core.surface import Align
from companion.printing.core.tagging import Tag
from companion.printing.core.template import PerColour, filled
from companion.printing.core.typefaces import Face
from companion.printing.hint.key import KEY_MM, draw_tribe_names
from companion.printing.review.template import PagesTemplate
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.components import Colour

LEADING = 1.32
HEADING_MM = 6.0
_PAGE_NUMBER_MM = 5.0


class Pages:
    """A document in the making; `y` is where its next part begins, in mm, and `number` the page that it is on, from 1.

    `names` are the players', `colours` the words for their colours; `page_words` are those of the page number
    ("page {page}"), and `gap` lies between parts.
    """

    def __init__(
        self,
        document: Document,
        template: PagesTemplate,
        *,
        gap: float,
        names: Mapping[Colour, str],
        colours: PerColour,
        page_words: str,
        language: str,
    ) -> None:
        self.document, self.gap = document, gap
        self.sizes, self.palette, self.tints = template.type, template.palette, template.curves
        self.language = language
        self._names, self._colours, self._page_words = names, colours, page_words
        margins = template.page
        self.x, self.w = margins.side, document.paper.w - 2 * margins.side
        self.y, self.bottom = margins.top, document.paper.h - margins.bottom
        self._top = margins.top
        self.number = 1

    @property
    def at_top(self) -> bool:
        """Whether nothing is on this page yet."""
        return self.y == self._top

    def called(self, colour: Colour) -> str:
        """How a player is spoken of: "Anna (pink)", or the colour where there is no name."""
        word: str = getattr(self._colours, colour.value)
        name = self._names.get(colour)
        return f"{name} ({word})" if name else word

    def said(self, text: str) -> str:
        """A text in the language of the document, if it is a phrase."""
        return translate(text, self.language)

    def placed(self, height: float) -> Box:
        """Room of that height over the whole width, at the top of a new page where this one is full."""
        if self.y + height > self.bottom and not self.at_top:
            self.next_page()
        return Box(self.x, self.y, self.w, height)

    def next_page(self) -> None:
        """End the page with its number and begin another."""
        self.number_page()
        self.document.next_page()
        self.number += 1
        self.y = self._top

    def number_page(self) -> None:
        """The number of the page in its foot."""
        foot = Box(self.x, self.bottom + 0.5, self.w, _PAGE_NUMBER_MM)
        said = filled(self._page_words, page=self.number)
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

    def notation_key(self, example: str, boards: SetupTemplate) -> None:
        """How turns are written, in words, and below it the meeples as they stand on boards of that template."""
        self.paragraph(example, self.sizes.small_pt, colour=self.palette.quiet)
        row = self.placed(KEY_MM)
        draw_tribe_names(self.document, row, self.sizes.small_pt, boards, self.language)
        self.y = row.bottom

    def step(self, size: float) -> float:
        """The height of a line at a type size in points, in mm."""
        return size / PT_PER_MM * LEADING

    def name(self, box: Box, colour: Colour, size: float, *, face: Face = Face.REGULAR) -> None:
        """A player's name after a square of his colour."""
        side = size / PT_PER_MM * 0.8
        self.document.box(Box(box.x, box.centre[1] - side / 2, side, side), fill=self.tints.of(colour), radius=0.4)
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
