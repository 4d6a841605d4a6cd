"""Outlines: commands on a grid of 24 become points of a unit square."""

from __future__ import annotations

import math

import pytest

from companion.printing.core.outline import Outline, parse_outline


def _points(outline: Outline) -> list[tuple[str, list[float]]]:
    return [(command, [round(24 * number, 3) for number in numbers]) for command, numbers in outline]


def test_lines_and_curves_keep_their_points() -> None:
    assert _points(parse_outline("M0 6 L12,24 C1 2 3 4 5 6 Z")) == [
        ("M", [0, 6]),
        ("L", [12, 24]),
        ("C", [1, 2, 3, 4, 5, 6]),
        ("Z", []),
    ]


def test_a_quadratic_curve_becomes_the_cubic_that_is_the_same() -> None:
    assert _points(parse_outline("M0 0 Q6 12 12 0 Q15 -6 18 0")) == [
        ("M", [0, 0]),
        ("C", [4, 8, 8, 8, 12, 0]),
        ("C", [14, -4, 16, -4, 18, 0]),
    ]


@pytest.mark.parametrize(("text", "rx", "ry"), [("O12 10 6", 6, 6), ("O12 10 6 3", 6, 3)])
def test_an_ellipse_goes_round_its_middle(text: str, rx: float, ry: float) -> None:
    kx, ky = 4 / 3 * (math.sqrt(2) - 1) * rx, 4 / 3 * (math.sqrt(2) - 1) * ry
    x, y = 12, 10
    wanted = [
        ("M", [x + rx, y]),
        ("C", [x + rx, y + ky, x + kx, y + ry, x, y + ry]),
        ("C", [x - kx, y + ry, x - rx, y + ky, x - rx, y]),
        ("C", [x - rx, y - ky, x - kx, y - ry, x, y - ry]),
        ("C", [x + kx, y - ry, x + rx, y - ky, x + rx, y]),
        ("Z", []),
    ]
    parse_outline.cache_clear()
    found = _points(parse_outline(text))
    assert [command for command, _ in found] == [command for command, _ in wanted]
    for (_, points), (_, places) in zip(found, wanted, strict=True):
        assert points == pytest.approx(places, abs=1e-3)
