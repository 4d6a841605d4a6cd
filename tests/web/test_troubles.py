"""A history that cannot be used, beside the table that runs: it is said in plain words, and nothing old is touched."""

from __future__ import annotations

import html
import os
import re
import resource
import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.history import opening
from companion.history.kept import GameKey
from companion.rules.model.components import Colour
from companion.table.games import open_table
from tests.history.games import opened
from tests.web.at_table import JPEG, SAMPLES, AtTable, Phone
from tests.web.test_serve import served, serving

MID = (SAMPLES / "mid.toml").read_text(encoding="utf-8")
FOLDER = "five-tribes-companion"
PHOTO = (
    "--x\r\nContent-Disposition: form-data; name=photos; filename=a\r\n\r\n" + "GIF89a" + "x" * 90_000 + "\r\n--x--\r\n"
)

BOUND = ("setpriv", "--bounding-set=-dac_override") if os.geteuid() == 0 else ()
"""Runs a command as somebody whom permissions bind; root alone is not bound by them."""

bound_by_permissions = pytest.mark.skipif(
    os.name != "posix" or bool(BOUND and shutil.which(BOUND[0]) is None), reason="root, and no setpriv"
)


def kept(home: Path) -> Path:
    """A user's history with a game in it, as one file."""
    path = home / FOLDER / "games.sqlite3"
    path.parent.mkdir()
    with opened(path) as history:
        history.begin(MID)
    return path


def ended(home: Path, wrapped: tuple[str, ...]) -> tuple[int, str]:
    """The status of a server that cannot begin, and what it said."""
    with serving(home, wrapped=wrapped) as process:
        try:
            out, told = process.communicate(timeout=30)
        finally:
            process.kill()
    assert out == "" and "Traceback" not in told
    return process.returncode, told


@pytest.mark.slow
def test_a_damaged_history_is_kept_aside_and_the_table_opens(tmp_path: Path) -> None:
    path = kept(tmp_path)
    damaged = path.read_bytes()[:4096] + b"\x5a" * 9000
    path.write_bytes(damaged)
    with served(tmp_path) as server:
        cookie = server.come_in()
        status, _, page = server.ask("GET", "/", cookie=cookie)
        assert status == 200 and b"No game has been kept yet" in page
        status, headers, _ = server.ask("POST", "/games", "how=random&plays=blue&plays=pink", cookie)
        assert status == 303 and server.ask("GET", headers["location"], cookie=cookie)[0] == 200
        server.process.kill()
        assert server.process.stderr is not None
        told = server.process.stderr.read()
    (aside,) = [one for one in path.parent.glob("games.sqlite3.damaged-*") if not one.name.endswith(("-wal", "-shm"))]
    assert aside.read_bytes() == damaged
    assert "is damaged" in told and str(aside) in told and "a new file is begun" in told


@pytest.mark.slow
@bound_by_permissions
def test_a_folder_that_takes_nothing_ends_the_server_and_stays_as_it_is(tmp_path: Path) -> None:
    path = kept(tmp_path)
    before = path.read_bytes()
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        status, told = ended(tmp_path, BOUND)
        assert status == 4 and "cannot write to" in told and "check that you have permission" in told
        assert {one.name for one in path.parent.iterdir()} == {path.name} and path.read_bytes() == before
    finally:
        path.parent.chmod(0o755)


@pytest.mark.slow
@bound_by_permissions
def test_a_copy_where_nothing_can_be_written_is_shown_and_says_so_when_it_is_changed(tmp_path: Path) -> None:
    path = kept(tmp_path)
    folder = tmp_path / "shown"
    folder.mkdir()
    copy = Path(shutil.copy(path, folder))
    with sqlite3.connect(copy) as one_file:
        one_file.execute("PRAGMA journal_mode = DELETE")
    one_file.close()
    before = copy.read_bytes()
    copy.chmod(0o444)
    folder.chmod(0o555)
    try:
        with served(tmp_path, "--history", str(copy), wrapped=BOUND) as server:
            cookie = server.come_in()
            status, _, page = server.ask("GET", "/", cookie=cookie)
            (game,) = re.findall(rb'href="(/games/[^"]+)"', page)
            assert status == 200 and server.ask("GET", game.decode(), cookie=cookie)[0] == 200
            status, _, page = server.ask("POST", f"{game.decode()}/players/blue", "gold=41&revision=1", cookie)
            assert status == 422 and "where games are kept (it is read-only)" in page.decode()
    finally:
        folder.chmod(0o755)
    assert copy.read_bytes() == before


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="no limits on the files of a process that runs")
def test_a_disk_that_fills_up_is_told_on_the_page_and_what_was_answered_stays(tmp_path: Path) -> None:
    path = kept(tmp_path)
    with opened(path) as history:
        (game,) = history.games()
    with served(tmp_path) as server:
        cookie = server.come_in()
        place = f"/games/{game.key}/players/blue"
        assert server.ask("POST", place, "gold=41&revision=1", cookie)[0] == 303
        room = path.with_name("games.sqlite3-wal").stat().st_size
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (room, most))
        for where, body, kind in (
            (place, "gold=42&revision=2", "application/x-www-form-urlencoded"),
            ("/photos", PHOTO, "multipart/form-data; boundary=x"),
        ):
            status, _, page = server.ask("POST", where, body, cookie, kind)
            assert status == 507 and "room" in page.decode() and b'role="alert"' in page, page
        assert server.ask("GET", f"/games/{game.key}", cookie=cookie)[0] == 200
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
        assert server.ask("POST", place, "gold=43&revision=2", cookie)[0] == 303
        server.process.kill()
        server.process.wait(10)
    with opened(path) as history:
        assert history.notices == ()
        kept_since = [open_table(revision.text).position for revision in history.revisions(game.key)[1:]]
    assert [position.player(Colour.BLUE).gold for position in kept_since] == [41, 43]


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
        assert status == 503 and "being written by another companion" in told
        assert phone.get(f"/games/{key}").status_code == 200
        holder.execute("ROLLBACK")
        holder.close()
        assert phone.post(f"/games/{key}/players/blue", {"gold": "3"}).status_code == 303


def test_photos_that_cannot_be_kept_are_told_on_the_page(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        (tmp_path / "photos").write_text("a file where the folder should be")
        answer = table.phone().send_photos("/photos", JPEG)
        assert answer.status_code == 422 and "Cannot write to" in answer.text
