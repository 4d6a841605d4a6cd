"""Games that `play` and `score --ask` keep in the history as they go: each evening once."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.history.opening import history_path, setting_path
from companion.history.saved import SavedGame
from companion.history.saved_results import TextKind
from companion.notation.records.lines import format_record, parse_record
from companion.resources import data_folder
from companion.rules.model.components import Colour
from companion.storage import lock
from tests.cli.kept_games import kept_history
from tests.cli.ran import Capsys, Patch, ran
from tests.cli.scored import ANNA_LINES, BORIS_LINES, END, score_json, type_in
from tests.history.games import growing
from tests.notation.recorded_games import random_record

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")

NEW = ("--players", "2", "--seed", "7")
Play = Callable[..., int]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


@pytest.fixture
def play(monkeypatch: Patch, record: Path) -> Play:
    """Plays into the record: the lines that are typed, then options."""

    def typed(lines: list[str], *words: str, into: Path = record) -> int:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
        return main(["play", str(into), *words])

    return typed


def _games() -> list[SavedGame]:
    with kept_history() as history:
        return list(history.games())


def _text_of(game: SavedGame) -> str:
    with kept_history() as history:
        return history.current(game.key).text


def _kinds(game: SavedGame) -> list[TextKind]:
    with kept_history() as history:
        return [part.kind for part in history.parts(game.key)]


def _over(record: Path, seed: int = 4, players: int = 2) -> str:
    """A whole random game, written to a record file; its text."""
    text = format_record(random_record(players, seed)[0])
    record.write_text(text, encoding="utf-8")
    return text


def test_play_keeps_every_answer_and_says_so_once(play: Play, record: Path, capsys: Capsys) -> None:
    assert play(["1", "0", "undo", "3", "quit"], *NEW, "--names", "pink=Anna,blue=Boris", "--place", "Lviv") == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "saved for companion history" in told and "--no-history" in told
    (game,) = _games()
    assert game.place == "Lviv" and game.players == {Colour.BLUE: "Boris", Colour.PINK: "Anna"}
    with kept_history() as history:
        # 1, 0, back, and 3 in place of 0.
        assert [revision.number for revision in history.revisions(game.key)] == [1, 3]
    with record.open("a", encoding="utf-8") as file:
        file.write("# by hand\n")
    assert play(["0", "quit"], "--resume") == 0
    assert "companion history" not in capsys.readouterr().err
    (game,) = _games()
    assert _text_of(game) == record.read_text(encoding="utf-8") and "# by hand" in _text_of(game)


def test_a_record_corrected_by_hand_stays_one_game(play: Play, record: Path) -> None:
    assert play(["1", "0", "quit"], *NEW, "--names", "pink=Ana,blue=Boris") == 0
    for before, after in (
        ("round 1: pink 1, blue 0", "round 1: pink 3, blue 0"),
        ("player pink: Ana", "player pink: Anna"),
        ("setup:", "# by hand\nsetup:"),
    ):
        text = record.read_text(encoding="utf-8")
        assert before in text
        record.write_text(text.replace(before, after), encoding="utf-8")
        assert play(["quit"], "--resume") == 0
        (game,) = _games()
        assert _text_of(game) == record.read_text(encoding="utf-8")


def test_another_game_in_a_file_of_that_name_is_another_game(play: Play, record: Path) -> None:
    text = _over(record)
    assert play([], "--resume") == 0
    (finished,) = _games()
    assert finished.finished is not None and len(finished.results) == 2
    code = random_record(2, 4)[0].header.tag("setup")
    assert code is not None
    begun = [("--setup", code, "--names", "pink=Edda,blue=Fred")] * 2 + [NEW]
    for words in begun:
        record.unlink()
        assert play(["0", "quit"], *words) == 0
    assert len(_games()) == 4
    assert finished in _games() and _text_of(finished) == text
    # The first game's file in its place again: that game, and not one more.
    record.write_text(text, encoding="utf-8")
    assert play([], "--resume") == 0
    assert len(_games()) == 4


def test_a_finished_game_is_gone_back_in_but_not_written_over(play: Play, record: Path) -> None:
    whole = parse_record(_over(record))
    assert play([], "--resume") == 0
    # Its first lines alone are the same game, not over any more.
    record.write_text(format_record(replace(whole, lines=whole.lines[:3])), encoding="utf-8")
    assert play(["quit"], "--resume") == 0
    assert [game.finished for game in _games()] == [None]
    record.write_text(format_record(whole), encoding="utf-8")
    assert play([], "--resume") == 0
    # Of the same people and day, but with another first bid.
    other = format_record(whole).split("\n")
    number = next(number for number, line in enumerate(other) if line.startswith("round 1:"))
    colour, _, price = other[number].removeprefix("round 1: ").split(",")[0].partition(" ")
    bid = f"round 1: {colour} {8 if price != '8' else 5}"
    record.write_text("\n".join([*other[:number], bid, ""]), encoding="utf-8")
    assert play(["quit"], "--resume") == 0
    assert sorted(game.finished is None for game in _games()) == [False, True]


def test_a_history_that_cannot_be_used_does_not_stop_a_game(
    play: Play, record: Path, monkeypatch: Patch, tmp_path: Path, capsys: Capsys
) -> None:
    with lock(record):
        assert play(["1", "quit"], *NEW) == 4
    assert not record.exists() and not history_path(os.environ).exists(), "the lock covers the game in the history"
    monkeypatch.setenv("COMPANION_HISTORY", str(tmp_path))
    assert play(["1", "0", "quit"], *NEW) == 0
    assert capsys.readouterr().err.count("this game isn't being saved in the history") == 1
    assert record.read_text(encoding="utf-8").endswith("round 1: pink 1, blue 0\n")


def test_no_history_is_remembered_until_it_is_said_otherwise(
    play: Play, monkeypatch: Patch, tmp_path: Path, capsys: Capsys
) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("COMPANION_HISTORY", "off")
        assert play(["0", "quit"], *NEW, into=tmp_path / "0.txt") == 0
        assert "once COMPANION_HISTORY no longer says off" in ran(capsys, ["history", "--keep"]).err
        setting_path().unlink()
    assert not (data_folder() / "games.sqlite3").exists() and not setting_path().exists()
    assert main(["history", "--no-history"]) == 0
    assert "will no longer be saved" in capsys.readouterr().err
    assert play(["0", "quit"], *NEW, into=tmp_path / "2.txt") == 0
    assert capsys.readouterr().err == "" and not history_path(os.environ).exists()
    assert "will be saved from now on" in ran(capsys, ["history", "--keep"]).err
    assert play(["0", "quit"], *NEW, into=tmp_path / "3.txt") == 0
    assert len(_games()) == 1
    assert main(["history", "--no-history"]) == main(["history", "--forget", "--force"]) == 0
    assert not setting_path().exists()
    setting_path().write_bytes(b'{"keep": 7')
    assert play(["0", "quit"], *NEW, into=tmp_path / "4.txt") == 0
    assert len(_games()) == 1, "a damaged setting is as none"


def test_a_score_that_was_asked_is_kept_once(monkeypatch: Patch, capsys: Capsys, tmp_path: Path) -> None:
    for _ in range(2):
        type_in(monkeypatch, "pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES)
        document = score_json(capsys, "--ask")
    (game,) = _games()
    assert _kinds(game) == [TextKind.SHEET, TextKind.OUTCOME]
    assert game.players == {Colour.BLACK: "Boris", Colour.PINK: "Anna"}
    for colour, result in game.results.items():
        own = document["players"][str(colour)]
        assert result.total == own["total"]
        assert dict(result.points) == {category: own[category] for category in result.points}
    end, sheet = tmp_path / "end.toml", tmp_path / "sheet.toml"
    end.write_text(END, encoding="utf-8")
    lines = ["score_sheet = 1", 'date = "2026-02-14"', 'place = "Lviv"', "[players.pink]", "[players.blue]"]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    for path in (end, sheet):
        type_in(monkeypatch, *[""] * 40)
        score_json(capsys, str(path), "--ask")
    with_board, from_sheet = [game for game in _games() if "Anna" not in game.players.values()]
    if with_board.place:
        with_board, from_sheet = from_sheet, with_board
    assert _kinds(with_board) == [TextKind.POSITION, TextKind.OUTCOME]
    assert (from_sheet.date, from_sheet.place) == ("2026-02-14", "Lviv")


def test_a_score_that_asks_nothing_or_is_of_no_end_is_not_kept(
    record: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    record.write_text(growing(5)[4], encoding="utf-8")
    score_json(capsys, str(record))
    type_in(monkeypatch, *[""] * 40)
    score_json(capsys, str(record), "--ask")
    assert not history_path(os.environ).exists()


def test_the_score_of_a_game_that_is_kept_is_that_games(
    play: Play, record: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    text = _over(record)
    assert play([], "--resume") == 0
    capsys.readouterr()
    type_in(monkeypatch, "", "goods 99 VP", *[""] * 40)
    document = score_json(capsys, str(record), "--ask")
    assert play([], "--resume") == 0
    (game,) = _games()
    assert {str(colour): result.total for colour, result in game.results.items()} == {
        colour: player["total"] for colour, player in document["players"].items()
    }
    assert _kinds(game)[0] is TextKind.RECORD and TextKind.OUTCOME in _kinds(game)
    assert main(["history", game.key, "-o", str(record.with_name("written.txt"))]) == 0
    assert record.with_name("written.txt").read_bytes() == record.read_bytes(), "as it was played"
    # Played on otherwise, it has its record once, and what was counted before is of no use.
    record.write_text(text + "# counted again\n", encoding="utf-8")
    assert play([], "--resume") == 0
    (game,) = _games()
    assert _kinds(game) == [TextKind.RECORD] and game.finished is not None
