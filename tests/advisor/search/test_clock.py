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
    told: list[float] = []
    clock = SearchClock(Budget(500), progress=told.append)
    assert clock.planned == 500
    clock.played = 300
    assert clock.planned == 500
    assert not clock.over()
    assert clock.lanes_plan() is None
    clock.tell(0.4)
    assert told == [0.4]


def test_seconds_end_and_plan_by_the_pace_so_far(pass_s: Callable[[float], None]) -> None:
    clock = SearchClock(Budget(seconds=5))
    assert not clock.over()
    pass_s(2)
    # Three seconds are left, nine tenths of which are planned at one and a half times the pace so far.
    for played in (100, 10_000):
        clock.played = played
        assert clock.planned == played + int(3 * 0.9 * 1.5 * played / 2)
    pass_s(4)
    assert clock.over()
    assert clock.planned == clock.played


def test_lanes_are_planned_by_the_pace_since_the_plan_was_made(pass_s: Callable[[float], None]) -> None:
    told: list[float] = []
    clock = SearchClock(Budget(seconds=60), progress=told.append)
    pass_s(10)
    plan = clock.lanes_plan()
    assert plan is not None
    pass_s(2)
    assert plan(100) == 100 + 100 * 48 // 2
    clock.tell(0.9)
    assert told == [pytest.approx(0.2)]
