"""The file of the history: what is wrong with it is told, what lies in it is never touched."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import CompanionError, ExitStatus, UnusableInputError
from companion.history.database import open_history
from companion.history.opening import VERSION, copies_of, history_path, is_off, read_only_stats
from companion.resources import data_folder
from tests.history.games import clock, growing, opened, setup_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def _kept(path: Path) -> bytes:
    """A file with a game in it, closed; its bytes."""
    with opened(path) as history:
        history.begin(setup_text())
    return path.read_bytes()


def test_a_damaged_file_is_set_aside_as_it_is_and_told_of(path: Path) -> None:
    spoils: list[Callable[[bytes], bytes]] = [
        lambda content: content[:16] + b"\0" * len(content),
        lambda content: content[: len(content) // 2 + 7],
        lambda content: content[:30],
        # The first page as it was, so that only a look at the whole finds the fault.
        lambda content: content[:4096] + bytes(b ^ 0x5A for b in content[4096:]),
    ]
    whole = _kept(path)
    for number, spoil in enumerate(spoils, 1):
        damaged = spoil(whole)
        path.write_bytes(damaged)
        path.with_name("games.sqlite3-wal").write_bytes(b"log")
        with pytest.raises(CompanionError, match="damaged"):
            read_only_stats(path)
        with opened(path) as history:
            (notice,) = history.notices
            assert "damaged" in notice and "games.sqlite3.damaged-2026-02-14" in notice
            assert history.games() == ()
        aside = path.with_name(f"games.sqlite3.damaged-2026-02-14{f'-{number}' if number > 1 else ''}")
        assert aside.read_bytes() == damaged and Path(f"{aside}-wal").read_bytes() == b"log"
        assert aside in copies_of(path)
        with opened(path) as history:
            assert history.notices == ()


def test_what_never_was_a_history_is_refused_by_name_and_left_alone(path: Path) -> None:
    for content in (b"a letter to a friend\n" * 99, b"\xff\xd8\xff\xe0", b'{"history": 2, "games": []}', b"\0" * 9999):
        path.write_bytes(content)
        for look in (opened, read_only_stats):
            with pytest.raises(UnusableInputError, match=r"games\.sqlite3 isn't a history") as raised:
                look(path)
            assert raised.value.status == ExitStatus.UNUSABLE_INPUT
        assert [*path.parent.iterdir()] == [path] and path.read_bytes() == content


def test_a_newer_file_and_another_programs_database_are_left_as_they_are(path: Path) -> None:
    _kept(path)
    foreign = path.with_name("recipes.sqlite3")
    for database, words, statement in (
        (path, "another version", f"PRAGMA user_version = {VERSION + 1}"),
        (foreign, "another program", "CREATE TABLE recipes (name TEXT)"),
    ):
        with sqlite3.connect(database) as other:
            other.execute(statement)
        other.close()
        before = database.read_bytes()
        for look in (opened, read_only_stats):
            with pytest.raises(UnusableInputError, match=words) as raised:
                look(database)
            assert raised.value.status == ExitStatus.UNUSABLE_INPUT
        assert database.read_bytes() == before


def test_what_doctor_tells_of_a_file_leaves_nothing_beside_it(path: Path) -> None:
    assert read_only_stats(path) is None
    with opened(path) as history:
        history.finish(history.begin(growing(2)[1]))
        history.begin(setup_text())
    before = sorted(path.parent.iterdir())
    stats = read_only_stats(path)
    assert stats is not None and (stats.games, stats.finished, stats.size) == (2, 1, path.stat().st_size)
    assert sorted(path.parent.iterdir()) == before


def test_what_is_no_place_for_games_is_told(path: Path, tmp_path: Path) -> None:
    path.mkdir()
    for place, words in (
        (path, "not an ordinary file"),
        (tmp_path / "none" / "games.sqlite3", "No such file or directory"),
        (tmp_path / ("x" * 300), "cannot save games in"),
    ):
        with pytest.raises(CompanionError, match=words):
            opened(place)


def test_the_file_lies_in_the_data_folder_or_where_the_environment_says(path: Path) -> None:
    default = history_path({})
    assert default.parent == data_folder()
    _kept(default)
    assert default.parent.stat().st_mode & 0o777 == 0o700
    assert history_path({"COMPANION_HISTORY": str(path)}) == path
    assert is_off({"COMPANION_HISTORY": "off"}) and not is_off({"COMPANION_HISTORY": str(path)}) and not is_off({})


FULL = """
import resource, sys
from pathlib import Path
from companion.errors import CompanionError
from tests.history.games import growing, opened
path = Path(sys.argv[1])
with opened(path) as history:
    key = history.begin(growing(1)[0])
    history.change(key, growing(2)[1], summary="kept")
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size + 100,) * 2)
    try:
        for _ in range(9):
            history.change(key, growing(2)[1], summary="x" * 9000)
    except CompanionError as error:
        print(int(error.status), error)
    print(len(history.revisions(key)), history.current(key).summary)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on files here")
def test_a_full_disk_is_told_and_what_was_answered_stays(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("3 ") and "is full" in first
    assert second == "2 kept"
    with opened(path) as history:
        assert history.notices == () and history.games()[0].revision == 2


def test_a_file_that_somebody_writes_for_too_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _kept(path)
    monkeypatch.setattr("companion.history.opening.BUSY_S", 0.05)
    with open_history(path, now=clock()) as second:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(CompanionError, match="another companion has been writing"):
            second.begin(growing(1)[0])
        assert len(second.games()) == 1, "looked at meanwhile"
        holder.execute("ROLLBACK")
        holder.close()
        second.begin(growing(1)[0])
        assert len(second.games()) == 2
