"""Tournaments: seats that are fair, figures by hand, and files that a run goes on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InUseError, UsageError
from companion.lab.arena.referee import PlayedGame
from companion.lab.arena.results import run_tournament
from companion.lab.arena.tally import Tally
from companion.lab.arena.tournament import ArenaGame, Fixture, Tournament, line_up, play_fixture
from companion.lab.arena.workers import Item, Result, RunAll, in_this_process
from companion.rules.model.components import Colour

RANDOM_3 = Tournament(("random", "tests.lab.arena.bots:Plain", "random"), seeds=3, seed=11)


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
    path = tmp_path / "games.jsonl"
    whole = run_tournament(RANDOM_3, tmp_path / "whole.jsonl")
    first: list[Fixture] = []
    with pytest.raises(Stopped):
        run_tournament(RANDOM_3, path, _stopping(4, first))
    kept = path.read_bytes()
    path.write_bytes(kept + b'{"fixture":1,"rota')
    then: list[Fixture] = []
    tally = run_tournament(RANDOM_3, path, _stopping(99, then))
    assert sorted(first + then) == sorted(RANDOM_3.fixtures())
    assert (tally.games, tally.digest) == (9, whole.digest)
    assert path.read_bytes().startswith(kept) and len(path.read_bytes().splitlines()) == 9
    assert run_tournament(RANDOM_3, path, _stopping(0, [])).figures() == tally.figures()


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def run_all(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
        with pytest.raises(InUseError):
            run_tournament(RANDOM_3, path)
        return in_this_process(work, items)

    assert run_tournament(RANDOM_3, path, run_all).games == 9
