"""The arithmetic of the reader: assignments, distributions, pools, scaling."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from companion.vision.numerics import (
    brightest_channel,
    darkest_channel,
    log_linear_pool,
    min_cost_assignment,
    platt_scale,
    softmax,
)


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_equals_the_best_of_all_permutations(size: int, seed: int) -> None:
    costs = np.random.default_rng(seed).integers(0, 20, (size, size)).astype(float)
    chosen = min_cost_assignment(costs)
    assert sorted(chosen) == list(range(size))
    cheapest = min(sum(costs[row, column] for row, column in enumerate(order)) for order in permutations(range(size)))
    assert sum(costs[row, column] for row, column in enumerate(chosen)) == cheapest


def test_thirty_rows_with_equal_costs() -> None:
    assert sorted(min_cost_assignment(np.zeros((30, 30)))) == list(range(30))


@given(arrays(np.uint8, (3, 4, 3)))
def test_the_brightest_and_the_darkest_channel_of_each_pixel(picture: np.ndarray) -> None:
    assert np.array_equal(brightest_channel(picture), picture.max(axis=2))
    assert np.array_equal(darkest_channel(picture), picture.min(axis=2))


@given(arrays(np.float64, (3, 5), elements=st.floats(-700, 700)))
def test_softmax_is_a_distribution_in_the_order_of_its_logits(logits: np.ndarray) -> None:
    probs = softmax(logits)
    assert np.allclose(probs.sum(axis=1), 1)
    highest = probs[np.arange(len(logits)), logits.argmax(axis=1)]
    assert (highest == probs.max(axis=1)).all()
    assert np.allclose(softmax(logits + 5000.0), probs), "only differences count"


def test_a_pool_of_one_opinion_is_that_opinion_and_weights_are_powers() -> None:
    one, other = np.array([[0.2, 0.3, 0.5]]), np.array([[0.6, 0.3, 0.1]])
    assert np.allclose(log_linear_pool((one, other), (1.0, 0.0)), one)
    expected = one**2 * other**0.5
    assert np.allclose(log_linear_pool((one, other), (2.0, 0.5)), expected / expected.sum())


@given(st.floats(0, 1), st.floats(0.1, 4), st.floats(-3, 3))
def test_platt_scaling_is_a_line_on_the_logit_scale(score: float, slope: float, offset: float) -> None:
    assert platt_scale(0.5, (slope, 0.0)) == pytest.approx(0.5)
    assert platt_scale(score, (1.0, 0.0)) == pytest.approx(score, abs=1e-5)
    scaled = platt_scale(0.8, (slope, offset))
    assert np.log(scaled / (1 - scaled)) == pytest.approx(slope * np.log(4) + offset)
