"""The shipped networks: ONNX files run by OpenCV's own `dnn` module, on the CPU."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.vision.board.counts import COUNT_LOGITS, GROUPS
from companion.vision.load import Picture

Floats = NDArray[np.float32]

LOCATE_SIDE_PX = 512
"""Side of the square that a whole photo is fitted into before the tiles are sought."""

HEAT_STRIDE = 4
"""Heatmaps are a quarter of the picture's size."""

BRIGHT_PERCENTILE = 85.0

_ALONG, _BACK = slice(None), slice(None, None, -1)
MIRRORS = tuple((_ALONG, down, across) for down in (_ALONG, _BACK) for across in (_ALONG, _BACK))
"""How a picture or heatmap (channels, rows, columns) is mirrored; each way undoes itself."""


@cache
def _network(name: str) -> cv2.dnn.Net:
    content = (files("companion.vision") / "weights" / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))


def normalise(picture: Picture, reference: Picture | None = None) -> Floats:
    """A BGR picture as (3, H, W) RGB floats, each channel scaled by its bright end in `reference`.

    The bright end of a sultanate is the tiles' cream border whatever the lamp's colour, so this is a
    white balance; `reference` is the picture itself unless given.
    """
    levels = np.percentile(
        (picture if reference is None else reference)[::4, ::4].reshape(-1, 3), BRIGHT_PERCENTILE, axis=0
    )
    scaled = picture[:, :, ::-1].astype(np.float32) / np.maximum(levels[::-1], 8.0).astype(np.float32)
    return np.ascontiguousarray(np.minimum(scaled, 2.0).transpose(2, 0, 1))


def _sigmoid(logits: Floats) -> Floats:
    return (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)


def _forward(name: str, batch: Floats) -> Floats:
    network = _network(name)
    network.setInput(batch)
    return np.asarray(network.forward(), dtype=np.float32)


def locate_heat(square: Picture) -> Floats:
    """Heat of tile corners and tile centres, (2, 128, 128), of a picture of `LOCATE_SIDE_PX` a side."""
    return _sigmoid(_forward("locate", normalise(square)[None])[0])


@dataclass(frozen=True, slots=True)
class PieceSight:
    """What the piece network makes of a board.

    `heat` (11, H/4, W/4) is that of the pieces' feet, a channel a class; `counts` (30, `COUNT_LOGITS`) the
    chances of the numbers on each tile by square, laid out as `counts.GROUPS` tell.
    """

    heat: Floats
    counts: Floats


def piece_sight(board: Picture) -> PieceSight:
    """Where pieces stand on a rectified board, and how many.

    The mean over the board and its three mirror images: where they disagree it is honest about it.
    """
    picture = normalise(board)
    network = _network("pieces")
    heats, counts = [], []
    for flip in MIRRORS:
        network.setInput(np.ascontiguousarray(picture[flip])[None])
        seen, counted = network.forward(["heat", "counts"])
        heats.append(_sigmoid(seen[0])[flip])
        counts.append(_shares(counted[0])[flip])
    mean = np.mean(counts, axis=0).reshape(COUNT_LOGITS, SQUARES)
    return PieceSight(
        np.ascontiguousarray(np.mean(heats, axis=0), dtype=np.float32), np.ascontiguousarray(mean.T, dtype=np.float32)
    )


def _shares(logits: Floats) -> Floats:
    """Chances within each group of counts, from logits (COUNT_LOGITS, rows, columns)."""
    shares = np.empty_like(logits)
    for group in GROUPS:
        part = slice(group.first, group.first + group.size)
        likely = np.exp(logits[part] - logits[part].max(axis=0))
        shares[part] = likely / likely.sum(axis=0)
    return shares


def tile_logits(tiles: Floats) -> Floats:
    """Logits (N, 8 kinds x 4 turns) of tile pictures (N, 3, 64, 64) as `normalise` gives them."""
    return _forward("tiles", tiles)
