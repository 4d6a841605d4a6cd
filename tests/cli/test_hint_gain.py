"""`companion hint --gain`: the JSON, words at 80 columns, what is assumed said on standard error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.rules.engine.scoring import player_points
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
from tests.cli.test_moves import ROWS
from tests.opening.readings import photo_reading_as

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
GAME = (
    'format = 1\nboard = """\n'
    + "\n".join(ROWS)
    + '''
"""
row = ["fakir", "ivory", "fish", "fish", "silk"]
djinns = ["Utug", "Al-Amin", "Nekir"]
to_move = "pink"
phase = "turn"
[players.pink]
gold = 41
viziers = 2
elders = 3
fakirs = 1
goods = { ivory = 1, fish = 2 }
djinns = ["Jafaar"]
[players.black]
gold = 38
'''
)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: Patch) -> Callable[..., str]:
    monkeypatch.setenv("COLUMNS", "80")

    def write(text: str = GAME) -> str:
        return written(tmp_path / "game.toml", text)

    return write


def test_json_is_the_contract(game: Callable[..., str], capsys: Capsys) -> None:
    printed = ran(capsys, ["hint", "--gain", game(), "--json", "--top", "20", "--assumed"])
    document = json.loads(printed.out)
    assert set(document) == {"to_move", "moves", "assumed"}
    assert any(text.startswith("9 viziers aren't accounted for: ") for text in document["assumed"])
    assert all(text in printed.err for text in document["assumed"])
    assert document["to_move"] == "pink" and len(document["moves"]) >= 18
    for turn in document["moves"]:
        assert set(turn) == {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "why", "line"}
    values = [turn["value"] for turn in document["moves"]]
    assert values == sorted(values, reverse=True)
    first = document["moves"][0]
    assert "> e1b: claim e1; 3 builders: 9 GC; take Utug for elder and fakir; use Utug" in first["line"]
    assert (first["gain"], first["claims"], first["path"][-1]) == (28, ["e1", "b5"], "e1")
    assert first["why"].endswith("= +28")
    printed = ran(capsys, ["hint", "--gain", game(), "--player", "Black", "--json", "--assumed"])
    assert json.loads(printed.out)["to_move"] == "black" and "pink to move" in printed.err


def test_a_person_reads_it_at_80_columns_with_like_starts_merged(game: Callable[..., str], capsys: Capsys) -> None:
    lines = ran(capsys, ["hint", "--gain", game(), "--top", "1"]).out.splitlines()
    assert lines[0] == "Best turns for pink by the points they bring at once"
    assert re.fullmatch(r" 1\. \w\d > .* > e1b: take 3 builders, .*", lines[2])
    assert any(line.startswith("     now +28: claims e1 (+6)") for line in lines)
    assert re.fullmatch(r" {5}the same from \w\d, \w\d", lines[-1])
    crowded = GAME.replace("S12:yyw", "S12:yywggrrb").replace("O8:bg", "O8:b")
    lines = ran(capsys, ["hint", "--gain", game(crowded), "--top", "3"]).out.splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) > 12


def test_a_bare_board_is_enough(game: Callable[..., str], capsys: Capsys) -> None:
    assert main(["hint", "--gain", game("\n".join(ROWS)), "--json"]) == 0
    assert "things not known were assumed or drawn by lot: --assumed lists" in capsys.readouterr().err
    printed = ran(capsys, ["hint", "--gain", game("\n".join(ROWS)), "--json", "--assumed"])
    assert json.loads(printed.out)["to_move"] == "black"
    for sentence in ("--player COLOUR", "black is assumed", "row isn't known"):
        assert sentence in printed.err


def test_what_a_hint_rests_on_stands_in_its_own_line(game: Callable[..., str], capsys: Capsys) -> None:
    unsure = GAME.replace("viziers = 2", "viziers = 1").replace("black", "orange").replace("@K", "@O")
    path = game(unsure.replace('djinns = ["Jafaar"]', 'djinns = ["Sloar", "Utug"]').replace('["Utug", ', "["))
    printed = ran(capsys, ["hint", "--gain", path, "--top", "30"]).out
    assert "uncertain (~)" in " ".join(printed.split())
    assert re.search(r"^ {5}\+10 if orange has fewer than 3 viziers but at least 1 \(\d+% likely\)$", printed, re.M)
    assert re.search(r"^ {5}now ~\+\d+: ", printed, re.M)
    assert main(["hint", "--gain", game(GAME.replace("gold = 41\n", "")), "--top", "40"]) == 0
    assert re.search(r"only if pink\s+has\s+[36]\s+GC", capsys.readouterr().out)


def test_a_hint_that_rests_on_doubtful_tiles_says_so(tmp_path: Path, capsys: Capsys, monkeypatch: Patch) -> None:
    for doubtful, sentence in ((("e1",), "rests on e1 (40% sure)"), (("a1",), None), ((), None)):
        squares = tuple(map(SQUARE_NAMES.index, doubtful))
        photo = photo_reading_as(parse_position(GAME), monkeypatch, tmp_path / "table.png", doubtful=squares)
        assert main(["hint", "--gain", photo, "--top", "1"]) == 0
        lines = [line.strip() for line in capsys.readouterr().out.splitlines() if "rests on" in line]
        assert lines == ([sentence] if sentence else [])
        assert main(["hint", "--gain", photo, "--top", "3", "--json"]) == 0
        assumed = [text for text in json.loads(capsys.readouterr().out)["assumed"] if "rest on" in text]
        assert assumed == (["turns rest on e1 (40% sure)."] if sentence else [])


def test_a_hint_goes_on_from_what_was_paid_for_in_the_turn_11_9(tmp_path: Path, capsys: Capsys) -> None:
    mid = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    mover = mid.player(mid.to_move or Colour.BLUE)
    start = encode(mid.with_player(replace(mover, elders=4, djinns=("Echidna",))))
    record = tmp_path / "game.txt"
    record.write_text(
        f"Five Tribes record 1\nsetup: {start}\n\n{mover.colour}: use Echidna for 2 elders ...\n", "utf-8"
    )
    text = record.read_text(encoding="utf-8")
    before = player_points(replay(parse_record(text)).state.position, mover.colour)
    for options in (["--gain"], ["--playouts", "200"]):
        turns = printed_json(capsys, ["hint", str(record), "--top", "60", *options])["moves"]
        actions = [action for turn in turns for action in turn["actions"]]
        assert any("blue-valued tile" in action and action.endswith(" x 2") for action in actions)
        for turn in turns:
            assert "Echidna" not in turn["why"] and "Echidna" not in turn["line"]
            after = replay(parse_record(text + turn["line"] + "\n")).plays[-1].before
            assert player_points(after.position, mover.colour) - before == turn["gain"]
