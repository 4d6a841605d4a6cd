"""Fit how pieces are compared (`companion.vision.board.piece_embeddings`): a projection of features, and weights.

Each step shows it boards: detections that are to be told by one another (after "Prototypical Networks", 2017). What the
network takes them for by itself is part of the answer, so that comparing learns what that does not say. Then what
stands on the tiles is asked for, as the reader tells it in the end: by the numbers counted, moved by what comparing
makes of the detections (`contents`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from companion.lab.training.contents import POOL, TileDetections, contents_nll, numbers_detected, tile_detections
from companion.lab.training.owners import OwnerBoard, load_owner
from companion.vision.board.piece_embeddings import NOTHING
from companion.vision.numerics import Float32

STEPS = (1500, 750)
"""For single detections, and further ones for what stands on the tiles."""

DIMENSIONS = 48
BOARDS_A_STEP = 4
NOISE = 0.25
"""Of features, as a share of their spread: no two photos show a piece alike."""

DETECTIONS_RATE, CONTENTS_RATE = 2e-3, 1e-3
WARM_UP_STEPS = 50
FINAL_RATE = 0.03
"""Rate of the last step, as a share of the peak."""

DECAY = 0.03
"""Weight decay of the projection."""

DETECTIONS_WEIGHT = 0.3
"""Weight of the loss of single detections while what stands on tiles is asked for."""

DROPPED = 0.3
"""Share of the features that a step does without."""


class ComparisonNet(nn.Module):
    """`piece_embeddings.compared_logits`, to be fitted."""

    mean: Tensor
    spread: Tensor

    def __init__(self, features: int, mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.drop = nn.Dropout(DROPPED)
        self.points = nn.Linear(features, DIMENSIONS, bias=False)
        nn.init.normal_(self.points.weight, 0, 0.02)
        self.slope = nn.Parameter(torch.tensor(1.0))
        self.bias = nn.Parameter(torch.zeros(NOTHING + 1))
        self.power = nn.Parameter(torch.tensor(0.4))
        self.log_prior = nn.Parameter(torch.tensor(0.0))
        self.log_unlike = nn.Parameter(torch.tensor(-3.0))

    def forward(self, features: Tensor, scores: Tensor) -> Tensor:
        """Logits (N, 12) of a board's detections."""
        logits = self.logits_alone(scores)
        beliefs = torch.softmax(logits.detach(), 1)
        points = self._points_of(features)
        nearness = torch.exp(-((points[:, None] - points[None]) ** 2).sum(2)) * (1 - torch.eye(len(points)))
        similar, number = nearness @ beliefs, beliefs.sum(0) - beliefs
        prior = torch.exp(self.log_prior)
        density = torch.log((similar + prior * torch.exp(self.log_unlike)) / (number + prior))
        return logits + self.power * torch.log_softmax(density, 1)

    def logits_alone(self, scores: Tensor) -> Tensor:
        """Logits (N, 12) by scores (N, 11) alone."""
        return self.slope * nn.functional.pad(torch.logit(scores, eps=1e-6), (0, 1)) + self.bias

    def _points_of(self, features: Tensor) -> Tensor:
        points: Tensor = self.points(self.drop((features - self.mean) / self.spread))
        return points

    def arrays(self) -> dict[str, Float32]:
        """What `piece_embeddings.PieceComparison` holds, by name."""
        projection = (self.points.weight / self.spread).detach().T
        scalars = {
            "slope": self.slope,
            "power": self.power,
            "prior": torch.exp(self.log_prior),
            "unlike": torch.exp(self.log_unlike),
            "bias": self.bias,
        }
        parameters = {name: value.detach().numpy().astype(np.float32) for name, value in scalars.items()}
        return {"projection": projection.numpy().astype(np.float32), **parameters}


def board_loss(network: ComparisonNet, board: OwnerBoard) -> Tensor:
    """Cross entropy of a board's detections; rare classes count more."""
    logits = network(_noisy(network, board.features), torch.from_numpy(board.scores))
    classes = torch.from_numpy(board.classes)
    weights = 1 / torch.sqrt(torch.bincount(classes, minlength=NOTHING + 1).float())[classes]
    losses = nn.functional.cross_entropy(logits, classes, reduction="none")
    return (losses * weights).sum() / weights.sum()


def contents_loss(network: ComparisonNet, board: OwnerBoard, tiles: TileDetections, pool: Tensor) -> Tensor:
    """How unlikely what stands on a board's tiles is, and what its detections are.

    `pool` (2,) weighs numbers and detections as in `contents.contents_nll`.
    """
    scores = torch.from_numpy(board.scores)
    logits = network(_noisy(network, board.features), scores)
    before, after = (numbers_detected(torch.softmax(one, 1), tiles) for one in (network.logits_alone(scores), logits))
    nll = contents_nll(torch.from_numpy(board.counts), before, after, torch.from_numpy(board.numbers), pool)
    single = nn.functional.cross_entropy(logits, torch.from_numpy(board.classes))
    return nll.mean() + DETECTIONS_WEIGHT * single


def _noisy(network: ComparisonNet, features: Float32) -> Tensor:
    inputs = torch.from_numpy(features.astype(np.float32))
    return inputs + NOISE * network.spread * torch.randn_like(inputs) if network.training else inputs


def fit_embeddings(boards: Sequence[OwnerBoard], steps: int, say: Callable[[str], None]) -> ComparisonNet:
    """Fit the comparison to the detections on boards; what is said is the mean loss of the steps since."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    every = np.concatenate([board.features for board in boards]).astype(np.float32)
    mean, spread = (torch.from_numpy(array) for array in (every.mean(0), every.std(0) + 0.05))
    network = ComparisonNet(every.shape[1], mean, spread)

    def loss() -> Tensor:
        return board_loss(network, boards[int(rng.integers(len(boards)))])

    _minimise(loss, network, [], "detections", steps, DETECTIONS_RATE, say)
    return network


def fit_contents(network: ComparisonNet, boards: Sequence[OwnerBoard], steps: int, say: Callable[[str], None]) -> None:
    """Fit a comparison further, to what stands on the tiles of boards."""
    rng = np.random.default_rng(0)
    tiles = [tile_detections(board.places) for board in boards]
    pool = nn.Parameter(torch.tensor(POOL))

    def loss() -> Tensor:
        place = int(rng.integers(len(boards)))
        return contents_loss(network, boards[place], tiles[place], pool)

    _minimise(loss, network, [pool], "contents", steps, CONTENTS_RATE, say)


def _minimise(
    loss_of_a_board: Callable[[], Tensor],
    network: ComparisonNet,
    beside: Sequence[nn.Parameter],
    name: str,
    steps: int,
    peak_rate: float,
    say: Callable[[str], None],
) -> None:
    """Train a network, and parameters beside it, at a rate that falls along a cosine; only its projection decays."""
    network.train()
    scalars = [one for name, one in network.named_parameters() if name != "points.weight"]
    optimiser = torch.optim.AdamW(
        [
            {"params": [network.points.weight], "weight_decay": DECAY},
            {"params": [*scalars, *beside], "weight_decay": 0.0},
        ]
    )
    total = 0.0
    for step in range(steps):
        falling = FINAL_RATE + (1 - FINAL_RATE) * 0.5 * (1 + np.cos(np.pi * step / steps))
        for group in optimiser.param_groups:
            group["lr"] = float(peak_rate * min(1.0, (step + 1) / WARM_UP_STEPS) * falling)
        loss = torch.stack([loss_of_a_board() for _ in range(BOARDS_A_STEP)]).mean()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        total += float(loss.detach())
        if (step + 1) % 100 == 0:
            say(f"{name}: step {step + 1}/{steps} loss {total / 100:.4f}")
            total = 0.0
    network.eval()


def train_embeddings(
    owners: Sequence[Path], target: Path, say: Callable[[str], None], steps: tuple[int, int] = STEPS
) -> None:
    """Fit the comparison on stored boards (`owners.store_owners`) and write it to `target`, a JSON file."""
    boards = [board for board in map(load_owner, owners) if len(board.classes) > 1]
    network = fit_embeddings(boards, steps[0], say)
    fit_contents(network, boards, steps[1], say)
    write_comparison(target, network.arrays())


def write_comparison(target: Path, arrays: Mapping[str, Float32]) -> None:
    """Write what was fitted as the JSON file that the reader loads, a row of the projection a line."""
    lines = []
    for name, array in sorted(arrays.items()):
        digits = np.round(array.astype(np.float64), 5).tolist()
        text = json.dumps(digits) if array.ndim < 2 else "[\n  " + ",\n  ".join(map(json.dumps, digits)) + "\n ]"
        lines.append(f" {json.dumps(name)}: {text}")
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
