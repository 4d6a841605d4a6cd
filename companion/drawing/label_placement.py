"""Where labels go on a picture: close to what they name, and covering nothing that should be seen.

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
"""The x and y of the centre and a radius: something that no label should cover."""

_STEP = 0.1
"""Distance between the positions tried, in units."""

_REACH = 1.5
"""How far a label may move from where it would be best, in units."""

_CELL = 0.25
"""Side of the cells of the grid that finds obstacles, in units."""

_SECOND_SIZE = 0.3
_AWAY = 1.5
"""The cost of taking the next size, and of each unit between a label and what it names, in units moved."""

_OUT = 4.0
"""The cost of each unit that a label reaches onto other tiles: what lies there is to be seen too."""

_OFF, _INTO = 0.52, 0.38
"""A label whose centre is this far from its tile's centre gets a line to it, ending at the second distance."""

_MIN_LETTERS_MM = 6 / 72 * 25.4
"""No letter on a print is smaller: 6 pt."""

_PAPER_MM = (277.0, 190.0)
"""The long and the short side of what an A4 page shows."""

_SCREEN_PX_PER_MM = 96 / 25.4


def min_letters_px(width: float, height: float) -> float:
    """The smallest type on a picture of that size in px: 6 pt, both on a screen and printed to fill a page of A4."""
    long, short = max(width, height), min(width, height)
    return _MIN_LETTERS_MM * max(long / _PAPER_MM[0], short / _PAPER_MM[1], _SCREEN_PX_PER_MM)


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label to place: the centre of what it names, where its own centre is best, and its sizes.

    `sizes` are the widths and heights that it may have, the best first. `tile` is what it should not reach
    out of.
    """

    about: Point
    home: Point
    sizes: tuple[tuple[float, float], ...]
    tile: Rect | None = None


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """Where a label is, and which of its sizes it has; `free` says whether it covers nothing."""

    rect: Rect
    size: int
    free: bool


def arrange_labels(
    requests: Sequence[LabelRequest], discs: Sequence[Disc], rects: Sequence[Rect], area: Rect, unit: float
) -> list[PlacedLabel]:
    """A position for each label, in this order: the nearest to its home where it covers no disc, rectangle or label.

    If there is none within reach, the one that covers least. `area` holds all labels, `unit` is the side of a tile.
    """
    obstacles = _Obstacles(_CELL * unit, discs, rects)
    placed: list[PlacedLabel] = []
    for request in requests:
        placed.append(_placed(request, obstacles, area, unit))
        obstacles.add_rect(placed[-1].rect)
    return placed


def leader(rect: Rect, about: Point, unit: float, gap: float = 0.0) -> tuple[Point, Point] | None:
    """The line from a label outside its tile, of side `unit`, to that tile; None if the label is close.

    With a `gap` between tiles, a share of their side, a label in the gap is close, and the line ends at the rim.
    """
    off, into = (_OFF + gap) * unit, (_INTO if gap == 0 else 0.5) * unit
    centre = rect[0] + rect[2] / 2, rect[1] + rect[3] / 2
    if max(abs(centre[0] - about[0]), abs(centre[1] - about[1])) <= off:
        return None
    near = (min(max(about[0], rect[0]), rect[0] + rect[2]), min(max(about[1], rect[1]), rect[1] + rect[3]))
    away = math.dist(near, about)
    if away <= into:
        return None
    share = 1 - into / away
    return near, (near[0] + (about[0] - near[0]) * share, near[1] + (about[1] - near[1]) * share)


class _Obstacles:
    """What labels should not cover. Each cell of a grid lists the discs that reach into it: there are many positions
    to check, and few obstacles near each.
    """

    def __init__(self, cell: float, discs: Sequence[Disc], rects: Sequence[Rect]) -> None:
        self._cell = cell
        self._discs = discs
        self._discs_in: dict[tuple[int, int], list[int]] = {}
        self._rects = [*rects]
        self._last: Disc | None = None
        for number, (x, y, radius) in enumerate(discs):
            for cell_in in self._cells((x - radius, y - radius, 2 * radius, 2 * radius)):
                self._discs_in.setdefault(cell_in, []).append(number)

    def add_rect(self, rect: Rect) -> None:
        """Keep later labels off a rectangle too."""
        self._rects.append(rect)

    def _cells(self, rect: Rect) -> Iterator[tuple[int, int]]:
        left, right = int(rect[0] // self._cell), int((rect[0] + rect[2]) // self._cell)
        top, foot = int(rect[1] // self._cell), int((rect[1] + rect[3]) // self._cell)
        return ((column, row) for column in range(left, right + 1) for row in range(top, foot + 1))

    def leave_free(self, rect: Rect) -> bool:
        """Whether a rectangle covers nothing."""
        # Neighbouring positions are tried in turn: what the last one covered, the next often covers too.
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
        """The sum of how deep a rectangle reaches into each obstacle; adding stops at `most`."""
        numbers = {number for cell in self._cells(rect) for number in self._discs_in.get(cell, ())}
        total = 0.0
        for number in sorted(numbers):
            total += covered_depth(rect, self._discs[number])
            if total >= most:
                return total
        return total + sum(_shared(rect, other) for other in self._rects)


def _placed(request: LabelRequest, obstacles: _Obstacles, area: Rect, unit: float) -> PlacedLabel:
    positions = [
        (number, rect)
        for number, centre in _positions(request, unit)
        if _inside(rect := _around(centre, request.sizes[number]), area)
    ]
    for number, rect in positions:
        if obstacles.leave_free(rect):
            return PlacedLabel(rect, number, True)
    least, best = math.inf, PlacedLabel(_around(request.home, request.sizes[0]), 0, False)
    for number, rect in positions:
        covered = obstacles.covered(rect, least)
        if covered < least:
            least, best = covered, PlacedLabel(rect, number, False)
    return best


def _positions(request: LabelRequest, unit: float) -> list[tuple[int, Point]]:
    """The sizes and centres to try, the cheapest first."""
    steps = round(_REACH / _STEP)
    positions = []
    for number, size in enumerate(request.sizes):
        for row in range(-steps, steps + 1):
            for column in range(-steps, steps + 1):
                dx, dy = column * _STEP * unit, row * _STEP * unit
                centre = request.home[0] + dx, request.home[1] + dy
                away = max(abs(centre[0] - request.about[0]), abs(centre[1] - request.about[1])) / unit - 0.5
                cost = math.hypot(dx, dy) / unit + number * _SECOND_SIZE + _AWAY * max(away, 0.0)
                if request.tile is not None:
                    cost += _OUT * _reach(_around(centre, size), request.tile) / unit
                positions.append((cost, number, centre))
    positions.sort(key=lambda position: position[0])
    return [(number, centre) for _, number, centre in positions]


def _around(centre: Point, size: tuple[float, float]) -> Rect:
    return centre[0] - size[0] / 2, centre[1] - size[1] / 2, *size


def _reach(rect: Rect, tile: Rect) -> float:
    """How far a rectangle reaches out of another; 0 inside."""
    across = max(tile[0] - rect[0], rect[0] + rect[2] - tile[0] - tile[2], 0.0)
    return max(across, tile[1] - rect[1], rect[1] + rect[3] - tile[1] - tile[3])


def _inside(rect: Rect, area: Rect) -> bool:
    across = area[0] <= rect[0] and rect[0] + rect[2] <= area[0] + area[2]
    return across and area[1] <= rect[1] and rect[1] + rect[3] <= area[1] + area[3]


def covered_depth(rect: Rect, disc: Disc) -> float:
    """How far a rectangle reaches into a disc; 0 if it doesn't touch it."""
    x, y, radius = disc
    dx = max(rect[0] - x, x - rect[0] - rect[2], 0.0)
    dy = max(rect[1] - y, y - rect[1] - rect[3], 0.0)
    return max(radius - math.hypot(dx, dy), 0.0)


def _shared(rect: Rect, other: Rect) -> float:
    """How far two rectangles reach into each other; 0 if they don't touch."""
    across = min(rect[0] + rect[2], other[0] + other[2]) - max(rect[0], other[0])
    down = min(rect[1] + rect[3], other[1] + other[3]) - max(rect[1], other[1])
    return max(min(across, down), 0.0)
