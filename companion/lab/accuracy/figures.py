"""The figures of a set of photos, each with an interval that says how far so few photos can be trusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.lab.accuracy.scores import PhotoScore
from companion.rules.model.board import SQUARES

LEVEL_Z = 1.96
"""Standard deviations to either side that hold 95 of 100."""

RESAMPLES = 2000
"""Sets of photos drawn with replacement for a bootstrap interval."""


@dataclass(frozen=True, slots=True)
class IntervalEstimate:
    """A figure and its interval of 95%, all None where there is nothing to count."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class SetFigures:
    """How a set of photos was read.

    Shares from 0 to 1: `identity` tiles told, `whole` tiles wholly right, `exact` boards without a mistake, `flagged`
    mistakes that are flagged, `first` and `first_three` wrong tiles whose truth is the first of the other readings
    offered, or among the first three. `doubtful` is in tiles a board, `taps` and `answers` the median a photo.
    """

    photos: int
    identity: IntervalEstimate
    whole: IntervalEstimate
    exact: IntervalEstimate
    flagged: IntervalEstimate
    doubtful: IntervalEstimate
    first: IntervalEstimate
    first_three: IntervalEstimate
    taps: IntervalEstimate
    answers: IntervalEstimate


def set_figures(scores: Sequence[PhotoScore], seed: int = 0) -> SetFigures:
    """The figures of photos read. Intervals are by photo: tiles of one photo go wrong together."""

    def ratio(part: Callable[[PhotoScore], float], whole: Callable[[PhotoScore], float]) -> IntervalEstimate:
        return bootstrap_ratio([part(one) for one in scores], [whole(one) for one in scores], seed)

    def tiles(_: PhotoScore) -> float:
        return SQUARES

    def wrong(one: PhotoScore) -> float:
        # A photo that is not read says so: nothing of it is offered, and nothing wrong is silent.
        return 0 if one.fault else one.wrong

    return SetFigures(
        photos=len(scores),
        identity=ratio(lambda one: one.identity, tiles),
        whole=ratio(lambda one: one.whole, tiles),
        exact=wilson(sum(one.exact for one in scores), len(scores)),
        flagged=ratio(lambda one: wrong(one) - one.unflagged_wrong, wrong),
        doubtful=ratio(lambda one: one.flagged, lambda _: 1),
        first=ratio(lambda one: one.first, wrong),
        first_three=ratio(lambda one: one.first_three, wrong),
        taps=bootstrap_median([one.taps for one in scores], seed),
        answers=bootstrap_median([one.answers for one in scores], seed),
    )


def wilson(part: int, whole: int) -> IntervalEstimate:
    """A share of independent cases with Wilson's interval, which holds for few cases and for none or all of them."""
    if not whole:
        return IntervalEstimate(None)
    share, z2 = part / whole, LEVEL_Z**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    half = LEVEL_Z / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    return IntervalEstimate(share, max(middle - half, 0.0), min(middle + half, 1.0))


def bootstrap_ratio(parts: Sequence[float], wholes: Sequence[float], seed: int) -> IntervalEstimate:
    """The sum of the parts over that of the wholes, with a percentile interval over photos drawn with replacement."""
    over = np.array(wholes, dtype=np.float64)
    if not over.sum():
        return IntervalEstimate(None)
    under, drawn = np.array(parts, dtype=np.float64), _resamples(len(over), seed)
    sums = over[drawn].sum(axis=1)
    ratios = under[drawn].sum(axis=1)[sums > 0] / sums[sums > 0]
    return _interval(float(under.sum() / over.sum()), ratios)


def bootstrap_median(values: Sequence[float], seed: int) -> IntervalEstimate:
    """The median with a percentile interval over photos drawn with replacement."""
    if not values:
        return IntervalEstimate(None)
    counted = np.array(values, dtype=np.float64)
    return _interval(float(np.median(counted)), np.median(counted[_resamples(len(counted), seed)], axis=1))


def _resamples(count: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(count, size=(RESAMPLES, count))


def _interval(value: float, drawn: NDArray[np.float64]) -> IntervalEstimate:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return IntervalEstimate(value, float(low), float(high))
