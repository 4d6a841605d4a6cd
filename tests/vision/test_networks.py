"""Networks are asked for all that they tell or for a part of it, for any number of pictures, and alike each time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.vision.board.tiles import CROP_PX, CROPS_A_BATCH, score_crops
from companion.vision.networks import forward
from tests.vision_memo import asked_anew


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """What was answered before isn't given again."""
    with asked_anew():
        yield


def crops(number: int) -> np.ndarray:
    return np.random.default_rng(7).random((number, 3, CROP_PX, CROP_PX)).astype(np.float32)


def test_outputs_come_by_their_names_or_all() -> None:
    batch = crops(CROPS_A_BATCH)
    scores, features = forward("tiles", batch)
    again = forward("tiles", batch, ("features", "scores"))
    assert np.array_equal(again[0], features) and np.array_equal(again[1], scores)
    assert [one.shape for one in forward("tiles", batch, ("scores",))] == [scores.shape]


def test_any_number_of_tiles_is_looked_at() -> None:
    pictures = (crops(CROPS_A_BATCH + 3).transpose(0, 2, 3, 1) * 255).astype(np.uint8)
    white = np.full(3, 200.0)
    together = score_crops(pictures, white)
    assert together.probabilities.shape == (len(pictures), 8, 4) and together.features.shape[0] == len(pictures)
    for place in (0, CROPS_A_BATCH, len(pictures) - 1):
        alone = score_crops(pictures[place : place + 1], white)
        assert together.probabilities[place] == pytest.approx(alone.probabilities[0], abs=1e-4)
        assert together.unknown[place] == pytest.approx(alone.unknown[0], abs=1e-4)
