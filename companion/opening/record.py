"""Game records: opened and played back, and written so that no moment finds them half written."""

from __future__ import annotations

from companion.errors import NotationError, UnusableInputError
from companion.language.phrase import say
from companion.notation.records import is_record
from companion.notation.records.lines import FIRST_LINE, Record, format_record
from companion.notation.records.replay import Replayed
from companion.opening.source import Source, read_source
from companion.opening.text import decode_text, play_record
from companion.storage import KeptFile


def open_record(source: Source, *, last: int | None = None) -> Replayed:
    """A record from a file or standard input (`-`), played to its end or to line number `last`.

    Raises UnusableInputError or NotationError if it cannot be read, IllegalMoveError for a line that the
    rules forbid, ImpossiblePositionError for a set-up that cannot stand on a table.
    """
    name, text = _read(source)
    return play_record(text, name, last=last)


def open_broken_record(source: Source) -> tuple[Replayed, int | None]:
    """A record that may be cut off in a line, played as far as it is whole, and the number of the line left out.

    Raises what `open_record` raises, save for a last line that has no end.
    """
    name, text = _read(source)
    whole = text[: text.rfind("\n") + 1]
    torn = None if whole == text or not whole else whole.count("\n") + 1
    return play_record(whole or text, name), torn


def _read(source: Source) -> tuple[str, str]:
    """What faults call a record, and its text."""
    content = read_source(source)
    if content.is_picture:
        raise UnusableInputError(
            say("{content} is a picture, but a game record is text: name one", content=content.name)
        )
    text = decode_text(content)
    if not is_record(text):
        raise NotationError(
            say(
                "{content}: no game record: those begin with the line {first_line!r}",
                content=content.name or say("the code"),
                first_line=FIRST_LINE,
            )
        )
    return content.name, text


def save_record(file: KeptFile, record: Record) -> None:
    """Put a record on disk in place of what was there: whole or not at all, and there to stay on return.

    Raises ChangedMeanwhileError if another program wrote it, UsageError or NoRoomError if it cannot be written.
    """
    file.save(format_record(record).encode("utf-8", "replace"))
