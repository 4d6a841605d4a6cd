"""How long a search goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.advisor.advice import Budget
from companion.advisor.search.halving import SearchClock


@pytest.fixture
def pass_s(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets so many seconds pass on a clock that else stands still."""
    now = [100.0]
    monkeypatch.setattr("companion.advisor.search.halving.time.monotonic", lambda: now[0])

    def pass_s(seconds: float) -> None:
        now[0] += seconds

    return pass_s


def test_replies_are_planned_as_they_are_given() -> None:
    clock = SearchClock(Budget(500))
    assert not clock.is_timed
    assert clock.planned(0) == clock.planned(300) == 500
    assert not clock.over()
    assert clock.lanes_plan() is None
    assert clock.seconds_left == 0
    assert clock.share(0.4) == 0.4


def test_seconds_end_and_plan_by_the_pace_so_far(pass_s: Callable[[float], None]) -> None:
    clock = SearchClock(Budget(seconds=5))
    assert clock.is_timed
    assert not clock.over()
    pass_s(2)
    # Three seconds are left, nine tenths of which are planned at one and a half times the pace so far.
    assert clock.planned(100) == 100 + int(3 * 0.9 * 1.5 * 50)
    assert clock.planned(10_000) == 10_000 + int(3 * 0.9 * 1.5 * 5_000)
    pass_s(4)
    assert clock.over()
    assert clock.planned(100) == 100


def test_lanes_are_planned_by_the_pace_since_the_plan_was_made(pass_s: Callable[[float], None]) -> None:
    clock = SearchClock(Budget(seconds=60))
    pass_s(10)
    plan = clock.lanes_plan()
    assert plan is not None
    pass_s(2)
    assert plan(100) == 100 + 100 * 48 // 2
    assert clock.share(0.9) == pytest.approx(0.2)
