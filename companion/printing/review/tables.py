"""Tables that go on over the page: a row below the other, with the heads again at the top of each page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.printing.core.geometry import Box
from companion.printing.core.surface import Align
from companion.printing.core.tagging import Part, Tag
from companion.printing.review.pages import Pages

_HEAD_LEADING = 1.2
_CELL_SIDE_MM = 0.8
_HAIRLINE_MM = 0.15


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: what stands over it, its width in mm (None for the one that takes the rest), and where its texts go."""

    head: str
    width: float | None
    align: Align = "left"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row on its page: its whole room, the places of its cells, and their parts, which texts are drawn into."""

    box: Box
    cells: tuple[Box, ...]
    parts: tuple[Part, ...]


class FlowTable:
    """A table whose rows are placed one by one, at most `size` pt in its heads.

    The first cell of a row is its header: whose it is.
    """

    def __init__(self, pages: Pages, columns: Sequence[TableColumn], size: float) -> None:
        self._pages, self._columns, self._size = pages, columns, size
        fixed = sum(column.width or 0.0 for column in columns)
        self._widths = [pages.w - fixed if column.width is None else column.width for column in columns]
        with pages.document.tagged(Tag.TABLE) as part:
            self._part = part
        self._page = -1

    def room(self, column: int) -> float:
        """How wide texts in a column may be, in mm."""
        return self._widths[column] - 2 * _CELL_SIDE_MM

    def row(self, height: float, *, ground: str | None = None, rule: str) -> TableRow:
        """Room for the next row, with its heads above it where it is the first on its page; drawn are its ground and
        the `rule` above it, both in colours as #RRGGBB.
        """
        pages = self._pages
        heads = pages.step(self._size) * _HEAD_LEADING
        new = self._page != pages.number
        place = pages.placed(height + (heads if new else 0.0))
        if self._page != pages.number:
            self._draw_heads(Box(place.x, place.y, place.w, heads))
            place = Box(place.x, place.y + heads, place.w, height)
        box = Box(place.x, place.y, place.w, height)
        if ground is not None:
            pages.document.box(box, fill=ground)
        pages.document.line(box.x, box.y, box.right, box.y, colour=rule, width=_HAIRLINE_MM)
        pages.y = box.bottom
        part = self._part.add(Tag.ROW)
        parts = [part.add(Tag.HEADER_CELL), *(part.add(Tag.CELL) for _ in self._columns[1:])]
        return TableRow(box, tuple(self._cells(box)), tuple(parts))

    def _cells(self, box: Box) -> list[Box]:
        return [cell.inset(_CELL_SIDE_MM, 0) for cell in box.columns(self._widths)]

    def _draw_heads(self, box: Box) -> None:
        pages, document = self._pages, self._pages.document
        first = self._page < 0
        self._page = pages.number
        row = self._part.add(Tag.ROW) if first else None
        for cell, column in zip(self._cells(box), self._columns, strict=True):
            # Heads are said once, though they are printed on each page.
            part = row.add(Tag.HEADER_CELL, across=True) if row is not None else None
            with document.ornament() if part is None else document.tagged(part):
                pages.text(cell, column.head, self._size, colour=pages.palette.quiet, align=column.align)
