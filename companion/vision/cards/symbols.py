"""The small symbols in a resource card's two upper corners: all that shows of a card under others.

A network looks at a view in which cards are `CARD_PX` wide and stand upright, more or less, and says of each cell of it
whether a symbol is there, where its middle is, and which of the two it is (and, roughly, where the card's head is, of
which no use is made); another looks at each symbol and says of which card it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.cards.detection import CARDS, face_probabilities, normalise_faces
from companion.vision.load import Picture
from companion.vision.networks import forward
from companion.vision.numerics import Float64, softmax

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

STRIDE = 8
"""Px of the view that one cell of a network's answer stands for."""

WHITE_PERCENTILE = 95.0
"""What a view's colours are measured by: cards' white rims, where there are any."""

MIN_CELL = 0.3
"""A cell that holds something no likelier than this has no say."""


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
    seen = list(_look(view))
    faces = [cut_symbol(view, one.place) for one in seen]
    second = face_probabilities("symbol_kinds", faces, len(CARDS) + 1, 2)
    symbols = []
    for one, kinds in zip(seen, second.astype(np.float64), strict=True):
        # There is a symbol as far as both see one; which, the second look knows better.
        there = float(np.sqrt(one.probability * kinds[:-1].sum()))
        cards = kinds[:-1] * (one.cards + 0.02)
        symbols.append(replace(one, cards=np.asarray(there * cards / cards.sum())))
    return sorted(symbols, key=lambda symbol: -symbol.probability)


def _look(view: Picture) -> Iterator[SymbolDetection]:
    """What the first network finds in a view, surest first."""
    high, wide = (-(-side // STRIDE) * STRIDE for side in view.shape[:2])
    padded = np.zeros((1, high, wide, 3), np.uint8)
    padded[0, : view.shape[0], : view.shape[1]] = view
    (answers,) = forward("symbols", normalise_faces(padded, 3, WHITE_PERCENTILE))
    answer = answers[0].astype(np.float64)
    kinds = len(CARDS)
    probs, details = softmax(answer[: kinds + 1], axis=0)[:kinds], answer[kinds + 1 :]
    rows, columns = np.nonzero(probs.sum(axis=0) > MIN_CELL)
    cells = probs[:, rows, columns].T
    weights = cells.sum(axis=1)
    offsets = details[:, rows, columns].T
    places = (np.column_stack([columns, rows]) + 0.5 + offsets[:, :2]) * STRIDE
    left = np.argsort(-weights)
    while len(left):
        same = np.linalg.norm(places[left] - places[left[0]], axis=1) < SAME_PX
        group, left = left[same], left[~same]
        shares = weights[group] / weights[group].sum()
        right = 1 / (1 + np.exp(-(shares @ offsets[group, 2:])[2]))
        yield SymbolDetection(np.asarray(shares @ places[group]), np.asarray(shares @ cells[group]), float(right))


def cut_symbol(view: Picture, place: Float64) -> Picture:
    """The picture around a symbol's middle, `FACE_PX` a side."""
    step = FACE_SHARE * CARD_PX / FACE_PX
    first = np.asarray(place) - step * (FACE_PX - 1) / 2
    warp = np.array([[step, 0, first[0]], [0, step, first[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpAffine(view, warp, (FACE_PX, FACE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, dtype=np.uint8)
