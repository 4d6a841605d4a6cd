"""Pieces compared with those that their owner showed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.board.likeness import (
    CROP_MM,
    NOTHING,
    Likeness,
    ShownPiece,
    adapted,
    likeness_of,
    match_probs,
    piece_picture,
    seen_probs,
    upward,
)
from companion.vision.board.pieces import (
    COUNT_LOGITS,
    GROUPS,
    PIECE_CLASSES,
    PieceNetOutput,
    detect_pieces,
)
from companion.vision.board.rectify import BOARD_SIZE_PX, board_to_cells
from companion.vision.load import Picture
from companion.vision.networks import HEAT_STRIDE

MERCHANT, PALM = PIECE_CLASSES.index("g"), PIECE_CLASSES.index("palm")
STRAIGHT = np.diag([100.0, 100.0, 1.0])
TEAL, WINE = (120, 110, 20), (70, 20, 110)


def board_with(*pieces: tuple[float, float, tuple[int, int, int]]) -> Picture:
    """A cream board with a block of a paint at each foot, in board coordinates."""
    board = np.full((BOARD_SIZE_PX[1], BOARD_SIZE_PX[0], 3), (175, 205, 225), np.uint8)
    for x, y, paint in pieces:
        left, top = round((x + 0.5) * 128), round((y + 0.5) * 128)
        board[top - 34 : top + 6, left - 14 : left + 14] = paint
    return board


def seen_at(*peaks: tuple[int, float, float, float]) -> PieceNetOutput:
    """What the network says of pieces, each (class, x, y, score), and of one piece of that class counted there."""
    points: list[list[tuple[float, float, float]]] = [[] for _ in PIECE_CLASSES]
    counts = np.zeros((30, COUNT_LOGITS), np.float32)
    for group in GROUPS:
        counts[:, group.first : group.first + group.size] = 0.02 / (group.size - 1)
        counts[:, group.first] = 0.98
    for place, x, y, score in peaks:
        points[place].append((*board_to_cells(x, y, HEAT_STRIDE), score))
        group = next(group for group in GROUPS if group.kind == PIECE_CLASSES[place])
        row = counts[int(y) * 6 + int(x), group.first : group.first + group.size]
        row[:] = 0.02 / (group.size - 1)
        row[1] = 0.98
    return PieceNetOutput(tuple(np.array(one, dtype=np.float64).reshape(-1, 3) for one in points), counts)


def shown(**paints: tuple[int, int, int]) -> Likeness:
    pieces = []
    for kind, paint in paints.items():
        picture = piece_picture(board_with((2.5, 2.5, paint)), STRAIGHT, 2.5, 2.5)
        pieces.append(ShownPiece(kind, picture, (175.0, 205.0, 225.0)))
    return likeness_of(pieces)


def test_a_pictures_up_is_where_the_camera_saw_the_body() -> None:
    assert upward(STRAIGHT, 3, 2) == pytest.approx((0, -1))
    quarter = STRAIGHT @ np.array([[0, 1, 0], [-1, 0, 6], [0, 0, 1.0]])
    assert upward(quarter, 3, 2) == pytest.approx((1, 0))
    picture = piece_picture(board_with((2.5, 2.5, WINE)), STRAIGHT, 2.5, 2.5)
    assert picture.shape == (CROP_MM[1], CROP_MM[0], 3)
    # 17 mm above its foot and 3 mm below it, 14 mm wide.
    assert np.abs(picture[20, 20].astype(int) - WINE).max() <= 2
    assert picture[33, 20].min() > 150 and picture[20, 30].min() > 150


def test_pieces_are_told_by_those_that_are_like_them() -> None:
    likeness = shown(g=TEAL, palm=WINE)
    assert likeness.classes == (MERCHANT, PALM)
    probs = match_probs(likeness.points, [likeness])
    assert probs.shape == (2, NOTHING + 1)
    assert probs.sum(axis=1) == pytest.approx(1)
    assert probs[0, MERCHANT] > 5 * probs[0, PALM]
    assert probs[1, PALM] > 5 * probs[1, MERCHANT]
    # Of what was not shown nothing is known.
    assert probs[0, PIECE_CLASSES.index("y")] == pytest.approx(probs[0, :NOTHING].sum() / NOTHING, rel=0.1)


def test_what_was_shown_corrects_a_class_and_the_count_with_it() -> None:
    board = board_with((0.5, 0.5, WINE), (4.5, 3.5, TEAL))
    output = seen_at((MERCHANT, 0.5, 0.5, 0.5), (MERCHANT, 4.5, 3.5, 0.6))
    # Fainter, and not counted: a palm in the same place.
    palm = np.array([(*board_to_cells(0.5, 0.5, HEAT_STRIDE), 0.35)])
    output = replace(output, peaks=(*output.peaks[:PALM], palm, *output.peaks[PALM + 1 :]))
    after = adapted(output, board, STRAIGHT, shown(g=TEAL, palm=WINE))
    kinds = {one.square: one.kind for one in detect_pieces(after.peaks)}
    assert kinds == {0: "palm", 22: "g"}
    for group in GROUPS:
        span = slice(group.first, group.first + group.size)
        assert after.counts[:, span].sum(axis=1) == pytest.approx(1, abs=1e-4)
        if group.kind == "palm":
            assert after.counts[0, group.first + 1] > 2 * output.counts[0, group.first + 1]
        if group.kind == "g":
            assert after.counts[0, group.first + 1] < output.counts[0, group.first + 1]
            assert after.counts[22, group.first + 1] > 0.9


def test_a_board_without_pieces_stays_as_it_was_seen() -> None:
    output = seen_at()
    assert adapted(output, board_with(), STRAIGHT, shown(g=TEAL)) is output


def test_the_boards_own_clear_pieces_stand_against_pieces_of_another_copy() -> None:
    places = [(0.5 + column, 0.5 + row) for column in range(6) for row in range(2)]
    board = board_with(*((x, y, WINE) for x, y in places), (0.5, 4.5, WINE))
    clear = [(MERCHANT, x, y, 0.97) for x, y in places]
    other_copy = shown(g=TEAL, palm=WINE)
    alone = adapted(seen_at((MERCHANT, 0.5, 4.5, 0.5)), board, STRAIGHT, other_copy)
    among = adapted(seen_at(*clear, (MERCHANT, 0.5, 4.5, 0.5)), board, STRAIGHT, other_copy)

    def doubtful(output: PieceNetOutput) -> float:
        return next(one.probability for one in detect_pieces(output.peaks) if one.kind == "g" and one.square == 24)

    assert doubtful(among) > doubtful(alone)
    assert sum(one.kind == "g" for one in detect_pieces(among.peaks)) == len(places) + 1


def test_a_board_like_nothing_shown_keeps_its_classes() -> None:
    output = seen_at((MERCHANT, 0.5, 0.5, 0.6), (PALM, 3.5, 2.5, 0.6))
    board = board_with((0.5, 0.5, (20, 20, 20)), (3.5, 2.5, (20, 20, 20)))
    after = adapted(output, board, STRAIGHT, shown(y=TEAL, w=WINE))
    assert {one.square: one.kind for one in detect_pieces(after.peaks)} == {0: "g", 15: "palm"}


def test_classes_at_one_place_exclude_one_another() -> None:
    output = seen_at((MERCHANT, 0.5, 0.5, 0.9), (PALM, 0.52, 0.5, 0.9), (PALM, 3.5, 0.5, 0.9))
    probs = seen_probs(output, detect_pieces(output.peaks))
    assert probs.sum(axis=1) == pytest.approx(1)
    at_both = next(row for row in probs if row[MERCHANT] > 0.1)
    alone = next(row for row in probs if row[MERCHANT] <= 0.1)
    assert 0.15 < at_both[MERCHANT] < 0.85 and 0.15 < at_both[PALM] < 0.85
    assert alone[PALM] > max(at_both[MERCHANT], at_both[PALM])
