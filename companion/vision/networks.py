"""The shipped networks: ONNX files run by OpenCV's own `dnn` module, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

import cv2
import numpy as np

from companion.vision.load import Picture
from companion.vision.numerics import Float32, Float64, percentile

HEAT_STRIDE = 4
"""Heatmaps are a quarter of the picture's size."""

BRIGHT_PERCENTILE = 85.0
MAX_LEVEL = 2.0
"""What is brighter than this many times the bright end is clipped: highlights show nothing."""

ONE_SIZE = frozenset({"pieces", "tiles"})
"""Networks that are always given a batch of one size."""


@cache
def load_network(name: str) -> cv2.dnn.Net:
    """A network of `companion/vision/weights` by its file's name without ending, ready to run."""
    with as_file(files("companion.vision") / "weights" / f"{name}.onnx") as path:
        if _by_classic_engine(name):
            return cv2.dnn.readNetFromONNX(str(path), cv2.dnn.ENGINE_CLASSIC)
        return cv2.dnn.readNetFromONNX(np.frombuffer(path.read_bytes(), np.uint8))


def _by_classic_engine(name: str) -> bool:
    """Whether a network runs on the engine of OpenCV 4, which is faster for these and gives the same answers.

    It takes batches of one size only. OpenCV 5.0 lets one choose the engine for a file only, and on Windows it doesn't
    open files in folders with non-ASCII names.
    """
    return name in ONE_SIZE and str(files("companion.vision")).isascii()


def white_level(picture: Picture) -> Float64:
    """The bright end of each channel (3,), blue first, never below 8 of 255.

    That of a sultanate is the tiles' cream border, whatever the lamp's colour. Every fourth pixel is enough.
    """
    return np.maximum(percentile(picture[::4, ::4].reshape(-1, 3), BRIGHT_PERCENTILE, 0), 8.0)


def normalise(picture: Picture, reference: Picture | None = None) -> Float32:
    """A BGR picture (H, W, 3) as RGB floats (3, H, W), each channel scaled by its `white_level` in `reference`.

    This is a white balance; `reference` is the picture itself unless given.
    """
    level = white_level(picture if reference is None else reference)
    scaled = np.empty((3, *picture.shape[:2]), dtype=np.float32)
    for place, channel in enumerate((2, 1, 0)):
        np.multiply(picture[:, :, channel], np.float32(1 / level[channel]), out=scaled[place])
    return np.asarray(np.minimum(scaled, MAX_LEVEL, out=scaled), dtype=np.float32)


def forward(name: str, batch: Float32) -> Float32:
    """What a network of one output makes of a batch (N, 3, H, W)."""
    network = load_network(name)
    network.setInput(batch)
    return np.asarray(network.forward(), dtype=np.float32)


def forward_all(name: str, batch: Float32, outputs: Sequence[str]) -> tuple[Float32, ...]:
    """What a network of several outputs makes of a batch (N, 3, H, W), by the outputs' names."""
    network = load_network(name)
    # The new engine gives all outputs or none.
    asked = list(outputs if _by_classic_engine(name) else network.getUnconnectedOutLayersNames())
    network.setInput(batch)
    results = dict(zip(asked, network.forward(asked), strict=True))
    return tuple(np.asarray(results[output], dtype=np.float32) for output in outputs)
