"""What was changed on the rectified board is changed on its larger picture too, and nothing else is."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.board.detail import replaced, shifted

RNG = np.random.default_rng(5)
FINE = RNG.integers(0, 256, (80, 120, 3)).astype(np.uint8)
BOARD = np.asarray(cv2.resize(FINE, (60, 40), interpolation=cv2.INTER_AREA), np.uint8)


def test_unchanged_boards_stay_as_they_are() -> None:
    assert replaced(FINE, BOARD, BOARD) is FINE and shifted(FINE, BOARD, BOARD) is FINE
    assert np.array_equal(replaced(FINE, BOARD, BOARD.copy()), FINE)
    assert np.array_equal(shifted(FINE, BOARD, BOARD.copy()), FINE)


def test_what_was_painted_over_is_gone_with_its_rim_and_the_rest_stays() -> None:
    after = BOARD.copy()
    after[10:20, 30:40] = (0, 200, 100)
    large = replaced(FINE, BOARD, after)
    assert np.array_equal(large[22:38, 62:78], np.broadcast_to(np.array((0, 200, 100), np.uint8), (16, 16, 3)))
    apart = np.ones(FINE.shape[:2], bool)
    apart[18:42, 58:82] = False
    assert np.array_equal(large[apart], FINE[apart])


def test_colours_move_as_far_and_keep_their_detail() -> None:
    board = np.full((40, 60, 3), 90, np.uint8)
    fine = np.full((80, 120, 3), 90, np.uint8)
    fine[::2] = 94
    after = board.copy()
    after[:, 30:, 2] += 100
    large = shifted(fine, board, after)
    assert np.array_equal(large[:, :58], fine[:, :58])
    assert np.array_equal(large[:, 62:, 2], fine[:, 62:, 2] + 100)
    assert np.array_equal(large[..., :2], fine[..., :2])
