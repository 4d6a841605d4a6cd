"""What goes wrong beside the table: no room, no folder, a history of another time. Nothing is lost, and it is said."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from companion.errors import ConflictError, NoRoomError
from companion.history.database import History
from companion.history.saved import GameKey
from companion.language.phrase import say
from companion.web.store import sent_photos
from tests.web.at_table import JPEG, MID_TEXT, AtTable, Phone


def full(*ignored: object, **also: object) -> None:
    raise NoRoomError(say("there is no room for {name}", name="x"))


def test_a_full_disk_is_said_and_the_game_is_as_it_was(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = table.services.history.begin(MID_TEXT)
    with monkeypatch.context() as while_full:
        while_full.setattr(History, "change", full)
        answer = phone.post(f"/games/{key}/players/blue", {"gold": "3"})
    assert answer.status_code == 507 and "no room" in answer.text
    assert table.services.history.current(GameKey(key)).text == MID_TEXT
    with monkeypatch.context() as while_full:
        while_full.setattr(sent_photos, "write_private", full)
        assert phone.send_photos("/photos", JPEG).status_code == 507
    assert phone.send_photos("/photos", JPEG).status_code == 303


def test_what_a_full_disk_does_not_take_is_not_noted_and_a_photo_is_withdrawn_once(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = table.services.photos
    sent = table.run(jobs.find(phone.send_photos("/photos", JPEG).headers["location"].split("/")[-1]))
    with monkeypatch.context() as while_full, pytest.raises(NoRoomError):
        while_full.setattr(sent_photos, "write_private", full)
        table.run(jobs.accept(sent, "game", sent.seen.position))
    assert (sent.accepted, sent.taken) == (None, "")
    assert table.run(jobs.withdraw(sent)) == [JPEG] and not sent.folder.exists()
    with pytest.raises(ConflictError, match="already in the game"):
        table.run(jobs.withdraw(sent))


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


def test_old_and_large_photos_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, value, photo, left in (("MAX_READINGS", 3, (JPEG,), 3), ("MAX_BYTES", 5 * len(JPEG), (JPEG, JPEG), 2)):
        with monkeypatch.context() as limited, AtTable(tmp_path / limit) as table:
            limited.setattr(sent_photos, limit, value)
            phone = table.phone()
            sent = [phone.send_photos("/photos", *photo).headers["location"] for _ in range(5)]
            assert [phone.get(reading).status_code for reading in sent] == [410] * (5 - left) + [200] * left
            assert len(list((table.folder / "photos").iterdir())) == left
            # The latest is read, however large it is.
            latest = phone.send_photos("/photos", *[JPEG] * 7).headers["location"]
            assert phone.get(latest).status_code == 200


def test_a_file_that_is_damaged_while_the_table_runs_is_told_on_the_page(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone, key = table.phone(), table.services.history.begin(MID_TEXT)
        table.services.history._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        table.services.history._connection.execute("PRAGMA shrink_memory")
        path = tmp_path / "games.sqlite3"
        whole = path.read_bytes()
        path.write_bytes(whole[:100] + b"\x5a" * (len(whole) - 100))
        answer = phone.post(f"/games/{key}/players/blue", {"gold": "3"})
        assert answer.headers["content-type"].startswith("text/html") and answer.status_code == 500
        (told,) = re.findall(r'role="alert">([^<]*)<', answer.text)
        assert "is damaged" in told and "start" in told
    with AtTable(tmp_path) as table:
        (set_aside,) = table.services.history.notices
        assert "damaged-2026-11-22" in set_aside
        assert str(set_aside) in html.unescape(table.phone().get("/").text)
