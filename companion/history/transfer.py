"""The history as a JSON document, and back; and as a copy of its file, while others write."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import asdict, dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from enum import Enum, auto
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, NotationError, UnusableInputError, is_garbled, system_reason
from companion.history import rows
from companion.history.contents import contents_of
from companion.history.database import History, settings_text
from companion.history.faults import telling
from companion.history.kept import GameKey, KeptGame
from companion.history.opening import copy_to
from companion.history.results import GamePart, KeptResult, reckoned
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.storage import check_free

FORMAT = 1
"""Version of the document that this module reads and writes."""

MAX_BYTES = 200_000_000
"""More than the games of a lifetime take."""

MAX_NUMBER = 10**9
"""Of a game's revisions; no table gets there, and SQLite holds no number of any size."""

MAX_SETTINGS_DEPTH = 20
"""Settings within settings; what goes much deeper could be read and not written again."""

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
    """What became of the games of a document: how many are new here, and how many were here as they are or further on.

    `renewed` went on there and are now as they are there; `differing` went on both here and there, and are left as they
    are here.
    """

    added: int
    known: int
    renewed: int = 0
    differing: tuple[str, ...] = ()


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
    """Take in the games of a document, all of them or none; results are reckoned anew.

    A game that is here already is not doubled: the one that went on is kept. One that went on here and there is left as
    it is here, for nothing that was kept is to be lost. Raises NotationError that names what is wrong.
    """
    entries = _read(text).games
    results = {entry.key: _result(entry) for entry in entries if entry.finished is not None}
    found: dict[_Standing, list[str]] = {standing: [] for standing in _Standing}
    with history.changing() as database:
        here = {game.key: game for game in rows.listed(database, "")}
        for entry in entries:
            game = here.get(GameKey(entry.key))
            standing = _Standing.NEW if game is None else _compared(_entry(database, game), entry)
            found[standing].append(entry.key)
            if standing is _Standing.FURTHER:
                _replace(database, entry)
            elif standing is _Standing.NEW:
                _put(database, entry)
            if standing in (_Standing.NEW, _Standing.FURTHER) and entry.finished is not None:
                rows.put_result(database, entry.key, results[entry.key], _stamp(entry.finished))
    new, further, known, both = (found[standing] for standing in _Standing)
    return TakenIn(len(new), len(known), len(further), tuple(both))


class _Standing(Enum):
    """How a game of a document stands to those that are kept."""

    NEW = auto()
    FURTHER = auto()
    KNOWN = auto()
    DIFFERING = auto()


def _compared(here: GameEntry, there: GameEntry) -> _Standing:
    """How a game of a document stands to the same game here."""
    own, others = ({(one.number, one.at, one.text) for one in entry.revisions} for entry in (here, there))
    if own == others:
        # Undone, redone or finished since; clocks of two machines are compared only here.
        later = (there.changed, there.finished is not None) > (here.changed, here.finished is not None)
        return _Standing.FURTHER if later else _Standing.KNOWN
    if own < others:
        return _Standing.FURTHER
    return _Standing.KNOWN if others < own else _Standing.DIFFERING


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
        and 1 <= numbers[0] <= numbers[-1] <= MAX_NUMBER
        and parts == sorted(parts)
        and 1 <= parts[0] <= parts[-1] <= MAX_NUMBER
        and all(time.tzinfo is not None and MINYEAR < time.year < MAXYEAR for time in times)
        and all(seconds >= 0 for seconds in entry.clock.values())
        and not any(map(is_garbled, (entry.date, entry.place, *entry.players.values())))
    )
    if not fine:
        raise NotationError(say("its key, its times or the numbers of its revisions are not as they must be"))
    if _is_deeper(entry.settings, MAX_SETTINGS_DEPTH):
        raise NotationError(say("its settings are not as they must be"))
    seen.add(entry.key)
    for one in entry.revisions:
        contents_of(one.text)


def _is_deeper(value: object, depth: int) -> bool:
    """Whether lists and tables within one another go deeper than that."""
    held = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return bool(held) and (depth == 0 or any(_is_deeper(one, depth - 1) for one in held))


def _result(entry: GameEntry) -> KeptResult:
    """The result of a game of the document. Raises NotationError for a game that cannot be played."""
    last: dict[int, str] = {one.part: one.text for one in entry.revisions if one.number <= entry.current}
    try:
        return reckoned([GamePart(contents_of(text).kind, text) for text in last.values()])
    except CompanionError as error:
        raise NotationError(say("game {key}: {error}", key=entry.key, error=error)) from None


def _replace(database: sqlite3.Connection, entry: GameEntry) -> None:
    """Keep a game of the document in place of the same one here, of which it has all revisions."""
    (following, source) = database.execute("SELECT next, source FROM games WHERE key = ?", (entry.key,)).fetchone()
    database.execute("DELETE FROM games WHERE key = ?", (entry.key,))
    _put(database, entry)
    # No number of a revision is given twice, and the record file that is played into stays the game's own.
    database.execute("UPDATE games SET next = max(next, ?), source = ? WHERE key = ?", (following, source, entry.key))


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
    """Copy the whole history to a file by SQLite itself; others may write meanwhile.

    What stood there is replaced only by a whole copy, and a link is followed. Raises what `storage.check_free` raises,
    NoRoomError and UnusableInputError where it cannot be written.
    """
    check_free(target, force=force, inputs=[history.path])
    with telling(target):
        try:
            copy_to(history.path, target, replaces=True)
        except OSError as error:
            raise UnusableInputError(
                say("cannot write {path}: {reason}; choose another place", path=target, reason=system_reason(error))
            ) from None
