"""One truth about geometry: the rectified board, its tiles and its heat cells."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.rectify import BOARD_SIZE_PX, TILE_PX, board_to_cells, cells_to_board, rectify
from companion.vision.board.tiles import crop_tile

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
