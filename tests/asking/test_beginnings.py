"""What a command asks that was given nothing: where the board is, how a table was laid, whether a sheet is wanted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.history.database import History
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from tests.cli.ran import Capsys, Patch, ran
from tests.cli.scored import type_in

END = Path(__file__).resolve().parents[2] / "samples" / "end.toml"
BLACK, ORANGE, BLUE, PINK = Colour


@pytest.fixture(autouse=True)
def at_terminal(tmp_path: Path, monkeypatch: Patch) -> None:
    """A person sits there, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    for command in ("play", "score"):
        monkeypatch.setattr(f"companion.cli.commands.{command}.is_at_terminal", lambda: True)


def test_a_score_of_nothing_is_typed_and_its_sheet_printed(monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(
        monkeypatch, "", "Anna, Boris", "41 gold", "", "", "S15 O8", "30 gold", "", "", "", "", "", "s.txt", "s.pdf"
    )
    printed = ran(capsys, ["score"])
    assert "Anna (blue) wins with 64 points" in printed.out and "must end in .pdf" in printed.err
    assert Path("s.pdf").read_bytes().startswith(b"%PDF")


def test_a_score_of_nothing_reads_what_is_named_and_tells_how_to_go_on_with_it(
    monkeypatch: Patch, capsys: Capsys
) -> None:
    type_in(monkeypatch, "nowhere.jpg", f"'{END}'", "Al, Bo, Cy, Di", "", "")
    printed = ran(capsys, ["score"], 4)
    assert "there's no file nowhere.jpg: type where it is, or press Enter" in printed.err
    again = f"companion score {END} --resume"
    assert f"continue with {again}" in printed.err
    type_in(monkeypatch, *[""] * 20)
    assert "Al       Bo     Cy      Di" in ran(capsys, shlex.split(again)[1:]).out


def test_what_a_draft_holds_is_left_out_of_the_command_that_goes_on(monkeypatch: Patch, capsys: Capsys) -> None:
    for options in (["--names", "Al,Bo,Cy,Di"], ["--names=Al,Bo,Cy,Di"]):
        type_in(monkeypatch, "")
        printed = ran(capsys, ["score", str(END), *options, "--ask", "-o", "my end.toml"], 4)
        assert f"continue with companion score {END} -o 'my end.toml' --resume\n" in printed.err


def test_a_sheet_that_is_not_wanted_is_not_written(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "", "pink", *[""] * 6, "none")
    ran(capsys, ["score"])
    type_in(monkeypatch, "", "quit")
    assert main(["score"]) == 0
    type_in(monkeypatch, "quit")
    assert main(["score"]) == 130
    assert list(tmp_path.glob("*.pdf")) == []


def test_a_table_is_shuffled_shown_and_played_on(monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "", "black Anna, pink Bob, Clara", "0", "quit")
    out = ran(capsys, ["play", "game.txt"]).out
    number = re.search(r"3 players, seed (\d+)", out)
    assert number and "Card row" in out and "a           b" in out
    game = replay(parse_record(Path("game.txt").read_text(encoding="utf-8")))
    assert game.record.header.names == {BLACK: "Anna", ORANGE: "Clara", PINK: "Bob"}
    assert game.state.position.board == random_setup(3, int(number[1]), colours=[BLACK, PINK, ORANGE]).board


def test_a_table_is_that_of_a_set_ups_number_or_of_a_file(monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "77", "5", "pink Anna, black Bo", "3", "0", "quit")
    out = ran(capsys, ["play", "number.txt"]).out
    assert "not for 5" in out and "two players are blue and pink" in out and "Card row" not in out
    game = replay(parse_record(Path("number.txt").read_text(encoding="utf-8")))
    assert game.state.position.board == random_setup(3, 77).board
    assert main(["setup", "--seed", "5", "--json"]) == 0
    Path("table.json").write_text(capsys.readouterr().out, encoding="utf-8")
    type_in(monkeypatch, "table.json", "0", "quit")
    ran(capsys, ["play", "file.txt"])
    game = replay(parse_record(Path("file.txt").read_text(encoding="utf-8")))
    assert game.state.position.board == random_setup(2, 5).board


def test_nothing_is_kept_of_a_game_before_its_first_bid(monkeypatch: Patch, capsys: Capsys) -> None:
    def followed(*_: object, **__: object) -> None:
        raise AssertionError("nothing has happened yet")

    monkeypatch.setattr(History, "begin", followed)
    for lines, status, said in (
        (("",), 130, ""),
        (("quit",), 130, ""),
        (("", "2", "quit"), 0, "Nothing was recorded."),
        (("", "2", "sixteen", "back", "quit"), 0, "Nothing was recorded."),
    ):
        type_in(monkeypatch, *lines)
        assert main(["play", "game.txt"]) == status
        assert said in capsys.readouterr().out and not Path("game.txt").exists()
