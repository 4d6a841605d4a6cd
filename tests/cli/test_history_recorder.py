"""Games that `play` and `score --ask` keep in the history as they go: each evening once."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.history.contents import TextKind
from companion.history.database import History
from companion.history.keeping import setting_path
from companion.history.kept import GameKey, KeptGame
from companion.history.opening import history_path
from companion.resources import data_folder
from companion.rules.model.components import Colour
from companion.storage import lock
from tests.cli.kept_games import kept_history
from tests.cli.scored import ANNA_LINES, BORIS_LINES, END, score_json, type_in
from tests.history.games import growing
from tests.notation.recorded_games import random_record

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def _totals(game: KeptGame) -> dict[str, int]:
    return {str(colour): one.total for colour, one in game.results.items()}


def _play(monkeypatch: pytest.MonkeyPatch, record: Path, lines: list[str], *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    return main(["play", str(record), *words])


def test_play_keeps_every_answer_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.txt"
    begin = ["--players", "2", "--seed", "7", "--names", "pink=Anna,blue=Boris", "--place", "Lviv"]
    assert _play(monkeypatch, record, ["1", "0", "undo", "3", "quit"], *begin) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "kept for companion history" in told and "--no-history" in told
    with kept_history() as history:
        (game,) = history.games()
        assert game.place == "Lviv" and game.players == {Colour.BLUE: "Boris", Colour.PINK: "Anna"}
        assert history.current(game.key).text == record.read_text(encoding="utf-8")
        # The set-up, 1, 0, back, and 3 in place of 0.
        assert [one.number for one in history.revisions(game.key)] == [1, 2, 4]
    assert _play(monkeypatch, record, ["0", "quit"], "--resume") == 0
    assert "companion history" not in capsys.readouterr().err
    with kept_history() as history:
        (game,) = history.games()
        assert history.current(game.key).text == record.read_text(encoding="utf-8")


def test_what_was_written_by_hand_meanwhile_is_kept_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    assert _play(monkeypatch, record, ["1", "quit"], "--players", "2", "--seed", "7") == 0
    with record.open("a", encoding="utf-8") as file:
        file.write("# by hand\n")
    assert _play(monkeypatch, record, ["quit"], "--resume") == 0
    with kept_history() as history:
        (game,) = history.games()
        assert history.current(game.key).text.endswith("# by hand\n")


def test_another_game_of_the_same_name_is_another_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    for seed in ("7", "8"):
        assert _play(monkeypatch, record, ["quit"], "--players", "2", "--seed", seed) == 0
        record.unlink()
    with kept_history() as history:
        assert len(history.games()) == 2


def test_a_new_game_of_the_same_set_up_is_another_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A finished game stays as it is when others play from its set-up into a file of its name."""
    record = tmp_path / "game.txt"
    text = _over(record)
    assert _play(monkeypatch, record, [], "--resume") == 0
    with kept_history() as history:
        (finished,) = history.games()
    code = random_record(2, 4)[0].header.tag("setup")
    assert code is not None
    for names in ("pink=Carla,blue=Dino", "pink=Edda,blue=Fred", "pink=Edda,blue=Fred"):
        record.unlink()
        assert _play(monkeypatch, record, ["quit"], "--setup", code, "--names", names) == 0
    with kept_history() as history:
        assert len(history.games()) == 4
        assert history.game(finished.key) == finished and history.current(finished.key).text == text
    # The first game's file in its place again: that game, and not one more.
    record.write_text(text, encoding="utf-8")
    assert _play(monkeypatch, record, [], "--resume") == 0
    with kept_history() as history:
        assert len(history.games()) == 4


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("round 1: pink 1, blue 0", "round 1: pink 3, blue 0", id="line"),
        pytest.param("player pink: Ana", "player pink: Anna", id="name"),
        pytest.param("setup:", "# by hand\nsetup:", id="remark"),
    ],
)
def test_a_record_corrected_by_hand_stays_one_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str, after: str
) -> None:
    record = tmp_path / "game.txt"
    begin = ["--players", "2", "--seed", "7", "--names", "pink=Ana,blue=Boris"]
    assert _play(monkeypatch, record, ["1", "0", "quit"], *begin) == 0
    text = record.read_text(encoding="utf-8")
    assert before in text
    record.write_text(text.replace(before, after), encoding="utf-8")
    assert _play(monkeypatch, record, ["quit"], "--resume") == 0
    with kept_history() as history:
        (game,) = history.games()
        assert history.current(game.key).text == record.read_text(encoding="utf-8")


def test_a_finished_game_is_gone_back_in_but_not_written_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from companion.notation.records.lines import format_record, parse_record

    record = tmp_path / "game.txt"
    whole = parse_record(_over(record))
    assert _play(monkeypatch, record, [], "--resume") == 0
    # Its first lines alone are the same game, not over any more.
    record.write_text(format_record(replace(whole, lines=whole.lines[:3])), encoding="utf-8")
    assert _play(monkeypatch, record, ["quit"], "--resume") == 0
    with kept_history() as history:
        (game,) = history.games()
        assert game.finished is None
    record.write_text(format_record(whole), encoding="utf-8")
    assert _play(monkeypatch, record, [], "--resume") == 0
    # Of the same people and day, but with another first bid.
    other = format_record(whole).split("\n")
    number = next(number for number, line in enumerate(other) if line.startswith("round 1:"))
    colour, _, price = other[number].removeprefix("round 1: ").split(",")[0].partition(" ")
    record.write_text(
        "\n".join([*other[:number], f"round 1: {colour} {8 if price != '8' else 5}", ""]), encoding="utf-8"
    )
    assert _play(monkeypatch, record, ["quit"], "--resume") == 0
    with kept_history() as history:
        assert sorted(one.finished is None for one in history.games()) == [False, True]


def test_a_game_played_to_its_end_has_its_result(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from companion.notation.records.lines import Record, format_record

    whole, state, _ = random_record(2, 4)
    record = tmp_path / "game.txt"
    record.write_text(format_record(Record(whole.header, whole.lines)), encoding="utf-8")
    assert state.is_over
    assert _play(monkeypatch, record, [], "--resume") == 0
    with kept_history() as history:
        (game,) = history.games()
        assert game.finished is not None and len(game.results) == 2


def test_a_history_that_cannot_be_used_does_not_stop_a_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HISTORY", str(tmp_path))
    record = tmp_path / "game.txt"
    assert _play(monkeypatch, record, ["1", "0", "quit"], "--players", "2", "--seed", "7") == 0
    assert capsys.readouterr().err.count("this game is not kept in the history") == 1
    assert record.read_text(encoding="utf-8").endswith("round 1: pink 1, blue 0\n")


def test_the_lock_of_a_record_covers_its_game_in_the_history(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    with lock(record):
        assert _play(monkeypatch, record, ["1", "quit"], "--players", "2", "--seed", "7") == 4
    assert not record.exists() and not history_path(os.environ).exists()


def test_no_history_is_remembered_until_it_is_said_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = ["--players", "2", "--seed", "7"]
    assert _play(monkeypatch, tmp_path / "1.txt", ["quit"], *begin, "--no-history") == 0
    assert "not kept from now on" in capsys.readouterr().err
    assert _play(monkeypatch, tmp_path / "2.txt", ["quit"], *begin) == 0
    assert capsys.readouterr().err == ""
    assert not history_path(os.environ).exists()
    assert main(["history", "--keep"]) == 0
    assert "kept from now on" in capsys.readouterr().err
    assert _play(monkeypatch, tmp_path / "3.txt", ["quit"], *begin) == 0
    with kept_history() as history:
        assert len(history.games()) == 1
    assert main(["history", "--no-history"]) == 0
    assert main(["history", "--forget", "--force"]) == 0
    assert not setting_path().exists()
    assert _play(monkeypatch, tmp_path / "4.txt", ["quit"], *begin) == 0
    with kept_history() as history:
        assert len(history.games()) == 1


def test_the_environment_turns_it_off_for_a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPANION_HISTORY", "off")
    assert _play(monkeypatch, tmp_path / "1.txt", ["quit"], "--players", "2", "--seed", "7") == 0
    assert not (data_folder() / "games.sqlite3").exists() and not setting_path().exists()


def test_a_damaged_setting_is_as_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    setting_path().parent.mkdir(parents=True)
    setting_path().write_bytes(b'{"keep": 7')
    assert _play(monkeypatch, tmp_path / "1.txt", ["quit"], "--players", "2", "--seed", "7") == 0
    with kept_history() as history:
        assert len(history.games()) == 1


def test_a_score_that_was_asked_is_kept_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        type_in(monkeypatch, "pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES)
        document = score_json(capsys, "--ask")
        assert set(document) == {"players", "finished", "winners"}
    with kept_history() as history:
        (game,) = history.games()
        assert [one.kind for one in history.revisions(game.key)] == [TextKind.SHEET, TextKind.OUTCOME]
        result = history.result(game.key)
        assert result is not None
        held = {one.name: (one.colour, one.points) for one in result.djinns}
        # Jafaar: 6 VP and 2 more for each of 2 viziers; Al-Amin: 5, and 6 for a good in place of 2 fakirs (rules 11).
        assert held == {"Jafaar": (Colour.PINK, 10), "Al-Amin": (Colour.PINK, 11), "Utug": (Colour.BLACK, 4)}
        assert game.players == {Colour.BLACK: "Boris", Colour.PINK: "Anna"}
        assert _totals(game) == {colour: one["total"] for colour, one in document["players"].items()}
        for colour, one in game.results.items():
            own = document["players"][str(colour)]
            assert dict(one.points) == {category: own[category] for category in one.points}


def test_a_score_sheet_that_tells_its_day_and_place_is_kept_with_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.toml"
    lines = ["score_sheet = 1", 'date = "2026-02-14"', 'place = "Lviv"', "[players.pink]", "[players.blue]"]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    type_in(monkeypatch, *[""] * 40)
    score_json(capsys, str(sheet), "--ask")
    with kept_history() as history:
        (game,) = history.games()
        assert (game.date, game.place) == ("2026-02-14", "Lviv")


def test_a_score_of_a_board_keeps_its_position_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    end = tmp_path / "end.toml"
    end.write_text(END, encoding="utf-8")
    type_in(monkeypatch, *[""] * 40)
    document = score_json(capsys, str(end), "--ask", "--final")
    with kept_history() as history:
        (game,) = history.games()
        kinds = [one.kind for one in history.revisions(game.key)]
        assert kinds == [TextKind.POSITION, TextKind.OUTCOME]
        assert _totals(game) == {colour: one["total"] for colour, one in document["players"].items()}


def test_a_score_that_asks_nothing_or_is_of_no_end_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    record.write_text(growing(5)[4], encoding="utf-8")
    score_json(capsys, str(record))
    type_in(monkeypatch, *[""] * 40)
    score_json(capsys, str(record), "--ask")
    assert not history_path(os.environ).exists()


def _over(record: Path, seed: int = 4, players: int = 2) -> str:
    """A whole random game, written to a record file; its text."""
    from companion.notation.records.lines import format_record

    text = format_record(random_record(players, seed)[0])
    record.write_text(text, encoding="utf-8")
    return text


def _kinds(history: History, key: GameKey) -> list[TextKind]:
    return [part.kind for part in history.parts(key)]


def test_the_score_of_a_game_that_is_kept_is_that_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    _over(record)
    assert _play(monkeypatch, record, [], "--resume") == 0
    capsys.readouterr()
    type_in(monkeypatch, *[""] * 40)
    score_json(capsys, str(record), "--ask")
    with kept_history() as history:
        (game,) = history.games()
        assert game.finished is not None
        result = history.result(game.key)
        assert result is not None and result.bids


def test_a_game_that_was_scored_and_is_opened_again_stays_one_game_with_its_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    _over(record)
    assert _play(monkeypatch, record, [], "--resume") == 0
    capsys.readouterr()
    type_in(monkeypatch, "", "goods 99 VP", *[""] * 40)
    document = score_json(capsys, str(record), "--ask")
    with kept_history() as history:
        revisions = history.revisions(history.games()[0].key)
    assert _play(monkeypatch, record, [], "--resume") == 0
    with kept_history() as history:
        (game,) = history.games()
        assert history.revisions(game.key) == revisions
        assert _totals(game) == {colour: one["total"] for colour, one in document["players"].items()}


def test_a_game_that_was_scored_and_is_played_on_otherwise_has_its_record_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    text = _over(record)
    assert _play(monkeypatch, record, [], "--resume") == 0
    capsys.readouterr()
    type_in(monkeypatch, *[""] * 40)
    score_json(capsys, str(record), "--ask")
    record.write_text(text + "# counted again\n", encoding="utf-8")
    assert _play(monkeypatch, record, [], "--resume") == 0
    with kept_history() as history:
        (game,) = history.games()
        assert _kinds(history, game.key) == [TextKind.RECORD]
        assert history.current(game.key).text == record.read_text(encoding="utf-8")
        assert game.finished is not None, "its bids are counted once"


def test_the_score_of_another_game_in_a_file_of_that_name_is_another_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    begin = ["--players", "2", "--seed", "5", "--names", "Anna,Boris"]
    assert _play(monkeypatch, record, ["quit"], *begin) == 0
    _over(record, 3, players=4)
    capsys.readouterr()
    type_in(monkeypatch, *[""] * 40)
    document = score_json(capsys, str(record), "--ask")
    with kept_history() as history:
        scored, played = sorted(history.games(), key=lambda game: len(game.players), reverse=True)
        assert set(document["players"]) == set(map(str, scored.players)) and scored.finished is not None
        assert played.finished is None and set(played.players.values()) == {"Anna", "Boris"}
        assert _kinds(history, played.key) == [TextKind.RECORD]
