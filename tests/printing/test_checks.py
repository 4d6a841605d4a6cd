"""The checks of prints find what breaks them; parts are read in the order in which they were meant."""

from __future__ import annotations

import io

import pikepdf
import pytest

from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Fonts
from tests.printing import checks
from tests.printing.checks import check_all, read_print, tree


def _page() -> Document:
    return Document(Box(0, 0, 100, 100), Fonts(system=()), title="t", language="en")


def test_reading_goes_by_parts_and_not_by_the_order_of_drawing() -> None:
    page = _page()
    with page.tagged(Tag.TABLE) as table:
        cells = [[row.add(Tag.CELL) for _ in range(2)] for row in (table.add(Tag.ROW), table.add(Tag.ROW))]
    for column in (1, 0):
        for row in (0, 1):
            with page.tagged(cells[row][column]):
                page.text(Box(10 + 30 * column, 20 + 10 * row, 25, 5), f"{row}{column}", 9)
    with page.tagged(page.tree.add(Tag.HEADING_1)):
        page.text(Box(10, 10, 80, 5), "last", 9)
    page.next_page()
    with page.tagged(cells[0][0]):
        page.text(Box(10, 10, 80, 5), "over the page", 9)
    root = tree(read_print(page.to_bytes()))
    assert [node.text for node in root.all() if node.text] == ["00 over the page", "01", "10", "11", "last"]
    assert checks.faults_of_the_tree(root) == []


def test_a_text_is_a_paragraph_and_a_shape_an_ornament_if_nothing_is_said() -> None:
    page = _page()
    page.box(Box(10, 10, 10, 10), fill="#000000")
    page.text(Box(10, 30, 50, 5), "one", 9)
    with page.tagged(Tag.FIGURE, alternative="two"):
        page.box(Box(10, 40, 10, 10), fill="#000000")
        page.text(Box(10, 52, 50, 5), "in it", 9)
    with page.ornament():
        page.text(Box(10, 60, 50, 5), "17", 9)
    pdf = page.to_bytes()
    root = tree(read_print(pdf))
    assert [(node.tag, node.alternative, node.text) for node in root.held] == [
        ("P", "", "one"),
        ("Figure", "two", "in it"),
    ]
    left, foot, right, top = (value / PT_PER_MM for value in root.held[1].box)
    assert (left, right, top) == pytest.approx((10, 20, 60), abs=0.01) and 43 < foot < 45
    assert checks.untagged(pdf) == []


def test_what_readers_hear_is_the_whole_name_though_it_is_cut() -> None:
    page = _page()
    page.text(Box(10, 10, 12, 5), "Maximiliane von der Heide", 9)
    with pikepdf.open(io.BytesIO(page.to_bytes())) as file:
        spans = [
            str(one.operands[1].ActualText)
            for one in pikepdf.parse_content_stream(file.pages[0])
            if str(one.operator) == "BDC" and str(one.operands[0]) == "/Span"
        ]
    assert spans == ["Maximiliane von der Heide"]


def test_the_checks_find_what_is_wrong() -> None:
    page = _page()
    page.text(Box(10, 10, 50, 5), "too small", 5.5)
    page.text(Box(2, 20, 50, 5), "too near", 9)
    page.text(Box(10, 30, 50, 5), "one", 9)
    page.text(Box(12, 31, 50, 5), "on another", 9)
    page.box(Box(1, 50, 5, 5), fill="#000000")
    with page.tagged(Tag.HEADING_2):
        page.text(Box(10, 60, 50, 5), "no heading before", 9)
    with page.tagged(Tag.FIGURE):
        page.box(Box(10, 70, 5, 5), fill="#000000")
    with page.tagged(Tag.FIGURE, alternative="nothing"):
        pass
    with page.tagged(Tag.TABLE):
        for cells in (1, 2):
            with page.tagged(Tag.ROW):
                for cell in range(cells):
                    page.text(Box(10 + 20 * cell, 70 + 6 * cells, 15, 5), "x", 9)
    found = "\n".join(check_all(page.to_bytes()))
    for message in (
        "5.50 pt: 'too small'",
        "'too near' at 2.0",
        "a shape at 1.0",
        "'one' and 'on another'",
        "H2 after H0",
        "a figure without words",
        "a figure without a place: 'nothing'",
        "a table with rows of [1, 2] cells",
    ):
        assert message in found
    assert len(found.splitlines()) == 8, found
