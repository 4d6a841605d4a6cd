"""The tables that commands print: of figures, of facts, and lists; on a narrow window row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate

_ANY_WIDTH = 10_000
_MAX_HEADING = 12
"""Columns of a heading that is put before each of its cells; a longer one explains what is plain without it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading and footer, whether its cells may be wrapped, and its share of spare width."""

    heading: RenderableType = ""
    footer: RenderableType = ""
    style: str = ""
    is_number: bool = False
    wraps: bool = True
    share: int | None = None


class FittingTable(Table):
    """A table whose rows stand one below another in a window narrower than `least`, or than its words."""

    least: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if (self.least or self._needed(console, options.update(max_width=_ANY_WIDTH))) <= options.max_width:
            yield from super().__rich_console__(console, options)
            return
        headings = [_text(column.header) for column in self.columns]
        rows = list(zip(*(column.cells for column in self.columns), strict=True))
        if self.show_footer:
            rows.append(tuple(column.footer for column in self.columns))
        for row in rows:
            first, *rest = _lines(zip(headings, map(_text, row), strict=True))
            if rest:  # A name longer than the window is wrapped by the terminal alone, which copies it whole.
                first.no_wrap, first.overflow = True, "ignore"
            yield first
            for line in rest:
                yield Padding(line, (0, 0, 0, 2))

    def _needed(self, console: Console, wide: ConsoleOptions) -> int:
        """Its width where what may be wrapped is no wider than its longest word."""
        needed = Measurement.get(console, wide, self).maximum
        for column in self.columns:
            cells = [Measurement.get(console, wide, cell) for cell in (column.header, *column.cells, column.footer)]
            spare = max(cell.maximum for cell in cells) - max(cell.minimum for cell in cells)
            # Rich breaks single words to make room for sentences beside them.
            column.no_wrap |= not spare
            needed -= 0 if column.no_wrap else spare
        return needed


def number(heading: RenderableType = "", style: str = "") -> Column:
    """A column of numbers: flush right and never wrapped."""
    return Column(heading, style=style, is_number=True, wraps=False)


def figures(
    columns: Iterable[Column | str], rows: Iterable[Sequence[RenderableType]], *, tight: bool = False
) -> FittingTable:
    """A table with lines below headings and above footers; a text is a column of that heading; `tight` saves room."""
    known = [column if isinstance(column, Column) else Column(column) for column in columns]
    has_footer = any(column.footer for column in known)
    lines = box.SIMPLE if has_footer else box.SIMPLE_HEAD
    table = FittingTable(box=lines, show_edge=False, pad_edge=False, show_footer=has_footer, collapse_padding=tight)
    for column in known:
        table.add_column(
            column.heading,
            column.footer,
            style=column.style,
            justify="right" if column.is_number else "left",
            no_wrap=not column.wraps,
            overflow="fold",
            ratio=column.share,
        )
    for row in rows:
        table.add_row(*row)
    return table


def listing(headings: Iterable[RenderableType], rows: Iterable[Sequence[RenderableType]]) -> FittingTable:
    """A plain list in columns."""
    table = FittingTable(box=None, padding=(0, 3, 0, 0), pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def facts(rows: Iterable[Sequence[RenderableType]]) -> Table:
    """What is known, a line each, behind its name in bold."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    for column in table.columns:
        # A code or a path that is wider than the window goes on in the next line.
        column.overflow = "fold"
    return table


def _text(cell: object) -> Text:
    return cell.copy() if isinstance(cell, Text) else Text(translate(cell) if isinstance(cell, str) else "")


def _lines(cells: Iterable[tuple[Text, Text]]) -> Iterator[Text]:
    """Cells with their headings, what belongs together on a line."""
    line, was_headed = Text(), False
    for place, (heading, cell) in enumerate(cells):
        if not cell.plain.strip():
            continue
        name = heading.plain.strip()
        width = cell_len(name)
        is_headed = 0 < width <= _MAX_HEADING
        if line and (width > _MAX_HEADING or (is_headed and (not was_headed or place == 1))):
            yield line
            line = Text()
        elif line:
            line.append(", " if any(map(str.isalnum, cell.plain)) else "  ")
        line.append_text(Text(f"{name} ") if is_headed else Text())
        line.append_text(cell)
        was_headed = is_headed
    yield line
