"""Regret is unbiased: choosing on one half and measuring on the other, and intervals that cover what they should."""

from __future__ import annotations

import numpy as np
import pytest

from companion.lab.judging.verdicts import (
    Floats,
    measured,
    regret_errors,
    regrets,
    share_close,
)


def played(random: np.random.Generator, worths: Floats, columns: int, noise: float) -> Floats:
    """Margins of candidates of known worth: luck of the world in common, and each one's own."""
    luck = random.normal(0, 15, columns)
    return np.asarray(worths[:, None] + luck + random.normal(0, noise, (len(worths), columns)))


def test_luck_that_is_common_to_all_does_not_count() -> None:
    margins = played(np.random.default_rng(1), np.array([3.0, 1.0, -2.0]), 40, 0.0)
    assert regrets(margins) == pytest.approx([0.0, 2.0, 5.0])
    assert regret_errors(margins) == pytest.approx([0.0, 0.0, 0.0])


def test_equal_candidates_have_no_regret_on_average() -> None:
    """Where all are equal, the luckiest looks better on the same playings-on, and does not on others."""
    random = np.random.default_rng(2)
    honest, cursed = [], []
    for _ in range(400):
        margins = played(random, np.zeros(12), 60, 10.0)
        honest.append(regrets(margins)[0])
        means = margins.mean(axis=1)
        cursed.append(means.max() - means[0])
    assert np.mean(honest) == pytest.approx(0.0, abs=0.2)
    assert np.mean(cursed) > 1.5


def test_a_known_difference_comes_out() -> None:
    random = np.random.default_rng(3)
    worths = np.array([0.0, 4.0, 3.0, -1.0])
    found = np.mean([regrets(played(random, worths, 400, 10.0)) for _ in range(300)], axis=0)
    # The best is nearly always told from the second; where it is not, a little less is measured.
    assert found == pytest.approx([4.0, 0.0, 1.0, 5.0], abs=0.2)
    assert found[0] - found[2] == pytest.approx(3.0, abs=0.1)


def test_errors_shrink_with_the_number_of_playings_on() -> None:
    random = np.random.default_rng(4)
    worths = np.array([0.0, 5.0])
    few, many = (regret_errors(played(random, worths, columns, 10.0))[0] for columns in (100, 1600))
    assert few == pytest.approx(np.sqrt(2) * 10 / 10, rel=0.25)
    assert many == pytest.approx(few / 4, rel=0.3)


def test_the_interval_covers_the_truth_and_counts_games_not_positions() -> None:
    random = np.random.default_rng(5)
    covered = 0
    for seed in range(60):
        of_games = random.normal(1.0, 1.0, 30)
        values = np.repeat(of_games, 4)
        games = np.repeat(np.arange(30), 4).tolist()
        clustered = measured(values.tolist(), games, seed)
        covered += clustered.low <= 1.0 <= clustered.high
    assert covered >= 52
    alone = measured(values.tolist(), list(range(120)))
    assert clustered.mean == alone.mean
    assert clustered.high - clustered.low > 1.6 * (alone.high - alone.low)


def test_shares_count_what_is_within_two_points() -> None:
    found = share_close([0.0, 2.0, 2.1, 9.0], [1, 2, 3, 4])
    assert found.mean == 0.5
    assert 0.0 <= found.low < 0.5 < found.high <= 1.0
    with pytest.raises(ValueError, match="nothing"):
        measured([], [])
