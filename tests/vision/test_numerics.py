"""The arithmetic of the reader, and its one truth about geometry: the rectified board, its tiles and heat cells."""

from __future__ import annotations

from itertools import permutations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.rectify import BOARD_SIZE_PX, TILE_PX, board_to_cells, cells_to_board, rectify
from companion.vision.board.tiles import crop_tile
from companion.vision.numerics import (
    brightest_channel,
    centred,
    darkest_channel,
    log_linear_pool,
    log_sum_exp,
    min_cost_assignment,
    platt_scale,
    safe_logit,
    sampled,
    sigmoid,
    softmax,
)


@settings(max_examples=20)
@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_equals_the_best_of_all_permutations(size: int, seed: int) -> None:
    costs = np.random.default_rng(seed).integers(0, 20, (size, size)).astype(float)
    chosen = min_cost_assignment(costs)
    assert sorted(chosen) == list(range(size))
    cheapest = min(sum(costs[row, column] for row, column in enumerate(order)) for order in permutations(range(size)))
    assert sum(costs[row, column] for row, column in enumerate(chosen)) == cheapest


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


def test_maps_are_sampled_between_their_cells_and_at_their_edge_beyond_it() -> None:
    maps = np.arange(40, dtype=np.float32).reshape(2, 4, 5) ** 2
    places = {(0, 0): (0, 0), (3, 2): (3, 2), (4, 3): (4, 3), (-7, 1): (0, 1), (9, 9): (4, 3), (2, -0.4): (2, 0)}
    x, y = np.array(list(places), dtype=np.float64).T
    assert np.array_equal(sampled(maps, x, y), [maps[:, row, column] for column, row in places.values()])
    between = 0.75 * (0.6 * maps[:, 1, 2] + 0.4 * maps[:, 1, 3]) + 0.25 * (0.6 * maps[:, 2, 2] + 0.4 * maps[:, 2, 3])
    assert np.allclose(sampled(maps, np.array([2.4]), np.array([1.25])), [between])


def test_features_are_centred_about_their_mean_at_length_1() -> None:
    features = np.array([[3.0, 1.0, 0.0], [1.0, 1.0, 4.0], [2.0, 1.0, 2.0]], np.float32)
    found = centred(features)
    assert np.allclose(found, [np.array([1, 0, -2]) / 5**0.5, np.array([-1, 0, 2]) / 5**0.5, [0, 0, 0]])


@given(arrays(np.float64, (2, 4), elements=st.floats(-600, 600)))
def test_sums_of_exponentials_do_not_overflow(logits: np.ndarray) -> None:
    assert np.allclose(log_sum_exp(logits), np.logaddexp.reduce(logits, axis=1))
    assert np.allclose(log_sum_exp(logits, axis=0), np.logaddexp.reduce(logits, axis=0))


def test_scores_of_0_and_1_have_a_finite_logit() -> None:
    assert (safe_logit(0.0), -safe_logit(1.0)) == pytest.approx((np.log(1e-6), np.log(1e-6)))
    assert safe_logit(0.8) == pytest.approx(np.log(4)) and sigmoid(np.float32(np.log(4))) == pytest.approx(0.8)


SCALE = 50.0


def chequered() -> np.ndarray:
    """A photo of a flat board whose tiles differ: blue grows with the column, green with the row."""
    photo = np.zeros((400, 500, 3), np.uint8)
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = round(100 + column * SCALE), round(80 + row * SCALE)
            cv2.rectangle(photo, (x, y), (x + 49, y + 49), (40 + 30 * column, 40 + 40 * row, 200), -1)
    return photo


HOMOGRAPHY = np.array([[SCALE, 0, 100], [0, SCALE, 80], [0, 0, 1]], dtype=np.float64)


def test_every_tile_lands_in_its_place() -> None:
    board = rectify(chequered(), HOMOGRAPHY)
    assert board.shape == (BOARD_SIZE_PX[1], BOARD_SIZE_PX[0], 3)
    for square in range(COLUMNS * ROWS):
        row, column = divmod(square, COLUMNS)
        middle = crop_tile(board, square)[64:80, 64:80].reshape(-1, 3).mean(axis=0)
        assert np.abs(middle - (40 + 30 * column, 40 + 40 * row, 200)).max() < 3


def test_a_large_photo_is_averaged_not_sampled() -> None:
    fine = np.zeros((6400, 8000, 3), np.uint8)
    fine[:, ::2] = 255
    board = rectify(fine, HOMOGRAPHY * np.array([[16], [16], [1]]))
    assert np.abs(board[100:400, 100:500].astype(int) - 127).mean() < 12


@given(st.floats(-0.4, 6.4), st.floats(-0.4, 5.4))
def test_cells_and_board_coordinates_are_inverse(x: float, y: float) -> None:
    back = cells_to_board(*board_to_cells(x, y, 4), 4)
    assert np.allclose(back, (x, y))


def test_the_middle_of_a_tile_lies_in_its_middle_cell() -> None:
    assert board_to_cells(0.5, 0.5, 4) == (TILE_PX / 4 - 0.5, TILE_PX / 4 - 0.5)
