"""Figures of sets of photos, and the intervals beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lab.accuracy.report import IntervalEstimate, bootstrap_ratio, figures_table, set_figures, wilson
from companion.lab.accuracy.scores import PhotoScore

PHOTOS = [
    PhotoScore("a.jpg", "usual", identity=30, whole=30, flagged=2),
    PhotoScore("b.jpg", "usual", identity=30, whole=26, flagged=5, unflagged_wrong=1),
]


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    found = wilson(9, 10)
    assert (found.value, found.low, found.high) == pytest.approx((0.9, 0.5958, 0.9821), abs=1e-3)
    assert wilson(0, 0) == IntervalEstimate(None)


@given(st.integers(1, 200).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
def test_wilsons_interval_holds_the_share(case: tuple[int, int]) -> None:
    found = wilson(*case)
    assert found.value is not None and found.low is not None and found.high is not None
    assert 0 <= found.low <= found.value + 1e-12 and found.value <= found.high + 1e-12 <= 1 + 2e-12


def test_photos_are_drawn_whole() -> None:
    # Two photos, all tiles right in one and half in the other: no sample lies beyond them.
    found = bootstrap_ratio([30, 15], [30, 30])
    assert (found.value, found.low, found.high) == pytest.approx((0.75, 0.5, 1.0))
    assert bootstrap_ratio([0], [0]) == IntervalEstimate(None)


def test_figures_are_sums_over_the_photos() -> None:
    seen = set_figures(PHOTOS)
    assert (seen.photos, seen.exact.value, seen.doubtful.value) == (2, 0.5, 3.5)
    assert (seen.identity.value, seen.whole.value) == pytest.approx((1.0, 56 / 60))
    assert seen.flagged.value == pytest.approx(3 / 4)


def test_the_table_leaves_out_what_was_not_there() -> None:
    table = figures_table({"usual": PHOTOS, "none": [], "clear": PHOTOS[:1]})
    lines = [line.split(" | ") for line in table.splitlines()]
    assert [line[0].strip("| ") for line in lines[2:]] == ["usual", "clear"]
    assert lines[2][5].startswith("75.0% (") and lines[3][5] == "-", "without a mistake none can be flagged"
