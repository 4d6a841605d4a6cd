"""The small symbols in a resource card's two upper corners: all that shows of a card under others.

A network looks at a view in which cards are `CARD_PX` wide and stand upright, more or less, and says of each cell of it
whether a symbol is there, where its middle is, and which of the two it is (and, roughly, where the card's head is, of
which no use is made); another looks at each symbol and says of which card it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.cells import look
from companion.vision.cards.detection import CARDS
from companion.vision.cards.small_faces import FACE_PX, small_face_probabilities
from companion.vision.load import Picture
from companion.vision.numerics import Float64

CARD_PX = 96.0
"""A card's width in the view."""

SYMBOL = (0.2, 0.2)
"""A symbol's middle from the card's nearer side edge and from its upper edge, in card widths."""

SYMBOL_SHARE = 0.17
"""A symbol's size in card widths."""

FACE_SHARE = 0.36
"""How much of the card around a symbol is looked at, in card widths: its corner, with the rim."""

SAME_PX = 8.0
"""Cells whose symbols' middles are no further apart tell of one symbol."""


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


def cut_symbol(view: Picture, place: Float64, wide: float = CARD_PX) -> Picture:
    """The picture around a symbol's middle, `FACE_PX` a side; `wide` is the card's width in px."""
    step = FACE_SHARE * wide / FACE_PX
    first = np.asarray(place) - step * (FACE_PX - 1) / 2
    warp = np.array([[step, 0, first[0]], [0, step, first[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpAffine(view, warp, (FACE_PX, FACE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, dtype=np.uint8)
