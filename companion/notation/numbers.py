"""Whole numbers as people type them."""

from __future__ import annotations

MAX_DIGITS = 9
"""No number that is typed anywhere has more of them."""


def whole_number(text: str) -> int | None:
    """The number that digits stand for, with or without noughts before it; None for anything else.

    One of more than `MAX_DIGITS` counts as larger than any of those.

    >>> whole_number(" 007 "), whole_number("9" * 5000), whole_number("-1")
    (7, 9999999999, None)
    """
    digits = text.strip()
    return int(digits.lstrip("0")[: MAX_DIGITS + 1] or "0") if digits.isascii() and digits.isdecimal() else None
