"""What the networks of the board are trained for."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from companion.vision.board.pieces import GROUPS

FOCAL_ALPHA = 2.0
"""How much less a cell counts in the loss that is already right."""

FOCAL_BETA = 4.0
"""How much less a cell counts as "nothing here" the nearer it lies to a point."""

COUNT_WEIGHT = 0.5
"""Weight of the counts' loss beside the heat's."""

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
    for number, group in enumerate(GROUPS):
        own = logits[:, group.first : group.first + group.size].float()
        importance = RARE_WEIGHT if group.kind in RARE else 1.0
        total = total + importance * nn.functional.cross_entropy(own, classes[:, number].long())
    return total
