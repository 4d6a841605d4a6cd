"""Weights by ridge regression: what they are thought to be before any game, and what games make of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.lab.fitting.selfplay import RoundExamples
from companion.simulation.evaluation import FEATURES, MAX_SET, Floats, Weights, weight_table

_SETS = (2, 4, 6, 8, 8, 8, 7, 4, 0)
_SECOND_SETS = (1, 2, 3, 3, 3, 3, 3, 2, 0)
_DJINNS = {
    "Al-Amin": 3,
    "Anun-Nak": 2,
    "Ba'al": 4,
    "Boaz": 2,
    "Bouraq": 4,
    "Echidna": 3,
    "Enki": 3,
    "Hagis": 2,
    "Haurvatat": 3,
    "Iblis": 3,
    "Jafaar": 3,
    "Kandicha": 4,
    "Kumarbi": 4,
    "Lamia": 2,
    "Leta": 5,
    "Marid": 4,
    "Monkir": 3,
    "Nekir": 4,
    "Shamhat": 5,
    "Sibittis": 5,
    "Sloar": 4,
    "Utug": 6,
    "Dhenim": 4,
}
"""VP that a djinn brings beside its own, held from the start of a game."""
_OTHERS: dict[str, tuple[float, float]] = {
    "fakirs": (0.2, 2.5),
    "more fakirs": (0, 1),
    "viziers": (0, 0.3),
    "majorities": (0.8, 0),
    "elders": (0, 1.5),
    "more elders": (0, 0.7),
    "gold": (0, 0.2),
    "more gold": (0, 0.05),
    "oases": (0, 2),
    "villages": (0, 2),
    "bid place": (0, 0),
    "rare goods": (0, 1),
    "viziers for Jafaar": (0, 0.4),
    "tiles for Marid": (0, 1),
}
_TOLERANCES: dict[str, tuple[float, float]] = {
    "first": (1, 4),
    "second": (1, 3),
    "majorities": (0.3, 0.3),
    "gold": (0.1, 0.3),
    "more": (0.4, 1),
    "djinn": (0.7, 3),
    "bids": (2, 6),
    "tiles": (0.5, 1.5),
    "viziers": (0.5, 1),
}
"""By the first word of a feature: how far off the worth at the end and what a whole game adds may well be."""
_TOLERANCE = (0.7, 2.0)


def prior_weights() -> Weights:
    """Worths as a player guesses them, the same for any number of players."""
    values: dict[str, list[float]] = {name: list(pair) for name, pair in _OTHERS.items()}
    for size in range(1, MAX_SET + 1):
        values[f"first set {size}"] = [0, _SETS[size - 1]]
        values[f"second set {size}"] = [0, _SECOND_SETS[size - 1]]
    values |= {f"djinn {name}": [0, worth] for name, worth in _DJINNS.items()}
    return Weights(weight_table(values))


def tolerances() -> Floats:
    """Standard deviations of the weights about `prior_weights`, [2, features], in VP."""
    pairs = [_TOLERANCES.get(name.split()[0], _TOLERANCE) for name in FEATURES]
    return np.array(pairs, dtype=np.float32).T


Doubles = npt.NDArray[np.float64]

_ALIKE = 10.0
"""This many examples of one game tell as much as one that stands alone: all of them end with the same points."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """All that a regression needs of examples, however many: sums over them of products of columns.

    The columns are the features, the features times the share of the game left, and what was still to come, last.
    """

    products: Doubles
    count: int

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.products + other.products, self.count + other.count)

    def __mul__(self, share: float) -> Moments:
        return Moments(self.products * share, round(self.count * share))

    @property
    def variance(self) -> float:
        """Of what was still to come, in VP squared, about 0."""
        return float(self.products[-1, -1]) / self.count


def moments_of(rounds: Iterable[RoundExamples]) -> Moments:
    """Sums over all examples. Raises ValueError if there are none."""
    products: Doubles | None = None
    count = 0
    for part in rounds:
        rest = part.final - part.points
        columns = np.column_stack([part.features, part.features * part.left[:, None], rest]).astype(np.float64)
        added: Doubles = columns.T @ columns
        products = added if products is None else products + added
        count += len(columns)
    if products is None:
        raise ValueError("there are no examples to fit weights to")
    return Moments(products, count)


def fit(moments: Moments, prior: Weights, tolerance: Floats) -> Weights:
    """The weights most likely after these examples, if they were `prior` give or take `tolerance` before.

    `tolerance` is [2, features] like a table of weights: a standard deviation in VP for each number.
    """
    start = prior.table.reshape(-1).astype(np.float64)
    squares, cross = moments.products[:-1, :-1], moments.products[:-1, -1]
    noise = _ALIKE * (1 - explained(moments, prior)) * moments.variance
    stiffness = np.diag(noise / tolerance.reshape(-1).astype(np.float64) ** 2)
    change = np.linalg.solve(squares + stiffness, cross - squares @ start)
    return replace(prior, table=(start + change).reshape(prior.table.shape).astype(np.float32))


def explained(moments: Moments, weights: Weights) -> float:
    """The share of the variance of what is still to come that the weights foretell."""
    table = weights.table.reshape(-1).astype(np.float64)
    squares, cross = moments.products[:-1, :-1], moments.products[:-1, -1]
    missed = moments.products[-1, -1] - 2 * table @ cross + table @ squares @ table
    return float(1 - missed / moments.products[-1, -1])
