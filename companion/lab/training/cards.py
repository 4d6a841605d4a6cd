"""Train the network that tells resource cards, from the project's own art and a photo of the owner's cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset, get_worker_info

from companion.lab.training.card_samples import sample_face
from companion.lab.training.card_stock import Stock
from companion.lab.training.small_faces import export_faces, fitted
from companion.vision.cards.detection import CLASSES, FACE_PX, normalise_faces


class CardNet(nn.Module):
    """From a card's face, 64 x 96 px, to logits over card x way up, and "something else"."""

    def __init__(self) -> None:
        super().__init__()
        widths = (3, 16, 28, 40, 52, 64)
        strides = (2, 2, 2, 1, 2)
        layers: list[nn.Module] = []
        for inputs, outputs, stride in zip(widths, widths[1:], strides, strict=False):
            layers += [
                nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
                nn.BatchNorm2d(outputs),
                nn.ReLU(inplace=True),
            ]
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(widths[-1] * 4 * 6, CLASSES)
        self.drop = nn.Dropout(0.25)

    def forward(self, faces: Tensor) -> Tensor:
        """Logits of a batch of normalised faces."""
        logits: Tensor = self.head(self.drop(torch.flatten(self.features(faces), 1)))
        return logits


class _Faces(Dataset[tuple[Tensor, int]]):
    """So many samples, each made from its own number."""

    def __init__(self, stock: Stock, count: int, seed: int) -> None:
        self.stock = stock
        self.count = count
        self.seed = seed

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> tuple[Tensor, int]:
        if get_worker_info() is not None:
            # Workers share the cores among them.
            cv2.setNumThreads(1)
        face, kind = sample_face(self.stock, np.random.default_rng([self.seed, number]))
        return torch.from_numpy(face), kind


def draw_samples(
    stock: Stock, count: int, workers: int, seed: int, say: Callable[[str], None]
) -> tuple[Tensor, Tensor]:
    """Faces (count, 96, 64, 3), BGR bytes, and their classes."""
    loader = DataLoader(_Faces(stock, count, seed), batch_size=200, num_workers=workers)
    faces, kinds = [], []
    for number, (some, classes) in enumerate(loader, 1):
        faces.append(some)
        kinds.append(classes)
        if number % 20 == 0:
            say(f"{200 * number} faces drawn")
    return torch.cat(faces), torch.cat(kinds)


def train_cards(
    faces: Tensor, kinds: Tensor, target: Path, epochs: int, batch: int, seed: int, say: Callable[[str], None]
) -> None:
    """Train the network on samples and write it to `target`, an ONNX file."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)

    def pictures(some: Tensor) -> Tensor:
        return torch.from_numpy(normalise_faces(list(_smudged(faces[some].numpy(), rng))))

    network = CardNet()
    for _ in fitted(network, pictures, kinds, epochs=epochs, batch=batch, rate=3e-3, say=say):
        # After every epoch: a run that is broken off leaves what it has learnt.
        export_faces(network, FACE_PX, target)


def _smudged(faces: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The faces moved by a pixel or two, some with a blot, so that no sample is seen twice alike."""
    smudged = np.roll(faces, tuple(int(shift) for shift in rng.integers(-1, 2, 2)), axis=(1, 2))
    for face in (smudged[at] for at in np.flatnonzero(rng.random(len(faces)) < 0.15)):
        high, wide = rng.integers(4, 22, 2)
        top, left = int(rng.integers(0, face.shape[0] - high)), int(rng.integers(0, face.shape[1] - wide))
        face[top : top + high, left : left + wide] = rng.integers(0, 255, 3)
    return smudged
