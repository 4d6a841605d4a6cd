"""Tables on a window that is too narrow for them: row by row, so that names and numbers stay whole."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate

_ANY_WIDTH = 10_000
_LONGEST_HEADING = 12
"""Columns of a heading that is put before each of its cells; a longer one explains what is plain without it."""


def print_table(out: Console, table: Table, *, least: int | None = None) -> None:
    """Print a table, or its rows one below another where the window has not the width that it takes.

    `least` is the width from which on its cells may be wrapped; without it none may.
    """
    needed = least or Measurement.get(out, out.options.update(max_width=_ANY_WIDTH), table).maximum
    if needed <= out.width:
        out.print(table)
        return
    for row in zip(*(column.cells for column in table.columns), strict=True):
        headings = [_text(column.header) for column in table.columns]
        first, *rest = _lines(list(zip(headings, map(_text, row), strict=True)))
        # A name longer than the window is wrapped by the terminal alone, which copies it whole.
        out.print(first, no_wrap=True, overflow="ignore", crop=False)
        for line in rest:
            out.print(Padding(line, (0, 0, 0, 2)))


def _text(cell: object) -> Text:
    return cell.copy() if isinstance(cell, Text) else Text(translate(cell) if isinstance(cell, str) else "")


def _lines(cells: list[tuple[Text, Text]]) -> Iterator[Text]:
    """Cells with their headings, what belongs together on a line."""
    line, was_headed = Text(), False
    for number, (heading, cell) in enumerate(cells):
        if not cell.plain.strip():
            continue
        width = cell_len(heading.plain)
        is_headed = 0 < width <= _LONGEST_HEADING
        if line and (width > _LONGEST_HEADING or (is_headed and (not was_headed or number == 1))):
            yield line
            line = Text()
        elif line:
            line.append(", ")
        line.append_text(Text(f"{heading.plain} ") if is_headed else Text())
        line.append_text(cell)
        was_headed = is_headed
    yield line
