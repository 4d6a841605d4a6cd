"""Tables for a spreadsheet: CSV as it opens them on a double click, which depends on the country."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.errors import UsageError, quoted
from companion.language.catalogue import decimal_mark

_NAMED = {",": ",", ";": ";", "tab": "\t", "\t": "\t", "\\t": "\t"}
"""How people write what stands between the columns."""


@dataclass(frozen=True, slots=True)
class CsvForm:
    """What stands between the columns, and in a number before its decimals."""

    delimiter: str = ","
    decimal: str = "."


def csv_form(language: str, delimiter: str | None = None) -> CsvForm:
    r"""The form that spreadsheets take where the language is spoken; `delimiter` names another one.

    Where a number has a comma, semicolons part the columns; where semicolons do, a number has a comma.

    >>> csv_form("ru"), csv_form("it", ","), csv_form("en", "tab")
    (CsvForm(delimiter=';', decimal=','), CsvForm(delimiter=',', decimal='.'), CsvForm(delimiter='\t', decimal='.'))

    Raises UsageError for a delimiter that is none.
    """
    mark = decimal_mark(language)
    if delimiter is None:
        return CsvForm(";" if mark == "," else ",", mark)
    if delimiter not in _NAMED:
        raise UsageError(
            "--delimiter {found}: it can be a comma, a semicolon (in quotes) or tab", found=quoted(delimiter)
        )
    chosen = _NAMED[delimiter]
    return CsvForm(chosen, {",": ".", ";": ","}.get(chosen, mark))


def csv_bytes(rows: Iterable[Sequence[object]], form: CsvForm) -> bytes:
    r"""Rows as a CSV file; None is an empty cell, and text that would be taken for a formula gets an apostrophe.

    It begins with the mark by which spreadsheets know UTF-8. A line `sep=;` would keep Excel from heeding that mark.

    >>> csv_bytes([["name", "points"], ["=Anna", -3], [None, 4.5]], csv_form("it")).decode("utf-8-sig")
    "name;points\r\n'=Anna;-3\r\n;4,5\r\n"
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=form.delimiter, lineterminator="\r\n")
    writer.writerows([_cell(value, form.decimal) for value in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")


def _cell(value: object, decimal: str) -> object:
    if isinstance(value, float):
        return str(value).replace(".", decimal)
    formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if formula else value
