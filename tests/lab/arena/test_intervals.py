"""Intervals on known data: by hand, and by how often they hold what they should."""

from __future__ import annotations

import numpy as np
import pytest

from companion.lab.arena.tally import Interval, mean_interval, share_interval


def _arrays(*pairs: tuple[float, int]) -> tuple[np.ndarray, np.ndarray]:
    sums, counts = zip(*pairs, strict=True)
    return np.array(sums, dtype=np.float64), np.array(counts, dtype=np.float64)


def test_a_mean_of_clusters_by_hand() -> None:
    # Values 1 2 | 3 6 | 3 3: mean 3, residuals of the sums -3 3 0, variance 3/2 * 18 / 36.
    found = mean_interval(*_arrays((3, 2), (9, 2), (6, 2)))
    reach = 4.302653 * 0.75**0.5
    assert found.mean == 3
    assert found.low == pytest.approx(3 - reach)
    assert found.high == pytest.approx(3 + reach)


def test_wilson_s_interval_of_independent_games() -> None:
    wins = np.array([1.0] * 37 + [0.0] * 13)
    found = share_interval(wins, np.ones(50))
    # By Wilson's formula with Student's quantile of 49 and p (1 - p) over the clustered variance, which is 49.
    q2, n, p = 2.009575**2, 49.0, 0.74
    centre, reach = (p + q2 / (2 * n)) / (1 + q2 / n), (q2 * (p * (1 - p) / n + q2 / (4 * n * n))) ** 0.5 / (1 + q2 / n)
    assert found.low == pytest.approx(centre - reach, 1e-3)
    assert found.high == pytest.approx(centre + reach, 1e-3)


def test_one_cluster_alone_has_no_interval() -> None:
    assert mean_interval(*_arrays((8, 4))) == share_interval(*_arrays((8, 4))) == Interval(2.0)


def test_intervals_of_clusters_hold_the_truth_about_as_often_as_they_say() -> None:
    """Games of a set-up go the same way with probability `together`, else each by itself."""
    rng = np.random.default_rng(7)
    for together, chance in ((0.0, 0.5), (0.6, 0.5)):
        held = 0
        for _ in range(400):
            bound = rng.random(40) < together
            wins = rng.random((40, 4)) < chance
            wins[bound] = wins[bound, :1]
            found = share_interval(wins.sum(axis=1).astype(np.float64), np.full(40, 4.0))
            held += found.low is not None and found.high is not None and found.low <= chance <= found.high
        assert 0.92 <= held / 400 <= 0.985
    held = 0
    for _ in range(400):
        counts = rng.integers(1, 5, 40).astype(np.float64)
        sums = counts * rng.normal(3, 5, 40) + rng.normal(0, 9, 40) * np.sqrt(counts)
        margin = mean_interval(sums, counts)
        held += margin.low is not None and margin.high is not None and margin.low <= 3 <= margin.high
    assert 0.92 <= held / 400 <= 0.98
