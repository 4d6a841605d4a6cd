"""Sequential halving, on values that are known, and how long a search goes on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from companion.advisor.advice import Budget
from companion.advisor.search.halving import Comparison, Samples, SearchClock, halve, rounds_of

Lanes = npt.NDArray[np.intp]


class Bandit:
    """Candidates of known worth; luck is a world's own, and a little of each lane's."""

    def __init__(self, worths: list[float], spread: float = 8.0, own: float = 2.0) -> None:
        random = np.random.default_rng(5)
        self.worths = np.array(worths, dtype=np.float32)
        self.luck = random.normal(0, spread, 4096).astype(np.float32)
        self.own = random.normal(0, own, (len(worths), 4096)).astype(np.float32)
        self.calls: list[tuple[Lanes, Lanes]] = []

    def __call__(self, who: Lanes, where: Lanes) -> Samples:
        self.calls.append((who, where))
        return np.asarray(self.worths[who] + self.luck[where] + self.own[who, where])


def test_the_best_is_found_among_close_ones() -> None:
    bandit = Bandit([0, 1, 2, 3, 2.5, 1, -5, 2] * 3)
    bandit.worths[10] = 4
    found = halve(bandit, 24, 1000, lanes=3000)
    assert found.order()[0] == 10


def test_a_worlds_luck_is_the_same_for_all_so_that_differences_are_sharp() -> None:
    bandit = Bandit([0.0, 1.0], spread=30, own=1)
    found = halve(bandit, 2, 200, lanes=400)
    value, error = found.behind(1, 0)
    assert value == pytest.approx(1, abs=4 * error)
    assert error < 0.2 < found.by_difference(0, 0)[1]


def test_playouts_go_to_those_that_may_be_best() -> None:
    bandit = Bandit([float(number) for number in range(16)])
    found = halve(bandit, 16, 1000, lanes=1600)
    counts = found.counts()
    assert counts.min() >= 1
    assert counts[15] == counts.max()
    assert counts[15] > 4 * counts[0]
    assert counts.sum() <= 1600


def test_it_ends_when_asked_to_but_not_before_everybody_was_played() -> None:
    bandit = Bandit([0.0, 1.0, 2.0, 3.0])
    found = halve(bandit, 4, 1000, lanes=4000, most_lanes=8, stop=lambda: True)
    assert found.counts().tolist() == [2, 2, 2, 2]
    assert len(bandit.calls) == 1


def test_candidates_are_halved_until_two_are_left(subtests: pytest.Subtests) -> None:
    for candidates, rounds in [(1, 1), (2, 1), (3, 2), (4, 2), (24, 5)]:
        with subtests.test(msg=str((candidates, rounds))):
            assert rounds_of(candidates, 2) == rounds


def test_a_value_by_difference_is_as_sure_as_the_difference() -> None:
    """Over many tournaments of two candidates, one of which left early, the values spread as the error says."""
    random = np.random.default_rng(3)
    worlds, few = 200, 12
    values, errors = [], []
    for _ in range(400):
        luck = random.normal(0, 3, worlds)
        samples = np.stack([luck + random.normal(0, 6, worlds) + 2, luck + random.normal(0, 2, worlds)])
        samples[1, few:] = np.nan
        value, error = Comparison(samples.astype(np.float32)).by_difference(0, 1)
        values.append(value)
        errors.append(error)
    assert np.mean(values) == pytest.approx(0, abs=0.3)
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(values), rel=0.1)


def test_a_plan_shares_what_the_pace_allows_and_the_last_round_goes_on_to_the_end_of_the_worlds() -> None:
    bandit = Bandit([float(number) for number in range(8)])
    asked: list[int] = []

    def plan(played: int) -> int:
        asked.append(played)
        return 1200

    found = halve(bandit, 8, 500, lanes=240, plan=plan)
    counts = found.counts()
    # 240 lanes in 3 rounds are 10 for each of 8; the 1120 that are left in 2 are 140 for each of 4.
    assert asked == [80]
    assert counts.tolist() == [10, 10, 10, 10, 150, 150, 500, 500]


def test_a_plan_ends_with_the_time() -> None:
    bandit = Bandit([0.0, 1.0, 2.0, 3.0])
    found = halve(
        bandit, 4, 4096, lanes=40, most_lanes=20, plan=lambda played: played, stop=lambda: len(bandit.calls) > 3
    )
    assert found.counts().tolist() == [5, 5, 35, 35], "three calls of 10 worlds after the first round"


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
