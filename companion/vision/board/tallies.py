"""How many of each piece stand on each tile: chances from the feet seen and from the counts told, as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.rules.model.board import SQUARES
from companion.rules.model.components import Colour
from companion.vision.board.counts import GROUPS, CountGroup
from companion.vision.board.pieces import Foot
from companion.vision.networks import Floats

Chances = tuple[NDArray[np.float64], ...]
"""For each of `counts.GROUPS` the chances of its numbers on each tile, (30, size)."""

LEAST_CHANCE = 1e-5
"""No number that was told by counting is ever impossible."""

LEAST_SEEN = 0.01
"""Least chance of a number that follows from the feet: one may be hidden, or two may look like one."""

_CAMELS = tuple(colour.letter for colour in Colour)


def told_chances(counts: Floats) -> Chances:
    """The chances that the network told by counting; `counts` is (30, COUNT_LOGITS)."""
    wide = np.maximum(counts.astype(np.float64), LEAST_CHANCE)
    return tuple(wide[:, group.first : group.first + group.size] for group in GROUPS)


def seen_chances(feet: Sequence[Foot]) -> Chances:
    """The chances that follow from the feet seen, each with its probability, one by one.

    A foot near an edge counts for both tiles, for each as far as it may stand there.
    """
    places: dict[str, list[list[float]]] = {}
    for foot in feet:
        for square, share in foot.squares:
            places.setdefault(foot.kind, [[] for _ in range(SQUARES)])[square].append(foot.probability * share)
    nobody: list[list[float]] = [[] for _ in range(SQUARES)]
    result = []
    for group in GROUPS:
        if group.kind == "camel":
            rows = [_camel([places.get(letter, nobody)[square] for letter in _CAMELS]) for square in range(SQUARES)]
        else:
            rows = [_number(group, places.get(group.kind, nobody)[square]) for square in range(SQUARES)]
        result.append(np.maximum(np.array(rows), LEAST_SEEN))
    return tuple(result)


def _number(group: CountGroup, probabilities: Sequence[float]) -> NDArray[np.float64]:
    """Chances of the number of pieces that are there when each is there with its own probability."""
    chances = np.zeros(group.size)
    chances[0] = 1.0
    for probability in probabilities:
        grown = chances * (1 - probability)
        grown[1:] += chances[:-1] * probability
        grown[-1] += chances[-1] * probability
        chances = grown
    return chances


def _camel(probabilities: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Chances of no camel and of each colour: at most one camel stands on a tile (rules 4.9)."""
    there = np.array([1 - np.prod([1 - chance for chance in chances]) for chances in probabilities])
    there = np.clip(there, 0.0, 1 - LEAST_CHANCE)
    odds = np.concatenate([[1.0], there / (1 - there)])
    return np.asarray(odds / odds.sum())


def fuse(told: Chances, seen: Chances, trust: Mapping[str, tuple[float, float]]) -> Chances:
    """Both as one: a product of powers, normalised. `trust` holds the two powers by kind of group."""
    fused = []
    for group, one, other in zip(GROUPS, told, seen, strict=True):
        by_counting, by_seeing = trust[group.trusted_as]
        logits = by_counting * np.log(one) + by_seeing * np.log(other)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        fused.append(np.asarray(likely / likely.sum(axis=1, keepdims=True)))
    return tuple(fused)
