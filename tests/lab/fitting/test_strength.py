"""The table of strength: matches played, rows kept, a run that goes on, and code that changed played anew."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.lab.arena.workers import in_this_process
from companion.lab.fitting import strength
from companion.lab.fitting.strength import HEAD, MATCHES, Match, code_version, measure

ONE = Match(2, ("tests.lab.arena.bots:Plain", "random"))
OTHER = Match(3, ("random", "tests.lab.arena.bots:Plain"))


def _measure(folder: Path, *matches: Match, games: int = 4, date: str = "2026-01-02") -> list[dict[str, str]]:
    table = folder / "strength.csv"
    said: list[str] = []
    measure(
        table, matches, games=games, seed=3, run_all=in_this_process, work=folder / "work", date=date, say=said.append
    )
    assert said
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_match_has_a_row_that_says_what_was_played(tmp_path: Path) -> None:
    rows = _measure(tmp_path, ONE, OTHER)
    assert [tuple(row) for row in rows] == [HEAD, HEAD]
    assert [row["games"] for row in rows] == ["4", "6"]
    assert [row["setups"] for row in rows] == ["2", "2"]
    first = rows[0]
    assert (first["date"], first["bot"], first["opponents"]) == ("2026-01-02", ONE.bots[0], "random")
    assert (first["commit"], first["seed"], first["fair"]) == (code_version(), "3", "0.5000")
    assert float(first["won_low"]) <= float(first["won"]) <= float(first["won_high"])
    assert float(first["margin_low"]) <= float(first["margin"]) <= float(first["margin_high"])


def test_rows_of_other_matches_stay_and_games_are_not_played_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _measure(tmp_path, ONE, OTHER)
    (kept,) = (tmp_path / "work").glob("2-*.jsonl")
    lines = kept.read_text().splitlines()
    after = _measure(tmp_path, ONE, games=6, date="2026-01-03")
    assert after[1] == before[1]
    assert (after[0]["games"], after[0]["date"]) == ("6", "2026-01-03")
    assert kept.read_text().splitlines()[: len(lines)] == lines
    monkeypatch.setattr(strength, "code_version", lambda: "changed")
    assert _measure(tmp_path, ONE)[0]["commit"] == "changed"
    assert len(list((tmp_path / "work").glob("2-*.jsonl"))) == 2


def test_changed_code_has_another_version(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *own, *words], cwd=tmp_path, check=True, capture_output=True)

    assert code_version(tmp_path) == "unknown"
    git("init", "-q")
    (tmp_path / "companion").mkdir()
    code = tmp_path / "companion" / "code.py"
    code.write_text("a = 1\n")
    git("add", "-A")
    git("commit", "-qm", "one")
    clean = code_version(tmp_path)
    code.write_text("a = 2\n")
    changed = code_version(tmp_path)
    code.write_text("a = 3\n")
    assert len({clean, changed, code_version(tmp_path)}) == 3
    assert changed.startswith(f"{clean}+")


def test_the_matches_are_those_that_strength_is_measured_by() -> None:
    assert {(match.players, match.bots) for match in MATCHES} >= {
        (2, ("best", "greedy")),
        (3, ("best", "greedy")),
        (4, ("best", "greedy")),
        (4, ("best", "one-ply")),
    }
    assert len({match.name for match in MATCHES}) == len(MATCHES)
    assert Match.of("4-best-greedy") in MATCHES
    assert Match.of("3 best:playouts=5 greedy") == Match(3, ("best:playouts=5", "greedy"))
    with pytest.raises(UsageError, match="4-best-greedy"):
        Match.of("best greedy")
    assert all(set(match.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-._") for match in MATCHES)
