"""`companion history`: the games that are kept, what they tell, and copies of them."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.cli.main import main
from companion.history.opening import history_path, setting_path
from companion.history.saved import GameKey, TurnTime, with_time
from companion.notation.records.lines import format_record, parse_record
from companion.notation.records.replay import replay
from companion.opening.text import open_record
from companion.resources import data_folder
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from companion.table.photos import photos_folder
from tests.cli.kept_games import kept_history
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
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


def _json(capsys: Capsys, *words: str) -> Any:
    capsys.readouterr()
    return printed_json(capsys, ["history", *words])


def _told(capsys: Capsys) -> str:
    return " ".join(capsys.readouterr().err.split())


def test_the_list_tells_who_won_and_the_figures_tell_how_often(capsys: Capsys) -> None:
    printed = ran(capsys, ["history"])
    assert printed.out == "" and "no games are saved yet" in printed.err
    keys = _finished()
    out = ran(capsys, ["history"]).out
    assert all(key[:8] in out for key in keys) and out.count("* ") == 3
    for heading in ("player", "mean / best, VP", "djinn", "bid, GC"):
        assert heading in out
    assert max(map(len, out.splitlines())) <= 80
    document = _json(capsys)
    assert [game["game"] for game in document["games"]] == keys
    for game in document["games"]:
        totals = {colour: player["total"] for colour, player in game["players"].items()}
        assert game["winners"] == [colour for colour in totals if totals[colour] == max(totals.values())]
    statistics = document["statistics"]
    assert statistics["games"] == 3 and sum(player["games"] for player in statistics["players"]) == 6
    assert statistics["djinns"] and statistics["bids"] and statistics["spent"]


def test_one_game_is_shown_written_and_forgotten(capsys: Capsys, tmp_path: Path) -> None:
    first, second = _finished(2)
    out = ran(capsys, ["history", first[:6]]).out
    assert first in out and re.search(r"^\d+ revisions?, the last on \d{4}-\d\d-\d\d", out, re.MULTILINE)
    document = _json(capsys, first)
    assert document["game"] == first and document["revisions"][0]["kind"] == "record"
    record = tmp_path / "again.txt"
    assert main(["history", first[:6], "-o", str(record)]) == 0
    assert main(["replay", str(record)]) == 0
    capsys.readouterr()
    for key, fault in (("none-such", "there is no game 'none-such'"), ("", "2 games begin with ''")):
        assert fault in ran(capsys, ["history", key], 4).err
    aside = history_path(os.environ).with_name("games.sqlite3.damaged-2026-02-14")
    aside.write_bytes(b"")
    assert main(["history", first, "--forget"]) == 0
    assert "is an older copy and may still hold them" in _told(capsys)
    assert [game["game"] for game in _json(capsys)["games"]] == [second]


def test_photos_of_a_forgotten_game_are_gone_and_all_others_stay(capsys: Capsys) -> None:
    first, second = _finished(2)
    begun = {
        "of-first": (None, first),
        "in-first": (first, None),
        "of-second": (None, second),
        "elsewhere": ("x", None),
    }
    for name, (game, accepted) in {**begun, "of-none": (None, None)}.items():
        place = photos_folder() / name
        place.mkdir(parents=True)
        (place / "1.photo").write_bytes(b"a photo")
        (place / "about.json").write_text(json.dumps({"photos": 1, "game": game, "accepted": accepted}))
    assert main(["history", first, "--forget"]) == 0
    assert {place.name for place in photos_folder().iterdir()} == {"of-second", "elsewhere", "of-none"}
    assert main(["history", "--forget", "--force"]) == 0
    assert {place.name for place in photos_folder().iterdir()} == {"elsewhere"}, "another history's game"


def test_times_of_the_turn_clock_are_shown_for_games_that_have_them(capsys: Capsys) -> None:
    (first,) = _finished(1)
    assert main(["history", first]) == 0
    assert "clock" not in ran(capsys, ["history"]).out
    with kept_history() as history:
        game = history.game(GameKey(first))
        one, other = game.players
        history.set_clock(game.key, {one: 3725.04, other: 40.0})
        for number, (phase, seconds) in enumerate([(Phase.BID, 9.0), (Phase.TURN, 62.0), (Phase.TURN, 88.0)], 1):
            timed = TurnTime(1, phase, number, one, seconds)
            history.change_settings(game.key, with_time(history.game(game.key), timed))
    assert f"{one} 1:02:05 1:15 1:02 1:28" in " ".join(ran(capsys, ["history", first]).out.split())
    document = _json(capsys, first)
    assert document["clock"] == {str(one): 3725.0, str(other): 40.0}
    assert document["turns"][1] == {"part": 1, "phase": "turn", "turn": 2, "player": str(one), "seconds": 62.0}
    assert re.search(r"1:02:05 +1:15$", ran(capsys, ["history"]).out, re.MULTILINE)
    figures = {player["colour"]: player for player in _json(capsys)["statistics"]["players"]}
    assert (figures[str(one)]["seconds"], figures[str(one)]["turn_seconds"]) == (3725.0, 75.0)


def _written(tmp_path: Path) -> Path:
    """The one game that is kept, written to a file."""
    with kept_history() as history:
        (game,) = history.games()
    path = tmp_path / "written.txt"
    assert main(["history", game.key, "-o", str(path), "--force"]) == 0
    return path


def test_what_was_counted_is_written_so_that_it_is_scored_again(
    monkeypatch: Patch, capsys: Capsys, tmp_path: Path
) -> None:
    end = written(tmp_path / "end.toml", END)
    for source, answers in (([end], [""] * 40), ([], ["pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES])):
        type_in(monkeypatch, *answers)
        counted = score_json(capsys, *source, "--ask")
        assert score_json(capsys, str(_written(tmp_path))) == counted
        assert main(["history", "--forget", "--force"]) == 0
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
    assert open_record(str(written)).state.position == replay(parse_record(after)).state.position


def test_what_does_not_go_together_is_wrong_usage(
    monkeypatch: Patch, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (
        "--forget --backup x.sqlite3",
        "-o x.txt",
        "abc --backup x.sqlite3",
        "--plot x.png",
        "--export x.txt",
        "--keep --no-history",
        "--forget --force --no-history",
        "abc --keep",
        "--csv x.txt",
    ):
        with subtests.test(msg=words):
            assert main(["history", *words.split()]) == 2
            assert list(tmp_path.iterdir()) == [] and not setting_path().exists()


def test_export_forget_and_import_come_back_to_the_same(capsys: Capsys, tmp_path: Path) -> None:
    _finished()
    before = _json(capsys)
    exported, copy = tmp_path / "games.json", tmp_path / "copy.sqlite3"
    assert main(["history", "--export", str(exported)]) == 0
    assert main(["history", "--backup", str(copy)]) == 0
    assert "deletes 3 games for good" in ran(capsys, ["history", "--forget"], 2).err
    assert main(["history", "--forget", "--force"]) == 0
    assert _json(capsys)["games"] == []
    assert "3 games added; 0 already here" in ran(capsys, ["history", "--import", str(exported)]).err
    after = _json(capsys)
    assert {game["game"] for game in after["games"]} == {game["game"] for game in before["games"]}
    assert after["statistics"]["bids"] == before["statistics"]["bids"]
    assert main(["history", "--backup", str(copy)]) == 2
    assert main(["history", "--import", str(copy)]) == 4
    assert main(["history", "--import", str(tmp_path / "none.json")]) == 4


def test_games_of_several_computers_come_together(capsys: Capsys, tmp_path: Path) -> None:
    files = []
    for number in (1, 2, 3):
        with kept_history() as history:
            history.begin(growing(number)[number - 1])
        files.append(str(tmp_path / f"{number}.json"))
        assert main(["history", "--export", files[-1]]) == 0
        assert main(["history", "--forget", "--force"]) == 0
    assert main(["history", "--backup", str(tmp_path / "copy.sqlite3")]) == 0
    wrong = ["history", "--import", *files, str(tmp_path / "copy.sqlite3")]
    assert "copy.sqlite3 is a database, as companion history --backup copies it" in ran(capsys, wrong, 4).err
    assert _json(capsys)["games"] == []
    assert "3 games added; 0 already" in ran(capsys, ["history", "--import", *files]).err
    repeated = [word for file in files for word in ("--import", file)]
    assert "0 games added; 3 already" in ran(capsys, ["history", *repeated]).err
    assert main(["history", "one", "two"]) == 2


def test_an_import_says_what_became_of_games_that_were_here(capsys: Capsys, tmp_path: Path) -> None:
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
    assert "1 game here was updated" in _told(capsys)


def test_a_spreadsheet_opens_the_columns_as_its_country_parts_them(tmp_path: Path, capsys: Capsys) -> None:
    with kept_history() as history:
        key = history.begin(growing(1)[0], names={Colour.PINK: "a;b,c"})
        history.set_clock(key, {Colour.PINK: 40.5})
    table = tmp_path / "games.csv"
    for words, mark, time in (
        ("", ",", "40.5"),
        ("--lang ru", ";", "40,5"),
    ):
        assert main(["history", "--csv", str(table), "--force", *words.split()]) == 0
        content = table.read_bytes()
        assert content.startswith(b"\xef\xbb\xbfgame" + mark.encode() + b"date")
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=mark))
        (pink,) = [row for row in rows if row["player"] == "pink"]
        assert pink["seconds"] == time and None not in pink and [row["game"] for row in rows] == [key] * 2
    assert "--force" in ran(capsys, ["history", "--csv", str(table)], 2).err


def test_a_damaged_file_is_set_aside_and_named(capsys: Capsys) -> None:
    _finished(1)
    damaged = history_path(os.environ).read_bytes()[:3000]
    history_path(os.environ).write_bytes(damaged)
    assert main(["history"]) == 0
    told = _told(capsys)
    assert "is damaged" in told and "no games are saved yet" in told
    assert [path.read_bytes() for path in data_folder().glob("*.damaged-????-??-??")] == [damaged]


def test_the_history_in_use_is_never_written_over(monkeypatch: Patch, capsys: Capsys, tmp_path: Path) -> None:
    """By its own name, one of SQLite's beside it, or a link; by any command, and with --force."""
    (key,) = _finished(1)
    end, used = written(tmp_path / "end.toml", END), tmp_path / "games.json"
    assert main(["history", "--backup", str(used)]) == 0
    monkeypatch.setenv("COMPANION_HISTORY", str(used))
    (tmp_path / "link.json").symlink_to(used)
    (tmp_path / "same.json").hardlink_to(used)
    before = used.read_bytes()
    for words in (
        *([key, "-o", f"{tmp_path}/{name}"] for name in ("games.json", "same.json", "games.json-wal")),
        *(["--backup", f"{tmp_path}/{name}"] for name in ("link.json", "games.json-shm", "games.json-journal")),
        ["--export", f"{tmp_path}/no/../games.json"],
        ["--export", f"{tmp_path}/./games.json"],
    ):
        assert "never overwritten" in ran(capsys, ["history", *words, "--force"], 2).err, words
    assert "never overwritten" in ran(capsys, ["show", end, "-o", str(used), "--force"], 2).err
    assert used.read_bytes() == before and _json(capsys)["games"][0]["game"] == key


def test_files_that_are_no_history_are_refused_by_every_command(
    monkeypatch: Patch, capsys: Capsys, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    monkeypatch.setenv("COMPANION_HISTORY", written(letter, "Dear Anna"))
    for words in ([], ["--export", str(tmp_path / "out.json")], ["--forget", "--force"]):
        assert "letter.txt isn't a history" in ran(capsys, ["history", *words], 4).err
    assert "letter.txt isn't a history" in ran(capsys, ["serve", "--here", "--history", str(letter)], 4).err
    assert [*tmp_path.iterdir()] == [letter] and letter.read_text("utf-8") == "Dear Anna"


def test_names_of_any_letters_are_text_in_lists_and_pictures(capsys: Capsys, tmp_path: Path) -> None:
    picture = tmp_path / "names.svg"
    assert "no game is finished yet" in ran(capsys, ["history", "--plot", str(picture)], 4).err
    points = "+0" * 7
    with kept_history() as history:
        for text in (
            f"Five Tribes, 2026-02-14, [red]Lviv\n1. A\x1b]0;owned\x07[bold]B\uffff (pink) 30 = 30{points}\n",
            f"Five Tribes\n1. <b>\"&' {'x' * 2000} (pink) 3 = 3{points}\n",
        ):
            history.finish(history.begin(f"{text}2. blue 2 = 2{points}"))
    out = ran(capsys, ["history"]).out
    assert "\x1b" not in out and "\x07" not in out and "\uffff" not in out
    assert "[red]Lviv" in out and "[bold]B" in out and "<b>\"&'" in out
    assert max(map(len, out.splitlines())) <= 80
    assert main(["history", "--plot", str(picture)]) == 0
    drawn = ElementTree.fromstring(picture.read_bytes())
    assert [part for part in drawn.iter() if part.get("aria-label") == "A]0;owned[bold]B"]
    assert main(["history", "--plot", str(tmp_path / "names.pdf"), "--lang", "qps"]) == 0


SPOILT = (
    *(("games", "started", "yesterday"), ("games", "settings", "{"), ("players", "name", b"x")),
    *(("clock", "seconds", float("inf")), ("results", "total", "many")),
    *(("revisions", "content", b"\xff"), ("revisions", "at", 3)),
)


def test_a_game_that_another_program_spoilt_is_named_and_the_others_are_shown(
    capsys: Capsys, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    *others, spoilt = _finished(2)
    with kept_history() as history:
        history.set_clock(GameKey(spoilt), {Colour.BLUE: 5.0})
    with closing(sqlite3.connect(history_path(os.environ))) as database, closing(sqlite3.connect(":memory:")) as whole:
        database.backup(whole)
        for table, column, value in SPOILT:
            with subtests.test(msg=f"{table}.{column}"):
                whole.backup(database)
                own = "key" if table == "games" else "game"
                with database:
                    database.execute(f"UPDATE {table} SET {column} = ? WHERE {own} = ?", (value, spoilt))
                exported = tmp_path / f"{table}-{column}.json"
                for words in ([], ["--export", str(exported)]):
                    capsys.readouterr()
                    shown, errors = ran(capsys, ["history", *words])
                    assert (f"{spoilt} --forget" in errors) == (words != [] or table != "revisions")
                    assert words or all(key[:8] in shown for key in others)
                assert re.findall(r'"key":"([^"]+)"', exported.read_text("utf-8")) == others
                assert f"{spoilt} --forget" in " ".join(ran(capsys, ["history", spoilt], 4).err.split())
    assert main(["history", spoilt, "--forget"]) == 0
    assert [game["game"] for game in _json(capsys)["games"]] == others
    assert "--forget" not in capsys.readouterr().err
