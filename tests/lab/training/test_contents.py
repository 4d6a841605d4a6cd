"""What comparing makes of the numbers counted is differentiated as the reader reckons it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from companion.lab.training.contents import contents_nll, numbers_detected, recounted, tile_detections
from companion.rules.model.board import SQUARES
from companion.vision.board import piece_embeddings
from companion.vision.board.pieces import COUNT_LOGITS, GROUPS, PIECE_CLASSES, PieceDetection, detection_probs
from companion.vision.numerics import Float32, Float64, softmax


def made_up(seed: int, pieces: int = 70) -> tuple[Float32, Float64, Float64, Float32]:
    """Feet (N, 2) all over a board, chances (N, 12) before and after comparing, numbers counted."""
    rng = np.random.default_rng(seed)
    feet = rng.uniform((-0.05, -0.05), (6.05, 5.05), (pieces, 2)).astype(np.float32)
    logits = rng.normal(0, 2, (pieces, len(PIECE_CLASSES) + 1))
    moved = logits + rng.normal(0, 1, logits.shape)
    counts = np.zeros((SQUARES, COUNT_LOGITS), np.float32)
    for group in GROUPS:
        counts[:, group.first : group.first + group.size] = softmax(rng.normal(0, 2, (SQUARES, group.size)), axis=1)
    return feet, softmax(logits, axis=1), softmax(moved, axis=1), counts


def detections(feet: Float32, probs: Float64) -> list[PieceDetection]:
    return [
        PieceDetection(kind, float(x), float(y), float(row[place]))
        for (x, y), row in zip(feet, probs, strict=True)
        for place, kind in enumerate(PIECE_CLASSES)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_numbers_follow_from_detections_as_in_the_reader(seed: int) -> None:
    feet, probs, _, _ = made_up(seed)
    ours = numbers_detected(torch.from_numpy(probs).float(), tile_detections(feet))
    for one, other in zip(ours, detection_probs(detections(feet, probs)), strict=True):
        assert one.numpy() == pytest.approx(other, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_numbers_are_counted_anew_as_in_the_reader(seed: int) -> None:
    feet, before, after, counts = made_up(seed)
    tiles = tile_detections(feet)
    old, new = (numbers_detected(torch.from_numpy(probs).float(), tiles) for probs in (before, after))
    ours = torch.cat(recounted(torch.from_numpy(counts), old, new), dim=1).numpy()
    seen = [PieceDetection("g", float(x), float(y), 1.0) for x, y in feet]
    assert ours == pytest.approx(piece_embeddings._recounted(counts, seen, before, after), abs=1e-3)


def test_the_right_numbers_are_likely_where_they_were_counted_and_seen() -> None:
    feet, _, _, counts = made_up(5, pieces=1)
    tiles = tile_detections(feet)
    nobody = numbers_detected(torch.full((1, len(PIECE_CLASSES) + 1), 1e-6), tiles)
    numbers = torch.zeros(SQUARES, len(GROUPS), dtype=torch.long)
    empty = np.zeros_like(counts)
    empty[:, [group.first for group in GROUPS]] = 1.0
    pool = torch.tensor([1.0, 0.2])
    sure = contents_nll(torch.from_numpy(empty), nobody, nobody, numbers, pool)
    unsure = contents_nll(torch.from_numpy(counts), nobody, nobody, numbers, pool)
    assert float(sure.max()) < 0.1 < float(unsure.min())
