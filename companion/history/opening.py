"""The file that games are kept in: made, looked at before it is touched, brought up to date, set aside if damaged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from datetime import datetime
from glob import escape
from pathlib import Path

from companion.errors import UnusableInputError, UsageError, system_reason
from companion.history.faults import BUSY_S, DamagedHistoryError, not_whole, telling
from companion.history.schema import VERSION, is_foreign, migrate, version_of
from companion.history.stored import text_or_bytes
from companion.language.phrase import say
from companion.resources import data_folder
from companion.storage import PRIVATE_FILE_MODE, filled_by_name, lock, private_folder

VARIABLE = "COMPANION_HISTORY"
"""The environment variable that names another file, or says `off`."""

_WITH_IT = ("", "-wal", "-shm")
"""What the file's name ends in, and those that SQLite keeps beside it."""


def history_path(environment: Mapping[str, str]) -> Path:
    """Where games are kept: the file that `COMPANION_HISTORY` names, else one in the user's data folder."""
    named = environment.get(VARIABLE, "")
    return data_folder() / "games.sqlite3" if not named or is_off(environment) else Path(named)


def is_off(environment: Mapping[str, str]) -> bool:
    """Whether `COMPANION_HISTORY` says that no game is to be kept."""
    return environment.get(VARIABLE, "").lower() in ("off", "0", "no")


def connect(path: Path, *, today: datetime) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """A connection to the history in a file, which is made if there is none, and sentences to tell.

    A damaged file is set aside whole, under a name with today's date, and a new one is begun. Raises UnusableInputError
    for a file of a newer version or another program, which is not touched, and what `faults.telling` raises.
    """
    path = Path(os.path.realpath(path))
    _make_private(path)
    told: tuple[str, ...] = ()
    try:
        version = _looked_at(path)
    except DamagedHistoryError as error:
        aside = _set_aside(path, today)
        if aside is not None:
            told = (say("{error}. It is kept as it is in {aside}, and a new file is begun", error=error, aside=aside),)
        _make_private(path)
        version = _looked_at(path)
    if 0 < version < VERSION:
        _keep_older(path, version)
    with telling(path):
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
    return connection, told


def _prepare(connection: sqlite3.Connection) -> None:
    try:
        # A file system without shared memory keeps its older kind of journal, which is as safe and only slower.
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # A backup on a disk that takes nothing can be looked at all the same.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # What is forgotten is to be gone from the file too.
    connection.execute("PRAGMA secure_delete = ON")
    connection.text_factory = text_or_bytes
    if version_of(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _make_private(path: Path) -> None:
    """See that there is a file that its owner alone may read, for SQLite to fill.

    Raises UnusableInputError or UsageError if there can be none, NoRoomError if the disk is full.
    """
    data = data_folder()
    if data in path.parents:
        private_folder(path.parent)
    is_there = False
    try:
        is_there = path.exists()
        if is_there and not path.is_file():
            raise UsageError(say("{path} is no plain file; choose another name", path=path))
        # SQLite gives the files beside it the same permissions.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE_MODE))
    except PermissionError as error:
        if not is_there:
            raise _unusable(path, error) from None
    except OSError as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: OSError) -> UnusableInputError:
    return UnusableInputError(say("cannot keep games in {path}: {reason}", path=path, reason=system_reason(error)))


def _looked_at(path: Path) -> int:
    """The version of a file, by a connection that can change nothing; raises as `check_whole`."""
    with telling(path), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as looking:
        return check_whole(looking, path)


def check_whole(looking: sqlite3.Connection, path: Path) -> int:
    """The version of a file's tables, 0 for an empty file, if all of it holds together.

    Raises DamagedHistoryError, UnusableInputError for a newer version or another program's file, what `telling` raises.
    """
    with telling(path):
        version = version_of(looking)
        if is_foreign(looking):
            raise UnusableInputError(
                say("{path} is a database of another program; name another file for the games", path=path)
            )
        if version > VERSION:
            raise UnusableInputError(
                say(
                    "{path} was written by a newer version of the program (its tables are of version {version}, this "
                    "program knows {known}); it is left as it is. Install the newer version, or name another file by "
                    "COMPANION_HISTORY",
                    path=path,
                    version=version,
                    known=VERSION,
                )
            )
        (found,) = looking.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise not_whole(path)
    return version


def _set_aside(path: Path, today: datetime) -> Path | None:
    """Give a damaged file, and what SQLite keeps beside it, another name; None if somebody else just did.

    Raises InUseError if somebody else is at it, UnusableInputError if it cannot be renamed.
    """
    with lock(path):
        try:
            _looked_at(path)
            return None
        except DamagedHistoryError:
            pass
        plain = f"{path.name}.damaged-{today:%Y-%m-%d}"
        names = (f"{plain}-{number}" if number > 1 else plain for number in range(1, 10_000))
        aside = next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))
        try:
            # The file itself last: until it is gone, whoever is killed here finds it damaged again.
            for ending in reversed(_WITH_IT):
                with suppress(FileNotFoundError):
                    Path(f"{path}{ending}").replace(f"{aside}{ending}")
        except OSError as error:
            raise _unusable(path, error) from None
    return aside


def copies_of(path: Path) -> tuple[Path, ...]:
    """Files beside a history that hold games of it too: damaged ones set aside, and older versions."""
    found = (place for kind in ("damaged", "version") for place in path.parent.glob(f"{escape(path.name)}.{kind}-*"))
    return tuple(sorted(found))


def _keep_older(path: Path, version: int) -> None:
    """Keep a copy of a file whose tables are about to be changed."""
    older = path.with_name(f"{path.name}.version-{version}")
    if not older.exists():
        with telling(path):
            copy_to(path, older, replaces=False)


def copy_to(source: Path, target: Path, *, replaces: bool) -> None:
    """Copy a whole database to a file that its owner alone may read, by SQLite itself, while others may write.

    The copy is one file, without a log beside it, and is there whole or not at all; a link at `target` is followed.
    Unless it `replaces` what is there, a copy that somebody else made meanwhile stays. Raises sqlite3.Error, OSError.
    """
    with (
        suppress(FileExistsError),
        filled_by_name(target, mode=PRIVATE_FILE_MODE) as beside,
        closing(sqlite3.connect(source.absolute().as_uri(), uri=True, timeout=BUSY_S)) as database,
    ):
        # The file is locked already, which some systems would take for another's lock.
        database.execute("VACUUM INTO ?", (f"{beside.as_uri()}?nolock=1",))
        # Whoever made one before may have changed since what was copied here.
        if not replaces and target.exists():
            raise FileExistsError
