"""Means of clustered values with 95% confidence intervals; docs/arena.md has the formulas."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, exp, inf, pi, sin, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95% confidence interval; the bounds are None where one cluster alone was seen."""

    mean: float
    low: float | None = None
    high: float | None = None


def mean_interval(sums: Floats, counts: Floats) -> Interval:
    """The mean of values of any size, clustered: the sums of the clusters and how many values each has, none 0.

    The variance is the cluster-robust one, the bounds are Student's with one degree of freedom less than clusters.
    """
    mean, variance = _clustered(sums, counts)
    if variance is None:
        return Interval(mean)
    reach = student_quantile(len(sums) - 1) * sqrt(variance)
    return Interval(mean, mean - reach, mean + reach)


def share_interval(sums: Floats, counts: Floats) -> Interval:
    """The same for values from 0 to 1, such as shares of a win: bounds by Wilson's score, which stay in there.

    The number of values in it is the effective one: as many independent values as would have the clustered variance,
    and never more than there are. Where all are 0 or all are 1 nothing is seen of the clustering, and all count.
    """
    mean, variance = _clustered(sums, counts)
    if variance is None:
        return Interval(mean)
    values = float(counts.sum())
    number = min(mean * (1 - mean) / variance, values) if variance > 0 else values
    square = student_quantile(len(sums) - 1) ** 2
    centre = (mean + square / (2 * number)) / (1 + square / number)
    reach = sqrt(square * (mean * (1 - mean) / number + square / (4 * number**2))) / (1 + square / number)
    return Interval(mean, max(0.0, centre - reach), min(1.0, centre + reach))


def _clustered(sums: Floats, counts: Floats) -> tuple[float, float | None]:
    """The mean of clustered values and its cluster-robust variance; None for a single cluster."""
    clusters, values = len(sums), float(counts.sum())
    mean = float(sums.sum()) / values
    if clusters < 2:
        return mean, None
    residuals = sums - mean * counts
    return mean, clusters / (clusters - 1) * float(residuals @ residuals) / values**2


def student_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided interval reaches, by Student's distribution (Hill 1970, algorithm 396)."""
    tail = 1 - confidence
    if freedom < 1:
        return inf
    if freedom == 1:
        return cos(tail * pi / 2) / sin(tail * pi / 2)
    if freedom == 2:
        return sqrt(2 / (tail * (2 - tail)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * freedom
    x = d * tail
    y = x ** (2 / freedom)
    if y > 0.05 + a:
        x = -NormalDist().inv_cdf(1 - tail / 2)
        y = x**2
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = exp(a * y**2) - 1
    else:
        y = 1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)
        y = (y * x ** (2 / freedom) - 1) * (freedom + 1) / (freedom + 2) + x ** (-2 / freedom)
    return sqrt(freedom * y)
