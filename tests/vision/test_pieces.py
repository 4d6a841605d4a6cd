"""Feet on the rectified board become pieces: one foot one piece, on the tile it stands on."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.vision.board.pieces import MIN_SCORE, PIECE_CLASSES, PieceDetection, detect_pieces
from companion.vision.board.rectify import BOARD_SIZE_PX, board_to_cells
from companion.vision.numerics import Points, find_peaks

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


@pytest.mark.parametrize(
    ("kind", "step", "count"), [("w", 0.13, 1), ("w", 0.21, 2), ("palm", 0.18, 1), ("palm", 0.3, 2)]
)
def test_one_class_needs_room_between_two_pieces(kind: str, step: float, count: int) -> None:
    assert len(detect_pieces(peaks((kind, 3.3, 2.5, 0.9), (kind, 3.3 + step, 2.5, 0.8)))) == count


def test_spare_pieces_beside_the_board_belong_to_no_tile() -> None:
    assert detect_pieces(peaks(("b", -0.3, 2.0, 0.9), ("g", 3.0, 5.4, 0.9))) == []
    assert [foot.square for foot in detect_pieces(peaks(("b", -0.05, 2.5, 0.9)))] == [parse_square("a3")]


@pytest.mark.parametrize(
    ("x", "y", "squares"),
    [
        (1.5, 0.5, {"b1": 1.0}),
        (0.01, 0.5, {"a1": 1.0}),
        (5.97, 4.6, {"f5": 1.0}),
        (2.5, 3.0, {"c4": 0.5, "c3": 0.5}),
        (1.03, 0.5, {"b1": 0.841, "a1": 0.159}),
    ],
)
def test_a_foot_near_another_tile_may_stand_on_it(x: float, y: float, squares: dict[str, float]) -> None:
    seen = {SQUARE_NAMES[square]: share for square, share in PieceDetection("y", x, y, 0.9).squares}
    assert seen == pytest.approx(squares, abs=0.001)
