"""Feet on the rectified board become pieces, and these with counts distributions over numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, SQUARES, parse_square
from companion.vision.board import pieces
from companion.vision.board.pieces import (
    COUNT_LOGITS,
    GROUPS,
    MIN_DETECTION_PROB,
    MIN_PROB,
    MIN_SCORE,
    PIECE_CLASSES,
    PieceDetection,
    count_probs,
    detect_pieces,
    detection_probs,
    pool_count_probs,
    run_piece_net,
)
from companion.vision.board.rectify import BOARD_SIZE_PX, board_to_cells
from companion.vision.networks import HEAT_STRIDE, normalise
from companion.vision.numerics import Float32, Points, find_peaks
from tests.vision.tables import NUMBER

SHAPE = (len(PIECE_CLASSES), BOARD_SIZE_PX[1] // 4, BOARD_SIZE_PX[0] // 4)


def peaks(*detections: tuple[str, float, float, float]) -> list[Points]:
    """The peaks of heatmaps with a bump for each (class, x, y, heat) in board coordinates."""
    maps = np.zeros(SHAPE, np.float32)
    rows, columns = np.mgrid[: SHAPE[1], : SHAPE[2]]
    for kind, x, y, warmth in detections:
        cell_x, cell_y = board_to_cells(x, y, 4)
        bump = warmth * np.exp(-((columns - round(cell_x)) ** 2 + (rows - round(cell_y)) ** 2) / 4.0)
        channel = maps[PIECE_CLASSES.index(kind)]
        np.maximum(channel, bump, out=channel)
    return [find_peaks(channel, MIN_SCORE) for channel in maps]


def test_feet_are_found_where_they_stand() -> None:
    feet = detect_pieces(peaks(("y", 0.3, 0.4, 0.9), ("K", 5.8, 4.8, 0.8), ("palm", 2.5, 1.5, 0.7)))
    assert [(foot.kind, foot.square) for foot in feet] == [
        ("y", parse_square("a1")),
        ("K", parse_square("f5")),
        ("palm", parse_square("c2")),
    ]
    assert feet[0].x == pytest.approx(0.3, abs=0.03) and feet[0].y == pytest.approx(0.4, abs=0.03)
    assert feet[0].probability == pytest.approx(0.9, abs=0.01)


def test_two_classes_at_one_place_are_one_piece() -> None:
    assert [foot.kind for foot in detect_pieces(peaks(("w", 1.5, 1.5, 0.6), ("y", 1.52, 1.5, 0.8)))] == ["y"]


def test_one_class_needs_room_between_two_pieces() -> None:
    for kind, step, count in (("w", 0.13, 1), ("w", 0.21, 2), ("palm", 0.18, 1), ("palm", 0.3, 2)):
        assert len(detect_pieces(peaks((kind, 3.3, 2.5, 0.9), (kind, 3.3 + step, 2.5, 0.8)))) == count


def test_spare_pieces_beside_the_board_belong_to_no_tile() -> None:
    assert detect_pieces(peaks(("b", -0.3, 2.0, 0.9), ("g", 3.0, 5.4, 0.9))) == []
    assert [foot.square for foot in detect_pieces(peaks(("b", -0.05, 2.5, 0.9)))] == [parse_square("a3")]


def test_a_foot_near_another_tile_may_stand_on_it() -> None:
    for x, y, squares in (
        (1.5, 0.5, {"b1": 1.0}),
        (5.97, 4.6, {"f5": 1.0}),
        (2.5, 3.0, {"c4": 0.5, "c3": 0.5}),
        (1.03, 0.5, {"b1": 0.841, "a1": 0.159}),
    ):
        seen = {SQUARE_NAMES[square]: share for square, share in PieceDetection("y", x, y, 0.9).squares}
        assert seen == pytest.approx(squares, abs=0.001)


def chances_of(detections: list[PieceDetection], kind: str, square: int) -> np.ndarray:
    return detection_probs(detections)[NUMBER[kind]][square]


@given(st.lists(st.floats(0.01, 0.99), max_size=6))
def test_the_number_of_feet_has_the_chances_of_every_choice_of_them(probabilities: list[float]) -> None:
    detections = [PieceDetection("g", 2.5, 1.5, probability) for probability in probabilities]
    plain = [0.0] * (len(probabilities) + 1)
    for there in itertools.product((False, True), repeat=len(probabilities)):
        plain[sum(there)] += math.prod(
            p if is_there else 1 - p for p, is_there in zip(probabilities, there, strict=True)
        )
    seen = chances_of(detections, "g", parse_square("c2"))[: len(plain)]
    assert seen == pytest.approx([max(chance, MIN_DETECTION_PROB) for chance in plain], abs=1e-9)


def test_a_detection_at_an_edge_counts_for_both_tiles() -> None:
    detections = [PieceDetection("b", 1.0, 0.5, 1.0)]
    assert chances_of(detections, "b", 0)[1] == pytest.approx(0.5)
    assert chances_of(detections, "b", 1)[1] == pytest.approx(0.5)
    assert chances_of(detections, "b", 2)[0] == pytest.approx(1.0)


def test_4_9_a_tile_has_one_camel_of_the_likelier_colour() -> None:
    shares = chances_of([PieceDetection("K", 0.5, 0.5, 0.9), PieceDetection("P", 0.6, 0.5, 0.5)], "camel", 0)
    assert shares.sum() == pytest.approx(1.0, abs=0.03)
    assert shares[1] == pytest.approx(9 / (9 + 1 + 1), abs=0.03)
    assert shares[4] == pytest.approx(1 / (9 + 1 + 1), abs=0.03)


def test_nothing_is_ever_impossible() -> None:
    for chances in (detection_probs([]), count_probs(np.zeros((SQUARES, COUNT_LOGITS), np.float32))):
        assert all((shares >= MIN_PROB).all() for shares in chances)


def test_both_together_are_a_product_of_powers() -> None:
    told = tuple(np.full((SQUARES, group.size), 0.1) for group in GROUPS)
    told[0][:, 2] = 0.8
    seen = tuple(np.full((SQUARES, group.size), 0.1) for group in GROUPS)
    seen[0][:, 3] = 0.4
    trust = dict.fromkeys(("meeple", "camel", "palm", "palace"), (1.0, 1.0))
    fused = pool_count_probs(told, seen, trust)
    assert fused[0].argmax(axis=1).tolist() == [2] * SQUARES
    assert fused[0].sum(axis=1) == pytest.approx(1.0)
    assert fused[0][0, 2] / fused[0][0, 3] == pytest.approx(0.08 / 0.04)
    blind = pool_count_probs(told, seen, dict.fromkeys(trust, (0.0, 2.0)))
    assert blind[0][0, 3] / blind[0][0, 2] == pytest.approx(16.0)


def test_features_are_the_mean_over_the_looks_each_laid_back(monkeypatch: pytest.MonkeyPatch) -> None:
    width, height = BOARD_SIZE_PX
    board = np.random.default_rng(3).integers(0, 256, (height, width, 3)).astype(np.uint8)
    offsets = iter((0.0, 3.0, 6.0))

    def means(picture: Float32, cell: int) -> Float32:
        blocks = picture.reshape(3, height // cell, cell, width // cell, cell)
        return np.asarray(blocks.mean(axis=(2, 4)), dtype=np.float32)

    def sees_means_of_cells(name: str, batch: Float32, outputs: Sequence[str]) -> tuple[Float32, ...]:
        assert (name, *outputs) == ("pieces", "heat", "counts", "fine", "coarse")
        fine = means(batch[0], HEAT_STRIDE) + np.float32(next(offsets))
        heat = np.full((1, len(PIECE_CLASSES), *fine.shape[1:]), -9.0, np.float32)
        return heat, np.zeros((1, COUNT_LOGITS, ROWS, COLUMNS), np.float32), fine[None], means(batch[0], 8)[None]

    monkeypatch.setattr(pieces, "forward", sees_means_of_cells)
    features = run_piece_net(board).features
    assert features is not None
    picture = normalise(board)
    assert features.fine == pytest.approx(means(picture, HEAT_STRIDE) + 3.0, abs=1e-4)
    assert features.coarse == pytest.approx(means(picture, 2 * HEAT_STRIDE), abs=1e-4)
