"""Text set to fit: paragraphs, and rows of icon, text and value, in the largest type at which all have room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from companion.printing.core.geometry import Box
from companion.printing.core.lettering import glued
from companion.printing.core.page import Document
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Align, Surface
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face

LEADING = 1.22
"""From line to line, as a share of the type size."""

_STEP_PT = 0.1
_SPACING = 0.45
"""Between paragraphs, as a share of the type size."""
_NUMBER_SHARE = 1.15
"""Width of a paragraph's number or dot, as a share of the type size."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text in lines: a number or dot that hangs at its left, its face and colour, its size as a share of the rest."""

    text: str
    colour: str
    face: Face = Face.REGULAR
    share: float = 1.0
    number: str = ""
    number_colour: str | None = None
    level: int = 0
    """How many steps it is indented by."""
    close: bool = False
    """Whether it stands right under the one before it, as a text under its heading."""
    even: bool = False
    """Whether its lines are made about equally long."""


def largest(fits: Callable[[float], bool], most: float) -> float:
    """The largest type size in points, in small steps from `most` down, that fits; `MIN_TYPE_PT` if none does."""
    low, high = 0, max(round((most - MIN_TYPE_PT) / _STEP_PT), 0)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(MIN_TYPE_PT + middle * _STEP_PT):
            low = middle
        else:
            high = middle - 1
    return MIN_TYPE_PT + low * _STEP_PT


def line_mm(size: float) -> float:
    """The height of a line in mm."""
    return size * LEADING / PT_PER_MM


def fitting_size(page: Surface, box: Box, paragraphs: Sequence[Paragraph], most: float) -> float:
    """The size in points at which the paragraphs fit into the box, at most `most`."""
    return largest(lambda size: fits(page, box, paragraphs, size), most)


def text_height(page: Surface, paragraphs: Sequence[Paragraph], width: float, size: float) -> float:
    """How high the paragraphs are in mm in a column of that width in mm."""
    height = 0.0
    for place, paragraph in enumerate(paragraphs):
        own = _own_size(paragraph, size)
        height += len(text_lines(page, paragraph, width, size)) * line_mm(own)
        if place and not paragraph.close:
            height += _SPACING * size / PT_PER_MM
    return height


def set_text(
    page: Surface,
    box: Box,
    paragraphs: Sequence[Paragraph],
    size: float,
    *,
    align: Align = "left",
    middle: bool = False,
) -> float:
    """Write the paragraphs into the box from its top, or in its middle; gives the y below them.

    What does not fit at the bottom is left out with an ellipsis, so that nothing stands outside the box.
    """
    y = box.y
    if middle:
        y += max((box.h - text_height(page, paragraphs, box.w, size)) / 2, 0)
    for place, paragraph in enumerate(paragraphs):
        own = _own_size(paragraph, size)
        height = line_mm(own)
        if place and not paragraph.close:
            y += _SPACING * size / PT_PER_MM
        indent, hang = _indents(paragraph, size)
        lines = text_lines(page, paragraph, box.w, size)
        with page.tagged(Tag.PARAGRAPH):
            for number, line in enumerate(lines):
                if y + height > box.bottom + 0.05:
                    return y
                below = height if number + 1 < len(lines) else _first_line(paragraphs[place + 1 :], size)
                last = y + height + below > box.bottom + 0.05 and below > 0
                if number == 0 and paragraph.number:
                    _write_number(page, Box(box.x + indent, y, hang, height), paragraph, own)
                row = Box(box.x + indent + hang, y, box.w - indent - hang, height)
                text = f"{line} …" if last else line
                page.text(row, text, own, face=paragraph.face, colour=paragraph.colour, align=align)
                y += height
    return y


def _first_line(paragraphs: Sequence[Paragraph], size: float) -> float:
    """How much room in mm the first line of these needs below others, 0 where there are none."""
    if not paragraphs:
        return 0.0
    gap = 0.0 if paragraphs[0].close else _SPACING * size / PT_PER_MM
    return gap + line_mm(_own_size(paragraphs[0], size))


def _write_number(page: Surface, box: Box, paragraph: Paragraph, size: float) -> None:
    """Write what hangs at the left of a paragraph; a dot is no letter and is not read out."""
    with nullcontext() if paragraph.number.isalnum() else page.ornament():
        colour = paragraph.number_colour or paragraph.colour
        page.text(box, paragraph.number, size, face=Face.BOLD, colour=colour)


def _own_size(paragraph: Paragraph, size: float) -> float:
    return max(size * paragraph.share, MIN_TYPE_PT)


def _indents(paragraph: Paragraph, size: float) -> tuple[float, float]:
    """How far a paragraph is indented, and how far its lines hang behind its number, in mm."""
    step = _NUMBER_SHARE * size / PT_PER_MM
    return paragraph.level * step, step if paragraph.number else 0.0


def text_lines(page: Surface, paragraph: Paragraph, width: float, size: float) -> list[str]:
    """The lines in which a paragraph stands in a column of that width in mm, at that size in points."""
    own = _own_size(paragraph, size)
    room = width - sum(_indents(paragraph, size))
    lines = page.wrapped(glued(paragraph.text), own, room, paragraph.face)
    if len(lines) > 1 and paragraph.even:
        return page.balanced(glued(paragraph.text), own, room, paragraph.face)
    if len(lines) > 1 and len(lines[-1].split()) == 1:
        return _without_orphan(page, paragraph, own, room, lines)
    return lines


def _without_orphan(page: Surface, paragraph: Paragraph, size: float, room: float, lines: list[str]) -> list[str]:
    """The last line given a word of the one before, where it stood alone with one."""
    words = lines[-2].split()
    moved = f"{words[-1]} {lines[-1]}"
    if len(words) < 3 or page.width(moved, size, paragraph.face) > room:
        return lines
    return [*lines[:-2], " ".join(words[:-1]), moved]


def fits(page: Surface, box: Box, paragraphs: Sequence[Paragraph], size: float) -> bool:
    """Whether the paragraphs have room in the box at that size, no word wider than it."""
    for paragraph in paragraphs:
        own = _own_size(paragraph, size)
        room = box.w - sum(_indents(paragraph, size))
        lines = text_lines(page, paragraph, box.w, size)
        if any(page.width(line, own, paragraph.face) > room + 1e-6 for line in lines):
            return False
    return text_height(page, paragraphs, box.w, size) <= box.h + 1e-6


_GAP_MM = 1.5
_MIN_GAP_SHARE = 0.25
"""Least space between rows, as a share of the type size."""
_MAX_GAP_MM = 3.5


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A row: its paragraphs, what draws its icon into a box, and the value at its right."""

    texts: tuple[Paragraph, ...]
    icon: Callable[[Box], None] | None = None
    value: str = ""
    joined: bool = False
    """Whether no line parts it from the row above."""
    badge: Callable[[Box], None] | None = None
    """What draws a value that is more than a number."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in mm of a row's icon and value, 0 where rows have none."""

    icon: float
    value: float = 0.0


def draw_rows(
    page: Document,
    box: Box,
    rows: Sequence[PanelRow],
    columns: Columns,
    most: float,
    *,
    colour: str,
    rule: str | None = None,
) -> float:
    """Draw rows from the top of a box, with a line in `rule` between them; gives the size used in points."""
    size = largest(lambda size: _fit(page, box, rows, columns, size), most)
    heights = [_height(page, box, row, columns, size) for row in rows]
    gap = min(max((box.h - sum(heights)) / max(len(rows) - 1, 1), 0), _MAX_GAP_MM)
    for number, (row, place) in enumerate(zip(rows, box.rows(heights, gap), strict=True)):
        left, right = _edges(row, columns)
        if row.icon is not None:
            row.icon(Box(box.x, place.y + (place.h - columns.icon) / 2, columns.icon, columns.icon))
        with page.tagged(Tag.SECTION):
            set_text(page, Box(box.x + left, place.y, box.w - left - right, place.h), row.texts, size, middle=True)
            value = Box(box.right - columns.value, place.y, columns.value, place.h)
            page.text(value, row.value, size * 1.2, face=Face.BOLD, colour=colour, align="right")
            if row.badge is not None:
                row.badge(value)
        if rule is not None and number and not row.joined:
            y = (place.y - gap + place.y) / 2
            page.line(box.x, y, box.right, y, colour=rule, width=0.15)
    return size


def _edges(row: PanelRow, columns: Columns) -> tuple[float, float]:
    left = columns.icon + _GAP_MM if row.icon is not None else 0.0
    return left, columns.value + _GAP_MM if row.value or row.badge is not None else 0.0


def _height(page: Document, box: Box, row: PanelRow, columns: Columns, size: float) -> float:
    text = text_height(page, row.texts, box.w - sum(_edges(row, columns)), size)
    return max(text, columns.icon if row.icon is not None else 0.0)


def _fit(page: Document, box: Box, rows: Sequence[PanelRow], columns: Columns, size: float) -> bool:
    gaps = (len(rows) - 1) * _MIN_GAP_SHARE * size / PT_PER_MM
    for row in rows:
        if not fits(page, Box(0, 0, box.w - sum(_edges(row, columns)), box.h), row.texts, size):
            return False
    return sum(_height(page, box, row, columns, size) for row in rows) + gaps <= box.h + 1e-6
