"""Held-out pictures are good ones, and share nothing with what a reader is trained on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.lab.accuracy.scores import find_truths
from companion.lab.rendering.foreign import CAMEL_PAINTS, COATS, MEEPLE_PAINTS, foreign_cut
from companion.lab.rendering.heldout import SCENARIOS, heldout_example, heldout_photos
from companion.lab.rendering.lighting import LIGHTINGS
from companion.lab.rendering.pieces import CAMEL_HSV, MEEPLE_HSV, PIECE_KINDS, outlines
from companion.lab.rendering.profiles import PROFILES, Range
from companion.lab.rendering.sampling import PIECE_SETS, sample_scene
from companion.lab.rendering.tabletops import FOREIGN_TABLES
from companion.lab.rendering.truth import store_photo
from companion.lab.rendering.varied import PAINTS, varied_cut, varied_piece_set

SIZE = (560, 420)
SHAPES = [(kind, number) for kind in PIECE_KINDS for number in range(len(outlines("foreign", kind)))]
TRAIN, HELD_OUT = PROFILES["train"], PROFILES["heldout"]


def filled(outline: NDArray[Any]) -> NDArray[Any]:
    """The shape stretched to a square."""
    points = (outline - outline.min(0)) / np.ptp(outline, axis=0) * 100 + 14
    mask = np.zeros((128, 128), np.uint8)
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1)
    return mask > 0


@cache
def trained_shapes(kind: str) -> list[NDArray[Any]]:
    return [filled(varied_cut(kind, np.random.default_rng(seed)).outline) for seed in range(150)]


@pytest.mark.parametrize(("kind", "number"), SHAPES)
def test_no_trained_piece_has_a_held_out_shape(kind: str, number: int) -> None:
    shape = filled(foreign_cut(kind, number, np.random.default_rng(0)).outline)
    shared = max((shape & other).sum() / (shape | other).sum() for other in trained_shapes(kind))
    assert shared < 0.92


def apart(one: Sequence[float], other: Sequence[float]) -> bool:
    hue = abs((one[0] - other[0] + 180) % 360 - 180)
    return hue > 3 or abs(one[1] - other[1]) > 0.05 or abs(one[2] - other[2]) > 0.05


def test_no_held_out_paint_starts_from_one_of_those_trained_on() -> None:
    held_out = [*MEEPLE_PAINTS.values(), *CAMEL_PAINTS.values()]
    held_out += [coat.first for coats in COATS.values() for coat in coats]
    held_out += [coat.second for coats in COATS.values() for coat in coats if coat.second]
    trained = [*MEEPLE_HSV.values(), *CAMEL_HSV.values(), *PAINTS]
    assert [(one, other) for one in held_out for other in trained if not apart(one, other)] == []


def disjoint(one: Range, other: Range) -> bool:
    return one[0] > other[1] or one[1] < other[0]


def test_training_draws_neither_the_boxes_nor_the_lamps_nor_the_tables_nor_the_lenses_held_out() -> None:
    for profile in (HELD_OUT, *SCENARIOS.values()):
        assert profile.pieces != TRAIN.pieces and profile.pieces in PIECE_SETS
        assert PIECE_SETS[TRAIN.pieces] is varied_piece_set
        assert profile.lighting != TRAIN.lighting and profile.lighting in LIGHTINGS
        assert not set(profile.tables) & set(TRAIN.tables)
        assert set(profile.tables) <= set(FOREIGN_TABLES)
        assert disjoint(profile.lens, TRAIN.lens)
        assert disjoint(profile.barrel, TRAIN.barrel)


@pytest.mark.parametrize("seed", range(30))
def test_held_out_lamps_come_in_other_numbers_or_sizes(seed: int) -> None:
    def sorts(profile: str) -> set[tuple[int, int]]:
        lamps = sample_scene(np.random.default_rng(seed), profile=profile).light.lamps
        return {(len(lamps), round(lamp.radius)) for lamp in lamps}

    assert all(number <= TRAIN.lamps and radius <= TRAIN.radius[1] for number, radius in sorts("train"))
    assert any(number > TRAIN.lamps or radius > TRAIN.radius[1] for number, radius in sorts("heldout"))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_held_out_picture_shows_the_whole_board(scenario: str, small_art: dict[str, list[NDArray[Any]]]) -> None:
    picture, truth = heldout_example(5, scenario, small_art, SIZE)
    wanted = SIZE[::-1] if scenario == "portrait" else SIZE
    assert truth.size == wanted == picture.shape[1::-1]
    corners = np.array(truth.corners_px)
    assert corners.min() > 0 and (corners.max(0) < wanted).all()
    assert picture.std() > 8
    if scenario == "small":
        assert 0.35 < np.ptp(corners[:, 0]) / SIZE[0] < 0.56


def test_held_out_files_are_what_accuracy_reads(tmp_path: Path, small_art: dict[str, list[NDArray[Any]]]) -> None:
    ((name, photo, truth),) = heldout_photos(range(10, 11), small_art)
    store_photo(tmp_path, name, photo, truth)
    board = heldout_example(10, "topdown", small_art, SIZE)[1].board
    assert find_truths(tmp_path) == [(tmp_path / f"{name}.jpg", board, "topdown")]
