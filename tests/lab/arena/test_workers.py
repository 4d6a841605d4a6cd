"""Work of many parts: the same in one process, in two and on a cluster, and no part is lost with a worker."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from math import factorial
from pathlib import Path

import pytest

from companion.errors import MissingDependencyError, UsageError
from companion.lab.__main__ import main
from companion.lab.arena import workers
from companion.lab.arena.results import run_tournament
from companion.lab.arena.tally import Tally
from companion.lab.arena.tournament import Tournament
from companion.lab.arena.workers import Item, Result, RunAll, in_order, in_this_process, workforce

TOURNAMENT = Tournament(("random", "tests.lab.arena.bots:Plain", "random"), seeds=4, seed=4)


def backwards(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
    """Processes of which the last is the quickest."""
    for item in reversed(list(items)):
        yield item, work(item)


def test_one_process_does_one_thing_after_the_other() -> None:
    done: list[int] = []
    with workforce() as run_all:
        found = run_all(done.append, [3, 1, 2])
        assert next(found) == (3, None)
        assert done == [3]
        assert [item for item, _ in found] == [1, 2]


def test_results_stand_in_the_order_of_the_items_as_soon_as_they_can() -> None:
    assert list(in_order(backwards, str, [3, 1, 2])) == ["3", "1", "2"]
    assert list(in_order(in_this_process, str, iter(range(5)))) == list("01234")
    assert list(in_order(backwards, str, [])) == []
    done: list[int] = []
    next(in_order(in_this_process, done.append, [3, 1, 2]))
    assert done == [3]


@pytest.fixture(scope="module")
def two() -> Iterator[workers.Cluster]:
    with workforce(2) as run_all:
        assert isinstance(run_all, workers.Cluster)
        yield run_all


def _steady(tally: Tally) -> tuple[object, ...]:
    return tally.digest, [(one.bot, one.wins, one.margin, one.points, one.decisions) for one in tally.figures()]


def test_games_are_the_same_on_one_core_on_two_and_on_a_cluster(two: workers.Cluster, tmp_path: Path) -> None:
    alone = run_tournament(TOURNAMENT, tmp_path / "alone")
    assert alone.games == 12
    assert _steady(run_tournament(TOURNAMENT, tmp_path / "two", two)) == _steady(alone)
    with workforce(scheduler=two.address) as elsewhere:
        assert _steady(run_tournament(TOURNAMENT, tmp_path / "cluster", elsewhere)) == _steady(alone)


def test_a_worker_that_is_killed_costs_no_game(two: workers.Cluster, tmp_path: Path) -> None:
    killed: list[int] = []

    def killing(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        for done in two(work, items):
            if not killed:
                killed.append(next(iter(two.client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)
            yield done

    run_all: RunAll = killing
    tally = run_tournament(TOURNAMENT, tmp_path / "killed", run_all)
    assert killed and _steady(tally) == _steady(run_tournament(TOURNAMENT, tmp_path / "alone"))
    assert len((tmp_path / "killed").read_text().splitlines()) == 12


def test_what_the_work_raises_is_raised_here_and_work_that_ends_its_workers_is_named(two: workers.Cluster) -> None:
    assert dict(two(factorial, range(40))) == {number: factorial(number) for number in range(40)}
    with pytest.raises(ValueError, match="not defined for negative"):
        list(two(factorial, [-1]))
    with pytest.raises(MissingDependencyError, match="every worker that was given 1 was gone"):
        list(two(os._exit, [1]))
    assert dict(two(factorial, [3])) == {3: 6}


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("tcp://127.0.0.1:1", 3, "no scheduler answers at tcp://127.0.0.1:1"),
        ("nonsense://here", 2, "write tcp://HOST:PORT"),
        ("tcp://127.0.0.1:port", 2, "write tcp://HOST:PORT"),
    ],
)
def test_an_address_where_nobody_answers_is_named(
    address: str,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(workers, "CONNECT_WITHIN_S", 0.3)
    words = ["strength", str(tmp_path / "table.csv"), "--games", "2", "--work", str(tmp_path)]
    assert main([*words, "--scheduler", address]) == status
    assert said in capsys.readouterr().err
    assert main([*words, "--scheduler", address, "--workers", "2"]) == 2
    assert "give one of them" in capsys.readouterr().err


def test_without_dask_one_core_works_and_more_are_told_how(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with workforce() as run_all:
        assert list(run_all(factorial, [3])) == [(3, 6)]
    assert main(["strength", str(tmp_path / "table.csv"), "--games", "2", "--workers", "2"]) == 3
    assert "pip install -e '.[lab]'" in capsys.readouterr().err
    with pytest.raises(UsageError), workforce(2, "tcp://127.0.0.1:1"):
        pass
