"""A history that cannot be used, beside the table that runs: it is said in plain words, and nothing old is touched."""

from __future__ import annotations

import html
import re
import sqlite3
from pathlib import Path

import pytest

from companion.history import opening
from companion.history.kept import GameKey
from tests.web.at_table import JPEG, SAMPLES, AtTable, Phone

MID = (SAMPLES / "mid.toml").read_text(encoding="utf-8")


def page_of(phone: Phone, key: GameKey) -> tuple[int, str]:
    answer = phone.post(f"/games/{key}/players/blue", {"gold": "3"})
    assert answer.headers["content-type"].startswith("text/html")
    (alert,) = re.findall(r'role="alert">([^<]*)<', answer.text)
    return answer.status_code, html.unescape(alert)


def test_a_file_that_is_damaged_while_the_table_runs_is_told_on_the_page(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone, key = table.phone(), table.services.history.begin(MID)
        table.services.history._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        table.services.history._connection.execute("PRAGMA shrink_memory")
        path = tmp_path / "games.sqlite3"
        whole = path.read_bytes()
        path.write_bytes(whole[:100] + b"\x5a" * (len(whole) - 100))
        status, told = page_of(phone, key)
        assert status == 500 and "is damaged" in told and "start" in told
    with AtTable(tmp_path) as table:
        (set_aside,) = table.services.history.notices
        assert "damaged-2026-11-22" in set_aside
        assert str(set_aside) in html.unescape(table.phone().get("/").text)


def test_somebody_else_who_writes_for_too_long_is_told_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_S", 0.05)
    with AtTable(tmp_path) as table:
        phone, key = table.phone(), table.services.history.begin(MID)
        holder = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        status, told = page_of(phone, key)
        assert status == 503 and "nother companion has been writing" in told
        assert phone.get(f"/games/{key}").status_code == 200
        holder.execute("ROLLBACK")
        holder.close()
        assert phone.post(f"/games/{key}/players/blue", {"gold": "3"}).status_code == 303


def test_photos_that_cannot_be_kept_are_told_on_the_page(table: AtTable, tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("a file where the folder should be")
    answer = table.phone().send_photos("/photos", JPEG)
    assert answer.status_code == 422 and "Cannot write to" in answer.text
