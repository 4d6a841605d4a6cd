"""The geometry of sowing (rules 4.2, 4.3) against plain walking."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.rules.engine.walks import MAX_WALK, VISIT_BITS, visit_planes, visit_vectors, visits, walk_counts
from companion.rules.model.board import NEIGHBOURS, SQUARES, parse_square


def plain_walks(start: int, length: int) -> list[tuple[int, ...]]:
    """Every walk without its start, one step at a time."""
    walks = [(start,)]
    for _ in range(length):
        walks = [
            (*walk, square) for walk in walks for square in NEIGHBOURS[walk[-1]] if len(walk) == 1 or square != walk[-2]
        ]
    return [walk[1:] for walk in walks]


def packed(walk: tuple[int, ...]) -> int:
    return sum(1 << (VISIT_BITS * square) for square in walk)


def test_walk_counts_stay_exact_for_a_hand_of_all_meeples() -> None:
    total = sum(number for row in walk_counts(90) for counts in row for number in counts)
    steps = {(a, b): 1 for a in range(SQUARES) for b in NEIGHBOURS[a]}
    for _ in range(89):
        longer: Counter[tuple[int, int]] = Counter()
        for (a, b), number in steps.items():
            for c in NEIGHBOURS[b]:
                if c != a:
                    longer[b, c] += number
        steps = longer
    assert total == sum(steps.values())


def test_visit_vectors_are_those_of_all_walks(subtests: pytest.Subtests) -> None:
    for start, length in [("a1", 1), ("c3", 4), ("b1", 6), ("d3", 8), ("f5", 9)]:
        with subtests.test(start=start):
            square = parse_square(start)
            plain: dict[int, set[int]] = {}
            for walk in plain_walks(square, length):
                plain.setdefault(walk[-1], set()).add(packed(walk))
            assert visit_vectors(square, length) == plain


def test_too_long_a_walk_is_refused_before_counts_overflow() -> None:
    with pytest.raises(ValueError, match="too long"):
        visit_vectors(0, MAX_WALK + 1)


def test_planes_are_the_bits_of_visits() -> None:
    vector = packed((3,) * 5 + (9,) * 2 + (29,))
    assert [visits(vector, square) for square in (3, 9, 29, 4)] == [5, 2, 1, 0]
    assert visit_planes(vector) == (packed((3, 29)), packed((9,)), packed((3,)))
