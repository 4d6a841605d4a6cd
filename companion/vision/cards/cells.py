"""Networks that look at every cell of a view at once, and what they say put together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.vision.load import Picture
from companion.vision.networks import forward
from companion.vision.numerics import Float32, Float64, softmax

STRIDE = 8
"""Px of the view that one cell of a network's answer stands for."""

WHITE_PERCENTILE = 95.0
"""What a view's colours are measured by: cards' white rims, where there are any."""

MIN_CELL = 0.3
"""A cell that holds something no likelier than this has no say."""


@dataclass(frozen=True, slots=True)
class CellDetection:
    """One thing in a view: its middle in px (x, y), the probabilities of its kinds, and what else is told of it."""

    place: Float64
    kinds: Float64
    details: Float64

    @property
    def probability(self) -> float:
        """How likely there is anything."""
        return float(self.kinds.sum())


def normalise_view(view: Picture) -> Float32:
    """A BGR view as (1, 3, H, W) RGB floats, each channel scaled by its bright end."""
    level = np.maximum(np.percentile(view[::3, ::3].reshape(-1, 3), WHITE_PERCENTILE, axis=0), 12.0)
    scaled = np.minimum(view[:, :, ::-1] / level[::-1].astype(np.float32), 1.6)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None], dtype=np.float32)


def look(network: str, view: Picture, kinds: int, same_px: float) -> Iterator[CellDetection]:
    """What a network finds in a view, surest first; cells whose middles are within `same_px` tell of one thing."""
    high, wide = (-(-side // STRIDE) * STRIDE for side in view.shape[:2])
    padded = np.zeros((high, wide, 3), np.uint8)
    padded[: view.shape[0], : view.shape[1]] = view
    answer = forward(network, normalise_view(padded))[0].astype(np.float64)
    probs, details = softmax(answer[: kinds + 1], axis=0)[:kinds], answer[kinds + 1 :]
    rows, columns = np.nonzero(probs.sum(axis=0) > MIN_CELL)
    cells = probs[:, rows, columns].T
    weights = cells.sum(axis=1)
    told = details[:, rows, columns].T
    places = (np.column_stack([columns, rows]) + 0.5 + told[:, :2]) * STRIDE
    left = np.argsort(-weights)
    while len(left):
        same = np.linalg.norm(places[left] - places[left[0]], axis=1) < same_px
        group, left = left[same], left[~same]
        shares = weights[group] / weights[group].sum()
        yield CellDetection(
            np.asarray(shares @ places[group]), np.asarray(shares @ cells[group]), np.asarray(shares @ told[group, 2:])
        )
