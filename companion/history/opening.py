"""The file that games are kept in: made, checked, brought up to date, set aside if damaged; whether any are kept."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from glob import escape
from pathlib import Path

from companion.errors import InUseError, NoRoomError, UnusableInputError, UsageError, system_reason
from companion.language.phrase import say
from companion.resources import data_folder
from companion.storage import PRIVATE_FILE_MODE, lock, private_folder, remove_saved, replacing, write_private

APPLICATION_ID = 0x46547269
"""What marks a SQLite file as a history: "FTri"."""

VERSION = 4
"""The version of the tables, which a file of a later one isn't read for."""

TABLES = """
CREATE TABLE games (
    key TEXT NOT NULL PRIMARY KEY, started TEXT NOT NULL, changed TEXT NOT NULL, finished TEXT, date TEXT NOT NULL,
    place TEXT NOT NULL, current INTEGER NOT NULL, next INTEGER NOT NULL, settings TEXT NOT NULL, source TEXT
);
CREATE TABLE revisions (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, content BLOB NOT NULL,
    at TEXT NOT NULL, told TEXT NOT NULL, PRIMARY KEY (game, number)
);
CREATE TABLE players (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (game, colour)
);
CREATE TABLE results (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, gold INTEGER, viziers INTEGER, elders INTEGER, djinns INTEGER, palms INTEGER,
    palaces INTEGER, tiles INTEGER, goods INTEGER, total INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (game, colour)
);
CREATE TABLE djinns (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, name TEXT NOT NULL, points INTEGER NOT NULL, PRIMARY KEY (game, name)
);
CREATE TABLE bids (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL, round INTEGER NOT NULL, colour TEXT NOT NULL, price INTEGER NOT NULL, paid INTEGER,
    PRIMARY KEY (game, number)
);
CREATE TABLE clock (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, colour)
);
CREATE INDEX games_by_date ON games (date, started);
CREATE INDEX games_by_source ON games (source);
"""
"""`games.source` is the record file that a game is played into, as a whole path, NULL where there is none;
`revisions.content` the whole text, compressed; `bids.paid` what was paid for a bid in GC, NULL where that isn't known.
"""


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a file's tables; 0 for a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether a file holds tables of another program."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return mark != APPLICATION_ID and bool(mark or tables)


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in a new file, inside the transaction that the caller has begun; another may have made them."""
    if version_of(connection):
        return
    for statement in filter(str.strip, TABLES.split(";")):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


VARIABLE = "COMPANION_HISTORY"
"""The environment variable that names another file, or says `off`."""

BUSY_S = 10.0
"""How long another program's change is waited for."""

_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {
    sqlite3.SQLITE_NOTADB: say("it isn't a database"),
    sqlite3.SQLITE_CORRUPT: say("its pages don't fit together"),
}
_CLOSED_TO_US = {
    sqlite3.SQLITE_READONLY: say("it is read-only"),
    sqlite3.SQLITE_CANTOPEN: say("it can't be opened there"),
}


BEGINNING = b"SQLite format 3\0"
"""How each file of SQLite begins."""


class DamagedHistoryError(UnusableInputError):
    """The file begins as a database and does not hold together."""


@dataclass(frozen=True, slots=True)
class HistoryStats:
    """How many games a history holds, how many of them are finished, and how large its file is, in bytes."""

    games: int
    finished: int
    size: int


def history_path(environment: Mapping[str, str]) -> Path:
    """Where games are kept: the file that `COMPANION_HISTORY` names, else one in the user's data folder."""
    named = environment.get(VARIABLE, "")
    return data_folder() / "games.sqlite3" if not named or is_off(environment) else Path(named)


def files_at(path: Path) -> tuple[Path, ...]:
    """The file of a history, and those that SQLite keeps beside it while it is open."""
    path = Path(os.path.realpath(path))
    return (path, *(path.with_name(f"{path.name}-{ending}") for ending in ("wal", "shm", "journal")))


def is_off(environment: Mapping[str, str]) -> bool:
    """Whether `COMPANION_HISTORY` says that no game is to be kept."""
    return environment.get(VARIABLE, "").lower() in ("off", "0", "no")


@dataclass(frozen=True, slots=True)
class KeepingSetting:
    """Whether games are kept, said once and remembered, and whether the user was told so."""

    keep: bool = True
    told: bool = False


def setting_path() -> Path:
    return data_folder() / "history.json"


def load_setting(environment: Mapping[str, str]) -> KeepingSetting:
    """The setting in force; `COMPANION_HISTORY=off` counts before what is remembered. A damaged file is as none."""
    import msgspec

    try:
        kept = msgspec.json.decode(setting_path().read_bytes(), type=KeepingSetting)
    except (OSError, msgspec.MsgspecError):
        kept = KeepingSetting()
    return KeepingSetting(keep=False, told=True) if is_off(environment) else kept


def save_setting(setting: KeepingSetting) -> None:
    """Remember a setting. Raises what `write_private` raises."""
    write_private(setting_path(), json.dumps(asdict(setting)).encode())


def forget_setting() -> None:
    """Go back to the setting before anything was said. Raises UnusableInputError if the file cannot be removed."""
    remove_saved(setting_path())


@contextmanager
def faults_of(path: Path) -> Iterator[None]:
    """Say what SQLite found: raises DamagedHistoryError, NoRoomError, InUseError or UnusableInputError."""
    try:
        yield
    except sqlite3.Error as error:
        extended = getattr(error, "sqlite_errorcode", None)
        if extended is None:
            # Python's own, for a mistake of this program.
            raise
        raise _fault(path, extended, str(error)) from error


def _fault(path: Path, extended: int, words: str) -> UnusableInputError | NoRoomError:
    code = extended & 0xFF
    if code in _DAMAGED:
        return _damaged(path, _DAMAGED[code])
    if extended in _NO_ROOM:
        return NoRoomError(
            "the disk that holds {path} is full; nothing was lost. Free some space and try again", path=path
        )
    if code in _BUSY:
        return InUseError("another companion has been writing {path} for too long; try again in a moment", path=path)
    if code in _CLOSED_TO_US:
        return UnusableInputError(
            "cannot write {path}, where games are saved ({reason}): make it writable, or set COMPANION_HISTORY to "
            "another file",
            path=path,
            reason=_CLOSED_TO_US[code],
        )
    return UnusableInputError("cannot use {path}, where games are saved: {reason}", path=path, reason=words)


def _damaged(path: Path, reason: str) -> DamagedHistoryError:
    return DamagedHistoryError("{path}, where games are saved, is damaged: {reason}", path=path, reason=reason)


def connect(path: Path, *, today: datetime) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """A connection to the history in a file, made if need be, and notices. A damaged file is set aside under a name
    with the day. Raises UnusableInputError for other programs' files and newer versions, and as `faults_of`.
    """
    path = Path(os.path.realpath(path))
    _make_private(path)
    notices: tuple[str, ...] = ()
    try:
        _check_file(path)
    except DamagedHistoryError as error:
        aside = _set_aside(path, today)
        if aside is not None:
            notices = (
                say(
                    "{error}. It has been saved unchanged as {aside}, and a new file is started",
                    error=error,
                    aside=aside,
                ),
            )
        _make_private(path)
        _check_file(path)
    with faults_of(path):
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
    return connection, notices


def _prepare(connection: sqlite3.Connection) -> None:
    try:
        # A file system without shared memory keeps its older kind of journal, which is as safe and only slower.
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # A backup on a disk that takes nothing can be looked at all the same.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
    # Another program may have written text that is none.
    connection.text_factory = lambda text: text.decode(errors="replace")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # What is forgotten is to be gone from the file too.
    connection.execute("PRAGMA secure_delete = ON")
    if not version_of(connection):
        with transaction(connection, "BEGIN IMMEDIATE"):
            make_tables(connection)


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    """What is done inside is done whole or not at all."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some faults SQLite has rolled back already.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _make_private(path: Path) -> None:
    """See that there is a file for its owner alone. Raises UnusableInputError, UsageError, NoRoomError."""
    if data_folder() in path.parents:
        private_folder(path.parent)
    exists = False
    try:
        exists = path.exists()
        if exists and not path.is_file():
            raise UsageError("{path} is not an ordinary file; choose another name", path=path)
        # SQLite gives the files beside it the same permissions.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE_MODE))
    except OSError as error:
        if not (exists and isinstance(error, PermissionError)):
            raise _unusable(path, error) from None


def _unusable(path: Path, error: OSError) -> UnusableInputError:
    return UnusableInputError("cannot save games in {path}: {reason}", path=path, reason=system_reason(error))


def _check_file(path: Path) -> None:
    """Look at a file by a connection that can change nothing; raises as `_check_whole`."""
    with faults_of(path), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as connection:
        _check_whole(connection, path)


def _check_whole(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a file's tables, 0 for an empty file. Raises DamagedHistoryError, UnusableInputError."""
    with suppress(PermissionError), path.open("rb") as file:
        if not BEGINNING.startswith(file.read(len(BEGINNING))):
            raise UnusableInputError(
                "{path} isn't a history and is left as it is; choose another file for the games", path=path
            )
    version = version_of(connection)
    if is_foreign(connection):
        raise UnusableInputError("{path} is another program's database; choose another file for the games", path=path)
    if version not in (0, VERSION):
        raise UnusableInputError(
            "{path} was written by another version of the program (its tables are version {version}; this "
            "program knows {known}) and is left as it is. Install that version, or set "
            "COMPANION_HISTORY to another file",
            path=path,
            version=version,
            known=VERSION,
        )
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _damaged(path, _DAMAGED[sqlite3.SQLITE_CORRUPT])
    return version


def _set_aside(path: Path, today: datetime) -> Path | None:
    """Give a damaged file another name; None if somebody else did. Raises InUseError, UnusableInputError."""
    with lock(path):
        with suppress(DamagedHistoryError):
            _check_file(path)
            return None
        plain = f"{path.name}.damaged-{today:%Y-%m-%d}"
        names = (f"{plain}-{number}" if number > 1 else plain for number in range(1, 10_000))
        aside = next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))
        try:
            # The file itself last: until it is gone, whoever is killed here finds it damaged again.
            for file, there in reversed(tuple(zip(files_at(path), files_at(aside), strict=True))):
                with suppress(FileNotFoundError):
                    file.replace(there)
        except OSError as error:
            raise _unusable(path, error) from None
    return aside


def copies_of(path: Path) -> tuple[Path, ...]:
    """Files beside a history that hold games of it too: damaged ones that were set aside."""
    return tuple(sorted(path.parent.glob(f"{escape(path.name)}.damaged-*")))


def copy_to(source: Path, target: Path) -> None:
    """Copy a whole database by SQLite itself, while others may write, to one private file, whole or not at all; a link
    at `target` is followed. Raises sqlite3.Error, OSError.
    """
    with (
        replacing(target, mode=PRIVATE_FILE_MODE) as beside,
        closing(sqlite3.connect(source.absolute().as_uri(), uri=True, timeout=BUSY_S)) as database,
    ):
        database.execute("VACUUM INTO ?", (str(beside),))


def read_only_stats(path: Path) -> HistoryStats | None:
    """What a file holds, None if there is none, without a change or a file beside it. Raises DamagedHistoryError and
    UnusableInputError.
    """
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise UnusableInputError("{path} is not an ordinary file; choose another name", path=path)
        # Without a log nobody writes; then SQLite need not make the files beside it that a look would leave behind.
        alone = not Path(f"{path}-wal").exists()
    except OSError as error:
        raise UnusableInputError("cannot read {name}: {reason}", name=path, reason=system_reason(error)) from None
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    with faults_of(path), closing(sqlite3.connect(address, uri=True)) as connection:
        counts = (0, 0)
        if _check_whole(connection, path):
            counts = connection.execute("SELECT count(*), count(finished) FROM games").fetchone()
        return HistoryStats(*counts, path.stat().st_size)
