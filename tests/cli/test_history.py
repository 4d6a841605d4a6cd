"""`companion history`: the games that are kept, what they tell, and copies of them."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.cli.main import main
from companion.history.keeping import setting_path
from companion.history.kept import GameKey
from companion.history.opening import history_path
from companion.history.turn_times import TurnTime, with_time
from companion.notation.records.lines import format_record, parse_record
from companion.notation.records.replay import replay
from companion.opening.text import open_record
from companion.resources import data_folder
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from tests.cli.kept_games import kept_history
from tests.cli.scored import ANNA_LINES, BORIS_LINES, END, score_json, type_in
from tests.history.games import growing
from tests.notation.recorded_games import random_record

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def _finished(seeds: int = 3) -> list[str]:
    """Whole random games, kept; their keys, the latest first."""
    with kept_history() as history:
        for seed in range(seeds):
            history.finish(history.begin(format_record(random_record(2, seed)[0])))
        return [str(game.key) for game in history.games()]


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert main(["history", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_without_a_game_it_says_how_to_keep_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "no game is kept yet" in shown.err
    assert _json(capsys)["games"] == []


def test_the_list_tells_who_won_and_the_figures_tell_how_often(capsys: pytest.CaptureFixture[str]) -> None:
    keys = _finished()
    assert main(["history"]) == 0
    out = capsys.readouterr().out
    assert all(key[:8] in out for key in keys)
    assert out.count("* ") == 3
    for heading in ("player", "mean / best, VP", "djinn", "bid, GC"):
        assert heading in out
    assert max(map(len, out.splitlines())) <= 80
    document = _json(capsys)
    assert [game["game"] for game in document["games"]] == keys
    for game in document["games"]:
        totals = {colour: one["total"] for colour, one in game["players"].items()}
        assert game["winners"] == [colour for colour in totals if totals[colour] == max(totals.values())]
    statistics = document["statistics"]
    assert statistics["games"] == 3
    assert sum(one["games"] for one in statistics["players"]) == 6
    whole = [_json(capsys, key) for key in keys]
    for counted, what, often in (("bids", "price", "paid"), ("djinns", "djinn", "held")):
        found = [(one[what], one["player"] in game["winners"]) for game in whole for one in game[counted]]
        names = dict.fromkeys(one[what] for one in statistics[counted])
        assert {one[what]: (one[often], one["won"]) for one in statistics[counted]} == {
            name: (sum(other == name for other, _ in found), found.count((name, True))) for name in names
        }
        assert {name for name, _ in found} == set(names)


def test_times_of_the_turn_clock_are_shown_for_games_that_have_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, second, *_ = _finished()
    assert main(["history", first]) == 0 and main(["history"]) == 0
    assert "clock" not in capsys.readouterr().out
    assert _json(capsys, first)["turns"] == [] and _json(capsys, first)["clock"] == {}
    with kept_history() as history:
        game = history.game(GameKey(first))
        one, other = game.players
        history.set_clock(game.key, {one: 3725.04, other: 40.0})
        for number, (colour, phase, seconds) in enumerate(
            [(one, Phase.BID, 9.0), (one, Phase.TURN, 62.0), (other, Phase.TURN, 40.0), (one, Phase.TURN, 88.0)], 1
        ):
            timed = TurnTime(1, phase, number, colour, seconds)
            history.change_settings(game.key, with_time(history.game(game.key), timed))
    assert main(["history", first]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"{one} 1:02:05 1:15 1:02 1:28" in out and f"{other} 0:40 0:40 0:40" in out
    document = _json(capsys, first)
    assert document["clock"] == {str(one): 3725.0, str(other): 40.0} and len(document["turns"]) == 4
    assert document["turns"][1] == {"part": 1, "phase": "turn", "turn": 2, "player": str(one), "seconds": 62.0}
    assert main(["history"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"1:02:05 +1:15$", out, re.MULTILINE) and max(map(len, out.splitlines())) <= 80
    figures = {player["colour"]: player for player in _json(capsys)["statistics"]["players"]}
    assert (figures[str(one)]["seconds"], figures[str(one)]["turn_seconds"]) == (3725.0, 75.0)
    assert _json(capsys, second)["clock"] == {}
    assert main(["history", "--csv", str(tmp_path / "games.csv")]) == 0
    column = [line.rpartition(",")[2] for line in (tmp_path / "games.csv").read_text("utf-8-sig").splitlines()]
    assert column[0] == "seconds" and sorted(filter(None, column[1:])) == ["3725.0", "40.0"]


def test_one_game_is_shown_by_the_beginning_of_its_key(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, *_ = _finished()
    assert main(["history", first[:6]]) == 0
    out = capsys.readouterr().out
    assert first in out and re.search(r"^\d+ revisions?, the last on \d{4}-\d\d-\d\d", out, re.MULTILINE)
    document = _json(capsys, first)
    assert document["game"] == first and document["revisions"][0]["kind"] == "record"
    record = tmp_path / "again.txt"
    assert main(["history", first[:6], "-o", str(record)]) == 0
    assert main(["replay", str(record)]) == 0
    capsys.readouterr()
    assert main(["history", "none-such"]) == 4
    assert "0 games begin with" in capsys.readouterr().err
    assert main(["history", ""]) == 4


def _written(tmp_path: Path) -> Path:
    """The one game that is kept, written to a file."""
    with kept_history() as history:
        (game,) = history.games()
    path = tmp_path / "written.txt"
    assert main(["history", game.key, "-o", str(path)]) == 0
    return path


def test_a_record_that_was_scored_is_written_as_it_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    record.write_text(format_record(random_record(2, 4)[0]), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["play", str(record), "--resume"]) == 0
    capsys.readouterr()
    type_in(monkeypatch, "", "goods 99 VP", *[""] * 40)
    score_json(capsys, str(record), "--ask")
    written = _written(tmp_path)
    assert written.read_bytes() == record.read_bytes()
    assert main(["replay", str(written)]) == 0


@pytest.mark.parametrize("has_board", [True, False], ids=["position", "sheet"])
def test_what_was_counted_is_written_so_that_it_is_scored_again(
    has_board: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    end = tmp_path / "end.toml"
    end.write_text(END, encoding="utf-8")
    answers = [""] * 40 if has_board else ["pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES]
    type_in(monkeypatch, *answers)
    counted = score_json(capsys, *([str(end)] if has_board else []), "--ask")
    assert score_json(capsys, str(_written(tmp_path))) == counted


def test_an_outcome_alone_is_written_as_it_is(tmp_path: Path) -> None:
    outcome = "Five Tribes, 2026-02-14\nAnna (pink) 30 = 30+0+0+0+0+0+0+0\nblue 2 = 2+0+0+0+0+0+0+0"
    with kept_history() as history:
        history.begin(outcome)
    assert _written(tmp_path).read_text(encoding="utf-8") == outcome + "\n"


def test_of_a_table_that_was_read_anew_one_record_of_the_whole_game_is_written(tmp_path: Path) -> None:
    before, after = growing(3)[2], format_record(random_record(2, 4)[0])
    with kept_history() as history:
        history.change(history.begin(before), after, summary="", new_part=True)
    written = _written(tmp_path)
    assert written.read_text(encoding="utf-8").startswith(before)
    assert main(["replay", str(written)]) == 0
    assert open_record(str(written)).state.position == replay(parse_record(after)).state.position


@pytest.mark.parametrize(
    "words",
    [
        ["--forget", "--backup", "x.sqlite3"],
        ["-o", "x.txt"],
        ["abc", "--backup", "x.sqlite3"],
        ["--plot", "x.png"],
        ["--export", "x.txt"],
        ["--keep", "--no-history"],
        ["--forget", "--force", "--no-history"],
        ["--export", "x.json", "--keep"],
        ["abc", "--keep"],
    ],
)
def test_what_does_not_go_together_is_wrong_usage(
    words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["history", *words]) == 2
    assert list(tmp_path.iterdir()) == [] and not setting_path().exists()


def test_export_forget_and_import_come_back_to_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _finished()
    before = _json(capsys)
    exported, copy = tmp_path / "games.json", tmp_path / "copy.sqlite3"
    assert main(["history", "--export", str(exported)]) == 0
    assert main(["history", "--backup", str(copy)]) == 0
    assert main(["history", "--forget"]) == 2
    assert "forgets 3 games for good" in capsys.readouterr().err
    assert len(_json(capsys)["games"]) == 3
    assert main(["history", "--forget", "--force"]) == 0
    assert _json(capsys)["games"] == []
    assert main(["history", "--import", str(exported)]) == 0
    assert "3 games taken in; 0 were here already" in capsys.readouterr().err
    assert {game["game"] for game in _json(capsys)["games"]} == {game["game"] for game in before["games"]}
    assert _json(capsys)["statistics"]["bids"] == before["statistics"]["bids"]
    assert main(["history", "--backup", str(copy)]) == 2
    assert main(["history", "--import", str(copy)]) == 4
    assert main(["history", "--import", str(tmp_path / "none.json")]) == 4


def test_all_games_are_written_for_a_spreadsheet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    keys = _finished()
    table = tmp_path / "games.csv"
    assert main(["history", "--csv", str(table)]) == 0
    assert str(table) in capsys.readouterr().err
    heading, *rows = table.read_text(encoding="utf-8-sig").splitlines()
    assert heading.startswith("game,date,place,finished,player,name,") and heading.endswith(",total,rank,won,seconds")
    assert [row.split(",")[0] for row in rows] == [key for key in keys for _ in range(2)]
    assert main(["history", "--csv", str(table)]) == 2
    assert main(["history", "--csv", str(tmp_path / "games.txt")]) == 2


@pytest.mark.parametrize(
    ("words", "mark", "time"),
    [
        ((), ",", "40.5"),
        (("--lang", "ko"), ",", "40.5"),
        (("--lang", "ru"), ";", "40,5"),
        (("--lang", "uk"), ";", "40,5"),
        (("--lang", "it"), ";", "40,5"),
        (("--delimiter", ";"), ";", "40,5"),
        (("--lang", "ru", "--delimiter", ","), ",", "40.5"),
        (("--lang", "ru", "--delimiter", "tab"), "\t", "40,5"),
    ],
)
def test_a_spreadsheet_opens_the_columns_as_its_country_parts_them(
    words: tuple[str, ...], mark: str, time: str, tmp_path: Path
) -> None:
    with kept_history() as history:
        key = history.begin(growing(1)[0], names={Colour.PINK: "a;b,c"})
        history.set_clock(key, {Colour.PINK: 40.5})
    table = tmp_path / "games.csv"
    assert main(["history", "--csv", str(table), *words]) == 0
    content = table.read_bytes()
    assert content.startswith(b"\xef\xbb\xbfgame" + mark.encode() + b"date") and b"sep=" not in content
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=mark))
    (pink,) = [row for row in rows if row["player"] == "pink"]
    assert pink["seconds"] == time and None not in pink


@pytest.mark.parametrize("words", [["--csv", "x.csv", "--delimiter", "|"], ["--delimiter", ";"]])
def test_a_delimiter_is_one_that_spreadsheets_know_and_needs_a_csv(
    words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["history", *words]) == 2
    assert "--delimiter" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_a_game_that_another_program_changed_is_named_and_can_be_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    for change in ("started = 3", "settings = '['", "started = 'yesterday'"):
        first, second = _finished(2)
        with closing(sqlite3.connect(history_path(os.environ))) as database, database:
            database.execute(f"UPDATE games SET {change} WHERE key = ?", (first,))
        capsys.readouterr()
        assert main(["history"]) == 4
        told = "".join(capsys.readouterr().err.split())
        assert f"companionhistory{first}--forget" in told
        assert main(["history", first, "--forget"]) == 0
        assert [game["game"] for game in _json(capsys)["games"]] == [second]
        assert main(["history", "--forget", "--force"]) == 0


def test_an_import_says_what_became_of_games_that_were_here(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with kept_history() as history:
        further = history.begin(growing(1)[0])
    document, later = tmp_path / "games.json", tmp_path / "later.json"
    assert main(["history", "--export", str(document)]) == 0
    with kept_history() as history:
        history.change(further, growing(2)[1], summary="")
    assert main(["history", "--export", str(later)]) == 0
    assert main(["history", "--forget", "--force"]) == main(["history", "--import", str(document)]) == 0
    capsys.readouterr()
    assert main(["history", "--import", str(later)]) == 0
    assert "1 game here was brought up to date" in " ".join(capsys.readouterr().err.split())


def test_copies_that_hold_forgotten_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    first, *_ = _finished(2)
    path = history_path(os.environ)
    aside = path.with_name(path.name + ".damaged-2026-02-14")
    aside.write_bytes(b"")
    path.with_name("other.sqlite3.damaged-2026-02-14").write_bytes(b"")
    for words in ((first, "--forget"), ("--forget", "--force")):
        capsys.readouterr()
        assert main(["history", *words]) == 0
        told = "".join(capsys.readouterr().err.split())
        assert "".join(f"{aside} is an older copy and may hold them still".split()) in told and "other" not in told


def test_one_game_is_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    first, *rest = _finished()
    assert main(["history", first, "--forget"]) == 0
    assert [game["game"] for game in _json(capsys)["games"]] == rest


@pytest.mark.parametrize("ending", [".svg", ".pdf"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_games_tell_is_drawn(ending: str, language: str, tmp_path: Path) -> None:
    _finished()
    picture = tmp_path / f"evenings{ending}"
    assert main(["--lang", language, "history", "--plot", str(picture)]) == 0
    content = picture.read_bytes()
    assert content.startswith(b"%PDF-" if ending == ".pdf" else b"<?xml")
    if ending == ".svg":
        text = content.decode()
        assert ("Games won" in text) == (language == "en")
        assert text.count('role="img"') > 20


def test_nothing_is_drawn_of_no_finished_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--plot", str(tmp_path / "none.svg")]) == 4
    assert "no game is finished yet" in capsys.readouterr().err


def test_a_damaged_history_is_told_and_a_copy_kept(capsys: pytest.CaptureFixture[str]) -> None:
    _finished(1)
    history_path(os.environ).write_bytes(b"spoilt" * 999)
    assert main(["history"]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "is damaged" in told and "no game is kept yet" in told
    assert [path.read_bytes() for path in data_folder().glob("*.damaged-*")] == [b"spoilt" * 999]


def test_names_of_any_letters_are_text_in_lists_and_pictures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = "Five Tribes, 2026-02-14, [red]Lviv\n"
    text += "1. A\x1b]0;owned\x07[bold]B\uffff\ufffe (pink) 30 = 30+0+0+0+0+0+0+0\n2. blue 2 = 2"
    with kept_history() as history:
        history.finish(history.begin(text + "+0" * 7))
        history.finish(
            history.begin(f"Five Tribes\n1. <b>\"&' {'x' * 2000} (pink) 3 = 3{'+0' * 7}\n2. blue 2 = 2{'+0' * 7}")
        )
    assert main(["history"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\x07" not in out and "\uffff" not in out
    assert "[red]Lviv" in out and "[bold]B" in out and "<b>\"&'" in out
    assert max(map(len, out.splitlines())) <= 80
    picture = tmp_path / "names.svg"
    assert main(["history", "--plot", str(picture)]) == 0
    drawn = ElementTree.fromstring(picture.read_bytes())
    assert [part for part in drawn.iter() if part.get("aria-label") == "A]0;owned[bold]B"]


# What play and score keep.
