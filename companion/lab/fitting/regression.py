"""Weights by ridge regression: what players' points became, on what they held (policy iteration from self-play)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.lab.fitting.selfplay import RoundExamples
from companion.simulation.evaluation import Floats, Weights

Doubles = npt.NDArray[np.float64]

_ALIKE = 10.0
"""So many examples of one game tell as much as one that stands alone: all of them end with the same points."""


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


def moments_of(found: Iterable[RoundExamples]) -> Moments:
    """Sums over all examples. Raises ValueError if there are none."""
    products: Doubles | None = None
    count = 0
    for part in found:
        rest = part.final - part.points
        columns = np.column_stack([part.features, part.features * part.left[:, None], rest]).astype(np.float64)
        added: Doubles = columns.T @ columns
        products = added if products is None else products + added
        count += len(columns)
    if products is None:
        raise ValueError("there are no examples to fit weights to")
    return Moments(products, count)


def fit(found: Moments, prior: Weights, tolerance: Floats) -> Weights:
    """The weights most likely after these examples, if they were `prior` give or take `tolerance` before.

    `tolerance` is [2, features] like a table of weights: a standard deviation in VP for each number.
    """
    start = prior.table.reshape(-1).astype(np.float64)
    squares, cross = found.products[:-1, :-1], found.products[:-1, -1]
    noise = _ALIKE * (1 - explained(found, prior)) * found.variance
    stiffness = np.diag(noise / tolerance.reshape(-1).astype(np.float64) ** 2)
    change = np.linalg.solve(squares + stiffness, cross - squares @ start)
    return replace(prior, table=(start + change).reshape(prior.table.shape).astype(np.float32))


def explained(found: Moments, weights: Weights) -> float:
    """The share of the variance of what is still to come that the weights foretell."""
    table = weights.table.reshape(-1).astype(np.float64)
    squares, cross = found.products[:-1, :-1], found.products[:-1, -1]
    missed = found.products[-1, -1] - 2 * table @ cross + table @ squares @ table
    return float(1 - missed / found.products[-1, -1])
