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
        self._seconds = budget.seconds
        self._stop = stop
        self.playouts = budget.playouts if budget.seconds is None else int(budget.seconds * PLAYOUTS_A_SECOND)

    @property
    def is_timed(self) -> bool:
        """Whether seconds bound the search and not replies."""
        return self._seconds is not None

    def over(self) -> bool:
        """Whether to end now."""
        if self._stop is not None and self._stop():
            return True
        return self._seconds is not None and time.monotonic() >= self._begun + self._seconds

    def planned(self, played: int) -> int:
        """Best replies that the whole search can play, those `played` so far among them.

        By the clock that follows from the pace so far: halving has to know beforehand how far it can go.
        """
        if self._seconds is None:
            return self.playouts
        passed = time.monotonic() - self._begun
        left = max(self._seconds - passed, 0) * _KEPT
        pace = _FASTER * played / passed if passed > 0 and played else PLAYOUTS_A_SECOND
        return played + int(left * pace)
