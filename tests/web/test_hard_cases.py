"""What goes wrong beside the table: no room, no folder, a history of another time. Nothing is lost, and it is said."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.errors import NoRoomError
from companion.history.database import History
from companion.history.kept import GameKey
from companion.language.phrase import say
from companion.web import photos
from tests.web.at_table import JPEG, SAMPLES, AtTable

MID = (SAMPLES / "mid.toml").read_text(encoding="utf-8")


def full(*ignored: object, **also: object) -> None:
    raise NoRoomError(say("there is no room for {name}", name="x"))


def test_a_full_disk_is_said_and_the_game_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = table.services.history.begin(MID)
        with monkeypatch.context() as while_full:
            while_full.setattr(History, "change", full)
            answer = phone.post(f"/games/{key}/players/blue", {"gold": "3"})
        assert answer.status_code == 507 and "no room" in answer.text
        assert table.services.history.current(GameKey(key)).text == MID
        with monkeypatch.context() as while_full:
            while_full.setattr(photos, "write_private", full)
            assert phone.send_photos("/photos", JPEG).status_code == 507
        assert phone.send_photos("/photos", JPEG).status_code == 303


def test_a_photo_that_was_half_written_is_passed_over(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        reading = table.phone().send_photos("/photos", JPEG).headers["location"]
    for name, text in (("torn", "{"), ("other", "[]"), ("empty", "")):
        (tmp_path / "photos" / name).mkdir()
        (tmp_path / "photos" / name / "about.json").write_text(text)
    (tmp_path / "photos" / "stray").write_text("")
    with AtTable(tmp_path) as table:
        phone = table.phone()
        assert phone.get(reading).status_code == 200
        assert phone.get("/readings/torn").status_code == 410


def test_old_photos_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "MAX_KEPT", 3)
    with AtTable(tmp_path) as table:
        phone = table.phone()
        sent = [phone.send_photos("/photos", JPEG + bytes([one])).headers["location"] for one in range(5)]
        assert [phone.get(one).status_code for one in sent] == [410, 410, 200, 200, 200]
        assert len(list((tmp_path / "photos").iterdir())) == 3


def test_large_photos_make_room_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "MAX_KEPT_BYTES", 5 * len(JPEG))
    with AtTable(tmp_path) as table:
        phone = table.phone()
        sent = [phone.send_photos("/photos", JPEG, JPEG).headers["location"] for _ in range(4)]
        assert [phone.get(one).status_code for one in sent] == [410, 410, 200, 200]
        assert len(list((tmp_path / "photos").iterdir())) == 2
        # The latest is read, however large it is.
        latest = phone.send_photos("/photos", *[JPEG] * 7).headers["location"]
        assert phone.get(latest).status_code == 200 and len(list((tmp_path / "photos").iterdir())) == 1


def test_pictures_are_let_go_of_and_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "MAX_IN_MEMORY", 2)
    with AtTable(tmp_path) as table:
        phone = table.phone()
        sent = [phone.send_photos("/photos", JPEG + bytes([one])).headers["location"] for one in range(3)]
        phone.post(f"{sent[1]}/tiles/a1", {"tile": "S15:yyy"})
        assert phone.get(f"{sent[0]}/photo.jpg").content == JPEG
        assert phone.get(f"{sent[1]}/photo.jpg").content == JPEG
        told = table.run(table.services.photos.find(sent[1].split("/")[-1])).seen
        assert told.corrected == {"a1"}


@pytest.mark.parametrize("change", ["PRAGMA user_version = 99"])
def test_a_history_of_a_newer_version_is_not_touched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    path = tmp_path / "games.sqlite3"
    with AtTable(tmp_path) as table:
        table.services.history.begin(MID)
    with sqlite3.connect(path) as database:
        database.execute(change)
    database.close()
    before = path.read_bytes()
    assert main(["serve", "--here", "--history", str(path)]) == 4
    assert "newer" in capsys.readouterr().err
    assert path.read_bytes() == before
