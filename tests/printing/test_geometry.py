"""Boxes, paper and cut marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.printing.core.geometry import Box, paper_box

LENGTHS = st.floats(0.5, 300)
BOXES = st.builds(Box, st.floats(-50, 50), st.floats(-50, 50), LENGTHS, LENGTHS)


@given(box=BOXES, columns=st.integers(1, 5), rows=st.integers(1, 5))
def test_a_grid_fills_its_box_without_overlaps(box: Box, columns: int, rows: int) -> None:
    cells = box.grid(columns, rows)
    assert len(cells) == columns * rows
    assert sum(cell.w * cell.h for cell in cells) == pytest.approx(box.w * box.h)
    assert not any(one.overlaps(other) for n, one in enumerate(cells) for other in cells[:n])
    assert cells[0].x == box.x and cells[-1].bottom == pytest.approx(box.bottom)


@pytest.mark.parametrize(
    ("other", "overlaps", "held"),
    [
        (Box(10, 10, 5, 5), True, True),
        (Box(0, 0, 20, 20), True, True),
        (Box(20, 0, 5, 5), False, False),
        (Box(19, 19, 5, 5), True, False),
        (Box(-5, 5, 30, 2), True, False),
        (Box(30, 30, 1, 1), False, False),
    ],
)
def test_overlapping_and_holding(other: Box, overlaps: bool, held: bool) -> None:
    box = Box(0, 0, 20, 20)
    assert (box.overlaps(other), other.overlaps(box), box.holds(other)) == (overlaps, overlaps, held)


def test_papers_are_known_in_either_case_and_no_others() -> None:
    assert (paper_box("A4").w, paper_box("A4").h) == (210, 297)
    assert (paper_box("letter").w, paper_box("letter").h) == pytest.approx((8.5 * 25.4, 11 * 25.4))
    with pytest.raises(UsageError, match="a4, letter"):
        paper_box("a5")
