"""How long a search goes on."""

from __future__ import annotations

import time

from companion.advisor.advice import Budget
from companion.advisor.search.clock import SearchClock


def test_replies_are_planned_as_they_are_given() -> None:
    clock = SearchClock(Budget(500))
    assert not clock.is_timed
    assert clock.planned(0) == clock.planned(300) == 500
    assert not clock.over()


def test_seconds_end_and_plan_by_the_pace_so_far() -> None:
    clock = SearchClock(Budget(seconds=0.05))
    assert clock.is_timed
    assert not clock.over()
    time.sleep(0.02)
    slow, fast = clock.planned(100), clock.planned(10_000)
    assert 100 < slow < fast
    time.sleep(0.04)
    assert clock.over()
    assert clock.planned(100) == 100


def test_it_ends_when_asked_to() -> None:
    assert SearchClock(Budget(), stop=lambda: True).over()
