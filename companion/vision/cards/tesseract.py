"""Tesseract put to work: lines of print in, words out, whatever it does."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2

from companion.errors import MissingDependencyError, PhotoError, printable
from companion.vision.numerics import GreyImage

ONE_LINE = "--psm 7"
"""Tesseract's mode for pages of one line: its own search for words fails on pictures of tables."""

TIMEOUT_S = 60
"""It takes a second or two a page; after so long it hangs."""

_THREADS = "OMP_THREAD_LIMIT"

MAX_REASON = 200
"""Characters of what Tesseract says that a message repeats."""


def read_lines(pictures: Sequence[GreyImage], languages: str) -> list[list[tuple[str, float]]]:
    """The words of each picture of a line and how sure each is (0 to 100), in languages as Tesseract has them ("eng").

    Raises PhotoError if it gives up on the pictures, MissingDependencyError if it does not work at all.
    """
    lines: list[list[tuple[str, float]]] = [[] for _ in pictures]
    if not pictures:
        return lines
    import pytesseract

    try:
        with tempfile.TemporaryDirectory() as folder, _one_thread():
            # One page a line: Tesseract starts once for all, and no line runs into the next.
            pages = Path(folder) / "lines.tif"
            cv2.imwritemulti(str(pages), list(pictures))
            table = pytesseract.image_to_data(
                str(pages), lang=languages, config=ONE_LINE, timeout=TIMEOUT_S, output_type=pytesseract.Output.STRING
            )
        for page, sure, text in _rows(str(table)):
            if text and math.isfinite(sure) and 1 <= page <= len(lines):
                lines[page - 1].append((text, sure))
        return lines
    except pytesseract.TesseractError as error:
        reason = error.message
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise PhotoError(
            "Tesseract could not read the titles ({reason}): photograph the djinn cards alone", reason=reason
        ) from None
    except (OSError, ValueError, LookupError, TypeError, SystemExit) as error:
        # What comes back may be anything, and the library that asks for it even leaves the program.
        reason = str(error)
    said = " ".join(printable(str(reason)).split())[:MAX_REASON]
    raise MissingDependencyError(
        "Tesseract doesn't work here ({said}): reinstall it (apt install --reinstall tesseract-ocr), or type the "
        "djinn names into the position file",
        said=said,
    )


@contextmanager
def _one_thread() -> Iterator[None]:
    """Tesseract's threads wait for each other more than they work: with one it takes a quarter of the time."""
    given = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        yield
    finally:
        if given is None:
            os.environ.pop(_THREADS, None)


def _rows(table: str) -> Iterator[tuple[int, float, str]]:
    """Page, how sure, and text of each row of what Tesseract writes. Raises ValueError if it is no such table."""
    head, *rows = table.splitlines() or [""]
    names = head.split("\t")
    page, sure, text = (names.index(name) for name in ("page_num", "conf", "text"))
    for row in rows:
        cells = row.split("\t")
        if len(cells) == len(names):
            yield int(cells[page]), float(cells[sure]), printable(cells[text]).strip()
