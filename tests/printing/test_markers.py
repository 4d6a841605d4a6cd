"""Corner markers and the calibration card: everything has its place, and a camera finds it again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from pypdf import PdfReader

from companion.errors import UsageError
from companion.notation.fiducials import (
    CARD_MARKERS,
    CARD_MM,
    CARD_PIECES,
    CORNER_MARKER_MM,
    CORNER_MARKERS,
    CORNER_RIM_MM,
    FIELD_MM,
    STRIP_MM,
    dark_modules,
    field_corner,
    field_dots,
    marker_corner,
)
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box
from companion.printing.core.page import Document
from companion.printing.core.template import LANGUAGES
from companion.printing.markers.pages import marker_boxes, markers_pdf
from companion.printing.markers.template import load_markers_template
from tests.printing.conftest import pages

TEMPLATE = load_markers_template(None)
DPI = 80


def _marks(page: np.ndarray) -> dict[int, np.ndarray]:
    """Corners in mm of the markers on a page, by number."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    quads, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    return {int(number): quad.reshape(4, 2) * 25.4 / DPI for quad, number in zip(quads, np.ravel(numbers), strict=True)}


def test_what_lies_on_the_card_lies_apart() -> None:
    fields = [Box(*field_corner(number), FIELD_MM, FIELD_MM + 8) for number in range(len(CARD_PIECES))]
    markers = [Box(*marker_corner(place), 21, 21) for place in range(4)]
    parts = [*fields, *markers, Box(*STRIP_MM)]
    assert all(Box(0, 0, *CARD_MM).holds(part) for part in parts)
    assert not [(a, b) for n, a in enumerate(parts) for b in parts[:n] if a.overlaps(b)]
    for number, field in enumerate(fields):
        assert all(field.inset(2).holds(Box(x, y, 0, 0)) for x, y in field_dots(number))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "ko"])
def test_words_have_room_in_every_language(drawn: list[Document], paper: str, language: str) -> None:
    pdf = markers_pdf(paper=paper, language=language)
    document, words = drawn[0], TEMPLATE.words[language]
    for number, one in enumerate(document.written):
        assert document.paper.inset(SAFE_MM).holds(one.box), one
        assert "…" not in one.text, one
        core = one.box.inset(0, one.box.h * 0.25)
        others = [other for other in document.written[:number] if other.page == one.page]
        assert not [other for other in others if core.overlaps(other.box.inset(0, other.box.h * 0.25))], one
    first, second = (" ".join(one.text for one in document.written if one.page == page) for page in (0, 1))
    assert words.title in first and words.tiles in first
    assert words.card_title in second
    assert len(PdfReader(io.BytesIO(pdf)).pages) == 2
    texts = [written.text for written in document.written]
    for name in ("vizier", "elder", "builder", "merchant", "assassin", "black", "pink", "palm", "palace"):
        assert texts.count(getattr(words.pieces, name)) == 1


def test_korean_is_whole() -> None:
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(markers_pdf(language="ko"))).pages)
    assert all(word in text for word in ("모서리 표식", "색 보정 카드", "궁전"))


@pytest.mark.parametrize("paper", PAPERS)
def test_a_camera_finds_each_marker_at_its_place(paper: str, tmp_path: Path) -> None:
    first, second = pages(markers_pdf(paper=paper), tmp_path, DPI)
    corners = _marks(first)
    assert sorted(corners) == list(CORNER_MARKERS)
    middle = np.mean([quad.mean(axis=0) for quad in corners.values()], axis=0)
    for quad in corners.values():
        # Its own lower right corner looks at the tiles drawn in the middle.
        assert np.argmin(np.linalg.norm(quad - middle, axis=1)) == 2
        assert np.linalg.norm(quad[0] - quad[1]) == pytest.approx(CORNER_MARKER_MM, abs=0.7)
    card = _marks(second)
    assert sorted(card) == list(CARD_MARKERS)
    origin = card[CARD_MARKERS[0]][0]
    for place, number in enumerate(CARD_MARKERS):
        assert card[number][0] - origin == pytest.approx(marker_corner(place), abs=0.7)


def test_cut_out_markers_keep_a_white_rim() -> None:
    cut = Box(0, 0, CORNER_MARKER_MM, CORNER_MARKER_MM).inset(-CORNER_RIM_MM)
    for number in CORNER_MARKERS:
        for quarters in range(4):
            boxes = marker_boxes(number, cut.inset(CORNER_RIM_MM), quarters)
            assert len(boxes) == len(dark_modules(number))
            assert all(cut.inset(CORNER_RIM_MM).holds(box) for box in boxes)


def test_the_same_print_is_the_same_bytes() -> None:
    assert markers_pdf() == markers_pdf()


@pytest.mark.parametrize(("options", "message"), [({"paper": "a3"}, "a4, letter"), ({"language": "xx"}, "it has en")])
def test_what_there_is_not_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        markers_pdf(**options)
