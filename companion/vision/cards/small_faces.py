"""Small square pictures cut out of a photo, and what networks say that they show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.load import Picture
from companion.vision.networks import forward
from companion.vision.numerics import Float32, softmax

FACE_PX = 40
"""Width and height of the picture that a network is shown."""

BRIGHT_PERCENTILE = 90.0
"""A face's colours are measured by its bright end."""


def normalise_small(faces: Sequence[Picture]) -> Float32:
    """BGR faces as (N, 3, H, W) RGB floats, each channel scaled by its face's bright end."""
    stacked = np.stack(faces)[:, :, :, ::-1].astype(np.float32)
    bright = np.percentile(stacked[:, ::2, ::2].reshape(len(faces), -1, 3), BRIGHT_PERCENTILE, axis=1)
    scaled = stacked / np.maximum(bright, 12.0).astype(np.float32)[:, None, None, :]
    return np.ascontiguousarray(np.minimum(scaled, 1.6).transpose(0, 3, 1, 2), dtype=np.float32)


def small_face_probabilities(network: str, faces: Sequence[Picture], classes: int) -> Float32:
    """Probabilities (N, `classes`) of what each face shows."""
    if not faces:
        return np.zeros((0, classes), dtype=np.float32)
    return softmax(forward(network, normalise_small(faces)).astype(np.float64), axis=1).astype(np.float32)
