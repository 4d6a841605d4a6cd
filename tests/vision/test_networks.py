"""Networks are loaded and asked alike whatever way OpenCV takes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.vision import networks
from companion.vision.board.tiles import CROP_PX, CROPS_A_BATCH, score_crops
from companion.vision.networks import forward_all, load_network
from tests.network_memo import asked_anew


@pytest.fixture
def by_new_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where the program lies in a folder of a foreign name."""
    monkeypatch.setattr(networks, "_by_classic_engine", lambda name: False)
    load_network.cache_clear()
    yield
    load_network.cache_clear()


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """What one engine answered is not given for the other's answer."""
    with asked_anew():
        yield


def crops(number: int) -> np.ndarray:
    return np.random.default_rng(7).random((number, 3, CROP_PX, CROP_PX)).astype(np.float32)


def test_the_new_engine_answers_alike(request: pytest.FixtureRequest) -> None:
    batch = crops(CROPS_A_BATCH)
    classic = forward_all("tiles", batch, ("scores", "features"))
    request.getfixturevalue("by_new_engine")
    for outputs in (("scores", "features"), ("scores",)):
        for one, other in zip(classic, forward_all("tiles", batch, outputs), strict=False):
            assert np.abs(one - other).max() < 0.02 * np.abs(one).max()


def test_any_number_of_tiles_is_looked_at() -> None:
    pictures = (crops(CROPS_A_BATCH + 3).transpose(0, 2, 3, 1) * 255).astype(np.uint8)
    white = np.full(3, 200.0)
    together = score_crops(pictures, white)
    assert together.probabilities.shape == (len(pictures), 8, 4) and together.features.shape[0] == len(pictures)
    for place in (0, CROPS_A_BATCH, len(pictures) - 1):
        alone = score_crops(pictures[place : place + 1], white)
        assert together.probabilities[place] == pytest.approx(alone.probabilities[0], abs=1e-4)
        assert together.unknown[place] == pytest.approx(alone.unknown[0], abs=1e-4)
