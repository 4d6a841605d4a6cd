"""Where labels are laid: over nothing that should be seen, and as near as that allows."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from companion.beside import Laid, Wanted, covered_depth, lay_labels, leader

AREA = (0.0, 0.0, 1000.0, 800.0)


def overlap(one: Laid, other: Laid) -> bool:
    (x, y, w, h), (u, v, ww, hh) = one.rect, other.rect
    return min(x + w, u + ww) > max(x, u) and min(y + h, v + hh) > max(y, v)


def test_a_label_stands_at_home_where_nothing_is_in_its_way() -> None:
    (laid,) = lay_labels([Wanted((300, 300), (300, 340), ((80, 20),))], [], [], AREA, 100)
    assert laid == Laid((260.0, 330.0, 80, 20), 0, True)


@pytest.mark.parametrize("seed", range(8))
def test_labels_cover_no_disc_and_no_label(seed: int) -> None:
    random = Random(seed)
    middles = [(150 + 100 * column, 150 + 100 * row) for row in range(5) for column in range(6)]
    discs = [
        (x + random.uniform(-45, 45), y + random.uniform(-45, 45), 14.0)
        for x, y in middles
        for _ in range(random.randrange(5))
    ]
    wanted = [Wanted((x, y), (x, y + 36), ((random.uniform(30, 90), 16), (45, 30))) for x, y in middles]
    laid = lay_labels(wanted, discs, [], AREA, 100)
    assert all(one.free for one in laid)
    assert not any(covered_depth(one.rect, disc) for one in laid for disc in discs)
    assert not any(overlap(one, other) for one, other in combinations(laid, 2))


def test_the_second_size_is_taken_where_the_first_has_to_go_far() -> None:
    walls = [(x, y, 10.0) for y in range(0, 800, 15) for x in (250, 330)]
    (laid,) = lay_labels([Wanted((290, 300), (290, 300), ((90, 16), (40, 32)))], walls, [], AREA, 100)
    assert (laid.size, laid.free) == (1, True)


def test_where_there_is_no_room_the_least_is_covered_and_it_is_said() -> None:
    discs = [(x, y, 30.0) for x in range(0, 1000, 40) for y in range(0, 800, 40)]
    (laid,) = lay_labels([Wanted((300, 300), (300, 300), ((60, 20),))], discs, [], AREA, 100)
    assert not laid.free
    assert 0 <= laid.rect[0] <= 940


def test_labels_stay_on_the_picture() -> None:
    (laid,) = lay_labels([Wanted((5, 795), (5, 830), ((60, 20),))], [], [], AREA, 100)
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
