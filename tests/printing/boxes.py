"""What stands in a box of a printed page, read out of the finished PDF by a second library."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pdfplumber
from numpy.typing import NDArray

from companion.printing.core.geometry import PT_PER_MM, Box, Mark

REACH_MM = 0.3
"""How far a letter may stand out of its box, since italics and accents do."""

LINE_MM = 1.2
"""Lines are at least so far from each other."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a PDF: letters and shapes with their places in mm from the top left corner."""

    letters: tuple[tuple[str, Box], ...]
    shapes: tuple[tuple[str, Box], ...]
    """Fill colours as #RRGGBB, "" where there is none, each with the box around the shape."""
    middles: NDArray[np.float64] = field(init=False, repr=False, compare=False)
    """Where the middles of the letters lie: x and y, (2, N)."""

    def __post_init__(self) -> None:
        middles = np.array([at.centre for _, at in self.letters]).reshape(-1, 2).T
        object.__setattr__(self, "middles", middles)

    def inside(self, box: Box) -> list[tuple[str, Box]]:
        """The letters whose middle lies in the box."""
        x, y = self.middles
        held = (box.x <= x) & (x <= box.right) & (box.y <= y) & (y <= box.bottom)
        return [self.letters[number] for number in np.flatnonzero(held)]

    def text(self, box: Box) -> str:
        """The letters whose middle lies in the box, in reading order, without spaces."""
        inside = self.inside(box)
        return "".join(letter for letter, _ in sorted(inside, key=lambda one: (round(one[1].y), one[1].x))).strip()

    def lines(self, box: Box) -> list[str]:
        """What `text` gives, a line each; letters of several fonts on one line stand at slightly different heights."""
        inside = sorted((at.centre[1], at.x, letter) for letter, at in self.inside(box))
        lines: list[list[tuple[float, str]]] = []
        last = -LINE_MM
        for y, x, letter in inside:
            if y - last >= LINE_MM:
                lines.append([])
            lines[-1].append((x, letter))
            last = y
        return ["".join(letter for _, letter in sorted(line)) for line in lines]

    def fills(self, box: Box) -> list[str]:
        """The colours of the filled shapes that lie wholly in the box, in the order of drawing."""
        reach = box.inset(-REACH_MM)
        return [colour for colour, at in self.shapes if colour and holds(reach, at)]


def read_page(pdf: bytes, number: int = 0) -> Page:
    """The page of that number, from 0."""
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        page = document.pages[number]
        letters = tuple((char["text"], box_of(char)) for char in page.chars if char["text"].strip())
        shapes = tuple(
            (_colour(shape["non_stroking_color"]) if shape["fill"] else "", box_of(shape))
            for shape in [*page.rects, *page.curves]
        )
        return Page(letters, shapes)


def squeezed(*texts: str) -> str:
    """Texts as `Page.text` gives them: without spaces."""
    return "".join("".join(text.split()) for text in texts)


def box_of(thing: dict[str, Any]) -> Box:
    x, y = thing["x0"] / PT_PER_MM, thing["top"] / PT_PER_MM
    return Box(x, y, thing["x1"] / PT_PER_MM - x, thing["bottom"] / PT_PER_MM - y)


def holds(outer: Box, inner: Box) -> bool:
    """Whether a box lies inside another, edges included."""
    beyond = (outer.x - inner.x, outer.y - inner.y, inner.right - outer.right, inner.bottom - outer.bottom)
    return max(beyond) <= 1e-6


def overlaps(box: Box, other: Box) -> bool:
    """Whether two boxes share more than an edge."""
    return (
        min(box.x + box.w, other.x + other.w) - max(box.x, other.x) > 1e-6
        and min(box.y + box.h, other.y + other.h) - max(box.y, other.y) > 1e-6
    )


def overlapping(boxes: Sequence[Box]) -> list[tuple[Box, Box]]:
    """The pairs of boxes that overlap."""
    return [(box, other) for box, other in combinations(boxes, 2) if overlaps(box, other)]


def parts_of(part: Any) -> list[Box]:
    """Every box of a layout but the one around all, `trim`; none overlaps another."""
    if part is None or isinstance(part, Box):
        return [part] if part else []
    inner = [kept for name, kept in part.items() if name != "trim"] if isinstance(part, dict) else part
    return [box for kept in inner for box in parts_of(kept)]


def box_of_mark(mark: Mark) -> Box:
    """The rectangle that a cut mark spans, without its thickness."""
    return Box(mark[0], mark[1], mark[2] - mark[0], mark[3] - mark[1])


def _colour(parts: Any) -> str:
    values = list(parts) if isinstance(parts, (tuple, list)) else [parts]
    values = values * 3 if len(values) == 1 else values
    return "#" + "".join(f"{round(float(value or 0) * 255):02X}" for value in values)
