"""`companion arena`: whole tournaments by the command, their figures, and every way to ask for one wrongly."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.arena.results import from_line
from companion.cli.main import main
from tests.cli.ran import Capsys, printed_json, ran

PLAIN = "tests.arena.bots:Plain"


def _document(capsys: Capsys, *words: str) -> Any:
    return printed_json(capsys, ["arena", *words])


def test_a_tournament_of_random_bots_is_even(tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "games.jsonl"
    found = _document(capsys, "random", "--games", "30", "--seed", "5", "-o", str(path))
    games = [from_line(line) for line in path.read_text().splitlines()[1:]]
    assert (found["games"], found["setups"], found["orders"], len(games)) == (30, 30, 1, 30)
    (random,) = found["bots"]
    assert random["wins"] == {"mean": 1.0, "low": pytest.approx(0.878, abs=0.01), "high": 1.0}
    assert random["points"]["mean"] == pytest.approx(sum(sum(game.played.points) for game in games) / 60, abs=1e-5)
    assert random["decisions"] == sum(sum(game.played.decisions) for game in games)


def test_greedy_beats_random_and_the_table_says_so(capsys: Capsys) -> None:
    out, err = ran(capsys, ["arena", "greedy", "random", "--players", "3", "--games", "3", "--seed", "3"])
    assert err == ""
    assert re.search(r"^greedy +100\.0% +\? +33% +\+\d+\.\d ", out, re.MULTILINE)
    assert re.search(r"^random x 2 +0\.0% +\? +67% +-\d+\.\d ", out, re.MULTILINE)
    assert "3 games of 3: 1 set-up of seed 3 in 3 orders around the table" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80


def test_games_are_rounded_up_so_that_seats_are_fair(capsys: Capsys) -> None:
    assert main(["arena", "random", PLAIN, "--players", "4", "--games", "5", "--seed", "1"]) == 0
    assert "8 games, so that each set-up is played in all 4 orders around the table" in capsys.readouterr().err


def test_the_same_seed_gives_the_same_games_and_resume_plays_only_what_is_missing(
    tmp_path: Path, capsys: Capsys
) -> None:
    path = str(tmp_path / "games.jsonl")
    words = ["random", PLAIN, "--seed", "9"]
    whole = _document(capsys, *words, "--games", "6")
    _document(capsys, *words, "--games", "4", "-o", path)
    before = Path(path).read_bytes()
    again = _document(capsys, *words, "--games", "6", "-o", path, "--resume")
    assert again["digest"] == whole["digest"]
    assert Path(path).read_bytes().startswith(before)
    assert _document(capsys, "random", PLAIN, "--seed", "8", "--games", "6")["digest"] != whole["digest"]


WRONG: list[tuple[list[str], int, str]] = [
    (["gready"], 2, "there is no bot 'gready'; use random, greedy"),
    (["greedy:depth=3"], 2, "the bot greedy has no option 'depth=3'"),
    (["random"] * 3, 2, "3 bots are named for 2 players"),
    (["random", "--players", "5"], 2, "4 is the most"),
    (["random", "--games", "0"], 2, "1 is the least"),
    (["random", "--resume"], 2, "give it with --output"),
    (["random", "-o", "games.txt"], 2, "the name must end in .jsonl"),
    (["random", "-o", "no/such/folder.jsonl"], 2, "folder no/such does not exist"),
    (["nowhere_at_all:Bot"], 4, "the bot 'nowhere_at_all:Bot' cannot be made"),
    (["tests.arena.bots:Nameless"], 4, "it needs a `name`"),
    (["tests.arena.bots:Failing"], 4, "it failed with RuntimeError: no idea"),
    (["tests.arena.bots:Illegal"], 5, "square 31 is not on the board"),
    ([], 2, "missing argument"),
]


def test_what_cannot_be_played_is_said_in_a_line(subtests: pytest.Subtests, capsys: Capsys) -> None:
    for words, status, sentence in WRONG:
        with subtests.test(msg=" ".join(words)):
            out, err = ran(capsys, ["arena", *words], status)
            assert out == "" and sentence in err and err.startswith("companion: ") and len(err.splitlines()) == 1


def test_a_fault_keeps_the_games_before_it(tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "games.jsonl"
    assert main(["arena", "random", "tests.arena.bots:Sudden", "--games", "40", "-o", str(path)]) == 5
    assert "bot 'sudden'" in capsys.readouterr().err
    assert 1 < len(path.read_text().splitlines()) < 41
