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
    assert clock.lanes_plan() is None
    assert clock.seconds_left == 0
    assert clock.share(0.4) == 0.4


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


def test_lanes_are_planned_by_the_pace_since_the_plan_was_made() -> None:
    clock = SearchClock(Budget(seconds=60))
    plan = clock.lanes_plan()
    assert plan is not None
    time.sleep(0.02)
    assert 200 < plan(100) < 100 * 60 / 0.02
    assert 0 < clock.share(0.9) < 0.9


def test_nothing_more_is_planned_once_the_time_is_over() -> None:
    clock = SearchClock(Budget(seconds=0.01))
    plan = clock.lanes_plan()
    assert plan is not None
    time.sleep(0.02)
    assert plan(100) == 100
    assert clock.share(0.0) == 1
