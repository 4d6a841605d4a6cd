"""Networks that look at every cell of a picture at once: is something there, of what kind, and where exactly.

Symbols of cards under others and coins are found so. They are trained on pictures that are drawn as training goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from companion.lab.training.cell_samples import IGNORED, SIDE, CellSample
from companion.vision.cards.cells import normalise_view

FOCUS = 2.0
"""Cells told already count for little: most of a table is easily told from what is looked for."""

EXPORT_EVERY = 250

Draw = Callable[[np.random.Generator], CellSample]


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """What a network says of a cell: how many kinds, how many numbers about the place, and whether one of two sides."""

    kinds: int
    ways: int
    sided: bool

    @property
    def size(self) -> int:
        """Numbers a cell; one kind more is nothing."""
        return self.kinds + 1 + self.ways + self.sided


class CellNet(nn.Module):
    """From a view to logits of the kinds and of nothing, and details, for each cell."""

    def __init__(self, answer: CellAnswer) -> None:
        super().__init__()
        self.answer = answer
        layers: list[nn.Module] = []
        # Inputs, outputs, stride and reach of each layer.
        for inputs, outputs, stride, reach in (
            (3, 16, 2, 1),
            (16, 24, 2, 1),
            (24, 32, 1, 1),
            (32, 56, 2, 1),
            (56, 56, 1, 1),
            (56, 56, 1, 2),
            (56, 56, 1, 1),
        ):
            layers += [
                nn.Conv2d(inputs, outputs, 3, stride, reach, reach, bias=False),
                nn.BatchNorm2d(outputs),
                nn.ReLU(inplace=True),
            ]
        self.features = nn.Sequential(*layers)
        self.head = nn.Conv2d(56, answer.size, 1)
        with torch.no_grad():
            assert self.head.bias is not None
            self.head.bias[answer.kinds] = 4.0

    def forward(self, views: Tensor) -> Tensor:
        """The answer (N, `answer.size`, H / 8, W / 8) for a batch of normalised views."""
        told: Tensor = self.head(self.features(views))
        return told


class _Pictures(IterableDataset[tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32]]]):
    """Pictures without end, each drawn anew."""

    def __init__(self, draw: Draw, seed: int) -> None:
        self.draw = draw
        self.seed = seed

    def __iter__(self) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32]]]:
        worker = torch.utils.data.get_worker_info()
        if worker is not None:
            # Workers share the cores among them.
            cv2.setNumThreads(1)
        rng = np.random.default_rng([self.seed, 0 if worker is None else worker.id])
        while True:
            sample = self.draw(rng)
            yield normalise_view(sample.picture)[0], sample.kinds, sample.details


def loss_of(answer: CellAnswer, told: Tensor, kinds: Tensor, details: Tensor) -> Tensor:
    """Focal loss of the kinds, and where something is, of its details."""
    logits = nn.functional.log_softmax(told[:, : answer.kinds + 1], dim=1)
    counted = kinds != IGNORED
    sure = logits.gather(1, kinds.clamp(min=0)[:, None])[:, 0]
    there = counted & (kinds != answer.kinds)
    number = there.sum().clamp(min=20)
    loss = (-((1 - sure.exp()) ** FOCUS) * sure)[counted].sum() / number
    guess = told[:, answer.kinds + 1 :].permute(0, 2, 3, 1)[there]
    true = details.permute(0, 2, 3, 1)[there]
    loss = (
        loss
        + 0.5
        * nn.functional.smooth_l1_loss(guess[:, : answer.ways], true[:, : answer.ways], reduction="sum", beta=0.2)
        / number
    )
    if answer.sided:
        side = nn.functional.binary_cross_entropy_with_logits(guess[:, -1], true[:, -1], reduction="sum")
        loss = loss + 0.3 * side / number
    return loss


def train_cells(
    answer: CellAnswer,
    draw: Draw,
    target: Path,
    *,
    steps: int,
    batch: int,
    seed: int,
    workers: int,
    say: Callable[[str], None],
) -> None:
    """Train a network on so many batches of pictures and write it to `target`, an ONNX file, now and then and last."""
    torch.manual_seed(seed)
    network = CellNet(answer)
    optimiser = torch.optim.AdamW(network.parameters(), lr=4e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / 60) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / steps)))
    )
    batches = iter(DataLoader(_Pictures(draw, seed), batch_size=batch, num_workers=workers))
    total = 0.0
    for step in range(1, steps + 1):
        views, kinds, details = next(batches)
        loss = loss_of(answer, network(views), kinds, details)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        total += float(loss.detach())
        if step % 50 == 0:
            say(f"step {step}/{steps} loss {total / 50:.3f}")
            total = 0.0
        if step % EXPORT_EVERY == 0 or step == steps:
            export(network, target)


def export(network: CellNet, target: Path) -> None:
    """Write the network as an ONNX file for OpenCV."""
    network.eval()
    torch.onnx.export(
        network,
        (torch.zeros((1, 3, SIDE, SIDE)),),
        target,
        input_names=["views"],
        output_names=["answer"],
        dynamic_axes={"views": {2: "high", 3: "wide"}, "answer": {2: "rows", 3: "columns"}},
        opset_version=17,
        dynamo=False,
    )
    network.train()
