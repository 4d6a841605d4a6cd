"""Put cards in reading order: which way they stand upright, which lie in one line, what comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.cards.outlines import Quad
from companion.vision.plane import project

ASPECT = 1.52
"""A card's height in its width."""

LEVEL = 0.42
"""Cards of one line: each lies no further above or below the other, in card heights."""

REACH = 3.2
"""Cards of one line: neighbours' middles are no further apart, in card widths."""

SQUARE = 0.36
"""Sine of the angle by which cards of one line may be turned against each other."""

AGREED = 0.7
"""Share of a line's cards that must stand one way for the line to be read that way whatever the others say."""

_UPRIGHT = np.array([(-0.5, -ASPECT / 2), (0.5, -ASPECT / 2), (0.5, ASPECT / 2), (-0.5, ASPECT / 2)], np.float32)

Directions = NDArray[np.float64]
"""Unit vectors (N, 2) in the photo, y pointing down."""


@dataclass(frozen=True, slots=True)
class Upright:
    """A card's corners in px, top left as printed first, clockwise; and how sure it is that it stands so (0 to 1)."""

    quad: Quad
    weight: float


def reading_lines(cards: Sequence[Upright]) -> list[list[int]]:
    """The cards' numbers line by line, top line first, each line from left to right.

    The cards themselves say where the top is, whichever side the photo was taken from: nearly all of a line, else
    most of the cards in the photo.
    """
    if not cards:
        return []
    middles = np.array([card.quad.mean(axis=0) for card in cards])
    ups = np.array([_up(card.quad) for card in cards])
    weights = np.array([card.weight for card in cards])
    lines = _lines(cards, middles, ups)
    top = _common(ups, weights)
    read = []
    for line in lines:
        up = _line_up(ups[line], weights[line], top)
        right = np.array([-up[1], up[0]])
        read.append((up, sorted(line, key=lambda at: float(middles[at] @ right))))
    # Lines that stand as most do come first, from the top; then those that are turned otherwise.
    read.sort(key=lambda item: (bool(item[0] @ top < 0.5), -float(middles[item[1]].mean(axis=0) @ top)))
    return [line for _, line in read]


def _up(quad: Quad) -> Directions:
    """The direction from a card's foot to its head."""
    way = quad[:2].mean(axis=0) - quad[2:].mean(axis=0)
    return np.asarray(way / np.linalg.norm(way))


def _common(ups: Directions, weights: NDArray[np.float64]) -> Directions:
    """The direction that most cards have as their top: the one with the most others within 30 degrees."""
    votes = ((ups @ ups.T > 0.866) * weights[None]).sum(axis=1)
    like = ups @ ups[int(np.argmax(votes))] > 0.866
    way = (ups[like] * weights[like, None]).sum(axis=0)
    return np.asarray(way / np.linalg.norm(way))


def _line_up(ups: Directions, weights: NDArray[np.float64], top: Directions) -> Directions:
    """The top of a line; cards dealt upside down among others do not turn it."""
    common = _common(ups, weights)
    agreed = weights[ups @ common > 0].sum() / weights.sum()
    if agreed >= AGREED and (len(ups) > 1 or abs(float(common @ top)) < 0.8):
        return common
    axis = common if common @ top >= 0 else -common
    return np.asarray(axis)


def _lines(cards: Sequence[Upright], middles: NDArray[np.float64], ups: Directions) -> list[list[int]]:
    """Cards that lie side by side, gathered: neighbours seen from both, each in the other's own measure."""
    count = len(cards)
    frames = [_to_card(card.quad) for card in cards]
    seen = np.stack([project(frame, middles) for frame in frames])
    line_of = list(range(count))
    pairs = [
        (float(np.linalg.norm(seen[a, b]) + np.linalg.norm(seen[b, a])), a, b)
        for a in range(count)
        for b in range(a)
        if _beside(seen[a, b]) and _beside(seen[b, a]) and abs(_sine(ups[a], ups[b])) < SQUARE
    ]
    for _, a, b in sorted(pairs):
        old, new = line_of[a], line_of[b]
        line_of = [new if line == old else line for line in line_of]
    return [[at for at in range(count) if line_of[at] == line] for line in sorted(set(line_of))]


def _beside(place: NDArray[np.float64]) -> bool:
    """Whether a place, in a card's own measure (its width is 1), is beside the card and not above or below."""
    return abs(float(place[1])) < LEVEL * ASPECT and abs(float(place[0])) < REACH


def _to_card(quad: Quad) -> NDArray[np.float64]:
    """From px to a card's own measure: its middle (0, 0), its width 1, y down."""
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), _UPRIGHT), dtype=np.float64)


def _sine(first: Directions, second: Directions) -> float:
    return float(first[0] * second[1] - first[1] * second[0])
