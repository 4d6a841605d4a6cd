"""What prints are made with: boxes, outlines, letters as they are seen, and what a PDF says of itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.printing.core.geometry import Box, Outline, paper_box, parse_outline
from companion.printing.core.lettering import cleaned, in_visual_order
from companion.printing.core.page import Document
from companion.printing.core.raster import Raster
from companion.printing.core.typefaces import Fonts
from tests.printing.boxes import overlapping

LENGTHS = st.floats(0.5, 300)
BOXES = st.builds(Box, st.floats(-50, 50), st.floats(-50, 50), LENGTHS, LENGTHS)


@given(box=BOXES, columns=st.integers(1, 5), rows=st.integers(1, 5))
def test_a_grid_fills_its_box_without_overlaps(box: Box, columns: int, rows: int) -> None:
    cells = box.grid(columns, rows)
    assert len(cells) == columns * rows
    assert sum(cell.w * cell.h for cell in cells) == pytest.approx(box.w * box.h)
    assert overlapping(cells) == []
    assert cells[0].x == box.x and cells[-1].bottom == pytest.approx(box.bottom)


def test_papers_are_known_in_either_case_and_no_others() -> None:
    assert (paper_box("A4").w, paper_box("A4").h) == (210, 297)
    assert (paper_box("letter").w, paper_box("letter").h) == pytest.approx((8.5 * 25.4, 11 * 25.4))
    with pytest.raises(UsageError, match="a4, letter"):
        paper_box("a5")


def _points(outline: Outline) -> list[tuple[str, list[float]]]:
    return [(command, [round(24 * number, 3) for number in numbers]) for command, numbers in outline]


def test_outlines_keep_their_points_and_quadratic_curves_become_cubic() -> None:
    assert _points(parse_outline("M0 6 L12,24 C1 2 3 4 5 6 Z")) == [
        ("M", [0, 6]),
        ("L", [12, 24]),
        ("C", [1, 2, 3, 4, 5, 6]),
        ("Z", []),
    ]
    assert _points(parse_outline("M0 0 Q6 12 12 0 Q15 -6 18 0")) == [
        ("M", [0, 0]),
        ("C", [4, 8, 8, 8, 12, 0]),
        ("C", [14, -4, 16, -4, 18, 0]),
    ]


def test_an_ellipse_goes_round_its_middle() -> None:
    for text, rx, ry in (("O12 10 6", 6, 6), ("O12 10 6 3", 6, 3)):
        k = 4 / 3 * (math.sqrt(2) - 1)
        parse_outline.cache_clear()
        points = _points(parse_outline(text))
        assert [command for command, _ in points] == list("MCCCCZ")
        ends = [numbers[-2:] for _, numbers in points[:-1]]
        assert ends == [[12 + rx, 10], [12, 10 + ry], [12 - rx, 10], [12, 10 - ry], [12 + rx, 10]]
        first = [12 + rx, 10 + k * ry, 12 + k * rx, 10 + ry, 12, 10 + ry]
        assert points[1][1] == pytest.approx(first, abs=1e-3)


def test_a_raster_draws_curves_where_they_run() -> None:
    surface = Raster(Box(0, 0, 100, 100), Fonts(system=()), ground="#FFFFFF")
    surface.outline(parse_outline("O12 12 12"), Box(0, 0, 100, 100), fill="#000000")
    x, y = np.mgrid[:100, :100] - 49.5
    assert ((np.asarray(surface.picture().convert("L")) < 128) != (np.hypot(x, y) < 50)).mean() < 0.01


def test_what_is_cut_is_as_long_as_fits() -> None:
    page = Document(Box(0, 0, 100, 100), Fonts(), title="t", language="en")
    for text in ("WWWW WWWW WWWW WWWW", "i" * 400, "a b c d e f g h i j k l m", "W" * 5000):
        page.text(Box(0, 0, 12, 5), text, 9)
        written = page.written[-1]
        assert written.text.endswith("…") and text.startswith(written.text[:-1].rstrip())
        assert written.box.w <= 12.001
        longer = text[: len(written.text)].rstrip() + "…"
        assert longer == written.text or page.width(longer, 6) > 12


def test_only_what_can_be_seen_is_kept() -> None:
    for text, kept in (
        ("Jose\u0301", "José"),
        ("a\tb\r\nc", "a b  c"),
        ("a\u200b\u202eb\x07\x1b[0m\ud800", "ab[0m"),
        ("x" + "\u0302" * 50, "x\u0302\u0302"),
        ("\U0001f469\u200d\U0001f467\ufe0f", "\U0001f469"),
        ("", ""),
    ):
        assert cleaned(text) == kept, text


def test_what_is_written_from_right_to_left_stands_as_it_is_seen(subtests: pytest.Subtests) -> None:
    for name, text, seen in (
        ("Latin", "Anna", "Anna"),
        ("Hebrew", "שרה", "הרש"),
        ("both", "Anna (ליאור) 5", "Anna (רואיל) 5"),
        ("pointed", "שָׂרָה", "הרש"),
        ("Arabic", "ليلى", "\ufef0\ufee0\ufef4\ufedf"),
        ("Arabic with Latin", "سلام Anna 12", "\ufee1\ufefc\ufeb3 Anna 12"),
        ("Persian", "کمال", "\ufedd\ufe8e\ufee4\ufb90"),
        ("parted by a non-joiner", "می\u200cخواهم", "\ufee2\ufeeb\ufe8d\ufeee\ufea7\ufbfd\ufee3"),
        ("drawn out", "بـب", "\ufe90ـ\ufe91"),
        ("a colour in brackets", "שלום (голубой)", "םולש (голубой)"),
        ("two names", "שרה, ליאור (голубой) +5", "רואיל ,הרש (голубой) +5"),
        ("a number in brackets", "ליאור (5)", "(5) רואיל"),
        ("all in brackets", "(שלום) [אחד]", "[דחא] (םולש)"),
        ("a sign that has a direction", "שרה < ליאור", "רואיל > הרש"),
        ("cut", "שרה…", "…הרש"),
        ("marks that are not seen", "שרה\u034f (a\u034f)", "הרש (a)"),
    ):
        with subtests.test(msg=name):
            assert in_visual_order(cleaned(text)) == seen
