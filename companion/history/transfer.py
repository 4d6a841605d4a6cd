"""The history as a JSON document, and back; and as a copy of its file, while others write."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, NotationError, UnusableInputError, is_garbled, system_reason
from companion.history import rows
from companion.history.contents import contents_of
from companion.history.database import History, settings_text
from companion.history.faults import BUSY_S, telling
from companion.history.kept import KeptGame
from companion.history.opening import copy_to
from companion.history.results import GamePart, KeptResult, reckoned
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.storage import check_free

FORMAT = 1
"""Version of the document that this module reads and writes."""

MAX_BYTES = 200_000_000
"""More than the games of a lifetime take."""

_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class RevisionEntry:
    """A revision in the document."""

    number: int
    part: int
    at: datetime
    told: str
    text: str


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in the document: all that is kept of it, but for its result, which its texts tell."""

    key: str
    started: datetime
    changed: datetime
    finished: datetime | None
    date: str
    place: str
    current: int
    settings: dict[str, Any]
    players: dict[Colour, str]
    clock: dict[Colour, float]
    revisions: list[RevisionEntry]


@dataclass(frozen=True, slots=True)
class HistoryDocument:
    """The whole document."""

    history: int
    games: list[GameEntry]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How many games of a document are new here, and how many were here already and are left as they are."""

    added: int
    known: int


def export_games(history: History) -> str:
    """All games with all their revisions as a JSON text that `import_games` reads; the first begun stands first."""
    with history.looking() as database:
        games = rows.listed(database, "ORDER BY started, key")
        document = HistoryDocument(FORMAT, [_entry(database, game) for game in games])
    return json.dumps(asdict(document), ensure_ascii=False, indent=1, default=_plain) + "\n"


def _entry(database: sqlite3.Connection, game: KeptGame) -> GameEntry:
    kept = [rows.revision(database, game.key, number) for number in rows.numbers(database, game.key)]
    return GameEntry(
        game.key,
        game.started,
        game.changed,
        game.finished,
        game.date,
        game.place,
        game.revision,
        dict(game.settings),
        dict(game.players),
        dict(game.clock),
        [RevisionEntry(one.number, one.part, one.at, one.told, one.text) for one in kept],
    )


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def import_games(history: History, text: str | bytes) -> TakenIn:
    """Take in the games of a document that are not here yet, all of them or none; results are reckoned anew.

    A game that is here already is left as it is. Raises NotationError that names what is wrong with the document.
    """
    entries = _read(text).games
    results = {entry.key: _result(entry) for entry in entries if entry.finished is not None}
    with history.changing() as database:
        here = {game.key for game in rows.listed(database, "")}
        new = [entry for entry in entries if entry.key not in here]
        for entry in new:
            _put(database, entry)
            if entry.finished is not None:
                rows.put_result(database, entry.key, results[entry.key], _stamp(entry.finished))
    return TakenIn(len(new), len(entries) - len(new))


def _read(text: str | bytes) -> HistoryDocument:
    """The document of a text, with all that has to hold in it. Raises NotationError."""
    import msgspec

    try:
        version = msgspec.json.decode(text, type=_Version).history
        if version != FORMAT:
            raise NotationError(
                say("a history of version {version}; this program reads {known}", version=version, known=FORMAT)
            )
        document = msgspec.json.decode(text, type=HistoryDocument)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise NotationError(
            say("no history written by companion history --export: {reason}", reason=str(error))
        ) from None
    seen: set[str] = set()
    for number, entry in enumerate(document.games, 1):
        try:
            _check(entry, seen)
        except CompanionError as error:
            raise NotationError(say("game {number}: {error}", number=number, error=error)) from None
    return document


@dataclass(frozen=True, slots=True)
class _Version:
    history: int


def _check(entry: GameEntry, seen: set[str]) -> None:
    """Raises NotationError for a game that this program cannot have written."""
    numbers = [one.number for one in entry.revisions]
    parts = [one.part for one in entry.revisions]
    times = [entry.started, entry.changed, *([entry.finished] if entry.finished else [])]
    times += [one.at for one in entry.revisions]
    fine = (
        _KEY.fullmatch(entry.key) is not None
        and entry.key not in seen
        and entry.current in numbers
        and numbers == sorted(set(numbers))
        and numbers[0] >= 1
        and parts == sorted(parts)
        and parts[0] >= 1
        and all(time.tzinfo is not None for time in times)
        and not any(map(is_garbled, (entry.date, entry.place, *entry.players.values())))
    )
    if not fine:
        raise NotationError(say("its key, its times or the numbers of its revisions are not as they must be"))
    seen.add(entry.key)
    for one in entry.revisions:
        contents_of(one.text)


def _result(entry: GameEntry) -> KeptResult:
    """The result of a game of the document. Raises NotationError for a game that cannot be played."""
    last: dict[int, str] = {one.part: one.text for one in entry.revisions if one.number <= entry.current}
    try:
        return reckoned([GamePart(contents_of(text).kind, text) for text in last.values()])
    except CompanionError as error:
        raise NotationError(say("game {key}: {error}", key=entry.key, error=error)) from None


def _put(database: sqlite3.Connection, entry: GameEntry) -> None:
    database.execute(
        "INSERT INTO games (key, started, changed, date, place, current, next, settings) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.key,
            _stamp(entry.started),
            _stamp(entry.changed),
            entry.date,
            entry.place,
            entry.current,
            entry.revisions[-1].number + 1,
            settings_text(entry.settings),
        ),
    )
    before: int | None = None
    for one in entry.revisions:
        kind, at = contents_of(one.text).kind, _stamp(one.at)
        rows.put_revision(
            database, entry.key, one.number, kind, before=before, part=one.part, text=one.text, at=at, told=one.told
        )
        before = one.number
    rows.put_players(database, entry.key, entry.players)
    rows.put_clock(database, entry.key, entry.clock)


def _stamp(time: datetime) -> str:
    return time.astimezone(UTC).isoformat()


def back_up(history: History, target: Path, *, force: bool) -> None:
    """Copy the whole history to a file by SQLite's own backup; others may write meanwhile.

    What stood there is replaced only by a whole copy. Raises what `storage.check_free` raises, NoRoomError and
    UnusableInputError where it cannot be written.
    """
    check_free(target, force=force, inputs=[history.path])
    beside = target.with_name(f".{target.name}.{history.new_key()}")
    with telling(target):
        try:
            with closing(sqlite3.connect(history.path, timeout=BUSY_S)) as source:
                copy_to(source, beside)
            beside.replace(target)
        except OSError as error:
            raise UnusableInputError(
                say("cannot write {path}: {reason}; choose another place", path=target, reason=system_reason(error))
            ) from None
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
