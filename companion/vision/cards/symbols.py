"""The small symbols in a resource card's two upper corners: all that shows of a card under others.

A network looks at a view in which cards are `CARD_PX` wide and stand upright, more or less, and says of each cell of it
whether a symbol is there, where its middle is, and which of the two it is (and, roughly, where the card's head is, of
which no use is made); another looks at each symbol and says of which card it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.detection import CARDS
from companion.vision.load import Picture
from companion.vision.networks import forward
from companion.vision.numerics import Float32, Float64, percentile, softmax

CARD_PX = 96.0
"""A card's width in the view."""

SYMBOL = (0.2, 0.2)
"""A symbol's middle from the card's nearer side edge and from its upper edge, in card widths."""

FACE_SHARE = 0.36
"""How much of the card around a symbol is looked at, in card widths: its corner, with the rim."""

SAME_PX = 8.0
"""Cells whose symbols' middles are no further apart belong to one symbol."""


FACE_PX = 40
"""Width and height of the picture that a network is shown."""

BRIGHT_PERCENTILE = 90.0
"""A face's colours are measured by its bright end."""


def normalise_small(faces: Sequence[Picture]) -> Float32:
    """BGR faces as (N, 3, H, W) RGB floats, each channel scaled by its face's bright end."""
    stacked = np.stack(faces)[:, :, :, ::-1].astype(np.float32)
    bright = percentile(stacked[:, ::2, ::2].reshape(len(faces), -1, 3), BRIGHT_PERCENTILE, 1)
    scaled = stacked / np.maximum(bright, 12.0).astype(np.float32)[:, None, None, :]
    return np.ascontiguousarray(np.minimum(scaled, 1.6).transpose(0, 3, 1, 2), dtype=np.float32)


def small_face_probabilities(network: str, faces: Sequence[Picture], classes: int) -> Float32:
    """Probabilities (N, `classes`) of what each face shows."""
    if not faces:
        return np.zeros((0, classes), dtype=np.float32)
    return softmax(forward(network, normalise_small(faces)).astype(np.float64), axis=1).astype(np.float32)


STRIDE = 8
"""Px of the view that one cell of a network's answer stands for."""

WHITE_PERCENTILE = 95.0
"""What a view's colours are measured by: cards' white rims, where there are any."""

MIN_CELL = 0.3
"""A cell that holds something no likelier than this has no say."""


@dataclass(frozen=True, slots=True)
class CellDetection:
    """One thing in a view: its middle in px (x, y), the probabilities of its kinds, and what else is estimated."""

    place: Float64
    kinds: Float64
    details: Float64

    @property
    def probability(self) -> float:
        """How likely there is anything."""
        return float(self.kinds.sum())


def normalise_view(view: Picture) -> Float32:
    """A BGR view as (1, 3, H, W) RGB floats, each channel scaled by its bright end."""
    level = np.maximum(percentile(view[::3, ::3].reshape(-1, 3), WHITE_PERCENTILE, 0), 12.0)
    scaled = np.minimum(view[:, :, ::-1] / level[::-1].astype(np.float32), 1.6)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None], dtype=np.float32)


def look(network: str, view: Picture, kinds: int, same_px: float) -> Iterator[CellDetection]:
    """What a network finds in a view, surest first; cells whose middles are within `same_px` belong to one thing."""
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


@dataclass(frozen=True, slots=True)
class SymbolDetection:
    """A symbol in a view: its middle in px and the probabilities of each card (10).

    `right` is how likely it is the card's right symbol (0 to 1).
    """

    place: Float64
    cards: Float64
    right: float

    @property
    def probability(self) -> float:
        """How likely there is a symbol of any card."""
        return float(self.cards.sum())


def find_symbols(view: Picture) -> list[SymbolDetection]:
    """The symbols in a view, surest first."""
    seen = list(look("symbols", view, len(CARDS), SAME_PX))
    second = small_face_probabilities("symbol_kinds", [cut_symbol(view, one.place) for one in seen], len(CARDS) + 1)
    found = []
    for one, kinds in zip(seen, second.astype(np.float64), strict=True):
        right = float(1 / (1 + np.exp(-one.details[2])))
        # There is a symbol as far as both see one; which, the second look knows better.
        there = float(np.sqrt(one.probability * kinds[:-1].sum()))
        cards = kinds[:-1] * (one.kinds + 0.02)
        found.append(SymbolDetection(one.place, np.asarray(there * cards / cards.sum()), right))
    return sorted(found, key=lambda symbol: -symbol.probability)


def cut_symbol(view: Picture, place: Float64) -> Picture:
    """The picture around a symbol's middle, `FACE_PX` a side"""
    step = FACE_SHARE * CARD_PX / FACE_PX
    first = np.asarray(place) - step * (FACE_PX - 1) / 2
    warp = np.array([[step, 0, first[0]], [0, step, first[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpAffine(view, warp, (FACE_PX, FACE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, dtype=np.uint8)
