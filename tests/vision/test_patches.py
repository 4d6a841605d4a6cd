"""Pictures of tiles compared patch by patch."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.board.tile_similarity import PATCH_PX, PATCHES, correlations
from companion.vision.load import Picture

SIDE = PATCHES * PATCH_PX
WHITE = np.array([200.0, 210.0, 220.0])


def prints(count: int, seed: int = 1) -> Picture:
    """Tiles with prints of their own, smooth as a photo's are."""
    rng = np.random.default_rng(seed)
    noise = rng.uniform(0, 255, (count, SIDE, SIDE, 3)).astype(np.float32)
    blurred = np.stack([cv2.GaussianBlur(one, (0, 0), 3) for one in noise])
    spread = 128 + (blurred - blurred.mean(axis=(1, 2), keepdims=True)) * 8
    return np.asarray(np.clip(spread, 0, 255), dtype=np.uint8)


def test_a_tile_is_like_itself_and_no_other() -> None:
    tiles = prints(4)
    alike = correlations(tiles, WHITE, tiles, WHITE)
    assert alike.shape == (4, 4)
    assert np.diag(alike) == pytest.approx(1, abs=1e-3)
    assert (alike - np.eye(4) < 0.6).all()


def test_light_and_white_balance_change_nothing() -> None:
    tiles = prints(3)
    dim = np.asarray(tiles * np.array([0.4, 0.55, 0.7]), dtype=np.uint8)
    alike = correlations(tiles, WHITE, dim, WHITE * [0.4, 0.55, 0.7])
    assert np.diag(alike) == pytest.approx(1, abs=0.02)


def test_what_all_tiles_share_tells_none_of_them() -> None:
    tiles = np.repeat(prints(1), 3, axis=0)
    numeral = slice(2 * PATCH_PX, 3 * PATCH_PX)
    tiles[:, numeral, numeral] = prints(3, seed=2)[:, :PATCH_PX, :PATCH_PX]
    alike = correlations(tiles, WHITE, tiles, WHITE)
    assert np.diag(alike) == pytest.approx(1, abs=1e-3)
    # One patch of 64 differs, and nearly all that counts is in it.
    assert (alike - np.eye(3) < 0.7).all()


def test_tiles_that_are_all_the_same_are_like_none() -> None:
    tiles = np.repeat(prints(1), 3, axis=0)
    assert np.isfinite(correlations(tiles, WHITE, tiles, WHITE)).all()


def test_a_tile_that_lies_a_pixel_off_is_known() -> None:
    tiles = prints(3)
    moved = np.ascontiguousarray(np.roll(tiles, (1, -1), axis=(1, 2)))
    assert (np.diag(correlations(tiles, WHITE, moved, WHITE)) > 0.9).all()


def test_what_stands_on_a_tile_spoils_only_the_patches_that_it_covers() -> None:
    tiles = prints(5)
    covered = tiles.copy()
    covered[:, 10:46, 20:60] = (30, 140, 30)
    alike = correlations(tiles, WHITE, covered, WHITE)
    assert alike.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert 0.5 < np.diag(alike).min() < np.diag(alike).max() < 0.85


def test_pictures_may_be_larger_than_they_are_compared_in() -> None:
    tiles = prints(2)
    large = np.stack([cv2.resize(one, (144, 144), interpolation=cv2.INTER_CUBIC) for one in tiles])
    assert (np.diag(correlations(large, WHITE, tiles, WHITE)) > 0.95).all()
