"""The history as JSON and back, and copies of it while somebody writes."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import stat
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import NotationError, OutputExistsError, UsageError
from companion.history.database import History, open_history
from companion.history.schema import VERSION
from companion.history.transfer import TakenIn, back_up, exported_games
from companion.history.transfer import import_games as take_in
from companion.rules.model.components import Colour
from tests.history.games import BEGUN, clock, growing, opened, setup_text

NAMES = st.text(max_size=20)


def export_games(history: History) -> str:
    """The whole document."""
    return b"".join(exported_games(history)).decode()


def import_games(history: History, document: str | bytes) -> TakenIn:
    """Take in a whole document."""
    content = document if isinstance(document, bytes) else document.encode("utf-8", "surrogatepass")
    return take_in(history, io.BytesIO(content))


def old_document(history: History, **values: object) -> str:
    """What `--export` wrote until version 1.9, with other values in its first game."""
    games: list[dict[str, object]] = [
        {
            "key": game.key,
            "started": game.started.isoformat(),
            "changed": game.changed.isoformat(),
            "finished": game.finished and game.finished.isoformat(),
            "date": game.date,
            "place": game.place,
            "current": game.revision,
            "settings": dict(game.settings),
            "players": dict(game.players),
            "clock": dict(game.clock),
            "revisions": [
                {"number": one.number, "part": one.part, "at": one.at.isoformat(), "told": one.told, "text": one.text}
                for one in history.revisions(game.key)
            ],
        }
        for game in sorted(history.games(), key=lambda game: (game.started, game.key))
    ]
    games[0].update(values)
    return json.dumps({"history": 1, "games": games}, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("many", [1, 40], ids=["short", "longer than texts go without a whole one"])
def test_documents_of_the_first_version_are_taken_in(tmp_path: Path, many: int) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0])
        for number in range(many):
            one.change(key, growing(3)[number % 3], told="")
        assert import_games(other, old_document(one)) == TakenIn(4, 0)
        assert other.games() == one.games()
        assert other.finished_games() == one.finished_games()
        assert export_games(other) == export_games(one)
        assert import_games(one, old_document(other)) == TakenIn(0, 4)


def test_texts_go_out_as_they_are_kept_a_line_a_game(tmp_path: Path) -> None:
    texts = growing(20)
    with opened(tmp_path / "one.sqlite3") as one:
        keys = [one.begin(texts[0]) for _ in range(3)]
        for text in texts[1:]:
            one.change(keys[0], text, told="")
        document = export_games(one)
    lines = document.splitlines()
    assert len(lines) == 5 and [json.loads(line.rstrip(","))["key"] for line in lines[1:4]] == keys
    assert len(lines[1]) < len(texts[0]) + 2 * len(texts[-1]) + 20 * 80
    assert len(json.loads(document)["games"]) == 3


def test_a_document_is_read_in_pieces_whatever_its_spaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with _filled(tmp_path / "one.sqlite3") as one:
        text = export_games(one)
        for piece in (1500, 1501, 10**6):
            monkeypatch.setattr("companion.history.transfer._PIECE", piece)
            for number, document in enumerate((text, json.dumps(json.loads(text), indent=4), "\ufeff" + text)):
                with opened(tmp_path / f"{piece}-{number}.sqlite3") as other:
                    assert import_games(other, document) == TakenIn(3, 0)
                    assert export_games(other) == text


def test_half_a_document_takes_in_nothing(tmp_path: Path) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        text = export_games(one)
        for cut in (10, len(text) // 2, text.rindex("]"), len(text) - 3):
            with pytest.raises(NotationError):
                import_games(other, text[:cut])
        with pytest.raises(NotationError, match="stands behind its end"):
            import_games(other, text + "{}")
        assert other.games() == ()


def _filled(path: Path) -> History:
    """A history with a finished game, one of two parts that goes on, and one that was undone."""
    history = opened(path)
    finished = history.begin(growing(3)[2], settings={"points": "hidden"})
    history.finish(finished)
    parts = history.begin(setup_text(), names={Colour.PINK: "Анна"}, place="Київ")
    history.change(parts, growing(3)[1], told="played")
    history.change(parts, setup_text(2), told="read anew", new_part=True)
    history.set_clock(parts, {Colour.BLUE: 1.5})
    undone = history.begin(growing(1)[0])
    history.change(undone, growing(2)[1], told="")
    history.undo(undone)
    return history


def test_what_is_exported_comes_back_the_same(tmp_path: Path) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        text = export_games(one)
        assert import_games(other, text) == TakenIn(3, 0)
        assert export_games(other) == text
        assert other.games() == one.games()
        assert other.finished_games() == one.finished_games()
        for game in one.games():
            assert other.revisions(game.key) == one.revisions(game.key)
            assert other.current(game.key) == one.current(game.key)
        assert import_games(other, text) == TakenIn(0, 3)
        assert export_games(other) == text


@given(
    names=st.lists(NAMES, min_size=2, max_size=2),
    place=NAMES,
    told=st.lists(NAMES, max_size=4),
    kept=st.dictionaries(st.text(max_size=5), st.integers() | st.booleans() | st.none(), max_size=3),
    undone=st.integers(0, 4),
)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_names_and_settings_come_back_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    names: list[str],
    place: str,
    told: list[str],
    kept: dict[str, object],
    undone: int,
) -> None:
    folder = tmp_path_factory.mktemp("any")
    with opened(folder / "one.sqlite3") as one, opened(folder / "other.sqlite3") as other:
        players = dict(zip((Colour.BLUE, Colour.PINK), names, strict=True))
        key = one.begin(setup_text(), names=players, place=place, settings=kept)
        for number, words in enumerate(told):
            one.change(key, setup_text(number), told=words)
        for _ in range(min(undone, len(told))):
            one.undo(key)
        import_games(other, export_games(one))
        assert other.games() == one.games()
        assert other.revisions(key) == one.revisions(key)


def test_a_game_goes_on_where_it_was_taken_in(tmp_path: Path) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        import_games(other, export_games(one))
        for game in one.games():
            number = one.change(game.key, growing(3)[2], told="").number
            assert other.change(game.key, growing(3)[2], told="").number == number


def test_a_game_that_went_on_elsewhere_comes_back_further_and_is_not_doubled(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, _later(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0], source=tmp_path / "game.txt")
        one.change(key, growing(2)[1], told="")
        import_games(other, export_games(one))
        other.change(key, growing(3)[2], told="")
        other.finish(key)
        text = export_games(other)
        assert import_games(one, text) == TakenIn(0, 0, renewed=1)
        assert export_games(one) == text
        assert one.result(key) == other.result(key) and one.at_source(tmp_path / "game.txt") == (key,)
        assert import_games(one, text) == TakenIn(0, 1)
        # What was exported before it went on takes nothing away.
        one.change(key, growing(2)[1], told="")
        assert import_games(one, text) == TakenIn(0, 1)


def test_a_game_that_is_finished_there_alone_is_finished_here(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(3)[2])
        import_games(other, export_games(one))
        assert other.finish(key) and one.result(key) is None
        text = export_games(one)
        assert import_games(one, export_games(other)) == TakenIn(0, 0, renewed=1)
        assert one.result(key) == other.result(key) is not None
        # What was exported before it was finished takes nothing away.
        assert import_games(one, text) == TakenIn(0, 1) and one.result(key) is not None


def test_what_was_undone_is_no_result_where_a_game_is_taken_in(tmp_path: Path) -> None:
    pink, undone = (f"Five Tribes, 2026-02-14\n1. pink {points}\n2. blue 5" for points in (10, 99))
    with opened(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        key = one.begin(pink)
        one.change(key, undone, told="")
        one.undo(key)
        one.finish(key)
        import_games(other, export_games(one))
        assert other.result(key) == one.result(key)


def test_a_game_that_went_on_here_and_there_is_left_as_it_is_here(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, _later(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0])
        import_games(other, export_games(one))
        one.change(key, growing(2)[1], told="")
        other.change(key, growing(3)[2], told="")
        before = export_games(one)
        assert import_games(one, export_games(other)) == TakenIn(0, 0, differing=(key,))
        assert export_games(one) == before


def test_what_was_undone_here_is_not_lost_to_an_import(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, _later(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0])
        import_games(other, export_games(one))
        one.change(key, growing(2)[1], told="")
        one.undo(key)
        other.change(key, growing(3)[2], told="")
        assert import_games(one, export_games(other)).differing == (key,)
        assert one.redo(key).text == growing(2)[1]


def test_no_number_is_given_twice_after_a_game_was_renewed(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, _later(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0])
        one.change(key, growing(2)[1], told="")
        one.undo(key)
        # Revision 2 is dropped for 3; the other never heard of 2.
        assert one.change(key, growing(3)[2], told="").number == 3
        one.undo(key)
        import_games(other, export_games(one))
        assert other.redo(key).number == 3
        assert import_games(one, export_games(other)).renewed == 1
        assert [history.change(key, growing(4)[3], told="").number for history in (one, other)] == [4, 4]


def _later(path: Path) -> History:
    """A history whose clock is a day ahead."""
    return open_history(path, now=clock(BEGUN + timedelta(days=1)))


def nested(depth: int) -> dict[str, object]:
    """Settings within settings."""
    found: dict[str, object] = {}
    for _ in range(depth):
        found = {"points": found}
    return found


@pytest.mark.parametrize("number", [2**63 - 1, 10**30])
@pytest.mark.parametrize("what", ["number", "part"])
def test_numbers_that_no_file_holds_are_refused(tmp_path: Path, what: str, number: int) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        document = json.loads(old_document(one))
        game = document["games"][0]
        game["revisions"][-1][what] = number
        game["current"] = game["revisions"][-1]["number"]
        with pytest.raises(NotationError, match="game 1: no history"):
            import_games(other, json.dumps(document))
        assert other.games() == ()


def _revision(number: int, part: int) -> dict[str, object]:
    """A revision as a document holds it."""
    return {"number": number, "part": part, "at": BEGUN.isoformat(), "told": "", "text": growing(1)[0]}


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"key": "../etc"}, "game 1: no history.*key"),
        ({"current": 99}, "game 1: its games.current"),
        ({"revisions": []}, "its games.current"),
        ({"started": "2026-02-14T19:00:00"}, "no history.*started"),
        ({"started": "0001-01-01T00:00:00+14:00"}, "no history.*started"),
        ({"changed": "9999-12-31T23:59:59-14:00"}, "no history.*changed"),
        ({"clock": {"blue": -1}}, "no history.*clock"),
        ({"revisions": [_revision(1, 1), _revision(2, 2), _revision(3, 1)]}, "its revisions.part"),
        ({"revisions": [_revision(1, 1), _revision(1, 1)]}, "its revisions.number"),
        ({"settings": nested(800)}, "no history|its games.settings"),
        ({"started": "yesterday"}, "no history"),
        ({"players": {"green": "Anna"}}, "no history"),
        ({"place": 3}, "no history"),
    ],
)
def test_a_document_that_is_wrong_is_refused_whole(tmp_path: Path, values: dict[str, object], match: str) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        with pytest.raises(NotationError, match=match):
            import_games(other, old_document(one, **values))
        assert other.games() == ()


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"players": [["pink", "Anna"], ["pink", "Boris"]]}, "game 1: it has something twice"),
        ({"clock": [["pink", float("inf")]]}, "no history"),
        ({"next": 1}, "its games.next"),
        ({"settings": "{"}, "its games.settings"),
        ({"settings": '{"seed": 1e999}'}, "its games.settings"),
        ({"place": "\udc80"}, "no history"),
        ({"revisions": [[1, 1, "record", 7, "", BEGUN.isoformat(), ""]]}, "its revisions.same"),
        ({"revisions": [[1, 1, "record", 0, "no record", BEGUN.isoformat(), ""]]}, "its revisions.content"),
        ({"results": [["pink", *[None] * 8, 10**30, 1]]}, "no history"),
    ],
)
def test_rows_that_do_not_fit_are_refused_whole(tmp_path: Path, values: dict[str, object], match: str) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        document = json.loads(export_games(one))
        document["games"][0].update({"current": 1} | values)
        with pytest.raises(NotationError, match=match):
            import_games(other, json.dumps(document))
        assert other.games() == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"history": 3, "games": []}',
        "\ud800",
        b"\xff\xfe",
        "[" * 9999,
        '{"history": 1, "games": [' + "[" * 9999,
        '{"history": 2, "games": [{"key": "\\ud800"}]}',
        '{"history": 2, "games": [3]}',
        '{"history": 1}',
    ],
)
def test_what_is_no_document_is_refused(tmp_path: Path, text: str | bytes) -> None:
    with opened(tmp_path / "games.sqlite3") as history, pytest.raises(NotationError):
        import_games(history, text)


def test_a_revision_that_is_no_game_is_refused(tmp_path: Path) -> None:
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        text = old_document(one).replace("Five Tribes record 1", "Five Tribes record 2")
        with pytest.raises(NotationError, match=r"game \d: .*version 2"):
            import_games(other, text)
        assert other.games() == ()


def test_a_backup_is_whole_while_somebody_writes(tmp_path: Path) -> None:
    texts = growing(12)
    with opened(tmp_path / "games.sqlite3") as history:
        key = history.begin(texts[0])
        going = threading.Event()
        done = threading.Event()

        def write() -> None:
            with opened(history.path) as own:
                while not done.is_set():
                    for text in texts:
                        own.change(key, text, told="")
                    going.set()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            assert going.wait(20)
            for number in range(3):
                target = tmp_path / f"copy{number}.sqlite3"
                back_up(history, target, force=False)
                assert stat.S_IMODE(target.stat().st_mode) == 0o600
                with opened(target) as copy:
                    assert copy.told == ()
                    assert all(one.text in texts for one in copy.revisions(key))
                    assert len(copy.revisions(key)) > len(texts)
        finally:
            done.set()
            writer.join()
    assert not list(tmp_path.glob(".*"))


def test_a_backup_replaces_nothing_unasked_and_never_the_history(tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    with _filled(tmp_path / "games.sqlite3") as history:
        target.write_text("mine")
        with pytest.raises(OutputExistsError):
            back_up(history, target, force=False)
        assert target.read_text() == "mine"
        back_up(history, target, force=True)
        with pytest.raises(UsageError):
            back_up(history, history.path, force=True)
        with pytest.raises(UsageError, match="does not exist"):
            back_up(history, tmp_path / "none" / "copy.sqlite3", force=False)
        assert len(history.games()) == 3
    copy = sqlite3.connect(target)
    assert copy.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    copy.close()


def test_a_backup_follows_a_link_and_what_a_killed_one_left_is_cleared_away(tmp_path: Path) -> None:
    folder, link = tmp_path / "elsewhere", tmp_path / "link.sqlite3"
    folder.mkdir()
    target = folder / "copy.sqlite3"
    target.touch()
    link.symlink_to(target)
    left = folder / ".companion-0123456789ab.tmp"
    left.touch()
    long_ago = time.time() - 3600
    os.utime(left, (long_ago, long_ago))
    with _filled(tmp_path / "games.sqlite3") as history:
        back_up(history, link, force=True)
    assert link.is_symlink()
    assert list(folder.iterdir()) == [target]
    with opened(target) as copy:
        assert len(copy.games()) == 3
