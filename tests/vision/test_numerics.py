"""The assignment of tiles to squares is the cheapest there is."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.numerics import min_cost_assignment


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_equals_the_best_of_all_permutations(size: int, seed: int) -> None:
    costs = np.random.default_rng(seed).integers(0, 20, (size, size)).astype(float)
    chosen = min_cost_assignment(costs)
    assert sorted(chosen) == list(range(size))
    cheapest = min(sum(costs[row, column] for row, column in enumerate(order)) for order in permutations(range(size)))
    assert sum(costs[row, column] for row, column in enumerate(chosen)) == cheapest


def test_thirty_rows_with_equal_costs() -> None:
    assert sorted(min_cost_assignment(np.zeros((30, 30)))) == list(range(30))
