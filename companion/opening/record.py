"""Record files: read and played back, and written so that no moment finds them half written."""

from __future__ import annotations

from companion.errors import IllegalMoveError, NotationError, UnusableInputError
from companion.notation.records.lines import FIRST_LINE, Record, format_record, is_record, parse_record
from companion.notation.records.replay import Replayed, replay
from companion.opening.position import read_text
from companion.storage import KeptFile


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


def save_record(file: KeptFile, record: Record) -> None:
    """Put a record on disk in place of what was there: whole or not at all, and there to stay on return.

    Raises ChangedMeanwhileError if another program wrote it, UsageError or NoRoomError if it cannot be written.
    """
    file.save(format_record(record).encode("utf-8", "replace"))
