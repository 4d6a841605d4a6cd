"""Tiles told together, by how alike they look."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.board.tile_similarity import (
    IN_BOX,
    KINDS,
    PATCH_PX,
    PATCHES,
    classify_jointly,
    correlations,
    likeliest_board,
)
from companion.vision.load import Picture

BOARD = np.random.default_rng(4).permutation(IN_BOX)
WHITE = np.full(3, 220.0)


def prints(board: NDArray[np.int64] = BOARD, seed: int = 1) -> Picture:
    """Tiles of a board in a printing of its own: a picture for each kind, another thing standing on every tile."""
    rng = np.random.default_rng(seed)
    pictures = []
    for _ in KINDS:
        blurred = cv2.GaussianBlur(rng.uniform(0, 255, (72, 72, 3)).astype(np.float32), (0, 0), 3)
        pictures.append(np.clip(128 + (blurred - blurred.mean(axis=(0, 1))) * 8, 0, 255).astype(np.uint8))
    tiles = np.stack([pictures[kind] for kind in board])
    for tile in tiles:
        top, left = rng.integers(0, 40, 2)
        tile[top : top + 30, left : left + 30] = rng.integers(0, 255, 3)
    return tiles


def told(board: NDArray[np.int64], sure: float) -> NDArray[np.float64]:
    """What a network says that gives each tile's kind so much and the others alike."""
    probs = np.full((30, len(KINDS)), (1 - sure) / (len(KINDS) - 1))
    probs[np.arange(30), board] = sure
    return probs


def test_a_tile_that_the_network_takes_for_another_is_told_by_its_likes() -> None:
    by_kind = told(BOARD, 0.6)
    oases = np.flatnonzero(BOARD == 0)
    villages = np.flatnonzero(BOARD == 3)
    # The network exchanges two: 0.6 for what they are not.
    by_kind[oases[0]], by_kind[villages[0]] = by_kind[villages[0]].copy(), by_kind[oases[0]].copy()
    features = np.eye(len(KINDS), dtype=np.float32)[BOARD]
    after = classify_jointly(by_kind, 0.6, prints(), WHITE, features)
    assert after.sum(axis=1) == pytest.approx(1)
    assert after.argmax(axis=1).tolist() == BOARD.tolist()


def test_what_a_network_is_sure_of_is_not_overruled() -> None:
    # Two kinds that look alike in this printing.
    pictured = np.where(BOARD == 1, 2, BOARD)
    features = np.eye(len(KINDS), dtype=np.float32)[pictured]
    after = classify_jointly(told(BOARD, 0.97), 0.97, prints(pictured), WHITE, features)
    assert after.argmax(axis=1).tolist() == BOARD.tolist()


def test_1_1_the_likeliest_board_has_the_tiles_of_the_box() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        alone = np.log(rng.dirichlet(np.ones(len(KINDS)), 30))
        noise = rng.normal(size=(30, 30))
        pairs = (noise + noise.T) / 4
        np.fill_diagonal(pairs, 0)
        board = likeliest_board(alone, pairs)
        assert np.sort(board).tolist() == sorted(IN_BOX)

        def value(kinds: NDArray[np.int64]) -> float:
            same = kinds[:, None] == kinds[None]
            return float(alone[np.arange(30), kinds].sum() + (pairs * same).sum() / 2)  # noqa: B023

        # No exchange of two tiles is better, counted plainly.
        for one in range(30):
            for other in range(one):
                swapped = board.copy()
                swapped[[one, other]] = swapped[[other, one]]
                assert value(swapped) <= value(board) + 1e-9


SIDE = PATCHES * PATCH_PX


def smooth(count: int, seed: int = 1) -> Picture:
    """Tiles with prints of their own, smooth as a photo's are."""
    noise = np.random.default_rng(seed).uniform(0, 255, (count, SIDE, SIDE, 3)).astype(np.float32)
    blurred = np.stack([cv2.GaussianBlur(one, (0, 0), 3) for one in noise])
    spread = 128 + (blurred - blurred.mean(axis=(1, 2), keepdims=True)) * 8
    return np.asarray(np.clip(spread, 0, 255), dtype=np.uint8)


def test_a_tile_is_like_itself_and_no_other() -> None:
    tiles = smooth(4)
    alike = correlations(tiles, WHITE, tiles, WHITE)
    assert alike.shape == (4, 4)
    assert np.diag(alike) == pytest.approx(1, abs=1e-3)
    assert (alike - np.eye(4) < 0.6).all()
    same = np.repeat(tiles[:1], 3, axis=0)
    assert np.isfinite(correlations(same, WHITE, same, WHITE)).all()
    moved = np.ascontiguousarray(np.roll(tiles, (1, -1), axis=(1, 2)))
    assert (np.diag(correlations(tiles, WHITE, moved, WHITE)) > 0.9).all()


def test_light_and_white_balance_change_nothing() -> None:
    tiles = smooth(3)
    dim = np.asarray(tiles * np.array([0.4, 0.55, 0.7]), dtype=np.uint8)
    alike = correlations(tiles, WHITE, dim, WHITE * [0.4, 0.55, 0.7])
    assert np.diag(alike) == pytest.approx(1, abs=0.02)


def test_what_stands_on_a_tile_spoils_only_the_patches_that_it_covers() -> None:
    tiles = smooth(5)
    covered = tiles.copy()
    covered[:, 10:46, 20:60] = (30, 140, 30)
    alike = correlations(tiles, WHITE, covered, WHITE)
    assert alike.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert 0.5 < np.diag(alike).min() < np.diag(alike).max() < 0.85
