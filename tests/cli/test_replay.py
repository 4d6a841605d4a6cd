"""`companion replay`: records played back, and other commands at the end of one."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.notation.files import parse_position
from companion.notation.records.lines import format_record
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
from tests.notation.recorded_games import random_record, stuck_game

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/records.md"


@pytest.fixture
def unfinished(tmp_path: Path, monkeypatch: Patch) -> Path:
    """The record of the documentation: three rounds, then blue is to bid."""
    monkeypatch.setenv("COLUMNS", "80")
    found = re.search(r"^```record\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    path = tmp_path / "game.txt"
    path.write_text(found[1], encoding="utf-8")
    return path


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    path = tmp_path / "whole.txt"
    path.write_text(format_record(random_record(3, 2)[0]), encoding="utf-8")
    return path


def test_table_of_an_unfinished_game(unfinished: Path, capsys: Capsys) -> None:
    out, err = ran(capsys, ["replay", str(unfinished)])
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "2026-02-14, Київ"
    assert re.search(r"^ +9 +blue +a2 > b2b > c2y > d2b; 2 builders: 4 GC; pass +42 +46$", out, re.MULTILINE)
    assert "# 좋은 수!" in out
    assert "민수 (pink) leads with 49 points, 9 ahead; the game isn't over." in out
    assert "*" not in out
    assert "The game isn't over: blue is to bid." in err


def test_finished_game_ends_with_its_result(finished: Path, capsys: Capsys) -> None:
    out, err = ran(capsys, ["replay", str(finished), "--json"])
    document = json.loads(out)
    assert err == ""
    assert document["over"] is True
    totals = {colour: one["total"] for colour, one in document["players"].items()}
    assert document["lines"][-1]["text"] == "result: " + ", ".join(f"{c} {total}" for c, total in totals.items())
    assert document["lines"][-1]["points"] == totals
    assert document["finished"] is True
    assert document["winners"] == [colour for colour, total in totals.items() if total == max(totals.values())]


def test_12_2_cards_that_nobody_else_has_seen_leave_the_winner_open(tmp_path: Path, capsys: Capsys) -> None:
    path = written(tmp_path / "unseen.txt", stuck_game(unseen=5) + "blue: no move\n")
    unseen = "blue: 5 cards that nobody else has seen, counted as 0"
    for command in ("replay", "score"):
        out, err = ran(capsys, [command, path, "--json"])
        document = json.loads(out)
        assert (document["finished"], document["assumed"]) == (True, [unseen])
        assert err == f"{unseen}\n"
        assert main([command, path]) == 0
        assert "blue and pink are level with 50 points each, going by what's known" in capsys.readouterr().out
    for command in ("hint", "bid"):
        assert "going by what's known" in ran(capsys, [command, path]).out


def test_replay_stops_where_it_is_told_and_writes_the_position(
    unfinished: Path, tmp_path: Path, capsys: Capsys
) -> None:
    for name in ("there.toml", "there.json"):
        output = tmp_path / name
        assert main(["replay", str(unfinished), "--to", "9", "-o", str(output)]) == 0
        position = parse_position(output.read_text(encoding="utf-8"))
        assert position.to_move == "pink"
        assert position.player(position.to_move).gold == 46
        assert main(["replay", str(unfinished), "-o", str(output)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["replay", str(unfinished), "-o", str(tmp_path / "there.txt")]) == 2
    # What stands after the line is not looked at.
    unfinished.write_text(unfinished.read_text(encoding="utf-8") + "nonsense", encoding="utf-8")
    assert main(["replay", str(unfinished), "--to", "28"]) == 0
    assert main(["replay", str(unfinished), "--to", "29"]) == 4


def test_wrong_lines_end_with_one_message(unfinished: Path, capsys: Capsys) -> None:
    text = unfinished.read_text(encoding="utf-8")
    for old, new, status, message in (
        ("c2y > d2b", "a2y > b2b", 5, "line 9: "),
        ("record 1", "record 7", 4, "line 1"),
        ("2 builders: 4 GC; pass", "2 bulders: 4 GC; pass", 4, "line 9"),
        ("FT1-BEDK", "FT2-BEDK", 4, "setup: "),
    ):
        assert text.count(old) == 1
        unfinished.write_text(text.replace(old, new), encoding="utf-8")
        for command in ("replay", "show", "check"):
            out, err = ran(capsys, [command, str(unfinished)], status)
            assert out == "" and err.startswith("companion: ") and message in err
            assert ("legal here: " in err) is (status == 5)


def test_a_record_comes_from_standard_input(unfinished: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    stream = io.TextIOWrapper(io.BytesIO(unfinished.read_bytes()), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stream)
    assert printed_json(capsys, ["replay", "-"])["players"]["pink"]["total"] == 49
