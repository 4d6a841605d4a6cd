"""Fit how pieces are compared (`companion.vision.board.likeness`): a projection of features, and what speaks how much.

Each step shows it boards: detections that are to be told by one another and, on half of them, by pieces of the same box
that were shown (after "Prototypical Networks", 2017). What the network takes them for by itself is part of the answer,
so that comparing learns what that does not say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from companion.lab.training.batches import CAMELS
from companion.lab.training.owners import NO_FOOT, OwnerBoard, load_owner
from companion.vision.board.likeness import NOTHING

DIMENSIONS = 48
BOARDS_A_STEP = 4
SHOWN_SHARE = 0.5
NOISE = 0.15
"""Of features, as a share of their spread: no two photos show a piece alike."""

WITHOUT_CAMELS = 0.2
"""So often an owner shows no camels."""


class ComparisonNet(nn.Module):
    """`likeness.compared_logits`, to be fitted."""

    mean: Tensor
    spread: Tensor

    def __init__(self, features: int, mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.drop = nn.Dropout(0.2)
        self.points = nn.Linear(features, DIMENSIONS, bias=False)
        nn.init.normal_(self.points.weight, 0, 0.02)
        self.slope = nn.Parameter(torch.tensor(1.0))
        self.bias = nn.Parameter(torch.zeros(NOTHING + 1))
        self.power = nn.Parameter(torch.tensor(0.4))
        self.log_shown = nn.Parameter(torch.tensor(1.0))
        self.log_prior = nn.Parameter(torch.tensor(0.0))
        self.log_unlike = nn.Parameter(torch.tensor(-3.0))

    def forward(self, features: Tensor, scores: Tensor, shown: tuple[Tensor, Tensor] | None) -> Tensor:
        """Logits (N, 12) of a board's detections; `shown` are features and classes of pieces shown."""
        logits = self.slope * nn.functional.pad(torch.logit(scores, eps=1e-6), (0, 1)) + self.bias
        beliefs = torch.softmax(logits.detach(), 1)
        points = self._points_of(features)
        nearness = torch.exp(-((points[:, None] - points[None]) ** 2).sum(2)) * (1 - torch.eye(len(points)))
        found, number = nearness @ beliefs, beliefs.sum(0) - beliefs
        if shown is not None:
            alike = torch.exp(-((points[:, None] - self._points_of(shown[0])[None]) ** 2).sum(2))
            told = torch.exp(self.log_shown) * nn.functional.one_hot(shown[1], NOTHING + 1).float()
            found, number = found + alike @ told, number + told.sum(0)
        prior = torch.exp(self.log_prior)
        density = torch.log((found + prior * torch.exp(self.log_unlike)) / (number + prior))
        return logits + self.power * torch.log_softmax(density, 1)

    def _points_of(self, features: Tensor) -> Tensor:
        points: Tensor = self.points(self.drop((features - self.mean) / self.spread))
        return points

    def arrays(self) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        """What `likeness.PieceComparison` holds, by name."""
        projection = (self.points.weight / self.spread).detach().T
        scalars = {
            "slope": self.slope,
            "power": self.power,
            "shown": torch.exp(self.log_shown),
            "prior": torch.exp(self.log_prior),
            "unlike": torch.exp(self.log_unlike),
            "bias": self.bias,
        }
        told = {name: value.detach().numpy().astype(np.float32) for name, value in scalars.items()}
        return {"projection": projection.numpy().astype(np.float32), **told}


def draw_shown(board: OwnerBoard, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """One shown piece of each class, now and then without camels."""
    order = rng.permutation(len(board.shown_classes))
    first = [int(order[board.shown_classes[order] == place][0]) for place in np.unique(board.shown_classes)]
    camels = CAMELS if rng.random() < WITHOUT_CAMELS else ()
    return np.array([one for one in first if board.shown_classes[one] not in camels], dtype=np.int64)


def board_loss(network: ComparisonNet, board: OwnerBoard, rng: np.random.Generator, *, shown: bool) -> Tensor:
    """Cross entropy of a board's detections; rare classes count more. A piece that is shown is not asked for."""
    asked, told = np.ones(len(board.classes), dtype=bool), None
    if shown and len(board.shown_classes):
        some = draw_shown(board, rng)
        on_board = board.shown_feet[some]
        asked = ~np.isin(board.feet, on_board[on_board != NO_FOOT])
        told = (_noisy(network, board.shown_features[some]), torch.from_numpy(board.shown_classes[some]))
    logits = network(_noisy(network, board.features[asked]), torch.from_numpy(board.scores[asked]), told)
    classes = torch.from_numpy(board.classes[asked])
    weights = 1 / torch.sqrt(torch.bincount(classes, minlength=NOTHING + 1).float())[classes]
    losses = nn.functional.cross_entropy(logits, classes, reduction="none")
    return (losses * weights).sum() / weights.sum()


def _noisy(network: ComparisonNet, features: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Tensor:
    told = torch.from_numpy(features.astype(np.float32))
    return told + NOISE * network.spread * torch.randn_like(told) if network.training else told


def fit_likeness(boards: Sequence[OwnerBoard], steps: int, seed: int, say: Callable[[str], None]) -> ComparisonNet:
    """Fit the comparison on boards; what is said is the mean loss of the steps since."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    every = np.concatenate([board.features for board in boards]).astype(np.float32)
    mean, spread = (torch.from_numpy(array) for array in (every.mean(0), every.std(0) + 0.05))
    network = ComparisonNet(every.shape[1], mean, spread)
    scalars = [one for name, one in network.named_parameters() if name != "points.weight"]
    optimiser = torch.optim.AdamW(
        [
            {"params": [network.points.weight], "weight_decay": 1e-2},
            {"params": scalars, "weight_decay": 0.0},
        ],
        lr=2e-3,
    )
    total = 0.0
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1.0, (step + 1) / 50) * (0.03 + 0.97 * 0.5 * (1 + np.cos(np.pi * step / steps)))
        chosen = [boards[int(place)] for place in rng.integers(len(boards), size=BOARDS_A_STEP)]
        losses = [board_loss(network, board, rng, shown=bool(rng.random() < SHOWN_SHARE)) for board in chosen]
        loss = torch.stack(losses).mean()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        total += float(loss.detach())
        if (step + 1) % 100 == 0:
            say(f"step {step + 1}/{steps} loss {total / 100:.4f}")
            total = 0.0
    network.eval()
    return network


def train_likeness(
    owners: Sequence[Path], target: Path, steps: int, seed: int, say: Callable[[str], None]
) -> ComparisonNet:
    """Fit the comparison on stored boards (`owners.store_owners`) and write it to `target`, a JSON file."""
    boards = [board for board in map(load_owner, owners) if len(board.classes) > 1]
    network = fit_likeness(boards, steps, seed, say)
    write_comparison(target, network.arrays())
    return network


def write_comparison(target: Path, arrays: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]) -> None:
    """Write what was fitted as the JSON file that the reader loads, a row of the projection a line."""
    lines = []
    for name, array in sorted(arrays.items()):
        digits = np.round(array.astype(np.float64), 5).tolist()
        text = json.dumps(digits) if array.ndim < 2 else "[\n  " + ",\n  ".join(map(json.dumps, digits)) + "\n ]"
        lines.append(f" {json.dumps(name)}: {text}")
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
