"""The letters of a print as PDFium reads them out of the file: quick enough for every print in every language."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

from companion.printing.core.geometry import Box
from tests.printing.boxes import PT_PER_MM, Page
from tests.printing.checks import ABOVE, BELOW, Line, Print

_HYPHEN_AT_THE_END = "\x02"
"""What PDFium makes of a hyphen that ends a line."""
_SPACE_EM = 0.6
"""Letters farther apart than this share of their size do not follow one another."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter: the box in mm that it takes on its line, the line it stands on from the top, its size in points."""

    text: str
    box: Box
    base: float
    size: float
    colour: tuple[float, float, float]


def read_letters(pdf: bytes) -> list[tuple[Box, list[Letter]]]:
    """The paper of each page, in mm, with its letters in the order of drawing; spaces are left out."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [_page(page) for page in document]


def read_pages(pdf: bytes) -> list[Page]:
    """All pages, for `Page.text` and `Page.lines`; their shapes are not read."""
    return [Page(tuple((letter.text, letter.box) for letter in letters), ()) for _, letters in read_letters(pdf)]


def read_lines(pdf: bytes) -> Print:
    """The print's papers and lines, for checks of texts; shapes and parts for readers are not read."""
    found = read_letters(pdf)
    lines = tuple(line for number, (_, letters) in enumerate(found) for line in _lines(number, letters))
    return Print(pdf, tuple(paper for paper, _ in found), lines, ())


def _page(page: pypdfium2.PdfPage) -> tuple[Box, list[Letter]]:
    width, height = page.get_size()
    paper = Box(0, 0, width / PT_PER_MM, height / PT_PER_MM)
    text = page.get_textpage()
    try:
        numbers = range(pdfium.FPDFText_CountChars(text))
        letters = [letter for number in numbers if (letter := _letter(text, number, height)) is not None]
    finally:
        text.close()
    return paper, letters


def _letter(text: pypdfium2.PdfTextPage, number: int, height: float) -> Letter | None:
    sign = chr(pdfium.FPDFText_GetUnicode(text, number)).replace(_HYPHEN_AT_THE_END, "-")
    if not sign.strip() or pdfium.FPDFText_IsGenerated(text, number) == 1:
        return None
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, number, x, y)
    loose = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text, number, loose)
    parts = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFText_GetFillColor(text, number, *parts)
    size = float(pdfium.FPDFText_GetFontSize(text, number))
    base, em = (height - y.value) / PT_PER_MM, size / PT_PER_MM
    box = Box(loose.left / PT_PER_MM, base - ABOVE * em, (loose.right - loose.left) / PT_PER_MM, (ABOVE + BELOW) * em)
    red, green, blue = (part.value / 255 for part in parts[:3])
    return Letter(sign, box, base, size, (red, green, blue))


def _lines(page: int, letters: list[Letter]) -> Iterator[Line]:
    """Letters that follow one another on one height, in one size and colour."""
    run: list[Letter] = []
    for letter in letters:
        if run and not _follows(run[-1], letter):
            yield _line(page, run)
            run = []
        run.append(letter)
    if run:
        yield _line(page, run)


def _follows(before: Letter, letter: Letter) -> bool:
    alike = abs(before.base - letter.base) < 0.05 and before.colour == letter.colour
    near = abs(letter.box.x - before.box.right) < _SPACE_EM * before.size / PT_PER_MM
    return alike and near and abs(before.size - letter.size) < 0.01


def _line(page: int, run: list[Letter]) -> Line:
    first = run[0]
    box = Box(first.box.x, first.box.y, run[-1].box.right - first.box.x, first.box.h)
    return Line(page, "".join(letter.text for letter in run), box, first.size, None, first.colour)
