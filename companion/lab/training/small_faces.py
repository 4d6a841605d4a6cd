"""Train networks that tell what a small square picture shows: which card a symbol is of, what a coin is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from companion.errors import UnusableInputError
from companion.vision.cards.small_faces import FACE_PX, normalise_small
from companion.vision.load import Picture


class FaceNet(nn.Module):
    """From faces of 40 x 40 px to logits of so many classes."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        widths = (3, 16, 32, 48)
        layers: list[nn.Module] = []
        for inputs, outputs in zip(widths, widths[1:], strict=False):
            layers += [nn.Conv2d(inputs, outputs, 3, 2, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]
        layers += [nn.Conv2d(widths[-1], 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)]
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(64 * (FACE_PX // 8) ** 2, classes)
        self.drop = nn.Dropout(0.25)

    def forward(self, faces: Tensor) -> Tensor:
        """Logits of a batch of normalised faces."""
        logits: Tensor = self.head(self.drop(torch.flatten(self.features(faces), 1)))
        return logits


def train_faces(
    drawn: Sequence[tuple[Picture, int]],
    classes: int,
    target: Path,
    *,
    any_way: bool,
    epochs: int,
    batch: int,
    seed: int,
    say: Callable[[str], None],
) -> None:
    """Train a network on faces and their classes and write it to `target`, an ONNX file.

    With `any_way` a face turned by quarters is another sample of its class.
    """
    faces, kinds = np.stack([face for face, _ in drawn]), torch.tensor([kind for _, kind in drawn])
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)

    def pictures(some: Tensor) -> Tensor:
        turned = np.rot90(faces[some.numpy()], int(rng.integers(4)) if any_way else 0, axes=(1, 2))
        return torch.from_numpy(normalise_small(list(turned)))

    network = FaceNet(classes)
    for _ in fitted(network, pictures, kinds, epochs=epochs, batch=batch, rate=4e-3, say=say):
        pass
    export_faces(network, (FACE_PX, FACE_PX), target)


def fitted(
    network: nn.Module,
    pictures: Callable[[Tensor], Tensor],
    kinds: Tensor,
    *,
    epochs: int,
    batch: int,
    rate: float,
    say: Callable[[str], None],
) -> Iterator[int]:
    """Train a network to tell the classes `kinds` (N,) of pictures; gives the number of each epoch that is done.

    `pictures` makes the network's input of the samples of some numbers; `rate` is the peak learning rate.
    Raises UnusableInputError for fewer samples than a batch.
    """
    if len(kinds) < batch:
        raise UnusableInputError(f"{len(kinds)} samples are fewer than a batch of {batch}: draw more")
    steps = epochs * (len(kinds) // batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / 60) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / steps)))
    )
    for epoch in range(epochs):
        total, right = 0.0, 0.0
        order = torch.randperm(len(kinds))[: len(kinds) // batch * batch].view(-1, batch)
        for some in order:
            logits = network(pictures(some))
            loss = nn.functional.cross_entropy(logits, kinds[some], label_smoothing=0.01)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            total, right = total + float(loss.detach()), right + float((logits.argmax(1) == kinds[some]).float().mean())
        say(f"epoch {epoch + 1}/{epochs} loss {total / len(order):.3f} right {right / len(order):.4f}")
        yield epoch + 1


def export_faces(network: nn.Module, size: tuple[int, int], target: Path) -> None:
    """Write a network that takes any number of faces of a size (width, height) in px as an ONNX file for OpenCV."""
    network.eval()
    torch.onnx.export(
        network,
        (torch.zeros((8, 3, size[1], size[0])),),
        target,
        input_names=["faces"],
        output_names=["scores"],
        dynamic_axes={"faces": {0: "count"}, "scores": {0: "count"}},
        opset_version=17,
        dynamo=False,
    )
    network.train()
