"""What the networks of the board are trained for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from companion.lab.training.networks import CELLS_A_TILE
from companion.vision.board.pieces import GROUPS

FOCAL_ALPHA = 2.0
"""How much less a cell counts in the loss that is already right."""

FOCAL_BETA = 4.0
"""How much less a cell counts as "nothing here" the nearer it lies to a point."""

COUNT_WEIGHT = 0.5
"""Weight of the counts' loss beside the heat's."""

FEATURES_WEIGHT = 1.0
"""Weight of how far a pupil's features are from its teacher's, as a share of these, in the loss of `teaching_loss`."""

PEAK = 0.3
"""What a teacher's heat reaches near a foot: the loss of heat is a mean over such cells, as there are few of them."""

RARE = ("palm", "palace")

RARE_WEIGHT = 2.5
"""Weight of palms and palaces in the losses: there are ten meeples for each of them, and they look like anything."""


def heat_loss(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss of heatmaps (after CornerNet, 2018): points count in full, their surroundings little."""
    probabilities = torch.sigmoid(logits.float()).clamp(1e-5, 1 - 1e-5)
    is_point = (target > 0.999).float()
    hit = -((1 - probabilities) ** FOCAL_ALPHA) * torch.log(probabilities) * is_point
    miss = -((1 - target) ** FOCAL_BETA) * probabilities**FOCAL_ALPHA * torch.log(1 - probabilities) * (1 - is_point)
    return ((hit + miss) * weight).sum() / is_point.sum().clamp(min=1.0)


def count_loss(logits: Tensor, classes: Tensor) -> Tensor:
    """Cross entropy of the counts, summed over the groups, mean over tiles and boards."""
    total = torch.zeros((), device=logits.device)
    for own, right, importance in _groups(classes):
        total = total + importance * nn.functional.cross_entropy(logits[:, own].float(), right)
    return total


def _groups(classes: Tensor) -> Iterator[tuple[slice, Tensor, float]]:
    """Of each of `pieces.GROUPS` the places of its logits, the right numbers (N, rows, columns), and its weight."""
    for number, group in enumerate(GROUPS):
        own = slice(group.first, group.first + group.size)
        yield own, classes[:, number].long(), RARE_WEIGHT if group.kind in RARE else 1.0


def teaching_loss(outputs: Sequence[Tensor], said: Sequence[Tensor], classes: Tensor) -> Tensor:
    """How far a pupil is from what its teacher said: heat, counts, fine and coarse features each (distillation).

    `classes` are the right counts. On a tile that the teacher counts wrongly its heat and counts are not heard.
    """
    heat, counts, *features = (output.float() for output in outputs)
    said_heat, said_counts, *said_features = said
    heard = torch.stack([said_counts[:, own].argmax(1) == right for own, right, _ in _groups(classes)]).all(0).float()
    tiles = heard.repeat_interleave(CELLS_A_TILE, 1).repeat_interleave(CELLS_A_TILE, 2)
    cells = nn.functional.pad(tiles, [CELLS_A_TILE // 2] * 4, value=1.0)
    probabilities = torch.sigmoid(said_heat)
    away = (cells[:, None] * (torch.sigmoid(heat) - probabilities) ** 2).sum()
    total = away / (probabilities > PEAK).float().sum().clamp(min=1.0)
    for own, _, importance in _groups(classes):
        wanted = torch.log_softmax(said_counts[:, own], 1)
        missed = (wanted.exp() * (wanted - torch.log_softmax(counts[:, own], 1))).sum(1)
        total = total + COUNT_WEIGHT * importance * (heard * missed).mean()
    for feature, wanted in zip(features, said_features, strict=True):
        total = total + FEATURES_WEIGHT * ((feature - wanted) ** 2).mean() / (wanted**2).mean()
    return total
