"""Tell what lies within an outline: one of the ten resource cards, which way up, or something else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.components import CARD_COUNTS
from companion.vision.cards.outlines import Quad
from companion.vision.load import Picture

Floats = NDArray[np.float32]

FACE_PX = (64, 96)
"""Width and height of the picture that the network is shown."""

CARDS = tuple(CARD_COUNTS)
OTHER = 2 * len(CARDS)
"""The network's classes: card * 2 upright, card * 2 + 1 upside down, and last whatever else there is."""

CLASSES = OTHER + 1
BRIGHT_PERCENTILE = 90.0
"""The bright end of a card is its white rim: scaled to it, a card looks alike under any lamp."""

_FINER = 2
"""Faces are cut this many times finer and worked down, or small print would flicker."""


def cut_face(photo: Picture, quad: Quad) -> Picture:
    """The picture within an outline, `FACE_PX` in size; the outline's first corner comes top left."""
    wide, high = FACE_PX[0] * _FINER, FACE_PX[1] * _FINER
    ideal = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), ideal)
    fine = cv2.warpPerspective(photo, warp, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(fine, FACE_PX, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def normalise_faces(faces: Sequence[Picture]) -> Floats:
    """BGR faces as (N, 3, H, W) RGB floats, each channel scaled by its face's bright end."""
    stacked = np.stack(faces)[:, :, :, ::-1]
    bright = np.percentile(stacked[:, ::3, ::3].reshape(len(faces), -1, 3), BRIGHT_PERCENTILE, axis=1)
    scaled = stacked / np.maximum(bright, 12.0).astype(np.float32)[:, None, None, :]
    return np.ascontiguousarray(np.minimum(scaled, 1.6).transpose(0, 3, 1, 2), dtype=np.float32)


@cache
def _network() -> cv2.dnn.Net:
    content = (files("companion.vision") / "weights" / "cards.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))


def face_probabilities(faces: Sequence[Picture]) -> Floats:
    """Probabilities (N, `CLASSES`) of what each face shows."""
    if not faces:
        return np.zeros((0, CLASSES), dtype=np.float32)
    network = _network()
    network.setInput(normalise_faces(faces))
    logits = np.asarray(network.forward(), dtype=np.float64)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float32)
