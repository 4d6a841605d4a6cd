"""Hands of resource cards as people lay them: fans, rows and columns of cards that cover one another, with truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.cards.detection import ASPECT
from companion.vision.cards.symbols import SYMBOL, SYMBOL_SHARE

Places = NDArray[np.float64]

VISIBLE = 0.75
"""A symbol of which at least so much is to be seen can be told."""

HIDDEN = 0.25
"""One of which no more than this is to be seen is not there."""


class Way(StrEnum):
    """How a hand lies."""

    FAN = "fan"
    ROW = "row"
    COLUMN = "column"
    SORTED = "sorted"
    """Columns side by side, each of one kind."""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of a hand: its middle in card widths from the hand's, turned clockwise by radians; `name` its kind."""

    name: str
    x: float
    y: float
    turn: float

    @property
    def corners(self) -> Places:
        """Its corners (4, 2) in card widths, top left as printed first, clockwise."""
        half = np.array([(-0.5, -ASPECT / 2), (0.5, -ASPECT / 2), (0.5, ASPECT / 2), (-0.5, ASPECT / 2)])
        return self._placed(half)

    @property
    def symbols(self) -> Places:
        """The middles (2, 2) of its two small symbols, left one first."""
        x, y = 0.5 - SYMBOL[0], SYMBOL[1] - ASPECT / 2
        return self._placed(np.array([(-x, y), (x, y)]))

    @property
    def up(self) -> Places:
        """The direction (2,) from its foot to its head."""
        return np.array([np.sin(self.turn), -np.cos(self.turn)])

    def _placed(self, points: Places) -> Places:
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(points @ np.array([[c, s], [-s, c]]) + (self.x, self.y))


def lay_hand(names: Sequence[str], way: Way, rng: np.random.Generator, strips: tuple[float, float]) -> list[HeldCard]:
    """The cards of a hand, the lowest first; `strips` bounds, in card widths, what each shows beside the one on it."""
    strip = float(rng.uniform(*strips))
    if way is Way.FAN:
        cards = _fan(names, strip, rng)
    elif way is Way.SORTED:
        cards = _sorted(names, strip, rng)
    else:
        step = (strip, 0.0) if way is Way.ROW else (0.0, strip)
        cards = [HeldCard(name, step[0] * at, step[1] * at, 0.0) for at, name in enumerate(names)]
    if way is not Way.SORTED and way is not Way.COLUMN and rng.random() < 0.5:
        # Each card under the one laid before it: what shows is the other side.
        cards = cards[::-1]
    middle = np.mean([(card.x, card.y) for card in cards], axis=0)
    loose = 0.02 + 0.05 * rng.random()
    return [
        HeldCard(
            card.name,
            card.x - float(middle[0]) + float(rng.normal(0, loose / 2)),
            card.y - float(middle[1]) + float(rng.normal(0, loose)),
            card.turn + float(rng.normal(0, 0.6 * loose)),
        )
        for card in cards
    ]


def _fan(names: Sequence[str], strip: float, rng: np.random.Generator) -> list[HeldCard]:
    """Cards around a point below them, the leftmost lowest."""
    radius = float(rng.uniform(0.9, 2.6)) * ASPECT
    step = min(strip / (radius + ASPECT / 2 - SYMBOL[1]), 2.2 / max(len(names) - 1, 1))
    cards = []
    for at, name in enumerate(names):
        turn = step * (at - (len(names) - 1) / 2)
        cards.append(HeldCard(name, float(radius * np.sin(turn)), float(-radius * np.cos(turn)), turn))
    return cards


def _sorted(names: Sequence[str], strip: float, rng: np.random.Generator) -> list[HeldCard]:
    cards = []
    aside = float(rng.uniform(1.02, 1.25))
    for column, kind in enumerate(dict.fromkeys(names)):
        cards += [HeldCard(kind, aside * column, strip * at, 0.0) for at in range(names.count(kind))]
    return cards


def seen_share(cards: Sequence[HeldCard], at: int) -> tuple[float, float]:
    """How much is to be seen (0 to 1) of the left and the right symbol of a card, for those that lie on it."""
    half = SYMBOL_SHARE / 2
    grid = np.stack(np.meshgrid(np.linspace(-half, half, 5), np.linspace(-half, half, 5)), axis=-1).reshape(-1, 2)
    outlines = [card.corners.astype(np.float32) for card in cards[at + 1 :]]
    left, right = (
        1.0
        - float(np.mean([any(cv2.pointPolygonTest(edge, tuple(map(float, spot)), False) > 0 for edge in outlines)
                         for spot in middle + grid]))
        for middle in cards[at].symbols
    )  # fmt: skip
    return left, right


def tellable(cards: Sequence[HeldCard]) -> list[str]:
    """The kinds of the cards of which a symbol is to be seen, the lowest first: what a reader can count."""
    return [card.name for at, card in enumerate(cards) if max(seen_share(cards, at)) >= VISIBLE]
