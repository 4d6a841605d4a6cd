"""Rows of a panel: an icon at the left, text beside it, a value at the right; one type size for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.printing.cards.flow import Paragraph, fits, largest, set_text, text_height
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face

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

    @property
    def has_value(self) -> bool:
        """Whether something stands at its right."""
        return bool(self.value) or self.badge is not None


@dataclass(frozen=True, slots=True)
class RowBoxes:
    """Where the parts of a row stand; a row without icon has its text from the left edge."""

    whole: Box
    icon: Box
    text: Box
    value: Box


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in mm of a row's icon and value, 0 where rows have none."""

    icon: float
    value: float = 0.0


def lay_rows(
    page: Document, box: Box, rows: Sequence[PanelRow], columns: Columns, most: float
) -> tuple[float, list[RowBoxes]]:
    """The type size in points, at most `most`, at which all rows fit into the box, and where each stands."""
    size = largest(lambda size: _fit(page, box, rows, columns, size), most)
    heights = [_height(page, box, row, columns, size) for row in rows]
    spare = box.h - sum(heights)
    gap = min(max(spare / max(len(rows) - 1, 1), 0), _MAX_GAP_MM)
    laid, y = [], box.y
    for row, height in zip(rows, heights, strict=True):
        whole = Box(box.x, y, box.w, height)
        left, right = _edges(row, columns)
        icon = Box(box.x, y + (height - columns.icon) / 2, columns.icon, columns.icon)
        text = Box(box.x + left, y, box.w - left - right, height)
        value = Box(box.right - columns.value, y, columns.value, height)
        laid.append(RowBoxes(whole, icon, text, value))
        y += height + gap
    return size, laid


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
    size, laid = lay_rows(page, box, rows, columns, most)
    for number, (row, place) in enumerate(zip(rows, laid, strict=True)):
        if row.icon is not None:
            row.icon(place.icon)
        with page.tagged(Tag.SECTION):
            _write_row(page, row, place, size, colour)
        if rule is not None and number and not row.joined:
            y = (laid[number - 1].whole.bottom + place.whole.y) / 2
            page.line(box.x, y, box.right, y, colour=rule, width=0.15)
    return size


def _write_row(page: Document, row: PanelRow, place: RowBoxes, size: float, colour: str) -> None:
    set_text(page, place.text, row.texts, size, middle=True)
    if row.value:
        page.text(place.value, row.value, size * 1.2, face=Face.BOLD, colour=colour, align="right")
    if row.badge is not None:
        row.badge(place.value)


def _edges(row: PanelRow, columns: Columns) -> tuple[float, float]:
    left = columns.icon + _GAP_MM if row.icon is not None else 0.0
    return left, columns.value + _GAP_MM if row.has_value else 0.0


def _height(page: Document, box: Box, row: PanelRow, columns: Columns, size: float) -> float:
    text = text_height(page, row.texts, box.w - sum(_edges(row, columns)), size)
    return max(text, columns.icon if row.icon is not None else 0.0)


def _fit(page: Document, box: Box, rows: Sequence[PanelRow], columns: Columns, size: float) -> bool:
    gaps = (len(rows) - 1) * _MIN_GAP_SHARE * size / PT_PER_MM
    for row in rows:
        if not fits(page, Box(0, 0, box.w - sum(_edges(row, columns)), box.h), row.texts, size):
            return False
    return sum(_height(page, box, row, columns, size) for row in rows) + gaps <= box.h + 1e-6
