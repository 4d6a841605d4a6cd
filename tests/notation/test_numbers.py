"""Whole numbers as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.tokens import MAX_DIGITS, whole_number


@given(st.integers(0, 10**MAX_DIGITS - 1), st.integers(0, 5000))
def test_noughts_before_a_number_change_nothing(number: int, noughts: int) -> None:
    assert whole_number("0" * noughts + str(number)) == number


def test_a_longer_number_is_larger_than_any_other(subtests: pytest.Subtests) -> None:
    for digits in [10, 5000]:
        with subtests.test(digits=digits):
            assert (whole_number("9" * digits) or 0) >= 10**MAX_DIGITS


def test_anything_else_is_no_number(subtests: pytest.Subtests) -> None:
    for text in ["", "-1", "1.5", "+3", "1 2", "\u0663", "\u00b2", "x"]:
        with subtests.test(text=text):
            assert whole_number(text) is None
