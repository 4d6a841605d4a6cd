"""Tournaments on processes of their own: the same figures, and no game lost with a worker or a scheduler."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.arena import cluster as clusters
from companion.arena.cluster import Cluster, ClusterError, cluster_at
from companion.arena.referee import derived_seed
from companion.arena.schedule import Tournament
from companion.arena.tally import Tally
from companion.arena.tournament import run_tournament
from companion.cli.main import main
from tests.arena.disturbed import disturbed, frail_cluster, killing

PLAIN = "tests.arena.bots:Plain"
TOURNAMENT = Tournament(("random", PLAIN, "random"), seeds=8, seed=4)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Cluster]:
    with frail_cluster(2) as cluster:
        yield cluster


def _steady(tally: Tally) -> tuple[object, ...]:
    return tally.digest, [(one.bot, one.wins, one.margin, one.points, one.decisions) for one in tally.figures()]


def test_two_processes_give_the_same_figures_as_one(two_workers: Cluster) -> None:
    alone = run_tournament(TOURNAMENT)
    assert alone.games == 24
    assert _steady(run_tournament(TOURNAMENT, two_workers.run)) == _steady(alone)


def test_a_worker_that_is_killed_costs_no_game(two_workers: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    killed: list[int] = []
    tally = run_tournament(TOURNAMENT, killing(two_workers, 3, killed), output=path)
    assert _steady(tally) == _steady(run_tournament(TOURNAMENT))
    assert len(path.read_text().splitlines()) == 25
    assert len(killed) == 1


def test_other_work_is_handed_out_as_well(two_workers: Cluster) -> None:
    found = dict(two_workers.run(derived_seed, range(40)))
    assert found == {number: derived_seed(number) for number in range(40)}
    # What comes of nothing is not lost.
    assert sorted(two_workers.run(_nothing, "abc")) == [("a", None), ("b", None), ("c", None)]


def test_a_fault_of_the_work_is_no_lost_worker(two_workers: Cluster) -> None:
    with pytest.raises(PermissionError, match="not for you"):
        list(two_workers.run(_refused, ["a"]))


def _refused(_: str) -> None:
    raise PermissionError("not for you")


def _nothing(_: str) -> None:
    return None


def test_a_greeting_that_does_not_come_alone_is_asked_for_again(
    two_workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    connect, tried = distributed.Client._ensure_connected, []

    async def at_second_try(client: distributed.Client, timeout: float | None = None) -> None:
        # As `assert len(msg) == 1` does there, when the scheduler has sent something else along with its greeting.
        tried.append(client)
        assert len(tried) > 1
        await connect(client, timeout=timeout)

    monkeypatch.setattr(distributed.Client, "_ensure_connected", at_second_try)
    with cluster_at(two_workers.address) as cluster:
        assert dict(cluster.run(derived_seed, range(3))) == {number: derived_seed(number) for number in range(3)}
        assert len(tried) > 1
        # One that is left open closes itself once it is collected as garbage, and if that is while another begins, it
        # waits for ever for a lock that its own thread holds.
        assert [client.status for client in tried] == ["closed", *["running"] * (len(tried) - 1)]


def test_a_bot_s_fault_on_a_worker_is_told_as_here(two_workers: Cluster) -> None:
    from companion.arena.bot import BotFaultError

    tournament = Tournament(("random", "tests.arena.bots:Illegal"), 4, 1)
    with pytest.raises(BotFaultError, match="square 31 is not on the board"):
        run_tournament(tournament, two_workers.run)
    assert run_tournament(TOURNAMENT, two_workers.run).games == 24


def test_a_game_that_kills_every_worker_is_named(two_workers: Cluster) -> None:
    with pytest.raises(ClusterError, match="every worker that was given game 0, order [01] was gone"):
        run_tournament(Tournament(("random", "tests.arena.bots:Deadly"), 1, 1), two_workers.run)


def _scheduler(port: int) -> subprocess.Popen[bytes]:
    return _dask("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")


def _worker(address: str) -> subprocess.Popen[bytes]:
    return _dask("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")


def _dask(*words: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", "dask", *words], stdout=quiet, stderr=quiet)


@contextmanager
def _taken_port() -> Iterator[int]:
    """A port that nobody listens at, and that nobody else is given meanwhile."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield int(one.getsockname()[1])


def _free_port() -> int:
    """A port for a scheduler, lower than those that the system gives to whoever asks for any: to its own workers."""
    for port in Random().sample(range(20_000, 30_000), 100):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def test_a_scheduler_that_is_started_again_costs_no_game_and_one_that_stays_away_is_given_up() -> None:
    port = _free_port()
    address = f"tcp://127.0.0.1:{port}"
    running = [_scheduler(port), _worker(address)]

    def restart() -> None:
        running[0].kill()
        running[0].wait()
        running.extend([_scheduler(port), _worker(address)])

    try:
        with cluster_at(address) as cluster:
            tally = run_tournament(TOURNAMENT, disturbed(cluster.run, 4, restart))
            assert _steady(tally) == _steady(run_tournament(TOURNAMENT))
            cluster.patience_s = 0.5
            running[3].kill()
            running[3].wait()
            with pytest.raises(ClusterError, match=f"{address} has no workers; start some: dask worker {address}"):
                run_tournament(TOURNAMENT, cluster.run)
            running[2].kill()
            running[2].wait()
            with pytest.raises(ClusterError, match=f"no scheduler answers at {address}"):
                run_tournament(TOURNAMENT, cluster.run)
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_a_worker_is_no_scheduler(two_workers: Cluster) -> None:
    worker = next(iter(two_workers._client.nthreads()))
    with pytest.raises(ClusterError, match=f"{worker} is a worker's address"), cluster_at(worker):
        pass


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("tcp://127.0.0.1:{port}", 3, "no scheduler answers at tcp://127.0.0.1"),
        ("nonsense://here", 2, "write tcp://HOST:PORT"),
        ("tcp://127.0.0.1:port", 2, "write tcp://HOST:PORT"),
    ],
)
def test_an_address_where_nobody_answers_is_told(
    address: str, status: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clusters, "CONNECT_WITHIN_S", 0.3)
    with _taken_port() as port:
        assert main(["arena", "random", "--games", "2", "--scheduler", address.format(port=port)]) == status
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert said in err


def test_without_the_extra_the_way_to_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["arena", "random", "--games", "2", "--workers", "2"]) == 3
    assert "pip install 'five-tribes-companion[arena]'" in capsys.readouterr().err


def test_the_command_plays_on_a_scheduler(two_workers: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "random", PLAIN, "--games", "8", "--seed", "2", "--json"]
    on_two = _untimed(capsys, [*words, "--scheduler", two_workers.address])
    assert on_two["games"] == 8
    assert on_two == _untimed(capsys, words)


def _untimed(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    """What `companion WORDS --json` prints, but for the time that it took."""
    assert main(words) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    for bot in document["bots"]:
        assert bot.pop("seconds_per_decision") > 0
    return document
