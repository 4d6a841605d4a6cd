"""What SQLite reports, as faults that a user can be told of."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import InUseError, NoRoomError, UnusableInputError
from companion.language.phrase import say

BUSY_S = 10.0
"""How long another program's change is waited for."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_CLOSED_TO_US = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})

_REASONS = {
    sqlite3.SQLITE_NOTADB: say("it is no database"),
    sqlite3.SQLITE_CORRUPT: say("its pages do not hold together"),
    sqlite3.SQLITE_READONLY: say("it is read-only"),
    sqlite3.SQLITE_CANTOPEN: say("it cannot be opened there"),
}
"""What SQLite reports most often, by the main part of its code; its other words stay English."""


class DamagedHistoryError(UnusableInputError):
    """The file is no database, or one that does not hold together."""


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Say what stood in the way of a change or a look at the history in that file.

    Raises DamagedHistoryError, NoRoomError, InUseError or UnusableInputError.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _fault(error, path) from error


def _fault(error: sqlite3.Error, path: Path) -> Exception:
    # Errors that Python itself raises have no code: they are mistakes of this program.
    extended = getattr(error, "sqlite_errorcode", None)
    if extended is None:
        return error
    code = extended & 0xFF
    reason = _REASONS.get(code, str(error))
    if code in _DAMAGED:
        return _damaged(path, reason)
    if extended in _NO_ROOM:
        return NoRoomError(
            say(
                "{path} has no room to grow on its disk; what it holds is as it was. Make room and try again", path=path
            )
        )
    if code in _BUSY:
        return InUseError(
            say("{path} is being written by another companion for too long; try again in a moment", path=path)
        )
    if code in _CLOSED_TO_US:
        return UnusableInputError(
            say(
                "cannot write {path}, where games are kept ({reason}): allow it, or name another file by "
                "COMPANION_HISTORY",
                path=path,
                reason=reason,
            )
        )
    return UnusableInputError(say("cannot use {path}, where games are kept: {reason}", path=path, reason=reason))


def not_whole(path: Path) -> DamagedHistoryError:
    """The fault of a database in which one page does not fit another."""
    return _damaged(path, _REASONS[sqlite3.SQLITE_CORRUPT])


def _damaged(path: Path, reason: str) -> DamagedHistoryError:
    return DamagedHistoryError(say("{path}, where games are kept, is damaged: {reason}", path=path, reason=reason))
