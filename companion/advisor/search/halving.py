"""Sequential halving: playouts go to the candidates that may still be the best, for as long as the clock says."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import Budget

PLAYOUTS_A_SECOND = 40_000
"""Best replies that a machine of today plays in a second on one core: how wide a search by the clock is made."""
_FASTER = 1.5
"""Playouts go on faster in large batches than they began."""
_SHARE_PLANNED = 0.9
"""The share of the time that is left that a plan fills; the rest is for words and for what goes slower."""


class SearchClock:
    """When a search has to end, how much it can set out to do, and how far it is.

    `played` are the best replies that it has played; `progress` is told the share that is over.
    """

    def __init__(
        self,
        budget: Budget,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self._begun = time.monotonic()
        self._stop, self._progress = stop, progress
        self.budget, self.seconds = budget, budget.seconds
        self.playouts = budget.playouts if budget.seconds is None else int(budget.seconds * PLAYOUTS_A_SECOND)
        self.played = 0

    @property
    def is_stopped(self) -> bool:
        """Whether somebody wants the search to end now."""
        return self._stop is not None and self._stop()

    @property
    def seconds_left(self) -> float:
        """Seconds until the time is over; 0 where replies bound the search."""
        return 0.0 if self.seconds is None else max(self._begun + self.seconds - time.monotonic(), 0.0)

    def over(self) -> bool:
        return self.is_stopped or (self.seconds is not None and self.seconds_left == 0)

    def tell(self, done: float) -> None:
        """Tell the share of the search that is over: of its time, or `done` where replies bound it."""
        if self._progress is not None:
            self._progress(1 - self.seconds_left / self.seconds if self.seconds else done)

    @property
    def planned(self) -> int:
        """Best replies that the whole search can play, by the clock at the pace so far."""
        if self.seconds is None:
            return self.playouts
        left = self.seconds_left
        passed = self.seconds - left
        pace = _FASTER * self.played / passed if passed > 0 and self.played else PLAYOUTS_A_SECOND
        return self.played + int(left * _SHARE_PLANNED * pace)

    def lanes_plan(self) -> Callable[[int], int] | None:
        """How many lanes can be played in all, by the clock; None where replies bound the search."""
        begun = time.monotonic()

        def plan(played: int) -> int:
            passed = time.monotonic() - begun
            return played + int(self.seconds_left * played / passed) if passed > 0 else played

        return None if self.seconds is None else plan


Samples = npt.NDArray[np.float32]
Sample = Callable[[npt.NDArray[np.intp], npt.NDArray[np.intp]], Samples]
"""Given candidates and worlds, one of each a lane, the value that came out in each lane, in VP."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What playouts showed of candidates: `samples` is [candidates, worlds] in VP, NaN where none was played.

    Every candidate met the same worlds from the first on, so that differences are taken world by world.
    """

    samples: Samples

    def order(self) -> list[int]:
        """Candidates from the best to the worst: those that were played more come first, then by mean."""
        played = self.counts()
        means = self.means()
        return sorted(range(len(self.samples)), key=lambda one: (-played[one], -means[one], one))

    def counts(self) -> npt.NDArray[np.int64]:
        return np.asarray((~np.isnan(self.samples)).sum(axis=1))

    def left(self) -> npt.NDArray[np.bool_]:
        """Which candidates are still compared: what was dropped after a few playouts only seems good."""
        return np.asarray(self.counts() == self.counts().max(initial=0))

    def means(self) -> npt.NDArray[np.float64]:
        """The mean value of each candidate, in VP; NaN without a playout."""
        counts = self.counts()
        sums = np.nansum(self.samples, axis=1, dtype=np.float64)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def behind(self, one: int, other: int) -> tuple[float, float]:
        """How much less `other` is worth than `one`, in VP, and the standard error, by worlds that both met."""
        difference = self.samples[one] - self.samples[other]
        error = np.sqrt(_variance(difference) / max(int((~np.isnan(difference)).sum()), 1))
        return float(np.nanmean(difference)), float(error)

    def values(self, first: int | None = None) -> npt.NDArray[np.float64]:
        """The value of each candidate, in VP, as that of the `first` less what it is behind that; the best if None."""
        first = self.order()[0] if first is None else first
        return np.asarray(self.means()[first] - np.nanmean(self.samples[first] - self.samples, axis=1), np.float64)

    def by_difference(self, one: int, other: int) -> tuple[float, float]:
        """The value of `other`, in VP, as that of `one`, which met more worlds, less the difference in worlds that both
        met, and the standard error: larger where those were few.
        """
        value = float(self.means()[one]) - self.behind(one, other)[0]
        difference = self.samples[one] - self.samples[other]
        missed = 1 / max(int((~np.isnan(difference)).sum()), 1) - 1 / max(int(self.counts()[one]), 1)
        # With D the difference, N the worlds of `one` and n those of both, the mean over N less the mean of D over n
        # has the variance Var(other) / N + Var(D) * (1 / n - 1 / N).
        variance = _variance(self.samples[other]) / float(self.counts()[one]) + _variance(difference) * missed
        return value, float(np.sqrt(variance))


Rank = Callable[[Comparison], npt.NDArray[np.float64]]
"""What candidates are ranked by, higher for better, from what playouts showed so far."""


def _variance(values: Samples) -> float:
    known = values[~np.isnan(values)]
    return float("inf") if len(known) < 2 else float(known.var(ddof=1, dtype=np.float64))


MIN_PLAYOUTS = 2
"""Playouts of a candidate in a round at least: of one alone nobody knows the error."""


def rounds_of(candidates: int, last: int) -> int:
    """How often candidates are halved until at most `last` of them are left."""
    return max(1, ceil(log2(max(candidates, 1) / last)) + 1) if candidates > last else 1


def halve(
    sample: Sample,
    candidates: int,
    worlds: int,
    *,
    lanes: int,
    last: int = 2,
    most_lanes: int = 640,
    plan: Callable[[int], int] | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
    rank: Rank | None = None,
) -> Comparison:
    """Compare candidates with some `lanes` playouts in all, each round's share going to the better half of the last.

    `worlds` bounds the playouts of one candidate; a call of `sample` has at most `most_lanes`. `stop` is asked between
    calls and ends the comparison where it stands; every candidate is played at least once before that. `rank` says what
    candidates are ranked by, if it isn't their means.

    With `plan` the first round alone has its share of `lanes`; later ones share what `plan` gives as the whole after so
    many lanes, and the last goes on until `stop` or to the end of the worlds.
    """
    samples = np.full((candidates, worlds), np.nan, dtype=np.float32)
    comparison = Comparison(samples)
    alive = list(range(candidates))
    first = played = 0
    rounds = rounds_of(candidates, last)
    for number in range(rounds):
        wanted = lanes // rounds // len(alive)
        if plan is not None and number == rounds - 1:
            wanted = worlds
        elif plan is not None and number:
            wanted = (plan(played) - played) // (rounds - number) // len(alive)
        left = min(worlds - first, max(MIN_PLAYOUTS, wanted))
        step = max(1, most_lanes // len(alive))
        for begin in range(first, first + left, step):
            if stop is not None and begin and stop():
                return comparison
            chunk = np.arange(begin, min(begin + step, first + left))
            who = np.repeat(np.array(alive, dtype=np.intp), len(chunk))
            where = np.tile(chunk, len(alive))
            samples[who, where] = sample(who, where)
            played += len(who)
            if progress is not None:
                progress((number + (begin - first + len(chunk)) / left) / rounds)
        first += left
        if progress is not None:
            progress((number + 1) / rounds)
        if number < rounds - 1:
            means = comparison.means()
            ranked = means if rank is None else rank(comparison)
            alive = sorted(alive, key=lambda one: (-ranked[one], -means[one], one))[: max(last, (len(alive) + 1) // 2)]
    return comparison
