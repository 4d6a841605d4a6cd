"""Where labels are laid: over nothing that should be seen, and as near as that allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import product
from random import Random

import pytest

from companion.drawing.label_placement import (
    Disc,
    LabelRequest,
    PlacedLabel,
    Rect,
    arrange_labels,
    covered_depth,
    leader,
)

AREA = (0.0, 0.0, 1000.0, 800.0)


def test_a_label_stands_at_home_where_nothing_is_in_its_way() -> None:
    (laid,) = arrange_labels([LabelRequest((300, 300), (300, 340), ((80, 20),))], [], [], AREA, 100)
    assert laid == PlacedLabel((260.0, 330.0, 80, 20), 0, True)


def plainly(one: LabelRequest, discs: Sequence[Disc], rects: Sequence[Rect], unit: float) -> PlacedLabel:
    """The same for one label, every place measured against everything: what the quick search has to agree with."""
    tried: list[tuple[float, int, Rect, float]] = []
    for size, (w, h) in enumerate(one.sizes):
        for row, column in product(range(-15, 16), repeat=2):
            dx, dy = column * 0.1 * unit, row * 0.1 * unit
            x, y = one.home[0] + dx, one.home[1] + dy
            beyond = max(abs(x - one.about[0]), abs(y - one.about[1])) / unit - 0.5
            cost = math.hypot(dx, dy) / unit + 0.3 * size + 1.5 * max(beyond, 0.0)
            rect = (x - w / 2, y - h / 2, w, h)
            if rect[0] >= 0 and rect[1] >= 0 and rect[0] + w <= AREA[2] and rect[1] + h <= AREA[3]:
                covered = sum(covered_depth(rect, disc) for disc in discs)
                tried.append((cost, size, rect, covered + sum(map(partial(shared, rect), rects))))
    tried.sort(key=lambda place: place[0])
    free = next((place for place in tried if place[3] <= 0), None)
    _, size, rect, _ = free or min(tried, key=lambda place: place[3])
    return PlacedLabel(rect, size, free is not None)


def shared(one: Rect, other: Rect) -> float:
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(min(across, down), 0.0)


@pytest.mark.parametrize("seed", range(2))
def test_the_quick_search_finds_what_the_plain_one_does(seed: int) -> None:
    random = Random(seed)
    discs = [
        (350 + 100 * column + random.uniform(-50, 50), 350 + 100 * row + random.uniform(-50, 50), 17.0)
        for row, column in product(range(-2, 3), repeat=2)
        for _ in range(random.randrange(6))
    ]
    middles = [(350, 350), (250, 350)]
    wanted = [LabelRequest((x, y), (x, y + 36), ((random.uniform(60, 120), 22), (60, 44))) for x, y in middles]
    blocked: list[Rect] = [(300, 300, 20, 20)]
    for one, found in zip(wanted, arrange_labels(wanted, discs, blocked, AREA, 100), strict=True):
        assert found == plainly(one, discs, blocked, 100)
        blocked = [*blocked, found.rect]


def test_the_quick_search_covers_as_little_as_the_plain_one_where_there_is_no_room() -> None:
    random = Random(7)
    discs = [(x, y, random.uniform(29, 40)) for x in range(100, 700, 41) for y in range(100, 700, 41)]
    wanted = LabelRequest((400, 400), (400, 436), ((90, 22), (60, 44)))
    (laid,) = arrange_labels([wanted], discs, [], AREA, 100)
    assert laid == plainly(wanted, discs, [], 100)
    assert not laid.free


def test_the_second_size_is_taken_where_the_first_has_to_go_far() -> None:
    walls = [(x, y, 10.0) for y in range(0, 800, 15) for x in (250, 330)]
    (laid,) = arrange_labels([LabelRequest((290, 300), (290, 300), ((90, 16), (40, 32)))], walls, [], AREA, 100)
    assert (laid.size, laid.free) == (1, True)


def test_labels_stay_on_the_picture() -> None:
    (laid,) = arrange_labels([LabelRequest((5, 795), (5, 830), ((60, 20),))], [], [], AREA, 100)
    assert laid.free and laid.rect[0] >= 0 and laid.rect[1] + laid.rect[3] <= 800


def test_a_label_off_its_tile_has_a_line_to_it() -> None:
    assert leader((280, 330, 40, 20), (300, 300), 100) is None
    line = leader((280, 390, 40, 20), (300, 300), 100)
    assert line is not None
    assert line[0] == (300, 390)
    assert line[1] == pytest.approx((300, 338))
    assert leader((280, 390, 40, 20), (300, 300), 100, gap=0.5) is None
    far = leader((280, 490, 40, 20), (300, 300), 100, gap=0.5)
    assert far is not None and far[1] == pytest.approx((300, 350))
