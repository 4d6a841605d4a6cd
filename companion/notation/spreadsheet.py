"""Rows for a spreadsheet: CSV as every one of them opens it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    r"""Rows as CSV; None is an empty cell, and text that a spreadsheet would take for a formula gets an apostrophe.

    >>> csv_text([["name", "points"], ["=Anna", -3], [None, 4]])
    "name,points\r\n'=Anna,-3\r\n,4\r\n"
    """
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cell(value: object) -> object:
    formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if formula else value
