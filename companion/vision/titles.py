"""Names of face-up djinns, read off their cards by Tesseract and matched to the 22 of rules 11."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pytesseract
from numpy.typing import NDArray

from companion.errors import MissingDependencyError
from companion.notation.names import fold
from companion.programs import find_tesseract
from companion.rules.components import FACE_UP_DJINNS
from companion.rules.djinns import DJINNS
from companion.vision.load import Picture

LONG_SIDE_PX = 2400
ONE_BLOCK = "--psm 6"
"""Tesseract's mode for a page of plain lines: its own search for words fails on pictures of tables."""

WORD_REACHES_PX = (13, 27)
"""Strokes so far apart are taken for one word, small print and large."""

MOST_WORDS = 60
LINE_PX = 48
PAGE_PX = 620

Grey = NDArray[np.uint8]
"""A grey picture, (height, width)."""

LEAST_LIKENESS = 0.74
LEAST_MARGIN = 0.12
"""A word must be this like a name, and this much more so than like the next name."""

PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Title:
    """A djinn's name found in a picture, how like the word was (0 to 1), and where: px of the word's middle."""

    djinn: str
    likeness: float
    x: float
    y: float


def read_titles(photo: Picture) -> list[Title]:
    """The djinns whose names stand in a photo, upright or turned by quarters, from left to right.

    Raises MissingDependencyError without Tesseract.
    """
    if find_tesseract() is None:
        raise MissingDependencyError(
            "reading card titles needs Tesseract, which is not installed: apt install tesseract-ocr "
            "(or type the djinns' names into the position file)"
        )
    scale = LONG_SIDE_PX / max(photo.shape[:2])
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    grey = cv2.cvtColor(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=kind), cv2.COLOR_BGR2GRAY)
    best: list[Title] = []
    for quarters in range(4):
        turned = np.ascontiguousarray(np.rot90(grey, quarters), dtype=np.uint8)
        titles = _titles_in(turned)
        if sum(title.likeness for title in titles) > sum(title.likeness for title in best):
            best = titles
    return sorted(best, key=lambda title: title.x)


def face_up(titles: Sequence[Title]) -> tuple[str, ...]:
    """The djinns on the table by the titles seen: the likeliest three, from left to right (rules 2.7)."""
    likeliest = sorted(titles, key=lambda title: -title.likeness)[:FACE_UP_DJINNS]
    return tuple(title.djinn for title in titles if title in likeliest)


def _titles_in(grey: Grey) -> list[Title]:
    boxes = _word_boxes(grey)
    if not boxes:
        return []
    page, tops = _page_of(grey, boxes)
    words = pytesseract.image_to_data(page, config=ONE_BLOCK, timeout=PATIENCE_S, output_type=pytesseract.Output.DICT)
    found: dict[str, Title] = {}
    for text, top, height in zip(words["text"], words["top"], words["height"], strict=True):
        match = match_name(text)
        if match is not None and (match[0] not in found or found[match[0]].likeness < match[1]):
            left, above, width, tall = boxes[int(np.searchsorted(tops, top + height / 2)) - 1]
            found[match[0]] = Title(match[0], match[1], left + width / 2, above + tall / 2)
    return list(found.values())


def _word_boxes(grey: Grey) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, width, height) that may hold a word: dark or light strokes close together in a line."""
    boxes = []
    for picture in (grey, 255 - grey):
        ink = cv2.adaptiveThreshold(picture, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 51, 14)
        for reach in WORD_REACHES_PX:
            joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, reach), np.uint8))
            _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
            boxes += [
                (int(left), int(top), int(width), int(height))
                for left, top, width, height, area in stats[1:]
                if 16 <= height <= 140 and 2 * height <= width <= 12 * height and area > 0.25 * width * height
            ]
    return sorted(boxes, key=lambda box: -box[2] * box[3])[:MOST_WORDS]


def _page_of(grey: Grey, boxes: list[tuple[int, int, int, int]]) -> tuple[Grey, list[int]]:
    """The words one below the other, black on white, as Tesseract likes its pages; and where each one begins."""
    lines, tops, height = [], [], 0
    for left, top, width, tall in boxes:
        rim = tall // 4
        crop = grey[max(top - rim, 0) : top + tall + rim, max(left - rim, 0) : left + width + rim]
        scale = LINE_PX / crop.shape[0]
        line = cv2.resize(crop, (min(round(crop.shape[1] * scale), PAGE_PX), LINE_PX), interpolation=cv2.INTER_AREA)
        _, bright = cv2.threshold(line, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        if bright.mean() < 127:
            line = 255 - line
        padded = np.full((LINE_PX + 24, PAGE_PX + 40), 255, np.uint8)
        padded[12 : 12 + LINE_PX, 20 : 20 + line.shape[1]] = cv2.normalize(
            line, np.empty_like(line), 0, 255, cv2.NORM_MINMAX
        )
        lines.append(padded)
        tops.append(height)
        height += padded.shape[0]
    return np.vstack(lines), tops


def match_name(text: str) -> tuple[str, float] | None:
    """The djinn that a read word names, and how like it is; None if no name, or no single one, is near.

    >>> match_name("Jafaar."), match_name("Sharnhat"), match_name("Market")
    (('Jafaar', 1.0), ('Shamhat', 0.8), None)
    """
    word = fold(text)
    if len(word) < 4:
        return None
    ranked = sorted(((difflib.SequenceMatcher(None, word, fold(name)).ratio(), name) for name in DJINNS), reverse=True)
    (likeness, name), (next_likeness, _) = ranked[:2]
    if likeness < LEAST_LIKENESS or likeness - next_likeness < LEAST_MARGIN:
        return None
    return name, likeness
