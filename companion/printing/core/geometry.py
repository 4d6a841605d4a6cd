"""Boxes and paper, in millimetres from the top left corner of the page, y downwards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from companion.errors import UsageError
from companion.language.phrase import joined

PT_PER_MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its top left corner, width and height in mm."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The y of its lower edge."""
        return self.y + self.h

    @property
    def centre(self) -> tuple[float, float]:
        """The x and y of its middle."""
        return self.x + self.w / 2, self.y + self.h / 2

    def square(self, side: float | None = None) -> Box:
        """The square of that side in its middle, or the largest that it holds."""
        side = min(self.w, self.h) if side is None else side
        return Box(self.centre[0] - side / 2, self.centre[1] - side / 2, side, side)

    def inset(self, dx: float, dy: float | None = None) -> Box:
        """The box smaller by dx on the left and right and dy (else dx) above and below."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def common(self, other: Box) -> Box:
        """What both hold; of a width or height below 0 if they lie apart."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Box(x, y, min(self.right, other.right) - x, min(self.bottom, other.bottom) - y)

    def joined(self, other: Box) -> Box:
        """The smallest box that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def columns(self, widths: Sequence[float], gap: float = 0.0) -> list[Box]:
        """Boxes of these widths side by side from the left, as high as it is."""
        boxes, x = [], self.x
        for width in widths:
            boxes.append(Box(x, self.y, width, self.h))
            x += width + gap
        return boxes

    def rows(self, heights: Sequence[float], gap: float = 0.0) -> list[Box]:
        """Boxes of these heights below each other from the top, as wide as it is."""
        boxes, y = [], self.y
        for height in heights:
            boxes.append(Box(self.x, y, self.w, height))
            y += height + gap
        return boxes

    def grid(self, columns: int, rows: int, gap: float = 0.0) -> list[Box]:
        """Equal boxes that fill it, row by row from the top left."""
        w, h = (self.w - gap * (columns - 1)) / columns, (self.h - gap * (rows - 1)) / rows
        return [cell for row in self.rows([h] * rows, gap) for cell in row.columns([w] * columns, gap)]


class Named(dict[str, Any]):
    """A dictionary whose keys are attributes too."""

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(key) from None


class Boxes(Named):
    """Where the parts of a print stand, by name: a box, boxes side by side, rows of boxes, or parts of their own."""

    def moved(self, dx: float) -> Boxes:
        """The same boxes that many mm further to the right."""

        def moved(part: Any) -> Any:
            if isinstance(part, Box):
                return replace(part, x=part.x + dx)
            return [*map(moved, part)]

        return Boxes({name: moved(part) for name, part in self.items()})


PAPERS: dict[str, Box] = {"a4": Box(0, 0, 210, 297), "letter": Box(0, 0, 215.9, 279.4)}
"""Sizes of paper by name, upright."""

SAFE_MM = 5.0
"""What household printers may leave blank along each edge; nothing is drawn there."""

RULER_MM, RULER_HEIGHT_MM, RULER_GAP_MM = 50.0, 4.0, 1.0
"""The scale in a page's foot: its length and height, and what lies between it and the blank edge."""


def paper_box(name: str) -> Box:
    """The page of that paper. Raises UsageError for a paper that is not known."""
    try:
        return PAPERS[name.lower()]
    except KeyError:
        raise UsageError(
            "there is no paper {name!r}; choose from {papers}", name=name, papers=joined(", ", PAPERS)
        ) from None


Mark = tuple[float, float, float, float]
"""A cut mark: a line from x and y to x and y, in mm."""


def ruler_boxes(page: Box, side: float) -> tuple[Box, Box]:
    """Where the scale and its words stand in the foot of a page with that margin, in mm, at its sides."""
    ruler = Box(side, page.h - SAFE_MM - RULER_HEIGHT_MM - RULER_GAP_MM, RULER_MM, RULER_HEIGHT_MM)
    return ruler, Box(ruler.right + 4, ruler.y, page.w - side - ruler.right - 4, ruler.h)


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
            handles = [end + 2 / 3 * (middle - end) for end, middle in ((here[0], cx), (here[1], cy), (x, cx), (y, cy))]
            outline.append(("C", (*handles, x, y)))
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
