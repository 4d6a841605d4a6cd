"""`companion review` as a user meets it; the search is another's, so that tables and sums can be foreseen."""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.search import reviewing
from companion.cli.main import main
from companion.cli.views.review_view import print_review
from companion.notation.records.lines import format_record
from tests.advisor.recorded_turns import begun_in_turns
from tests.advisor.scripted_judge import sample_review
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import random_record


@pytest.fixture
def game(tmp_path: Path, judged: list[tuple[int, int]]) -> str:
    return str(shutil.copy(THREE_ROUNDS, tmp_path / "game.txt"))


@pytest.fixture
def whole(tmp_path: Path, judged: list[tuple[int, int]]) -> str:
    return written(tmp_path / "whole.txt", format_record(random_record(4, 2)[0]))


def test_json_has_the_keys_that_were_promised(whole: str, capsys: Capsys) -> None:
    out, err = ran(capsys, ["review", whole, "--json", "--seed", "7"])
    document = json.loads(out)
    assert document["turns"] and document["bids"]
    for turn in document["turns"]:
        assert turn.keys() >= {"line", "player", "played", "best", "loss", "error", "best_turn"}
        assert turn["best"] - turn["played"] == pytest.approx(turn["loss"], abs=0.02)
        assert turn["best_turn"].startswith(f"{turn['player']}: ")
        assert min(turn["loss"], turn["error"]) >= 0
    for colour, player in document["players"].items():
        own = [turn["loss"] for turn in document["turns"] if turn["player"] == colour]
        bids = [bid["loss"] for bid in document["bids"] if bid["player"] == colour]
        assert player["turns"] == len(own)
        assert player["loss"] == pytest.approx(sum(own), abs=0.2)
        assert player["bids_loss"] == pytest.approx(sum(bids), abs=0.2)
        parts = player["start"] + player["luck"] - player["loss"] - player["bids_loss"] + player["rest"]
        assert parts == pytest.approx(player["margin"], abs=0.06)
    assert set(document["curve"][-1]["margins"]) == set(document["players"])
    assert [len(document["decisive"]), document["finished"], document["seed"]] == [3, True, 7]
    assert document["winners"]
    assert "assumed" not in document
    assert err == ""


def test_a_terminal_shows_turns_marks_and_what_decided(game: str, capsys: Capsys) -> None:
    out, err = ran(capsys, ["review", game])
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[:2] == [
        "2026-02-14, Київ",
        "민수 (pink) leads with 49 points, 9 ahead; the game isn't over.",
    ]
    assert re.search(r"-12\.0±\d\.\d \?\?", out) and "better: bid 0" in out
    assert "--to LINE." in " ".join(out.split())
    rows = re.compile(r"^ +\d+ +(?:blue|pink) .*$", re.MULTILINE)
    dear, every = rows.findall(out), rows.findall(ran(capsys, ["review", game, "--all"]).out)
    assert 0 < len(dear) < len(every) and all("±" in row for row in dear)
    counted = re.findall(r"^(?:Марія|민수) \(\w+\) +(\d+) +(\d+) ", out, re.MULTILINE)
    marks = [row.split()[-1] for row in every]
    assert [sum(int(two) for two, _ in counted), sum(int(one) for _, one in counted)] == [
        marks.count("??"),
        marks.count("?"),
    ]
    assert "1. Line " in out and "3. Line " in out and "4. Line " not in out
    assert "Марія (blue)" in out and "민수 (pink)" in out
    assert "The game isn't over" in err


def test_points_that_are_not_known_are_no_number(capsys: Capsys) -> None:
    review = sample_review()
    print_review(replace(review, result=replace(review.result, unknown=("pink: gold not known, counted as 0",))))
    rows = [line for line in capsys.readouterr().out.splitlines() if line.endswith(" ?") and "(" in line]
    assert [line.split()[0] for line in rows] == ["Марія", "Minsu"]


def test_the_budget_and_the_seed_reach_the_search(
    game: str, judged: list[tuple[int, int]], monkeypatch: Patch, capsys: Capsys
) -> None:
    assert main(["review", game, "--playouts", "300", "--seed", "5", "--json"]) == 0
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(game).read_bytes()), encoding="utf-8"))
    assert printed_json(capsys, ["review", "-"])["turns"]
    for options in (["--playouts", "1"], ["--seed", "-1"], ["--lang", "xx"]):
        assert main(["review", game, *options]) == 2
    assert judged == [(300, 5), (reviewing.REVIEW_PLAYOUTS, 0)]


def test_what_cannot_be_reviewed_is_told_in_a_line(game: str, capsys: Capsys) -> None:
    record = Path(game).read_text(encoding="utf-8")
    code = next(line for line in record.splitlines() if line.startswith("setup: "))
    for text, status, sentence in (
        (f"Five Tribes record 1\n{code}\n", 4, "nothing to review"),
        ("blue: a2 > b2b\n", 4, "not a game record"),
        (f"{record}\nblue: a1 > f5y\n", 5, "line 30"),
    ):
        Path(game).write_text(text, encoding="utf-8")
        out, err = ran(capsys, ["review", game], status)
        assert out == "" and sentence in err


def test_turns_before_all_bids_stand_apart_from_round_1(
    tmp_path: Path, judged: list[tuple[int, int]], capsys: Capsys
) -> None:
    path = written(tmp_path / "begun.txt", format_record(begun_in_turns().record))
    found = printed_json(capsys, ["review", path])
    assert [one["round"] for one in found["turns"]] == [0] * 4 + [1] * 4 + [2] * 4
    lines = ran(capsys, ["review", path, "--all"]).out.splitlines()
    first_bid = next(place for place, line in enumerate(lines) if "blue   bid 5" in line)
    assert not lines[first_bid - 1].strip()


def test_names_and_numbers_stay_whole_on_a_narrow_window(game: str, monkeypatch: Patch, capsys: Capsys) -> None:
    text = Path(game).read_text(encoding="utf-8").replace("Марія", "Alexandra Konstantinova")
    Path(game).write_text(text, encoding="utf-8")
    for width in (79, 40, 20):
        monkeypatch.setenv("COLUMNS", str(width))
        out = ran(capsys, ["review", game, "--all"]).out
        lines = out.splitlines()
        for name in ("Alexandra Konstantinova (blue)", "민수 (pink)"):
            assert any(name in line for line in lines)
        assert "…" not in out
        if width < 79:
            assert lines[lines.index("민수 (pink)") + 1].startswith("  start")
            assert "line 9, blue\n" in out and "  better: bid 0" in out
