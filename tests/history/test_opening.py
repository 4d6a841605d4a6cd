"""The file of the history: what is wrong with it is told, what lies in it is never touched."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.errors import CompanionError, ExitStatus, UnusableInputError
from companion.history import opening
from companion.history.database import open_history
from companion.history.opening import history_path, is_off
from companion.history.results import BidKept
from companion.history.schema import STEPS, VERSION, migrate
from companion.resources import data_folder
from companion.rules.model.components import Colour
from companion.storage import filled_by_name
from tests.history.games import BEGUN, clock, growing, opened, setup_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def _kept(path: Path) -> bytes:
    """A file with a game in it, closed; its bytes."""
    with opened(path) as history:
        history.begin(setup_text())
    return path.read_bytes()


def _spoilt_in_the_middle(content: bytes) -> bytes:
    """The first page as it was, so that only a look at the whole finds the fault."""
    return content[:4096] + bytes(b ^ 0x5A for b in content[4096:])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"\0" * len(content),
        lambda content: content[: len(content) // 2 + 7],
        lambda content: b"a letter to a friend\n" * 99,
        lambda content: content[:30],
        _spoilt_in_the_middle,
    ],
    ids=["zeroes", "cut off", "text", "a beginning", "the middle"],
)
def test_a_damaged_file_is_set_aside_as_it_is_and_told_of(path: Path, spoil: object) -> None:
    assert callable(spoil)
    damaged = spoil(_kept(path))
    path.write_bytes(damaged)
    with opened(path) as history:
        (told,) = history.told
        assert "damaged" in told and "games.sqlite3.damaged-2026-02-14" in told and "a new file is begun" in told
        assert history.games() == ()
        history.begin(setup_text())
    aside = path.with_name("games.sqlite3.damaged-2026-02-14")
    assert aside.read_bytes() == damaged
    path.write_bytes(damaged)
    with opened(path):
        pass
    assert aside.read_bytes() == path.with_name(aside.name + "-2").read_bytes() == damaged
    with opened(path) as history:
        assert history.told == ()


def test_what_sqlite_keeps_beside_a_damaged_file_goes_with_it(path: Path) -> None:
    _kept(path)
    path.write_bytes(b"x" * 5000)
    path.with_name("games.sqlite3-wal").write_bytes(b"log")
    with opened(path):
        pass
    assert path.with_name("games.sqlite3.damaged-2026-02-14-wal").read_bytes() == b"log"


def test_a_newer_file_is_left_as_it_is(path: Path) -> None:
    _kept(path)
    with sqlite3.connect(path) as newer:
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    before = path.read_bytes()
    with pytest.raises(UnusableInputError, match="newer version") as told:
        opened(path)
    assert told.value.status == ExitStatus.UNUSABLE_INPUT
    assert path.read_bytes() == before


def test_another_programs_database_is_left_as_it_is(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(UnusableInputError, match="another program"):
        opened(path)
    assert path.read_bytes() == before


def _older(path: Path, version: int) -> None:
    """A file of an older version, with its tables as that version made them."""
    with sqlite3.connect(path, isolation_level=None) as older:
        for number in range(version):
            for statement in STEPS[number].split(";"):
                older.execute(statement)
        older.execute(f"PRAGMA user_version = {version}")
        older.execute("PRAGMA application_id = 1179939433")
    older.close()


def _version_of(path: Path) -> int:
    copy = sqlite3.connect(path)
    (version,) = copy.execute("PRAGMA user_version").fetchone()
    copy.close()
    return int(version)


@pytest.mark.parametrize("version", range(1, VERSION))
def test_an_older_file_is_brought_up_to_date_and_a_copy_kept(path: Path, version: int) -> None:
    _older(path, version)
    with opened(path) as history:
        key = history.begin(setup_text())
        history.finish(key)
        assert history.told == ()
    assert _version_of(path.with_name(f"games.sqlite3.version-{version}")) == version


def test_a_copy_that_is_cut_off_is_none(path: Path) -> None:
    """The program is killed by the system as soon as it writes to the copy."""
    _older(path, 1)
    killed = """
import resource, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from companion.history import opening
from companion.history.schema import VERSION

signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
keep = opening._keep_older

def keep_older(path, version):
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    keep(path, version)

opening._keep_older = keep_older
opening.connect(Path(sys.argv[1]), today=datetime(2026, 2, 14, tzinfo=UTC))
"""
    done = subprocess.run([sys.executable, "-c", killed, str(path)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGXFSZ, "")
    older = path.with_name("games.sqlite3.version-1")
    assert not older.exists()
    with opened(path) as history:
        assert history.games() == ()
    assert _version_of(older) == 1
    assert {place.name for place in path.parent.iterdir()} == {path.name, older.name}


def test_a_copy_that_somebody_else_made_meanwhile_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _older(path, 1)
    older = path.with_name("games.sqlite3.version-1")
    filled = filled_by_name

    @contextmanager
    def late(place: Path, *, mode: int) -> Iterator[Path]:
        with filled(place, mode=mode) as beside:
            older.write_bytes(b"theirs")
            yield beside

    monkeypatch.setattr(opening, "filled_by_name", late)
    with opened(path) as history:
        assert history.games() == ()
    assert older.read_bytes() == b"theirs"
    assert not list(path.parent.glob(".companion-*"))


def test_what_was_paid_for_bids_is_not_known_of_games_finished_before_it_was_kept(path: Path) -> None:
    with sqlite3.connect(path, isolation_level=None) as older:
        for statement in "".join(STEPS[:2]).split(";"):
            older.execute(statement)
        at = BEGUN.isoformat()
        game = ("game-of-old", at, at, at, "2026-02-14", "", 1, 2, "{}", None)
        older.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", game)
        older.execute("INSERT INTO bids VALUES ('game-of-old', 1, 1, 'pink', 5)")
        older.execute("PRAGMA user_version = 2")
        older.execute("PRAGMA application_id = 1179939433")
    older.close()
    with opened(path) as history:
        ((_, result),) = history.finished_games()
    assert result.bids == (BidKept(1, Colour.PINK, 5, None),)


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.history import schema

    monkeypatch.setattr(schema, "STEPS", (STEPS[0], "CREATE TABLE more (a); CREATE TABLE more (a)"))
    monkeypatch.setattr(schema, "VERSION", 1)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    migrate(connection)
    connection.execute("COMMIT")
    connection.close()
    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setattr("companion.history.opening.VERSION", 2)
    with pytest.raises(UnusableInputError, match="cannot use"):
        opened(path)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'more'").fetchone() == (0,)
    connection.close()


def test_a_folder_in_place_of_the_file_is_told(path: Path) -> None:
    path.mkdir()
    with pytest.raises(CompanionError, match="no plain file"):
        opened(path)


def test_a_folder_that_is_not_there_is_told(path: Path) -> None:
    with pytest.raises(UnusableInputError, match="No such file or directory"):
        opened(path / "deeper")


def test_the_file_lies_in_the_data_folder_made_for_its_owner_alone() -> None:
    found = history_path({})
    assert found.parent == data_folder()
    with opened(found) as history:
        history.begin(setup_text())
    assert found.parent.stat().st_mode & 0o777 == 0o700


def test_the_environment_names_another_file_or_none(path: Path) -> None:
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
    history.change(key, growing(2)[1], told="kept")
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size + 100,) * 2)
    try:
        for _ in range(9):
            history.change(key, growing(2)[1], told="x" * 9000)
    except CompanionError as error:
        print(int(error.status), error)
    print(len(history.revisions(key)), history.current(key).told)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on files here")
def test_a_full_disk_is_told_and_what_was_answered_stays(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("3 ") and "no room" in first
    assert second == "2 kept"
    with opened(path) as history:
        assert history.told == ()
        assert history.games()[0].revision == 2


@pytest.fixture
def read_only(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder that this user may look into and not write to; pytest's own are closed to others on the way."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    os.seteuid(0)
    shutil.rmtree(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_folder_that_takes_no_file_is_told(read_only: Path) -> None:
    read_only.chmod(0o755)
    os.seteuid(65534)
    with pytest.raises(CompanionError, match="cannot keep games in .*: Permission denied"):
        opened(read_only / "games.sqlite3")
    assert list(read_only.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_file_that_cannot_be_written_is_told_and_stays_as_it_is(read_only: Path) -> None:
    path = read_only / "games.sqlite3"
    before = _kept(path)
    path.chmod(0o644)
    read_only.chmod(0o755)
    os.seteuid(65534)
    with pytest.raises(UnusableInputError, match="cannot write .*games.sqlite3"), opened(path) as history:
        history.begin(setup_text())
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_backup_is_read_where_nothing_can_be_written(read_only: Path) -> None:
    path = read_only / "games.sqlite3"
    with opened(path) as history:
        key = history.begin(setup_text())
    with sqlite3.connect(path) as one_file:
        one_file.execute("PRAGMA journal_mode = DELETE")
    one_file.close()
    path.chmod(0o444)
    read_only.chmod(0o755)
    os.seteuid(65534)
    with opened(path) as history:
        assert [game.key for game in history.games()] == [key]
        with pytest.raises(UnusableInputError, match="cannot write"):
            history.begin(setup_text())


def test_a_file_that_somebody_writes_for_too_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(path) as history:
        history.begin(growing(1)[0])
        monkeypatch.setattr("companion.history.opening.BUSY_S", 0.05)
        with open_history(path, now=clock()) as second:
            holder = sqlite3.connect(path, isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(CompanionError, match="being written by another companion"):
                second.begin(growing(1)[0])
            holder.execute("ROLLBACK")
            holder.close()
            second.begin(growing(1)[0])
        assert len(history.games()) == 2


def test_a_name_that_no_file_can_have_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="cannot keep games in"):
        opened(tmp_path / ("x" * 300))
