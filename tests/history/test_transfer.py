"""The history as JSON and back, and copies of it while somebody writes."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.errors import NotationError, OutputExistsError, UsageError
from companion.history.database import History, open_history
from companion.history.transfer import ImportedGames, back_up, exported_games
from companion.history.transfer import import_games as take_in
from companion.rules.model.components import Colour
from tests.history.games import BEGUN, clock, growing, opened, setup_text


def export_games(history: History) -> str:
    """The whole document."""
    return b"".join(exported_games(history)).decode()


def import_games(history: History, document: str | bytes) -> ImportedGames:
    """Take in a whole document."""
    content = document if isinstance(document, bytes) else document.encode("utf-8", "surrogatepass")
    return take_in(history, {Path("games.json"): io.BytesIO(content)})


def _filled(path: Path) -> History:
    """A history with a finished game, one of two parts that goes on, and one that was undone."""
    history = opened(path)
    finished = history.begin(growing(3)[2], settings={"points": "hidden"})
    history.finish(finished)
    parts = history.begin(setup_text(), names={Colour.PINK: "Анна"}, place="Київ")
    history.change(parts, growing(3)[1], summary="played")
    history.change(parts, setup_text(2), summary="read anew", new_part=True)
    history.set_clock(parts, {Colour.BLUE: 1.5})
    undone = history.begin(growing(1)[0])
    history.change(undone, growing(2)[1], summary="")
    history.undo(undone)
    return history


def test_what_is_exported_comes_back_the_same_in_whatever_layout(tmp_path: Path) -> None:
    with _filled(tmp_path / "one.sqlite3") as one:
        text = export_games(one)
        layouts = (text, json.dumps(json.loads(text), indent=4), "\ufeff" + text)
        for number, document in enumerate(layouts):
            with opened(tmp_path / f"{number}.sqlite3") as other:
                assert import_games(other, document) == ImportedGames(3, 0)
                assert export_games(other) == text
                assert other.games() == one.games() and other.finished_games() == one.finished_games()
                for game in one.games():
                    assert other.revisions(game.key) == one.revisions(game.key)
                    assert other.current(game.key) == one.current(game.key)
                assert import_games(other, document) == ImportedGames(0, 3)
                assert export_games(other) == text


def test_a_document_written_by_hand_is_taken_in(tmp_path: Path) -> None:
    """Of each text what the one before does not have, and times with Z."""
    texts, at = growing(2), "2026-02-14T19:00:00Z"
    same = 40
    revisions = [[1, 1, "record", 0, texts[0], at, ""], [2, 1, "record", same, texts[1][same:], at, "played"]]
    game = {"key": "game-of-old", "started": at, "changed": at, "finished": None, "date": "2026-02-14", "place": "",
            "current": 2, "next": 3, "settings": "{}", "revisions": revisions, "players": [["pink", "Anna"]],
            "clock": [["pink", 1.5]], "results": [], "djinns": [], "bids": []}  # fmt: skip
    with opened(tmp_path / "games.sqlite3") as history:
        assert import_games(history, json.dumps({"history": 2, "games": [game]})) == ImportedGames(1, 0)
        (key,) = history.keys()
        assert [revision.text for revision in history.revisions(key)] == list(texts)
        assert history.game(key).started == BEGUN and history.game(key).clock == {Colour.PINK: 1.5}


def test_texts_go_out_a_line_a_game_each_without_what_the_one_before_has(tmp_path: Path) -> None:
    texts = growing(20)
    with opened(tmp_path / "one.sqlite3") as one:
        keys = [one.begin(texts[0]) for _ in range(3)]
        for text in texts[1:]:
            one.change(keys[0], text, summary="")
        lines = export_games(one).splitlines()
    assert len(lines) == 5 and [json.loads(line.rstrip(","))["key"] for line in lines[1:4]] == keys
    assert len(lines[1]) < len(texts[0]) + 2 * len(texts[-1]) + 20 * 80


def _later(path: Path) -> History:
    """A history whose clock is a day ahead."""
    return open_history(path, now=clock(BEGUN + timedelta(days=1)))


def test_a_game_that_went_on_elsewhere_comes_back_further_and_is_not_doubled(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, _later(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0], source=tmp_path / "game.txt")
        one.change(key, growing(2)[1], summary="")
        before = export_games(one)
        import_games(other, before)
        other.change(key, growing(3)[2], summary="")
        other.finish(key)
        text = export_games(other)
        assert import_games(one, text) == ImportedGames(0, 0, renewed=1)
        assert export_games(one) == text
        assert one.result(key) == other.result(key) is not None
        assert one.at_source(tmp_path / "game.txt") == (key,)
        # What is older takes nothing away, be it that it goes on here.
        assert import_games(one, text) == import_games(one, before) == ImportedGames(0, 1)
        one.change(key, growing(2)[1], summary="")
        assert import_games(one, text) == ImportedGames(0, 1)


def test_a_game_that_is_finished_there_alone_is_finished_here(tmp_path: Path) -> None:
    pink, undone = (f"Five Tribes, 2026-02-14\n1. pink {points}\n2. blue 5" for points in (10, 99))
    with opened(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        key = one.begin(pink)
        one.change(key, undone, summary="")
        one.undo(key)
        text = export_games(one)
        import_games(other, text)
        # What was undone is no result.
        assert other.finish(key).players[Colour.PINK].total == 10 and one.result(key) is None
        assert import_games(one, export_games(other)) == ImportedGames(0, 0, renewed=1)
        assert one.result(key) == other.result(key) is not None
        assert import_games(one, text) == ImportedGames(0, 1) and one.result(key) is not None


def test_a_game_that_went_on_here_and_there_is_left_as_it_is_here(tmp_path: Path) -> None:
    with opened(tmp_path / "one.sqlite3") as one, _later(tmp_path / "other.sqlite3") as other:
        key = one.begin(growing(1)[0])
        import_games(other, export_games(one))
        one.change(key, growing(2)[1], summary="")
        other.change(key, growing(3)[2], summary="")
        for undo in (False, True):
            if undo:
                one.undo(key)
            before = export_games(one)
            assert import_games(one, export_games(other)) == ImportedGames(0, 1)
            assert export_games(one) == before
        assert one.redo(key).text == growing(2)[1]


def _deep(depth: int) -> str:
    return '{"points": ' * depth + "1" + "}" * depth


def test_a_document_that_is_wrong_is_refused_whole(tmp_path: Path, subtests: pytest.Subtests) -> None:
    at, text = BEGUN.isoformat(), growing(1)[0]

    def revision(number: int, part: int, same: int = 0, content: str = text, kind: str = "record") -> list[object]:
        return [number, part, kind, same, content, at, ""]

    cases: dict[str, dict[str, Any]] = {
        "a key that is a path": {"key": "../etc"},
        "no such revision": {"current": 99},
        "no revision": {"revisions": []},
        "no zone": {"started": "2026-02-14T19:00:00"},
        "before the year 1": {"started": "0001-01-01T00:00:00+14:00"},
        "no time": {"changed": "yesterday"},
        "less than no time": {"clock": [["blue", -1]]},
        "parts out of order": {"revisions": [revision(1, 1), revision(2, 2), revision(3, 1)]},
        "revisions out of order": {"revisions": [revision(2, 1), revision(1, 1)]},
        "a revision twice": {"revisions": [revision(1, 1), revision(1, 1)]},
        "a number that no file holds": {"revisions": [revision(1, 2**63)]},
        "no record": {"revisions": [revision(1, 1, content="no record")]},
        "a kind that it is not": {"revisions": [revision(1, 1, kind="position")]},
        "a player that there is not": {"players": [["green", "Anna"]]},
        "a player twice": {"players": [["pink", "Anna"], ["pink", "Boris"]]},
        "a number for a place": {"place": 3},
        "a place that is no text": {"place": "\udc80"},
        "a number given twice": {"next": 1},
        "settings that are none": {"settings": "{"},
        "settings without an end": {"settings": _deep(9999)},
        "results that no file holds": {"results": [["pink", *[None] * 8, 10**30, 1]]},
    }
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "other.sqlite3") as other:
        for name, values in cases.items():
            document = json.loads(export_games(one))
            document["games"][0].update({"current": 1} | values)
            with subtests.test(msg=name):
                with pytest.raises(NotationError, match="game 1|surrogate"):
                    import_games(other, json.dumps(document))
                assert other.games() == ()
        whole = export_games(one)
        twice = json.loads(whole)
        twice["games"].append(twice["games"][0])
        assert import_games(other, json.dumps(twice)) == ImportedGames(3, 1)


def test_what_is_no_document_is_refused(tmp_path: Path) -> None:
    documents: list[str | bytes] = ["", "[]", "{", '{"history": 3, "games": []}', "\ud800", b"\xff\xfe", "[" * 9999]
    documents += ['{"history": 1}', '{"history": 2, "games": [3]}', '{"history": 1, "games": [{"revisions": 3}]}']
    with _filled(tmp_path / "one.sqlite3") as one, opened(tmp_path / "games.sqlite3") as history:
        text = export_games(one)
        documents += [text[:cut] for cut in (10, len(text) // 2, text.rindex("]"), len(text) - 3)]
        documents += [text + "{}"]
        for document in documents:
            with pytest.raises(NotationError):
                import_games(history, document)
        assert history.games() == ()


def test_a_backup_replaces_nothing_unasked_never_the_history_and_follows_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "copy.sqlite3", tmp_path / "link.sqlite3"
    link.symlink_to(target)
    with _filled(tmp_path / "games.sqlite3") as history:
        target.write_text("mine")
        with pytest.raises(OutputExistsError):
            back_up(history, target, force=False)
        for wrong in (history.path, tmp_path / "none" / "copy.sqlite3"):
            with pytest.raises(UsageError):
                back_up(history, wrong, force=True)
        assert target.read_text() == "mine"
        back_up(history, link, force=True)
        assert len(history.games()) == 3
    assert link.is_symlink()
    with opened(target) as copy:
        assert len(copy.games()) == 3
