"""Tournaments: seats that are fair, figures by hand, and files that a run goes on with."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.arena.referee import PlayedGame
from companion.arena.results import run_tournament
from companion.arena.tally import Tally
from companion.arena.tournament import ArenaGame, Fixture, Tournament, line_up, play_fixture
from companion.arena.workers import Item, Result, RunAll, in_this_process
from companion.errors import InUseError, OutputExistsError, UnusableInputError, UsageError
from companion.rules.model.components import Colour

RANDOM_3 = Tournament(("random", "tests.arena.bots:Plain", "random"), seeds=3, seed=11)


def test_the_first_bot_meets_the_others() -> None:
    for names, players, wanted in (
        ("a", 2, "aa"),
        ("ab", 2, "ab"),
        ("ab", 4, "abbb"),
        ("abc", 4, "abcb"),
        ("aa", 4, "aaaa"),
    ):
        assert line_up(list(names), players) == tuple(wanted)
    for names, players in (("", 2), ("aaa", 2), ("a", 1), ("a", 5)):
        with pytest.raises(UsageError):
            line_up(list(names), players)


def test_every_bot_sits_in_every_seat_equally_often() -> None:
    for names in ("abbb", "abcd", "aabb", "abab", "ab", "aaa", "abc"):
        rotations = Tournament(tuple(names), 1, 1).rotations
        assert len(set(rotations)) == len(rotations)
        for seat in range(len(names)):
            shares = Counter(rotation[seat] for rotation in rotations)
            assert {bot: count / len(rotations) for bot, count in shares.items()} == {
                bot: names.count(bot) / len(names) for bot in names
            }


def test_rotations_of_a_set_up_differ_in_nothing_but_the_seats() -> None:
    games = [play_fixture(RANDOM_3, Fixture(1, rotation)) for rotation in range(3)]
    assert len({game.setup for game in games}) == 1
    assert [game.bots for game in games] == list(RANDOM_3.rotations)
    assert play_fixture(RANDOM_3, Fixture(2, 0)).setup != games[0].setup
    assert play_fixture(replace(RANDOM_3, seed=12), Fixture(1, 0)).setup != games[0].setup


def _game(number: int, rotation: int, points: tuple[int, ...], bots: tuple[str, ...]) -> ArenaGame:
    first = [one == max(points) for one in points]
    shares = tuple(1 / sum(first) if won else 0.0 for won in first)
    seconds = tuple(0.5 * (seat + 1) for seat in range(len(points)))
    colours = tuple(Colour)[: len(points)]
    played = PlayedGame(colours, points, shares, (10,) * len(points), seconds, 30, None)
    return ArenaGame(Fixture(number, rotation), 7, bots, played)


def test_figures_by_hand() -> None:
    tournament = Tournament(("a", "b", "b"), seeds=2, seed=1)
    tally = Tally(tournament)
    for game in (
        _game(0, 0, (100, 80, 90), ("a", "b", "b")),
        _game(0, 1, (70, 70, 60), ("b", "a", "b")),
        _game(0, 2, (50, 60, 70), ("b", "b", "a")),
        _game(1, 0, (50, 90, 90), ("a", "b", "b")),
    ):
        tally.note(game)
        tally.note(game)
    a, b = tally.figures()
    assert (tally.games, tally.seeds) == (4, 2)
    assert (a.bot, a.seats, b.bot, b.seats) == ("a", 1, "b", 2)
    assert a.wins.mean == pytest.approx((1 + 0.5 + 1 + 0) / 4)
    assert b.wins.mean == pytest.approx((0 + 0.5 + 0 + 1) / 4)
    assert a.margin.mean == pytest.approx((10 + 0 + 10 - 40) / 4)
    # Seat by seat: -20 -10 | 0 -10 | -20 -10 | 0 0.
    assert b.margin.mean == pytest.approx(-70 / 8)
    assert a.points.mean == pytest.approx((100 + 70 + 70 + 50) / 4)
    assert a.fair == pytest.approx(1 / 3)
    assert (a.decisions, b.decisions) == (40, 80)
    assert a.seconds == pytest.approx(0.5 + 1 + 1.5 + 0.5)
    assert a.seconds_per_decision == pytest.approx(3.5 / 40)
    assert a.wins.low is not None


def test_the_order_in_which_games_come_in_changes_nothing() -> None:
    games = [play_fixture(RANDOM_3, fixture) for fixture in RANDOM_3.fixtures()]
    forwards, backwards = Tally(RANDOM_3), Tally(RANDOM_3)
    for game in games:
        forwards.note(game)
    for game in reversed(games):
        backwards.note(game)
    for one, other in zip(forwards.figures(), backwards.figures(), strict=True):
        assert replace(one, seconds=0.0) == replace(other, seconds=0.0)
    assert forwards.digest == backwards.digest != Tally(RANDOM_3).digest


class Stopped(Exception):
    """A run that ends in the middle."""


def _stopping(after: int, played: list[Any]) -> RunAll:
    def run_all(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        for item in items:
            if len(played) == after:
                raise Stopped
            played.append(item)
            yield item, work(item)

    return run_all


def test_a_run_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    torn, path = b'{"game":1,"rota', tmp_path / "games.jsonl"
    whole = run_tournament(RANDOM_3, output=tmp_path / "whole.jsonl")
    first: list[Fixture] = []
    with pytest.raises(Stopped):
        run_tournament(RANDOM_3, _stopping(4, first), output=path)
    path.write_bytes(path.read_bytes() + torn)
    then: list[Fixture] = []
    tally = run_tournament(RANDOM_3, _stopping(99, then), output=path, resume=True)
    assert sorted(first + then) == sorted(RANDOM_3.fixtures())
    assert (tally.games, tally.digest) == (9, whole.digest)
    assert [_steady(line) for line in path.read_text().splitlines()] == [
        _steady(line) for line in (tmp_path / "whole.jsonl").read_text().splitlines()
    ]


def _steady(line: str) -> dict[str, object]:
    """A line without the times, which are another machine's."""
    return {name: value for name, value in json.loads(line).items() if name != "seconds"}


def test_another_tournament_s_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run_tournament(replace(RANDOM_3, seeds=1), output=path)
    before = path.read_bytes()
    for other, what in (
        (replace(RANDOM_3, seed=12), "seed"),
        (replace(RANDOM_3, line_up=("random",) * 3), "line_up"),
        (replace(RANDOM_3, promo=True), "promo"),
    ):
        with pytest.raises(UnusableInputError, match=f"another tournament: its {what} is"):
            run_tournament(other, output=path, resume=True)
        assert path.read_bytes() == before


def test_what_is_no_file_of_results_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for spoilt in (b"no json\n", b"{}\n", b"[1, 2]\n", b"\xff\xfe\n", b"my notes"):
        path.write_bytes(spoilt)
        with pytest.raises(UnusableInputError, match=r"games\.jsonl"):
            run_tournament(RANDOM_3, output=path, resume=True)
        assert path.read_bytes() == spoilt
    path.unlink()
    run_tournament(replace(RANDOM_3, seeds=1), output=path)
    lines = path.read_bytes().splitlines(keepends=True)
    for part, otherwise in (
        (b"{.*", b"{}"),
        (rb'"points":\[.*?\]', b'"points":[1,100000000000000000000,3]'),
        (rb'"shares":\[.*?\]', b'"shares":[1]'),
        (rb'"bots":\[.*?\]', b'"bots":["random","nobody","random"]'),
    ):
        path.write_bytes(b"".join([*lines[:2], re.sub(part, otherwise, lines[2]), *lines[3:]]))
        with pytest.raises(UnusableInputError, match=r"line 3 isn't a line of results"):
            run_tournament(RANDOM_3, output=path, resume=True)


def test_a_file_that_is_there_is_not_written_over_unasked(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"mine")
    with pytest.raises(OutputExistsError, match="--resume continues"):
        run_tournament(RANDOM_3, output=path)
    assert path.read_bytes() == b"mine"
    assert run_tournament(replace(RANDOM_3, seeds=1), output=path, force=True).games == 3


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def run_all(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        with pytest.raises(InUseError):
            run_tournament(RANDOM_3, output=path, resume=True)
        return in_this_process(work, items)

    assert run_tournament(RANDOM_3, run_all, output=path).games == 9
    assert len(path.read_text().splitlines()) == 10


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_run_that_is_stopped_at_any_moment_is_taken_up_again(how: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = ["arena", "tests.arena.bots:Plain", "random", "--games", "36", "--seed", "5", "--json", "-o", str(path)]
    program = [sys.executable, "-m", "companion", *words]
    # Where the tests themselves are to ignore Ctrl-C, what they start would too.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    running = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    while not path.exists() or len(path.read_bytes().splitlines()) < 12:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(how)
    _, said = running.communicate()
    if how is signal.SIGINT:
        assert running.returncode == 130
        assert re.search(rf"^\d+ games are kept in {path}; --resume continues", said, re.MULTILINE)
        assert "Traceback" not in said
    kept = path.read_bytes()
    assert len(kept.splitlines()) < 37
    done = subprocess.run([*program, "--resume"], capture_output=True, text=True, check=True)
    whole = run_tournament(Tournament(("tests.arena.bots:Plain", "random"), 18, 5))
    assert json.loads(done.stdout)["digest"] == whole.digest
    assert path.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert len(path.read_bytes().splitlines()) == 37
