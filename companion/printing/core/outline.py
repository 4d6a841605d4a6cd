"""Outlines as text: a handful of SVG's path commands on a square of 24 by 24."""

from __future__ import annotations

import re
from functools import lru_cache

Outline = tuple[tuple[str, tuple[float, ...]], ...]
"""Commands M, L, C and Z with their points, x and y from 0 to 1 inside the box that is drawn into."""

GRID = 24.0
_KAPPA = 0.5522847498
"""How far a Bezier curve's handles stand out to draw a quarter of a circle of radius 1."""

_COMMAND = re.compile(r"([MLCQZO])([^MLCQZO]*)")


@lru_cache(maxsize=256)
def parse_outline(text: str) -> Outline:
    """The outline of a path: absolute M L C Q Z as in SVG, and `O x y rx [ry]` for an ellipse, on a 24 x 24 grid.

    >>> parse_outline("M0 0 L24 12")
    (('M', (0.0, 0.0)), ('L', (1.0, 0.5)))
    """
    outline: list[tuple[str, tuple[float, ...]]] = []
    here = (0.0, 0.0)
    for command, rest in _COMMAND.findall(text):
        numbers = tuple(float(number) / GRID for number in rest.replace(",", " ").split())
        if command == "O":
            outline += _ellipse(*numbers)
        elif command == "Q":
            cx, cy, x, y = numbers
            outline.append(
                (
                    "C",
                    (
                        here[0] + 2 / 3 * (cx - here[0]),
                        here[1] + 2 / 3 * (cy - here[1]),
                        x + 2 / 3 * (cx - x),
                        y + 2 / 3 * (cy - y),
                        x,
                        y,
                    ),
                )
            )
        else:
            outline.append((command, numbers))
        if numbers and command != "O":
            here = (numbers[-2], numbers[-1])
    return tuple(outline)


def extent(outline: Outline) -> tuple[float, float, float, float]:
    """The left, top, width and height of all points of an outline, those of its handles too."""
    across = [value for _, numbers in outline for value in numbers[::2]]
    down = [value for _, numbers in outline for value in numbers[1::2]]
    return min(across), min(down), max(across) - min(across), max(down) - min(down)


def _ellipse(x: float, y: float, rx: float, ry: float | None = None) -> Outline:
    ry = rx if ry is None else ry
    kx, ky = rx * _KAPPA, ry * _KAPPA
    return (
        ("M", (x + rx, y)),
        ("C", (x + rx, y + ky, x + kx, y + ry, x, y + ry)),
        ("C", (x - kx, y + ry, x - rx, y + ky, x - rx, y)),
        ("C", (x - rx, y - ky, x - kx, y - ry, x, y - ry)),
        ("C", (x + kx, y - ry, x + rx, y - ky, x + rx, y)),
        ("Z", ()),
    )
