"""`companion hint` and `companion bid` with the search itself, for few playouts: the contract, and what is assumed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.cli.main import main
from companion.notation.codes import encode
from companion.notation.files import format_toml, parse_position
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.rules.engine.game import apply, step
from companion.rules.engine.resuming import start_game
from companion.rules.engine.scoring import score
from companion.rules.engine.setup import random_setup
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import PlaceBid, Sow
from companion.rules.model.components import Colour
from tests import samples
from tests.cli.ran import Capsys, printed_json, ran, written
from tests.notation.examples import EXAMPLE_ROWS
from tests.notation.recorded_example import THREE_ROUNDS
from tests.rules.tables import parse_sowing
from tests.samples import SAMPLES

MID, START = str(SAMPLES / "mid.toml"), str(SAMPLES / "start.toml")
FEW = ["--playouts", "200"]


def shown(arguments: list[str], capsys: Capsys) -> Any:
    return printed_json(capsys, [*arguments, *FEW])


def test_hints_are_the_contract_and_can_be_played(capsys: Capsys) -> None:
    document = shown(["hint", MID, "--top", "12"], capsys)
    assert set(document) == {"to_move", "moves"}
    turns = document["moves"]
    assert 5 <= len(turns) <= 12
    start = lone_turn(parse_position(Path(MID).read_text(encoding="utf-8")))
    for turn in turns:
        assert {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "why", "line"} <= set(turn)
        steps = [square + drop for square, drop in zip(turn["path"], turn["drops"], strict=True)]
        taken = step(start, Sow(parse_sowing(">".join([turn["from"], *steps])))).state.progress.taken
        assert taken and turn["take"] == {"colour": taken.tribe.letter, "count": taken.count}
        assert turn["why"].startswith(f"now {turn['gain']:+d}")
    values = [turn["value"] for turn in turns]
    assert values == sorted(values, reverse=True) and turns[0]["error"] > 0
    assert shown(["hint", MID, "--top", "12", "--seed", "0"], capsys) == document
    assert shown(["hint", MID, "--player", "orange"], capsys)["to_move"] == "orange"


def test_bids_are_the_contract(capsys: Capsys, tmp_path: Path) -> None:
    path = tmp_path / "bids.toml"
    for players in (2, 3):
        state = apply(start_game(random_setup(players, 5)), PlaceBid(3))
        path.write_text(format_toml(state.position), encoding="utf-8")
        document = shown(["bid", str(path)], capsys)
        bids = document["bids"]
        assert document["player"] == str(state.mover) and document["best"] == bids[0]["price"]
        assert sorted(bid["price"] for bid in bids) == [0, 1, 5, 8, 12, 18]
        for bid in bids:
            assert {"price", "fakirs", "value", "error"} <= set(bid)
            assert 1 <= bid["plays"]["place"] <= (4 if players == 2 else players) and 0 < bid["plays"]["share"] <= 1
    document = shown(["hint", START], capsys)
    turns, bids = document["moves"], document["bids"]
    assert all(turn["line"].startswith(f"{document['to_move']}: ") for turn in turns)
    assert {turn["value"] for turn in turns} <= {bid["value"] for bid in bids}
    assert f"expected to finish {abs(turns[0]['value']):.1f}" in turns[0]["why"]


def test_a_bare_board_is_enough_and_what_is_assumed_is_said(tmp_path: Path, capsys: Capsys) -> None:
    path = written(tmp_path / "board.txt", "\n".join(EXAMPLE_ROWS) + "\n")
    printed = ran(capsys, ["hint", path, *FEW, "--json", "--top", "2", "--assumed"])
    document = json.loads(printed.out)
    assert document["to_move"] == "black" and {turn["idea"] for turn in document["moves"]} == {1, 2}
    assert document["assumed"] == [line for line in printed.err.splitlines() if line in document["assumed"]]
    assert any(line.startswith("The row isn't known") for line in document["assumed"])
    brief = ran(capsys, ["bid", path, *FEW]).err
    assert brief.endswith(" things assumed: --assumed.\n")
    assert brief.startswith("It isn't known whose turn it is: black is assumed.\n") and len(brief.splitlines()) == 3
    assert "The row isn't known" in ran(capsys, ["bid", path, *FEW, "--assumed"]).err
    assert "--player COLOUR" in printed.err


def test_9_2_no_legal_move_leaves_powers_and_sales(tmp_path: Path, capsys: Capsys) -> None:
    # With so little gold somebody may sell goods for the bids.
    text = Path(MID).read_text(encoding="utf-8").replace("gold = 47", "gold = 4")
    path = tmp_path / "bare.toml"
    path.write_text(re.sub(r"(?m)^((?:[A-Z]\d+\S* ?){6})$", lambda row: re.sub(r":[a-z]+", "", row[1]), text), "utf-8")
    turns = shown(["hint", str(path)], capsys)["moves"]
    assert {turn["line"] for turn in turns} == {"blue: no move", "blue: sell papyrus, spice, fish: 7 GC"}
    assert all(turn["from"] is None and turn["path"] == [] and turn["take"] is None for turn in turns)
    assert "rules 9.2" in ran(capsys, ["hint", str(path), *FEW, "--picture", str(tmp_path / "bare.png")]).err


def test_a_game_that_is_over_is_an_answer(tmp_path: Path, capsys: Capsys) -> None:
    over = "The game is over. pink wins with 147 points, 1 ahead.\n"
    printed = ran(capsys, ["hint", str(SAMPLES / "end.toml"), "--json"])
    assert (json.loads(printed.out), printed.err) == ({"to_move": None, "moves": []}, over)
    assert ran(capsys, ["hint", str(SAMPLES / "end.toml")]) == (over, "")


def test_8_1_a_record_that_does_not_tell_the_refill_is_no_turn_of_anybody(tmp_path: Path, capsys: Capsys) -> None:
    lines = THREE_ROUNDS.read_text(encoding="utf-8").splitlines(keepends=True)
    until = next(number for number, line in enumerate(lines) if line.startswith("refill"))
    path = tmp_path / "round.txt"
    path.write_text("".join(lines[:until]), encoding="utf-8")
    for command in ("hint", "bid"):
        assert "'refill: fish, silk, Utug' (rules 8.1)" in ran(capsys, [command, str(path), *FEW], 4).err
    assert shown(["hint", str(path), "--player", "pink"], capsys)["to_move"] == "pink"
    path.write_text("".join(lines[: until + 1]), encoding="utf-8")
    assert shown(["bid", str(path)], capsys)["player"] == "blue"


def test_a_record_that_breaks_off_inside_a_turn_has_no_whole_turn_to_advise(tmp_path: Path, capsys: Capsys) -> None:
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    path = written(tmp_path / "game.txt", text[: text.index("blue: a2")] + "blue: a2 > b2b ...\n")
    assert main(["hint", path, "--json", *FEW]) == 4
    assert "breaks off inside blue's turn, and hints are about whole turns" in capsys.readouterr().err
    # Who asks for a player looks at the board as it is, and is told so.
    printed = ran(capsys, ["hint", path, "--json", *FEW, "--player", "pink"])
    assumed = json.loads(printed.out)["assumed"]
    for sentence in ("what blue has in hand is not on the board", "not about the rest of the current turn"):
        assert sum(sentence in text for text in assumed) == printed.err.count(sentence) == 1


def test_a_hint_goes_on_from_what_was_paid_for_in_the_turn_11_9(tmp_path: Path, capsys: Capsys) -> None:
    mover = samples.MID.player(Colour.BLUE)
    start = encode(samples.MID.with_player(replace(mover, elders=4, djinns=("Echidna",))))
    record = tmp_path / "game.txt"
    record.write_text(
        f"Five Tribes record 1\nsetup: {start}\n\n{mover.colour}: use Echidna for 2 elders ...\n", "utf-8"
    )
    text = record.read_text(encoding="utf-8")
    before = score(replay(parse_record(text)).state.position)[mover.colour].total
    turns = shown(["hint", str(record), "--top", "60"], capsys)["moves"]
    actions = [action for turn in turns for action in turn["actions"]]
    assert any("blue-valued tile" in action and action.endswith(" x 2") for action in actions)
    for turn in turns:
        assert "Echidna" not in turn["why"] and "Echidna" not in turn["line"]
        after = replay(parse_record(text + turn["line"] + "\n")).plays[-1].before
        assert score(after.position)[mover.colour].total - before == turn["gain"]
