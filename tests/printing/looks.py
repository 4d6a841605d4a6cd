"""How prints look, as small grey pictures: approved ones lie in `pictures/`, a file for a print, language and paper.

A picture has a pixel for each cell of 4 mm: how grey it is on the page at 100 dots to the inch. PDFium draws them, in
the version that requirements.lock names. `python -m tests.printing.approved` draws them anew; look at the pages first.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2

FOLDER = Path(__file__).with_name("pictures")
DPI = 100
CELL_MM = 4
_STEP = 4
"""Pictures are kept in steps of so many of 255 greys, which makes their files small."""
MOST_APART = 6
"""Greys of 255 by which a cell may differ: half a step, and what another version of PDFium smooths otherwise."""
SEEN = MOST_APART + _STEP // 2
"""Greys by which a cell has to change so that it is noticed whatever was rounded: a lost word, a shift by 1 mm and
another piece change some cell by more (test_every_print.py)."""

Grey = np.ndarray


def pages(pdf: bytes) -> list[Grey]:
    """Each page in greys."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.render(scale=DPI / 72, grayscale=True).to_numpy().copy() for page in document]


def cells(page: Grey) -> Grey:
    """The means of a page's cells."""
    height, width = (round(length * 25.4 / DPI / CELL_MM) for length in page.shape[:2])
    return cv2.resize(page, (width, height), interpolation=cv2.INTER_AREA)


def strip(shown: list[Grey]) -> Grey:
    """The cells of all pages, side by side."""
    return np.hstack([cells(page) for page in shown])


def apart(one: Grey, other: Grey) -> int:
    """By how many greys the cell differs that differs most; 255 if there are more pages, or of another size."""
    return int(np.abs(one.astype(int) - other).max()) if one.shape == other.shape else 255


def picture_path(name: str, language: str, paper: str) -> Path:
    """The approved picture of a print."""
    return FOLDER / f"{name}-{language}-{paper}.png"


def approved_picture(name: str, language: str, paper: str) -> Grey:
    """A print as it was approved."""
    found = cv2.imread(str(picture_path(name, language, paper)), cv2.IMREAD_GRAYSCALE)
    assert found is not None, f"no picture of {name} in {language} on {paper}: python -m tests.printing.approved"
    return found


def approve(name: str, language: str, paper: str, pdf: bytes) -> None:
    """Keep how a print looks now, unless it looks as approved."""
    path, now = picture_path(name, language, paper), strip(pages(pdf))
    if not path.exists() or apart(approved_picture(name, language, paper), now) > MOST_APART:
        kept = np.minimum(now.astype(int) + _STEP // 2, 255) // _STEP * _STEP
        assert cv2.imwrite(str(path), kept.astype(np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 9])
