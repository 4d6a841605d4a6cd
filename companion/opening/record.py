"""Record files: read and played back, and written so that no moment finds them half written."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import IllegalMoveError, NotationError, UnusableInputError, UsageError
from companion.notation.records.lines import FIRST_LINE, Record, format_record, is_record, parse_record
from companion.notation.records.replay import Replayed, replay
from companion.opening.position import read_text


def load_record(source: str, *, last: int | None = None) -> Replayed:
    """A record from a file or standard input (`-`), played to its end or to line number `last`.

    Raises UnusableInputError or NotationError if it cannot be read, IllegalMoveError for a line that the
    rules forbid, ImpossiblePositionError for a set-up that cannot stand on a table.
    """
    text, name = read_text(source)
    if not is_record(text):
        raise NotationError(f"{name}: no game record: those begin with the line {FIRST_LINE!r}")
    return replayed(text, name, last=last)


def replayed(text: str, name: str, *, last: int | None = None) -> Replayed:
    """The record that a text holds, played; faults name the file. Raises what `load_record` raises."""
    try:
        return replay(parse_record(text, last=last))
    except IllegalMoveError as error:
        raise IllegalMoveError(f"{name}, {error}") from None
    except NotationError as error:
        raise NotationError(f"{name}, {error}") from None
    except UnusableInputError as error:
        raise UnusableInputError(f"{name}, {error}") from None


def save_record(path: Path, record: Record) -> None:
    """Put a record on disk in place of what was there: whole or not at all, and there to stay on return.

    Raises UsageError if the folder or the disk does not take it.
    """
    # A link is followed, not replaced.
    path = path.resolve()
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(format_record(record))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; what was accepted before is kept") from None


def _sync_folder(folder: Path) -> None:
    """Let the renaming reach the disk too, where a folder can be opened for that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
