"""A page to draw on in millimetres from the top left; what reportlab wants is worked out here and only here.

What is drawn is marked as belonging to a part of the document (`tagging.py`), or to none.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from companion.errors import UsageError
from companion.printing.core.geometry import RULER_MM, Box, Outline, extent, paper_box
from companion.printing.core.surface import PT_PER_MM, Ink, Surface
from companion.printing.core.tagging import MarkedContent, StructElement, Tag, tag_pdf
from companion.printing.core.template import Table, TemplateKind, pick_words
from companion.printing.core.typefaces import Face, Fonts, Run

_STAMP_RIM_MM = 1.0
"""How far a stamp may reach over the edges of the paper it is drawn on: half of a line at x = 0 lies outside."""


class Document(Surface):
    """A PDF in the making, a page at a time; texts are paragraphs and shapes ornaments unless tagged otherwise.

    The same drawing gives the same bytes.
    """

    def __init__(self, paper: Box, fonts: Fonts, *, title: str, language: str) -> None:
        super().__init__(fonts)
        self.paper = paper
        self.tree = StructElement(Tag.DOCUMENT)
        """What the document holds, in the order of reading."""
        self.language = language
        self._within: list[StructElement | None] = [self.tree]
        self._shown: StructElement | None = None
        self._marking = False
        self._stretches = 0
        self._stamps: set[str] = set()
        self._stamping = False
        self._bookmarks = 0
        self._buffer = io.BytesIO()
        size = (paper.w * PT_PER_MM, paper.h * PT_PER_MM)
        # Left to itself reportlab begins every page with Helvetica, which it does not embed.
        font = fonts.runs("0", Face.REGULAR)[0].font
        self._canvas = Canvas(
            self._buffer, pagesize=size, invariant=1, pageCompression=0, lang=language, initialFontName=font
        )
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Five Tribes companion")
        self._canvas.setSubject(title)
        self._canvas.setViewerPreference("DisplayDocTitle", "true")
        self._canvas.setViewerPreference("PrintScaling", "None")

    def next_page(self) -> None:
        """End the page and begin another."""
        self._end_stretch()
        self._canvas.showPage()
        self._page += 1
        self._stretches = 0

    def bookmark(self, title: str, level: int = 0) -> None:
        """Name this page in the viewer's outline, under the last entry of the level above."""
        self._bookmarks += 1
        self._canvas.bookmarkPage(f"mark{self._bookmarks}")
        self._canvas.addOutlineEntry(title, f"mark{self._bookmarks}", level=level)
        self._canvas.showOutline()

    def to_bytes(self) -> bytes:
        """The finished PDF."""
        self._end_stretch()
        self._canvas.save()
        return tag_pdf(self._buffer.getvalue(), self.tree, self.language)

    @contextmanager
    def tagged(
        self, tag: Tag | StructElement, *, alternative: str = "", across: bool = False
    ) -> Iterator[StructElement]:
        open_part = self._within[-1]
        if isinstance(tag, StructElement):
            part = tag
        elif tag is Tag.FIGURE and open_part is not None and open_part.tag is Tag.FIGURE:
            # What is drawn within a picture is a part of that picture.
            part = open_part
        else:
            part = (open_part or self.tree).add(tag, alternative=alternative, across=across)
        self._within.append(part)
        yield part
        self._within.pop()

    @contextmanager
    def ornament(self) -> Iterator[None]:
        self._within.append(None)
        yield
        self._within.pop()

    def _show(self, *, text: bool) -> None:
        """Begin a stretch for what is drawn next, unless it goes on with the one before."""
        if self._stamping:
            # What a stamp holds belongs to whatever it is put into.
            return
        within = self._within[-1]
        if within is not None and text:
            # A group has no drawing of its own: each text in it is a part.
            within = within.implied()
        elif within is not None and within.tag is not Tag.FIGURE:
            within = None
        if self._marking and within is self._shown:
            return
        self._end_stretch()
        self._shown, self._marking = within, True
        if within is None:
            self._canvas.addLiteral("/Artifact BMC")
            return
        self._canvas.addLiteral(f"/{within.tag} <</MCID {self._stretches}>> BDC")
        within.held.append(MarkedContent(self._page, self._stretches))
        self._stretches += 1

    def _reach(self, box: Box) -> None:
        """Let an open figure grow by what is drawn in it on the page where it began."""
        if self._stamping or self._within[-1] is None:
            return
        for part in self._within:
            if part is None or part.tag is not Tag.FIGURE:
                continue
            pages = (held.page for held in part.held if isinstance(held, MarkedContent))
            if next(pages, self._page) == self._page:
                part.box = box if part.box is None else part.box.joined(box)

    def _end_stretch(self) -> None:
        if self._marking:
            self._canvas.addLiteral("EMC")
            self._marking = False

    def box(self, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, radius: float = 0.0) -> None:
        self._show(text=False)
        self._reach(box)
        self._paint(fill, stroke, width)
        corners, filled = self._corners(box), int(fill is not None)
        self._canvas.roundRect(*corners, radius * PT_PER_MM, stroke=int(stroke is not None), fill=filled)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, colour: str, width: float = 0.2, dash: float = 0.0
    ) -> None:
        """Draw a straight line, dashed with strokes and gaps of `dash` mm if given."""
        self._show(text=False)
        self._reach(Box(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)))
        self._paint(None, colour, width)
        self._canvas.setDash([dash * PT_PER_MM] * 2 if dash else [])
        self._canvas.line(*self._point(x1, y1), *self._point(x2, y2))
        self._canvas.setDash([])

    def outline(
        self, path: Outline, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, opacity: float = 1.0
    ) -> None:
        self._show(text=False)
        self._paint(fill, stroke, width)
        x, y, w, h = extent(path)
        self._reach(Box(box.x + x * box.w, box.y + y * box.h, w * box.w, h * box.h))
        drawn = self._canvas.beginPath()
        for command, numbers in path:
            points = [
                value
                for x, y in zip(numbers[::2], numbers[1::2], strict=True)
                for value in self._point(box.x + x * box.w, box.y + y * box.h)
            ]
            {"M": drawn.moveTo, "L": drawn.lineTo, "C": drawn.curveTo, "Z": drawn.close}[command](*points)
        if opacity < 1:
            self._canvas.setFillAlpha(opacity)
        self._canvas.drawPath(drawn, stroke=int(stroke is not None), fill=int(fill is not None))
        if opacity < 1:
            self._canvas.setFillAlpha(1)

    def squares(self, boxes: Sequence[Box], colour: str) -> None:
        """Fill many boxes as one shape, so that no hairline shows between neighbours."""
        self._show(text=False)
        self._paint(colour, None, 0)
        path = self._canvas.beginPath()
        for box in boxes:
            self._reach(box)
            path.rect(*self._corners(box))
        self._canvas.drawPath(path, stroke=0, fill=1)

    def form_xobject(self, name: str, place: Box, draw: Callable[[Box], None]) -> None:
        if self._stamping:
            draw(place)
            return
        origin = Box(0, 0, place.w, place.h)
        if name not in self._stamps:
            self._end_stretch()
            self._stamps.add(name)
            low = self._point(-_STAMP_RIM_MM, self.paper.h + _STAMP_RIM_MM)
            self._canvas.beginForm(name, *low, *self._point(self.paper.w + _STAMP_RIM_MM, -_STAMP_RIM_MM))
            self._stamping = True
            draw(origin)
            self._stamping = False
            self._canvas.endForm()
        self._show(text=False)
        self._reach(place)
        self._canvas.saveState()
        self._canvas.translate(place.x * PT_PER_MM, -place.y * PT_PER_MM)
        self._canvas.doForm(name)
        self._canvas.restoreState()

    def _letters(self, x: float, baseline: float, runs: Sequence[Run], size: float, colour: str, said: str) -> None:
        self._show(text=True)
        self._reach(self.written[-1].box)
        self._paint(colour, None, 0)
        differs = said != "".join(run.text for run in runs)
        if differs:
            self._canvas.addLiteral(f"/Span <</ActualText <FEFF{said.encode('utf-16-be').hex().upper()}>>> BDC")
        line = self._canvas.beginText(*self._point(x, baseline))
        for run in runs:
            line.setFont(run.font, size)
            line.textOut(run.text)
        self._canvas.drawText(line)
        if differs:
            self._canvas.addLiteral("EMC")

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return x * PT_PER_MM, (self.paper.h - y) * PT_PER_MM

    def _corners(self, box: Box) -> list[float]:
        """A box as reportlab has it: the left and the foot, the width and the height in points."""
        return [value * PT_PER_MM for value in (box.x, self.paper.h - box.bottom, box.w, box.h)]

    def _paint(self, fill: Ink, stroke: Ink, width: float) -> None:
        if fill is not None:
            self._canvas.setFillColor(HexColor(fill))
        if stroke is not None:
            self._canvas.setStrokeColor(HexColor(stroke))
            self._canvas.setLineWidth(width * PT_PER_MM)
            self._canvas.setLineCap(1)
            self._canvas.setLineJoin(1)


_HAIRLINE_MM = 0.15
_TEXT_PT = 7.0


def draw_ruler(page: Document, box: Box, text_box: Box, text: str, colour: str) -> None:
    """Draw the scale into a box of 50 mm, a stroke every 5 mm, and what to do beside it; readers pass over it."""
    with page.ornament():
        page.line(box.x, box.bottom, box.right, box.bottom, colour=colour, width=_HAIRLINE_MM)
        for millimetre in range(0, int(RULER_MM) + 1, 5):
            height = box.h * (1.0 if millimetre % 50 == 0 else 0.6 if millimetre % 10 == 0 else 0.35)
            x = box.x + millimetre
            page.line(x, box.bottom - height, x, box.bottom, colour=colour, width=_HAIRLINE_MM)
        page.text(text_box, text, _TEXT_PT, colour=colour)


MOST_COPIES = 1000
"""Copies of a page in one print."""


def check_copies(number: int) -> None:
    """Raises UsageError for copies that nobody prints."""
    if not 1 <= number <= MOST_COPIES:
        raise UsageError("a print has 1 to {most} copies, not {number}", most=MOST_COPIES, number=number)


class HowToPrint(TypedDict, total=False):
    """What all prints take: the paper, the language, and a template and a folder of fonts of the user's own."""

    paper: str
    language: str
    template: Path | None
    font_dir: Path | None


@dataclass(frozen=True, slots=True)
class PrintJob:
    """A template with its words in the language of a print, its paper and its fonts."""

    template: Table
    words: Table
    language: str
    paper: Box
    fonts: Fonts

    def document(self, *more: str, paper: Box | None = None) -> Document:
        """A document on that paper, or on this one as it lies; its title has `more` at its end."""
        title = " – ".join(filter(None, (self.words.title, self.words.subtitle, *more)))
        return Document(paper or self.paper, self.fonts, title=title, language=self.language)


def begin(
    kind: TemplateKind,
    *,
    paper: str = "a4",
    language: str = "en",
    template: Path | None = None,
    font_dir: Path | None = None,
) -> PrintJob:
    """What a print is made with; call it alone to refuse bad options early.

    Raises UsageError for an unknown paper or language or a missing folder of fonts, UnusableInputError for a bad
    template.
    """
    chosen = kind.load(template)
    return PrintJob(chosen, pick_words(chosen, language), language, paper_box(paper), Fonts(font_dir))
