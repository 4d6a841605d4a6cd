"""Numbers counted, moved by what comparing makes of the pieces seen: as in `piece_embeddings`, differentiable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from companion.lab.training.batches import CAMELS
from companion.rules.model.board import SQUARES
from companion.vision.board.piece_embeddings import COUNT_DOUBT
from companion.vision.board.pieces import (
    CAMEL_GROUP,
    GROUPS,
    MAX_MEEPLES,
    MIN_DETECTION_PROB,
    MIN_PROB,
    PIECE_CLASSES,
    PieceDetection,
)
from companion.vision.numerics import Float32

BUILDING_WEIGHT = 2.0
"""Weight of palms and palaces in the loss: they are rarer than meeples, and what is confused most."""

POOL = (0.9, 0.25)
"""Weights to begin with of the numbers counted and of the detections."""


@dataclass(frozen=True, slots=True)
class TileDetections:
    """Which detections may stand on each tile: `places` (30, K) among all, with the `shares` (30, K) of each."""

    places: Tensor
    shares: Tensor


def tile_detections(feet: Float32) -> TileDetections:
    """The detections on each tile whose `feet` (N, 2) are in board coordinates; one near an edge counts for both."""
    on_tiles: list[list[tuple[int, float]]] = [[] for _ in range(SQUARES)]
    for place, (x, y) in enumerate(feet.tolist()):
        for square, share in PieceDetection(PIECE_CLASSES[0], x, y, 1.0).squares:
            on_tiles[square].append((place, share))
    most = max(map(len, on_tiles))
    filled = np.array([one + [(0, 0.0)] * (most - len(one)) for one in on_tiles]).reshape(SQUARES, most, 2)
    return TileDetections(torch.from_numpy(filled[..., 0]).long(), torch.from_numpy(filled[..., 1]).float())


def numbers_detected(probs: Tensor, tiles: TileDetections) -> list[Tensor]:
    """The distributions (30, size) of each of `GROUPS` that follow from detections' probabilities (N, 12).

    As `pieces.detection_probs`, which is for detections each of one class.
    """
    there = probs[tiles.places][..., : len(PIECE_CLASSES)] * tiles.shares[..., None]
    numbers = torch.zeros(SQUARES, len(PIECE_CLASSES), MAX_MEEPLES + 1)
    numbers[..., 0] = 1.0
    for chance in there.unbind(1):
        one_more = nn.functional.pad(numbers[..., :-1], (1, 0)) * chance[..., None]
        numbers = numbers * (1 - chance[..., None]) + one_more
    camels = (1 - (1 - there[..., CAMELS]).prod(dim=1)).clamp(0.0, 1 - MIN_PROB)
    odds = nn.functional.pad(camels / (1 - camels), (1, 0), value=1.0)
    result = []
    for place, group in enumerate(GROUPS):
        if place == CAMEL_GROUP:
            distribution = odds / odds.sum(dim=1, keepdim=True)
        else:
            whole = numbers[:, PIECE_CLASSES.index(group.kind)]
            # More than are told apart count as the greatest number.
            distribution = torch.cat([whole[:, : group.size - 1], whole[:, group.size - 1 :].sum(1, keepdim=True)], 1)
        result.append(distribution.clamp(min=MIN_DETECTION_PROB))
    return result


def recounted(counts: Tensor, before: Sequence[Tensor], after: Sequence[Tensor]) -> list[Tensor]:
    """Numbers counted (30, COUNT_LOGITS) as `piece_embeddings` moves them, (30, size) for each of `GROUPS`.

    `before` and `after` are the distributions that follow from the detections.
    """
    result = []
    for group, old, new in zip(GROUPS, before, after, strict=True):
        moved = 0.5 * (_normalised(new) - _normalised(old)).abs().sum(dim=1, keepdim=True)
        doubt = COUNT_DOUBT * moved
        counted = counts[:, group.first : group.first + group.size].clamp(min=MIN_PROB)
        counted = (1 - doubt) * counted + doubt / group.size
        result.append(_normalised(counted * (new / old)))
    return result


def contents_nll(
    counts: Tensor, before: Sequence[Tensor], after: Sequence[Tensor], numbers: Tensor, pool: Tensor
) -> Tensor:
    """How unlikely the right `numbers` (30, groups) are on each tile (30,), in nats; palms and palaces weigh more.

    `pool` (2,) weighs the numbers recounted and what follows from the detections.
    """
    total = torch.zeros(SQUARES)
    for place, (counted, new) in enumerate(zip(recounted(counts, before, after), after, strict=True)):
        logits = pool[0] * counted.log() + pool[1] * new.log()
        nll = nn.functional.cross_entropy(logits, numbers[:, place], reduction="none")
        total = total + (BUILDING_WEIGHT if GROUPS[place].kind in ("palm", "palace") else 1.0) * nll
    return total


def _normalised(distributions: Tensor) -> Tensor:
    return distributions / distributions.sum(dim=1, keepdim=True)
