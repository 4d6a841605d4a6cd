"""Both small networks of cards learn what plainly differs, and OpenCV runs what was written."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from companion.errors import UnusableInputError
from companion.lab.training.cards import train_cards
from companion.lab.training.small_faces import train_faces
from companion.vision.cards.detection import CLASSES, normalise_faces
from companion.vision.cards.detection import FACE_PX as CARD_PX
from companion.vision.cards.small_faces import FACE_PX, normalise_small
from companion.vision.load import Picture


def plain(kind: int, width: int, height: int, rng: np.random.Generator) -> Picture:
    """A face of one colour and some noise."""
    picture = np.full((height, width, 3), 30, np.uint8)
    picture[..., kind] = 220
    return np.asarray(picture + rng.integers(0, 20, picture.shape, dtype=np.uint8), np.uint8)


def test_fewer_samples_than_a_batch_are_refused(tmp_path: Path) -> None:
    face = plain(0, FACE_PX, FACE_PX, np.random.default_rng(1))
    with pytest.raises(UnusableInputError, match="3 samples are fewer than a batch of 8"):
        train_faces(
            [(face, 0)] * 3, 3, tmp_path / "n.onnx", any_way=True, epochs=1, batch=8, seed=1, say=lambda said: None
        )


@pytest.mark.filterwarnings("ignore")
def test_small_faces_are_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    kinds = [number % 3 for number in range(48)]
    faces = [plain(kind, FACE_PX, FACE_PX, rng) for kind in kinds]
    train_faces(
        list(zip(faces, kinds, strict=True)),
        3,
        tmp_path / "n.onnx",
        any_way=True,
        epochs=12,
        batch=8,
        seed=1,
        say=print,
    )
    network = cv2.dnn.readNetFromONNX(str(tmp_path / "n.onnx"))
    network.setInput(normalise_small(faces[:6]))
    assert network.forward().argmax(1).tolist() == kinds[:6]


@pytest.mark.filterwarnings("ignore")
def test_cards_are_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    kinds = [number % 3 for number in range(48)]
    faces = [plain(kind, *CARD_PX, rng) for kind in kinds]
    told: list[str] = []
    train_cards(torch.from_numpy(np.stack(faces)), torch.tensor(kinds), tmp_path / "n.onnx", 12, 8, 1, told.append)
    network = cv2.dnn.readNetFromONNX(str(tmp_path / "n.onnx"))
    network.setInput(normalise_faces(faces[:6]))
    assert network.forward().argmax(1).tolist() == kinds[:6]
    assert len(told) == 12 and CLASSES > 3
