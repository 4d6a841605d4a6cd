"""Regret without the winner's curse: the best is chosen on one half of the playings-on, the loss taken on the other.

The candidate with the best mean of many is partly the luckiest, so that its mean on the same playings-on is too good.
On others it is as good as it really is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CLOSE_VP = 2.0
"""A turn that loses no more than this counts as good."""
BOOTSTRAPS = 4000


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over positions with its 95% interval, by the bootstrap over games."""

    mean: float
    low: float
    high: float


def regrets(margins: Floats) -> Floats:
    """How much each candidate loses against the best, in VP, [candidates].

    `margins` [candidates, playings-on] were played with the same worlds in the same columns. The best is chosen on the
    even columns and compared on the odd ones, then the other way round; the mean of both is given. It can be below 0:
    where two are equally good, each is the better one half of the time.
    """
    parts = margins[:, ::2], margins[:, 1::2]
    loss = np.zeros(len(margins))
    for chosen_on, taken_on in (parts, parts[::-1]):
        means = taken_on.mean(axis=1)
        loss += (means[int(chosen_on.mean(axis=1).argmax())] - means) / 2
    return loss


def regret_errors(margins: Floats) -> Floats:
    """Standard errors of the differences from the candidate with the best mean, in VP, [candidates]."""
    best = int(margins.mean(axis=1).argmax())
    return np.asarray((margins[best] - margins).std(axis=1, ddof=1) / np.sqrt(margins.shape[1]))


def measured(values: Sequence[float] | Floats, games: Sequence[int], seed: int = 0) -> Measure:
    """The mean of one value a position, with its interval; positions of one game are drawn together.

    `games` says which game each position is from. Raises ValueError without any position.
    """
    if not len(values):
        raise ValueError("nothing was judged")
    array = np.asarray(values, dtype=np.float64)
    _, group = np.unique(np.asarray(games), return_inverse=True)
    sums, counts = np.bincount(group, weights=array), np.bincount(group)
    drawn = np.random.default_rng(seed).integers(0, len(sums), (BOOTSTRAPS, len(sums)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    return Measure(float(array.mean()), float(low), float(high))


def share_close(values: Sequence[float], games: Sequence[int], seed: int = 0) -> Measure:
    """The share of regrets within `CLOSE_VP`, as `measured`."""
    return measured([float(value <= CLOSE_VP) for value in values], games, seed)
