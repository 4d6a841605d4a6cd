"""The shipped networks: ONNX files run by ONNX Runtime, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from companion.vision.load import Picture
from companion.vision.numerics import Float32, Float64, percentile

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

HEAT_STRIDE = 4
"""Heatmaps are a quarter of the picture's size."""

BRIGHT_PERCENTILE = 85.0
MAX_LEVEL = 2.0
"""What is brighter than this many times the bright end is clipped: highlights show nothing."""


_options = {"threads": 0}
"""None given is one for each core."""


def keep_to_one_core() -> None:
    """Have all that this process reads from now on leave the other cores to others."""
    import cv2

    cv2.setNumThreads(1)
    _options["threads"] = 1


@cache
def load_network(name: str) -> InferenceSession:
    """A network of `companion/vision/weights` by its file's name without ending, ready to run."""
    return open_network((files("companion.vision") / "weights" / f"{name}.onnx").read_bytes())


def open_network(content: bytes) -> InferenceSession:
    """The network of an ONNX file's bytes, ready to run."""
    # Only who reads a photo waits for it: it takes 0.2 s to import.
    from onnxruntime import InferenceSession, SessionOptions

    settings = SessionOptions()
    settings.log_severity_level = 3
    settings.intra_op_num_threads = _options["threads"]
    # Threads that wait for work by spinning would cost as much again as the work.
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # An arena keeps what a look at a board took for the whole process.
    settings.enable_cpu_mem_arena = False
    return InferenceSession(content, settings, providers=["CPUExecutionProvider"])


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


def forward(name: str, batch: Float32, outputs: Sequence[str] | None = None) -> tuple[Float32, ...]:
    """What a network makes of a batch (N, 3, H, W): the outputs of these names, or all that it has."""
    network = load_network(name)
    (given,) = network.get_inputs()
    results = network.run(outputs, {given.name: np.ascontiguousarray(batch)})
    return tuple(np.asarray(result, dtype=np.float32) for result in results)
