"""Where labels go on a picture: close to what they name, and covering nothing that should be seen.

Lengths are those of the picture, px or mm, x to the right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    placed: list[PlacedLabel] = []
    for request in requests:
        placed.append(_placed(request, discs, [*rects, *(label.rect for label in placed)], area, unit))
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


def _placed(
    request: LabelRequest, discs: Sequence[Disc], rects: Sequence[Rect], area: Rect, unit: float
) -> PlacedLabel:
    wide, high = (max(sides) + 2 * _REACH * unit for sides in zip(*request.sizes, strict=True))
    within = _around(request.home, (wide, high))
    near = [disc for disc in discs if covered_depth(within, disc) > 0]
    rects = [rect for rect in rects if _shared(within, rect) > 0]
    positions = [
        (number, rect)
        for number, centre in _positions(request, unit)
        if _inside(rect := _around(centre, request.sizes[number]), area)
    ]
    discs = [*near]
    for number, rect in positions:
        if not any(_shared(rect, other) for other in rects):
            place = next((place for place, disc in enumerate(discs) if covered_depth(rect, disc)), None)
            if place is None:
                return PlacedLabel(rect, number, True)
            # Neighbouring positions are tried in turn: what one covers, the next often covers too.
            discs.insert(0, discs.pop(place))

    def covered(position: tuple[int, Rect]) -> float:
        depths = sum(covered_depth(position[1], disc) for disc in near)
        return depths + sum(_shared(position[1], other) for other in rects)

    number, rect = min(positions, key=covered, default=(0, _around(request.home, request.sizes[0])))
    return PlacedLabel(rect, number, False)


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
