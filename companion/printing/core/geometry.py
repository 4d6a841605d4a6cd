"""Boxes and paper, in millimetres from the top left corner of the page, y downwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import UsageError
from companion.language.phrase import joined, say

PT_PER_MM = 72 / 25.4

_EPSILON_MM = 1e-6


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

    def inset(self, dx: float, dy: float | None = None) -> Box:
        """The box smaller by dx on the left and right and dy (else dx) above and below."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def holds(self, other: Box) -> bool:
        """Whether the other lies inside it, edges included."""
        return (
            other.x >= self.x - _EPSILON_MM
            and other.y >= self.y - _EPSILON_MM
            and other.right <= self.right + _EPSILON_MM
            and other.bottom <= self.bottom + _EPSILON_MM
        )

    def overlaps(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        return (
            min(self.right, other.right) - max(self.x, other.x) > _EPSILON_MM
            and min(self.bottom, other.bottom) - max(self.y, other.y) > _EPSILON_MM
        )

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


PAPERS: dict[str, Box] = {
    "a4": Box(0, 0, 210, 297),
    "letter": Box(0, 0, 215.9, 279.4),
}
"""Sizes of paper by name, upright."""

SAFE_MM = 5.0
"""What household printers may leave blank along each edge; nothing is drawn there."""


def paper_box(name: str) -> Box:
    """The page of that paper. Raises UsageError for a paper that is not known."""
    try:
        return PAPERS[name.lower()]
    except KeyError:
        raise UsageError(
            say("no paper {name!r}; the papers are {papers}", name=name, papers=joined(", ", PAPERS))
        ) from None


@dataclass(frozen=True, slots=True)
class Mark:
    """A cut mark: a line from one point to another, in mm."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def box(self) -> Box:
        """The rectangle that the mark spans, without its thickness."""
        return Box(self.x1, self.y1, self.x2 - self.x1, self.y2 - self.y1)
