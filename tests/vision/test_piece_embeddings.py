"""Pieces compared with one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.board import piece_embeddings
from companion.vision.board.piece_embeddings import (
    FEATURES_MM,
    LABEL_WEIGHT,
    NOTHING,
    UNLABELLED,
    PieceComparison,
    PiecesToCompare,
    compared,
    compared_logits,
    pieces_to_compare,
    place_features,
    upward,
)
from companion.vision.board.pieces import (
    COUNT_LOGITS,
    GROUPS,
    PIECE_CLASSES,
    PieceFeatures,
    PieceNetOutput,
    all_detections,
    detect_pieces,
)
from companion.vision.board.rectify import BOARD_SIZE_PX, TILE_PX, board_to_cells
from companion.vision.networks import HEAT_STRIDE
from companion.vision.numerics import Float64

MERCHANT, PALM = PIECE_CLASSES.index("g"), PIECE_CLASSES.index("palm")
STRAIGHT = np.diag([100.0, 100.0, 1.0])
LOOKS = {"round": (3.0, 0.0), "flat": (0.0, 3.0)}
"""Made-up looks of pieces: two features, far apart."""

PLAIN = PieceComparison(np.tile(np.eye(2, dtype=np.float32), (2, 1)), 1.0, np.zeros(NOTHING + 1), 1.0, 0.5, 0.05)
"""A comparison by those two features alone, of foot and body."""


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
    heat = tuple(np.array(one, dtype=np.float64).reshape(-1, 3) for one in points)
    return PieceNetOutput(heat, counts, features=looking({}))


def looking(looks: dict[tuple[float, float], str]) -> PieceFeatures:
    """Features of a board on which pieces at places, in board coordinates, have made-up looks; fine ones alone."""
    fine = np.zeros((2, BOARD_SIZE_PX[1] // HEAT_STRIDE, BOARD_SIZE_PX[0] // HEAT_STRIDE), np.float32)
    for (x, y), look in looks.items():
        column, row = (round(cell) for cell in board_to_cells(x, y, HEAT_STRIDE))
        fine[:, row - 8 : row + 9, column - 4 : column + 5] = np.array(LOOKS[look])[:, None, None] / 2
    return PieceFeatures(fine, np.zeros((0, fine.shape[1] // 2, fine.shape[2] // 2), np.float32))


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piece_embeddings, "fitted_comparison", lambda: PLAIN)


def twin_logits(logits: Float64, points: Float64, told: dict[int, int] | None = None) -> Float64:
    """`compared_logits` piece by piece and class by class, as its docstring says."""
    beliefs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    for piece, kind in (told or {}).items():
        beliefs[piece] = [LABEL_WEIGHT * (place == kind) for place in range(NOTHING + 1)]
    result = logits.copy()
    for one in range(len(logits)):
        dense = []
        for place in range(NOTHING + 1):
            found, number = PLAIN.prior * PLAIN.unlike, PLAIN.prior
            for other in range(len(logits)):
                if other != one:
                    found += beliefs[other, place] * np.exp(-((points[one] - points[other]) ** 2).sum())
                    number += beliefs[other, place]
            dense.append(found / number)
        result[one] += PLAIN.power * np.log(np.array(dense) / sum(dense))
    return result


def test_a_pictures_up_is_where_the_camera_saw_the_body() -> None:
    assert upward(STRAIGHT, 3, 2) == pytest.approx((0, -1))
    quarter = STRAIGHT @ np.array([[0, 1, 0], [-1, 0, 6], [0, 0, 1.0]])
    assert upward(quarter, 3, 2) == pytest.approx((1, 0))
    # A horizon below the photo's upper edge: what lies above it is behind the camera.
    low = np.array([[100, 0, -300], [0, -200, 2400], [0, -1, 7.0]])
    assert upward(low, 3, 2) == pytest.approx((0, -1))


def test_features_are_taken_at_the_foot_and_above_it() -> None:
    columns = np.arange(BOARD_SIZE_PX[0] // HEAT_STRIDE, dtype=np.float32)
    rows = np.arange(BOARD_SIZE_PX[1] // HEAT_STRIDE, dtype=np.float32)
    fine = np.stack(np.meshgrid(columns, rows))
    features = PieceFeatures(fine, fine[:, ::2, ::2])
    (foot,) = place_features(features, np.array([[2.5, 1.25]]), np.array([[0.6, -0.8]]))
    x, y = board_to_cells(2.5, 1.25, HEAT_STRIDE)
    away = FEATURES_MM[1] / 64 * TILE_PX / HEAT_STRIDE
    assert foot[:2] == pytest.approx((x, y), abs=1e-3)
    assert foot[4:6] == pytest.approx((x + 0.6 * away, y - 0.8 * away), abs=1e-3)
    # A coarse cell is as wide as two fine ones: its middle lies between theirs.
    assert foot[2:4] == pytest.approx((x - 0.5, y - 0.5), abs=1e-3)


def test_comparing_agrees_with_its_slow_twin() -> None:
    rng = np.random.default_rng(8)
    logits, points = rng.normal(0, 2, (9, NOTHING + 1)), rng.normal(0, 1, (9, 2))
    told = np.full(9, UNLABELLED)
    assert compared_logits(logits, points, PLAIN, told) == pytest.approx(twin_logits(logits, points))
    told[[2, 7]] = PALM, NOTHING
    after = compared_logits(logits, points, PLAIN, told)
    assert after == pytest.approx(twin_logits(logits, points, {2: PALM, 7: NOTHING}))


@pytest.mark.usefixtures("plain")
def test_a_green_thing_unlike_the_other_merchants_is_a_palm() -> None:
    merchants = [(0.5 + column, 0.5) for column in range(6)]
    palms = [(0.5, 2.5), (1.5, 2.5)]
    output = seen_at(
        *((MERCHANT, x, y, 0.9) for x, y in merchants),
        *((PALM, x, y, 0.9) for x, y in palms),
        (MERCHANT, 4.5, 3.5, 0.6),
    )
    # Fainter, and not counted: a palm in the same place.
    palm = np.array([*output.peaks[PALM], (*board_to_cells(4.5, 3.5, HEAT_STRIDE), 0.4)])
    output = replace(output, peaks=(*output.peaks[:PALM], palm, *output.peaks[PALM + 1 :]))
    looks = dict.fromkeys(merchants, "round") | dict.fromkeys([*palms, (4.5, 3.5)], "flat")
    after = compared(replace(output, features=looking(looks)), STRAIGHT)
    kinds = {one.square: one.kind for one in detect_pieces(after.peaks)}
    assert kinds == {**dict.fromkeys(range(6), "g"), 12: "palm", 13: "palm", 22: "palm"}
    for group in GROUPS:
        span = slice(group.first, group.first + group.size)
        assert after.counts[:, span].sum(axis=1) == pytest.approx(1, abs=1e-4)
        if group.kind == "palm":
            assert after.counts[22, group.first + 1] > 2 * output.counts[22, group.first + 1]
        if group.kind == "g":
            assert after.counts[22, group.first + 1] < output.counts[22, group.first + 1]
            assert after.counts[0, group.first + 1] > 0.9


@pytest.mark.usefixtures("plain")
def test_a_builder_in_the_camels_circle_may_be_a_blue_camel() -> None:
    builder, camel = PIECE_CLASSES.index("b"), PIECE_CLASSES.index("B")
    for there, doubted in (((2.8, 1.83), True), ((2.71, 1.74), True), ((2.64, 1.83), False), ((2.5, 1.5), False)):
        after = compared(replace(seen_at((builder, *there, 0.97)), features=looking({})), STRAIGHT)
        seen = {one.kind: one.probability for one in all_detections(after.peaks)}
        if doubted:
            assert seen["b"] == pytest.approx(np.e * seen["B"], rel=1e-3)
        else:
            assert len(after.peaks[camel]) == 0 and seen["b"] > 0.9


TWIN_PLACES = [(0.5, 2.5), (4.5, 3.5)]
"""Of two pieces that look alike, on squares 12 and 22."""


def two_strangers() -> PiecesToCompare:
    """Four merchants, and two pieces of another look that are taken for merchants too, rather than for palms."""
    merchants = [(0.5 + column, 0.5) for column in range(4)]
    output = seen_at(*((MERCHANT, x, y, 0.9) for x, y in merchants), *((MERCHANT, x, y, 0.7) for x, y in TWIN_PLACES))
    palms = np.array([(*board_to_cells(x, y, HEAT_STRIDE), 0.2) for x, y in TWIN_PLACES])
    peaks = (*output.peaks[:PALM], palms, *output.peaks[PALM + 1 :])
    looks = dict.fromkeys(merchants, "round") | dict.fromkeys(TWIN_PLACES, "flat")
    pieces = pieces_to_compare(replace(output, peaks=peaks, features=looking(looks)), STRAIGHT)
    assert pieces is not None and pieces.output.features is None
    return pieces


def palm_on(output: PieceNetOutput, square: int) -> float:
    """How likely a palm is seen there."""
    found = [one for one in all_detections(output.peaks) if one.square == square and one.kind == "palm"]
    return max((one.probability for one in found), default=0.0)


@pytest.mark.usefixtures("plain")
def test_what_was_told_of_one_piece_tells_another_that_looks_so() -> None:
    pieces = two_strangers()
    before, after = pieces.compared(), pieces.compared({12: [PALM]})
    assert palm_on(after, 12) == 1.0 and palm_on(after, 22) > palm_on(before, 22) + 0.2
    group = next(group for group in GROUPS if group.kind == "palm")
    assert after.counts[22, group.first + 1] > 2 * before.counts[22, group.first + 1]
    # Told to be a merchant, it makes the other one more of a merchant.
    assert palm_on(pieces.compared({12: [MERCHANT]}), 22) < palm_on(before, 22)
    assert not [one for one in all_detections(pieces.compared({12: []}).peaks) if one.square == 12]
    # The merchants look otherwise, and stay.
    assert {one.kind for one in detect_pieces(after.peaks) if one.square < 4} == {"g"}
