"""`companion hint` and `companion bid` with the search itself, for few playouts: the contract, and what is assumed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.notation.files import format_toml, parse_position
from companion.notation.tokens import parse_sowing
from companion.rules.engine.game import apply
from companion.rules.engine.setup import random_setup, start_game
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase
from tests.cli.test_moves import ROWS
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import stuck_game
from tests.rules.sown import apply_sowing

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples"
MID, START = str(SAMPLES / "mid.toml"), str(SAMPLES / "start.toml")
FEW = ["--playouts", "200"]


def shown(arguments: list[str], capsys: pytest.CaptureFixture[str], status: int = 0) -> dict[str, object]:
    """The JSON that a command prints."""
    assert main([*arguments, *FEW, "--json"]) == status
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def test_hints_are_the_contract_and_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    document = shown(["hint", MID, "--top", "12"], capsys)
    assert set(document) == {"to_move", "moves"}
    moves = document["moves"]
    assert isinstance(moves, list) and 5 <= len(moves) <= 12
    board = parse_position(Path(MID).read_text(encoding="utf-8")).board
    for entry in moves:
        promised = {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "why", "line"}
        assert promised <= set(entry)
        steps = [square + drop for square, drop in zip(entry["path"], entry["drops"], strict=True)]
        sown = apply_sowing(board, parse_sowing(">".join([entry["from"], *steps])))
        assert entry["take"] == {"colour": sown.tribe.letter, "count": sown.count}
        assert entry["why"].startswith(f"now {entry['gain']:+d}")
    values = [entry["value"] for entry in moves]
    assert values == sorted(values, reverse=True)
    assert moves[0]["behind"]["value"] == 0
    assert moves[0]["error"] > 0


def test_the_same_seed_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(["hint", MID, "--seed", "3"], capsys) == shown(["hint", MID, "--seed", "3"], capsys)
    assert shown(["bid", START, "--seed", "3"], capsys) == shown(["bid", START, "--seed", "3"], capsys)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bids_are_the_contract(players: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    state = start_game(random_setup(players, 5))
    state = apply(state, PlaceBid(3))
    path = tmp_path / "bids.toml"
    path.write_text(format_toml(state.position), encoding="utf-8")
    document = shown(["bid", str(path)], capsys)
    assert document["player"] == str(state.mover)
    bids = document["bids"]
    assert isinstance(bids, list)
    assert sorted(one["price"] for one in bids) == [0, 1, 5, 8, 12, 18]
    assert document["best"] == bids[0]["price"]
    for one in bids:
        assert {"price", "fakirs", "value", "error"} <= set(one)
        assert 1 <= one["plays"]["place"] <= (4 if players == 2 else players)
        assert 0 < one["plays"]["share"] <= 1


def test_a_bare_board_is_enough_and_what_is_assumed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.txt"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    assert main(["hint", str(path), *FEW, "--json", "--top", "2"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["to_move"] == "black" and len(document["moves"]) == 2
    assert document["assumed"] == [line for line in captured.err.splitlines() if line in document["assumed"]]
    assert any(line.startswith("The row is not known") for line in document["assumed"])
    assert "--player COLOUR" in captured.err


def test_points_that_hang_on_what_is_not_known_are_not_claimed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(MID).read_text(encoding="utf-8").split("[players")[0]
    path = tmp_path / "unknown.toml"
    path.write_text(text.replace('to_move = "blue"', 'to_move = "black"').split("row =")[0], encoding="utf-8")
    moves = shown(["hint", str(path), "--player", "black"], capsys)["moves"]
    assert isinstance(moves, list) and moves
    for entry in moves:
        assert "now ahead of" not in entry["why"], "nobody's viziers are known"
        assert entry["gain"] < 30


def test_9_2_no_legal_move_leaves_powers_and_sales(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # With so little gold somebody may sell goods for the bids.
    text = Path(MID).read_text(encoding="utf-8").replace("gold = 47", "gold = 4")
    bare = re.sub(r"(?m)^((?:[A-Z]\d+\S* ?){6})$", lambda row: re.sub(r":[a-z]+", "", row[1]), text)
    path = tmp_path / "bare.toml"
    path.write_text(bare, encoding="utf-8")
    document = shown(["hint", str(path)], capsys)
    moves = document["moves"]
    assert isinstance(moves, list)
    assert {entry["line"] for entry in moves} == {"blue: no move", "blue: sell papyrus, spice, fish: 7 GC"}
    assert all(entry["from"] is None and entry["path"] == [] and entry["take"] is None for entry in moves)
    assert main(["hint", str(path), *FEW, "--picture", str(tmp_path / "bare.png")]) == 0


def test_11_a_turn_that_begins_with_a_draw_names_its_power(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = re.sub(
        r"(?m)^((?:[A-Z]\d+\S* ?){6})$", lambda row: re.sub(r":[a-z]+", "", row[1]), Path(MID).read_text("utf-8")
    )
    text = text.replace('djinns = ["Haurvatat"]', 'djinns = ["Haurvatat", "Sloar"]').replace("fakirs = 0", "fakirs = 1")
    path = tmp_path / "bare.toml"
    path.write_text(text, encoding="utf-8")
    moves = shown(["hint", str(path)], capsys)["moves"]
    assert isinstance(moves, list)
    using, *_ = [entry for entry in moves if entry["line"] != "blue: no move"]
    assert using["line"] == "blue: use Sloar for fakir ..."
    assert using["actions"][0] == "uses Sloar for 1 fakir"
    assert "uses Sloar for 1 fakir, takes 1 unknown card" in using["why"]


def test_a_game_that_is_over_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", str(SAMPLES / "end.toml"), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"to_move": None, "moves": []}
    assert captured.err == "The game is over. pink wins with 147 points, 1 ahead.\n"
    assert main(["hint", str(SAMPLES / "end.toml")]) == 0
    assert capsys.readouterr().out == "The game is over. pink wins with 147 points, 1 ahead.\n"


def test_another_player_may_be_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(["hint", MID, "--player", "orange"], capsys)["to_move"] == "orange"
    assert shown(["bid", START, "--player", "pink"], capsys)["player"] == "pink"


def test_hints_while_bids_are_open_name_turns_that_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    document = shown(["hint", START], capsys)
    moves = document["moves"]
    assert isinstance(moves, list) and moves
    assert document["best"] is not None
    assert all(entry["line"].startswith(f"{document['to_move']}: ") for entry in moves)
    bids = document["bids"]
    assert isinstance(bids, list)
    assert {entry["value"] for entry in moves} <= {one["value"] for one in bids}
    assert moves[0]["value"] == bids[0]["value"]
    assert f"expected to end {abs(moves[0]['value']):.1f}" in moves[0]["why"]
    assert "than the first" not in moves[0]["why"]


def test_8_1_a_record_that_does_not_tell_the_refill_is_no_turn_of_anybody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = THREE_ROUNDS.read_text(encoding="utf-8").splitlines(keepends=True)
    until = next(number for number, line in enumerate(lines) if line.startswith("refill"))
    path = tmp_path / "round.txt"
    path.write_text("".join(lines[:until]), encoding="utf-8")
    for command in ("hint", "bid"):
        assert main([command, str(path), *FEW]) == 4
        assert "add it as a line such as 'refill: fish, silk, Utug' (rules 8.1)" in capsys.readouterr().err
    assert shown(["hint", str(path), "--player", "pink"], capsys)["to_move"] == "pink"
    path.write_text("".join(lines[: until + 1]), encoding="utf-8")
    assert shown(["bid", str(path)], capsys)["player"] == "blue"


def test_9_2_a_record_at_a_turn_without_a_legal_move_is_advised_on_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stuck.txt"
    path.write_text(stuck_game(unseen=5, turn_order=(Bid(Colour.PINK, 0),)), encoding="utf-8")
    assert main(["hint", str(path), *FEW, "--json"]) == 0
    captured = capsys.readouterr()
    moves = json.loads(captured.out)["moves"]
    assert moves[0]["line"] == "blue: no move"
    # The five cards that blue alone has seen are drawn, and are worth something (rules 10.7).
    assert moves[0]["error"] > 0 and moves[0]["value"] > 0
    assert "stops before the end" not in captured.err and "whole turns" not in captured.err
    assert "blue has no legal move" in captured.err


@pytest.mark.parametrize(
    ("broken_off", "word"),
    [
        ("blue: a2 > b2b ...", "what blue has in hand is not on the board"),
        ("blue: a2 > b2b > c2y > d2b; 2 builders; pass ...", "powers and sales may still come"),
    ],
)
def test_a_record_that_breaks_off_inside_a_turn_has_no_whole_turn_to_advise(
    broken_off: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    path = tmp_path / "game.txt"
    path.write_text(text[: text.index("blue: a2")] + broken_off + "\n", encoding="utf-8")
    for options in (FEW, ["--gain"]):
        assert main(["hint", str(path), "--json", *options]) == 4
        captured = capsys.readouterr()
        assert captured.out == "" and "breaks off inside blue's turn, and hints are about whole turns" in captured.err
        # Who asks for a player looks at the board as it is, and is told so.
        assert main(["hint", str(path), "--json", *options, "--player", "pink"]) == 0
        captured = capsys.readouterr()
        assumed = json.loads(captured.out)["assumed"]
        for sentence in (word, "not about the rest of this one"):
            assert sum(sentence in one for one in assumed) == captured.err.count(sentence) == 1


@pytest.mark.slow
def test_ctrl_c_ends_a_long_search_with_what_it_has() -> None:
    command = [sys.executable, "-m", "companion", "hint", MID, "--time", "60", "--json"]
    # Started with SIGINT ignored, as shells start what is to run in the background.
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as running:
        deadline = time.monotonic() + 50
        while running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.5)
            os.kill(running.pid, signal.SIGINT)
            if _has_ended(running):
                break
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    if out:
        assert json.loads(out)["moves"]
        assert err.splitlines()[-1] == "Stopped by Ctrl-C: this is the best so far."


def _has_ended(running: subprocess.Popen[str]) -> bool:
    try:
        running.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return False
    return True


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_nobody_bids_once_the_last_camel_stands(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # rules 9.1
    setup = random_setup(2, 7)
    board = tuple(
        replace(tile, meeples=(0,) * 5, camel=Colour.PINK if n < 11 else None) for n, tile in enumerate(setup.board)
    )
    path = tmp_path / "over.toml"
    path.write_text(format_toml(replace(setup, board=board, phase=Phase.BID)), encoding="utf-8")
    assert main(["hint", str(path), *FEW, *options]) == 0
    captured = capsys.readouterr()
    told = " ".join((captured.err if options else captured.out).split())
    assert "The game is over" in told and "bids are still open" not in captured.err
