"""Tables for a spreadsheet: CSV as it opens them on a double click, which depends on the country."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from companion.language.catalogue import decimal_mark


def csv_bytes(rows: Iterable[Sequence[object]], language: str) -> bytes:
    r"""Rows as a CSV file for where the language is spoken: where a number has a comma, semicolons part the columns.

    None is an empty cell, and text that would be taken for a formula gets an apostrophe. It begins with the mark by
    which spreadsheets know UTF-8. A line `sep=;` would keep Excel from heeding that mark.

    >>> csv_bytes([["name", "points"], ["=Anna", -3], [None, 4.5]], "it").decode("utf-8-sig")
    "name;points\r\n'=Anna;-3\r\n;4,5\r\n"
    """
    mark = decimal_mark(language)
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=";" if mark == "," else ",", lineterminator="\r\n")
    writer.writerows([_cell(value, mark) for value in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")


def _cell(value: object, decimal: str) -> object:
    if isinstance(value, float):
        return str(value).replace(".", decimal)
    formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if formula else value
