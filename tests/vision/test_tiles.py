"""Thirty tiles are told together: the box holds just those (rules 1.1)."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.model.board import SQUARES
from companion.vision.board.rectify import rectify
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import (
    CLEARLY_CLASSIFIED,
    TURNS,
    assign_tiles,
    crop_tile,
    half_turn,
    is_half_turned,
    score_crops,
    score_tiles,
)
from companion.vision.load import load_photo
from companion.vision.locate.lattice import find_lattice
from companion.vision.networks import white_level

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def certain(kinds: list[int], turns: list[int], sure: float = 0.97) -> np.ndarray:
    table = np.full((SQUARES, len(KINDS), 4), (1 - sure) / (len(KINDS) * 4 - 1))
    for square, (kind, turn) in enumerate(zip(kinds, turns, strict=True)):
        table[square, kind, turn] = sure
    return table


IN_BOX = [index for index, kind in enumerate(KINDS) for _ in range(kind.count)]


def test_1_1_a_doubtful_tile_becomes_the_one_that_is_left() -> None:
    table = certain(IN_BOX, [0] * SQUARES)
    other = (IN_BOX[3] + 1) % len(KINDS)
    table[3] = 0.001
    table[3, other, 0], table[3, IN_BOX[3], 0] = 0.5, 0.45
    sights = assign_tiles(table)
    assert [KINDS.index(sight.kind) for sight in sights] == IN_BOX
    assert sights[3].probability == pytest.approx(0.45, abs=0.01)
    assert sights[3].other is KINDS[other]


def test_a_board_on_its_head_is_told_and_turned() -> None:
    table = certain(IN_BOX, [2] * 25 + [0] * 5)
    assert is_half_turned(table)
    upright = half_turn(table)
    assert not is_half_turned(upright)
    assert [KINDS.index(sight.kind) for sight in assign_tiles(upright)] == IN_BOX[::-1]
    assert [sight.turn for sight in assign_tiles(upright)] == [2] * 5 + [0] * 25


def test_a_tile_that_is_not_clear_is_looked_at_from_all_sides() -> None:
    photo = load_photo(SAMPLES / "mid.jpg")
    board = rectify(photo, find_lattice(photo).homography)
    half = board.shape[1] // 2
    board[:, :half] = cv2.GaussianBlur(board, (0, 0), 12)[:, :half]
    scores, white, looked_again = score_tiles(board), white_level(board), 0
    squares = (1, 14, 16, 28)
    for square in squares:
        crop = crop_tile(board, square)
        turned = score_crops(np.stack([np.rot90(crop, -turn) for turn in range(TURNS)]), white).probabilities
        # Turned by so many quarters more, a tile that lies in the first turn lies in that one.
        looks = [np.roll(seen, -turn, axis=1) for turn, seen in enumerate(turned)]
        expected = looks[0]
        if looks[0].sum(axis=1).max() < CLEARLY_CLASSIFIED:
            looked_again += 1
            together = np.prod(looks, axis=0) ** (1 / TURNS)
            expected = together / together.sum()
        assert np.allclose(scores.probabilities[square], expected, atol=1e-5)
    assert 0 < looked_again < len(squares)
