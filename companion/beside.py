"""Where labels stand on a picture: beside what they are about, and over nothing that should be seen.

Lengths are those of the picture, px or mm, x to the right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
"""Left, top, width, height."""

Disc = tuple[float, float, float]
"""The x and y of a middle, and a radius: something that no label should cover."""

_STEP = 0.1
"""How far apart the places are that are tried, in units."""

_REACH = 1.5
"""How far from its home a label may go, in units."""

_CELL = 0.25
"""Side of the cells by which obstacles are found, in units."""

_SECOND_SIZE = 0.3
_AWAY = 1.5
"""What it costs to take the next size, and to stand a unit farther from what the label is about, in units of way."""

_OFF, _INTO = 0.52, 0.38
"""A label whose middle is so far from its tile's middle has a line to the tile, which ends at the second distance."""

_LEAST_MM = 6 / 72 * 25.4
"""No letter on a print is smaller: 6 pt."""

_PAPER_MM = (277.0, 190.0)
"""The long and the short side of what an A4 page shows."""

_SCREEN_PX_PER_MM = 96 / 25.4


def least_letters_px(width: float, height: float) -> float:
    """The smallest type on a picture of so many px: 6 pt, on a screen and where the picture fills a page of A4."""
    long, short = max(width, height), min(width, height)
    return _LEAST_MM * max(long / _PAPER_MM[0], short / _PAPER_MM[1], _SCREEN_PX_PER_MM)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label to be laid: the middle of what it is about, where its own middle stands best, and its sizes.

    `sizes` are widths and heights that it may have, the best first.
    """

    about: Point
    home: Point
    sizes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """Where a label stands, and which of its sizes it has; `free` says whether it covers nothing."""

    rect: Rect
    size: int
    free: bool


def lay_labels(
    wanted: Sequence[Wanted], discs: Sequence[Disc], rects: Sequence[Rect], area: Rect, unit: float
) -> list[Laid]:
    """A place for each label, in this order: as near to its home as it covers no disc, no rectangle and no label.

    Where there is no such place within reach it is where the least is covered. `area` holds all labels, `unit` is the
    side of a tile.
    """
    obstacles = _Obstacles(_CELL * unit, discs, rects)
    done: list[Laid] = []
    for one in wanted:
        done.append(_laid(one, obstacles, area, unit))
        obstacles.add_rect(done[-1].rect)
    return done


def leader(rect: Rect, about: Point, unit: float, gap: float = 0.0) -> tuple[Point, Point] | None:
    """The line from a label whose middle lies off its tile, of side `unit`, to that tile; None if it stands close.

    Where tiles lie apart by a `gap`, a share of their side, a label in the gap is close, and the line ends at the rim.
    """
    off, into = (_OFF + gap) * unit, (_INTO if gap == 0 else 0.5) * unit
    middle = rect[0] + rect[2] / 2, rect[1] + rect[3] / 2
    if max(abs(middle[0] - about[0]), abs(middle[1] - about[1])) <= off:
        return None
    near = (min(max(about[0], rect[0]), rect[0] + rect[2]), min(max(about[1], rect[1]), rect[1] + rect[3]))
    away = math.dist(near, about)
    if away <= into:
        return None
    share = 1 - into / away
    return near, (near[0] + (about[0] - near[0]) * share, near[1] + (about[1] - near[1]) * share)


class _Obstacles:
    """What labels should not cover, found by where it lies: each cell of a grid knows what reaches into it.

    A label has to be measured against the few things around it thousands of times.
    """

    def __init__(self, cell: float, discs: Sequence[Disc], rects: Sequence[Rect]) -> None:
        self._cell = cell
        self._discs = discs
        self._discs_in: dict[tuple[int, int], list[int]] = {}
        self._rects: list[Rect] = []
        self._last: Disc | None = None
        for number, (x, y, radius) in enumerate(discs):
            for cell_in in self._cells((x - radius, y - radius, 2 * radius, 2 * radius)):
                self._discs_in.setdefault(cell_in, []).append(number)
        for rect in rects:
            self.add_rect(rect)

    def add_rect(self, rect: Rect) -> None:
        """Keep later labels off a rectangle too."""
        self._rects.append(rect)

    def _cells(self, rect: Rect) -> Iterator[tuple[int, int]]:
        left, right = int(rect[0] // self._cell), int((rect[0] + rect[2]) // self._cell)
        top, foot = int(rect[1] // self._cell), int((rect[1] + rect[3]) // self._cell)
        return ((column, row) for column in range(left, right + 1) for row in range(top, foot + 1))

    def leave_free(self, rect: Rect) -> bool:
        """Whether a rectangle covers nothing."""
        # Places are tried side by side: what was in the way of the last is often in the way of the next.
        if self._last is not None and covered_depth(rect, self._last) > 0:
            return False
        if any(_shared(rect, other) > 0 for other in self._rects):
            return False
        for cell in self._cells(rect):
            for number in self._discs_in.get(cell, ()):
                if covered_depth(rect, self._discs[number]) > 0:
                    self._last = self._discs[number]
                    return False
        return True

    def covered(self, rect: Rect, most: float) -> float:
        """How deep a rectangle reaches into all of it together; once it is `most` or more, no more is added up."""
        numbers = {number for cell in self._cells(rect) for number in self._discs_in.get(cell, ())}
        total = 0.0
        for number in sorted(numbers):
            total += covered_depth(rect, self._discs[number])
            if total >= most:
                return total
        return total + sum(_shared(rect, other) for other in self._rects)


def _laid(one: Wanted, obstacles: _Obstacles, area: Rect, unit: float) -> Laid:
    places = [
        (number, rect)
        for number, middle in _places(one, unit)
        if _inside(rect := _around(middle, one.sizes[number]), area)
    ]
    for number, rect in places:
        if obstacles.leave_free(rect):
            return Laid(rect, number, True)
    least, found = math.inf, Laid(_around(one.home, one.sizes[0]), 0, False)
    for number, rect in places:
        covered = obstacles.covered(rect, least)
        if covered < least:
            least, found = covered, Laid(rect, number, False)
    return found


def _places(one: Wanted, unit: float) -> list[tuple[int, Point]]:
    """The sizes and middles to try, the cheapest first."""
    steps = round(_REACH / _STEP)
    places = []
    for number in range(len(one.sizes)):
        for row in range(-steps, steps + 1):
            for column in range(-steps, steps + 1):
                dx, dy = column * _STEP * unit, row * _STEP * unit
                middle = one.home[0] + dx, one.home[1] + dy
                away = max(abs(middle[0] - one.about[0]), abs(middle[1] - one.about[1])) / unit - 0.5
                cost = math.hypot(dx, dy) / unit + number * _SECOND_SIZE + _AWAY * max(away, 0.0)
                places.append((cost, number, middle))
    places.sort(key=lambda place: place[0])
    return [(number, middle) for _, number, middle in places]


def _around(middle: Point, size: tuple[float, float]) -> Rect:
    return middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size


def _inside(rect: Rect, area: Rect) -> bool:
    return (
        rect[0] >= area[0]
        and rect[1] >= area[1]
        and rect[0] + rect[2] <= area[0] + area[2]
        and rect[1] + rect[3] <= area[1] + area[3]
    )


def covered_depth(rect: Rect, disc: Disc) -> float:
    """How far a rectangle reaches into a disc; 0 if it leaves it free."""
    x, y, radius = disc
    dx = max(rect[0] - x, x - rect[0] - rect[2], 0.0)
    dy = max(rect[1] - y, y - rect[1] - rect[3], 0.0)
    return max(radius - math.hypot(dx, dy), 0.0)


def _shared(rect: Rect, other: Rect) -> float:
    """How far two rectangles reach into one another; 0 if they do not."""
    across = min(rect[0] + rect[2], other[0] + other[2]) - max(rect[0], other[0])
    down = min(rect[1] + rect[3], other[1] + other[3]) - max(rect[1], other[1])
    return max(min(across, down), 0.0)
