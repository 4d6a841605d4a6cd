"""All walks of a hand in a table, against the counts of the rules (rules 4.2, 4.3)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.engine.walks import onward, walk_counts, walk_with_visits
from companion.rules.model.board import SQUARES
from companion.simulation.walks import MAX_WALKS, WalkTable, walk_table


def groups(table: WalkTable) -> dict[tuple[int, int], int]:
    """Walks by end and visits of it, by the table's places."""
    first = table.first
    return {
        (end, visits): int(first[end, visits + 1] - first[end, visits])
        for end in range(SQUARES)
        for visits in range(1, first.shape[1] - 1)
        if first[end, visits + 1] > first[end, visits]
    }


def counted(start: int, length: int) -> dict[tuple[int, int], int]:
    ends = walk_counts(length)[start]
    return {(end, times): n for end, counts in enumerate(ends) for times, n in enumerate(counts, 1) if n}


def test_4_2_every_walk_is_there_once(subtests: pytest.Subtests) -> None:
    for start, length in [(0, 1), (14, 2), (5, 5), (8, 9)]:
        with subtests.test(msg=str((start, length))):
            table = walk_table(start, length)
            assert groups(table) == counted(start, length)
            assert len({tuple(path) for path in table.paths.tolist()}) == len(table)


def test_of_a_large_hand_each_end_is_there(subtests: pytest.Subtests) -> None:
    for start, length in [(14, 13), (0, 16), (22, 20)]:
        with subtests.test(msg=str((start, length))):
            table = walk_table(start, length)
            assert MAX_WALKS <= len(table) < MAX_WALKS + 200
            assert set(groups(table)) == set(counted(start, length))


def test_4_3_walks_are_legal_and_their_masks_true(subtests: pytest.Subtests) -> None:
    for start, length in [(8, 7), (14, 14)]:
        with subtests.test(msg=str((start, length))):
            table = walk_table(start, length)
            for row in range(0, len(table), 97):
                path = table.paths[row].tolist()
                for step, square in enumerate(path):
                    before = None if step == 0 else (start, *path)[step - 1]
                    assert square in onward(before, (start, *path)[step])
                assert int(table.some[row]) == sum(1 << square for square in set(path))
                assert int(table.once[row]) == sum(1 << square for square in set(path) if path.count(square) == 1)
                first, last = (
                    table.first[path[-1], path.count(path[-1])],
                    table.first[path[-1], path.count(path[-1]) + 1],
                )
                assert first <= row < last


def test_a_walk_visits_its_end_as_often_as_asked() -> None:
    for (end, times), _ in counted(8, 10).items():
        path = walk_with_visits(8, end, 10, times)
        assert (path[-1], path.count(end), len(path)) == (end, times, 10)
    with pytest.raises(ValueError, match="visits its end"):
        walk_with_visits(8, 8, 10, 3)


def test_the_same_table_comes_again() -> None:
    first = walk_table(3, 13).paths
    walk_table.cache_clear()
    assert np.array_equal(first, walk_table(3, 13).paths)
