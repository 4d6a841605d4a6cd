"""How long a search goes on: by replies played, by seconds, or until it is asked to end."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.advisor.advice import Budget

PLAYOUTS_A_SECOND = 40_000
"""Best replies that a machine of today plays in a second on one core: how wide a search by the clock is made."""
_FASTER = 1.5
"""Playouts go on faster in large batches than they began."""
_KEPT = 0.9
"""The share of the time that is left that a plan fills; the rest is for words and for what goes slower."""


class SearchClock:
    """When a search has to end, and how much it can set out to do."""

    def __init__(self, budget: Budget, stop: Callable[[], bool] | None = None) -> None:
        self._begun = time.monotonic()
        self._stop = stop
        self.seconds = budget.seconds
        self.playouts = budget.playouts if budget.seconds is None else int(budget.seconds * PLAYOUTS_A_SECOND)

    @property
    def seconds_left(self) -> float:
        """Seconds until the time is over; 0 where replies bound the search."""
        return 0.0 if self.seconds is None else max(self._begun + self.seconds - time.monotonic(), 0.0)

    @property
    def is_timed(self) -> bool:
        """Whether seconds bound the search and not replies."""
        return self.seconds is not None

    def over(self) -> bool:
        """Whether to end now."""
        if self._stop is not None and self._stop():
            return True
        return self.is_timed and self.seconds_left == 0

    def share(self, done: float) -> float:
        """The share of the search that is over: of its time, or `done` where replies bound it."""
        return 1 - self.seconds_left / self.seconds if self.seconds else done

    def planned(self, played: int) -> int:
        """Best replies that the whole search can play, those `played` so far among them.

        By the clock that follows from the pace so far: halving has to know beforehand how far it can go.
        """
        if self.seconds is None:
            return self.playouts
        left = self.seconds_left
        passed = self.seconds - left
        pace = _FASTER * played / passed if passed > 0 and played else PLAYOUTS_A_SECOND
        return played + int(left * _KEPT * pace)

    def lanes_plan(self) -> Callable[[int], int] | None:
        """How many lanes can be played in all, by the clock, once so many have been played from now on.

        None where replies bound the search.
        """
        begun = time.monotonic()

        def plan(played: int) -> int:
            passed = time.monotonic() - begun
            return played + int(self.seconds_left * played / passed) if passed > 0 else played

        return plan if self.is_timed else None
