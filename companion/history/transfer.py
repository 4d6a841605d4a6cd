"""The history as a JSON document, and back; and as a copy of its file, while others write."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, TextIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError, NotationError, UnusableInputError, system_reason
from companion.history import rows
from companion.history.contents import kind_of
from companion.history.database import History, settings_text
from companion.history.faults import telling
from companion.history.opening import copy_to
from companion.history.results import reckoned
from companion.history.stored import (
    GAME_COLUMNS,
    GameRow,
    SpoiltGameError,
    StoredGame,
    check_game,
    put_rows,
    texts_of,
    time_text,
)
from companion.history.texts import WHOLE_EVERY, shared
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.storage import check_free

FORMAT = 2
"""Version of the document that this module writes; it reads the first too, in which every text was whole."""

MAX_GAME = 50_000_000
"""Letters of one game of a document: a thousand times what one takes."""

_PIECE = 200_000
"""Letters of a document that are read at a time."""

_HEAD = re.compile(r'\s*\{\s*"history"\s*:\s*(\d{1,9})\s*,\s*"games"\s*:\s*\[\s*')
_NEXT = re.compile(r"\s*,\s*")
_READER = json.JSONDecoder()
_BETWEEN = 1000
"""Letters that may stand between two games, spaces all but one."""
_END = re.compile(r"\s*\]\s*\}\s*")


class _OldRevision(Struct, frozen=True):
    """A revision in a document of version 1."""

    number: int
    part: int
    at: datetime
    told: str
    text: str


class _OldGame(Struct, frozen=True):
    """A game in a document of version 1."""

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
    revisions: list[_OldRevision]


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


def exported_games(history: History) -> Iterator[bytes]:
    """All games as a JSON document that `import_games` reads, a line a game; the first begun stands first.

    What is spoilt is left out and is in `history.spoilt_told()` afterwards.
    """
    yield b'{"history": %d, "games": [' % FORMAT
    for number, game in enumerate(history.stored_games()):
        yield (b",\n" if number else b"\n") + msgspec.json.encode(game)
    yield b"\n]}\n"


def import_games(history: History, document: IO[bytes]) -> TakenIn:
    """Take in the games of a document, all of them or none, one at a time; results that it has not are reckoned.

    A game that is here already is not doubled: the one that went on is kept. One that went on here and there is left as
    it is here, for nothing that was kept is to be lost. Raises NotationError that names what is wrong.
    """
    found: dict[_Standing, list[str]] = {standing: [] for standing in _Standing}
    seen: set[str] = set()
    with history.changing() as database:
        for number, game in enumerate(_games(document), 1):
            try:
                if game.key in seen:
                    raise NotationError(say("its key is that of another game before it"))
                standing = _taken_in(database, game)
            except SpoiltGameError as error:
                raise NotationError(
                    say("game {number}: its {column} is not as it must be", number=number, column=error.column)
                ) from None
            except sqlite3.IntegrityError:
                raise NotationError(say("game {number}: it has something twice", number=number)) from None
            except CompanionError as error:
                raise NotationError(say("game {number}: {error}", number=number, error=error)) from None
            seen.add(game.key)
            found[standing].append(game.key)
    new, further, known, both = (found[standing] for standing in _Standing)
    return TakenIn(len(new), len(known), len(further), tuple(both))


class _Standing(Enum):
    """How a game of a document stands to those that are kept."""

    NEW = auto()
    FURTHER = auto()
    KNOWN = auto()
    DIFFERING = auto()


def _taken_in(database: sqlite3.Connection, game: StoredGame) -> _Standing:
    """Keep a game unless it is here and as far. Raises what `check_game` and `reckoned` raise, NotationError."""
    check_game(game)
    here = database.execute(f"SELECT {GAME_COLUMNS} FROM games WHERE key = ?", (game.key,)).fetchone()
    if here is None:
        _put(database, game)
        return _Standing.NEW
    own = rows.stored(database, here, list[SpoiltGameError]().append)
    standing = _Standing.DIFFERING if own is None else _compared(own, game)
    if own is not None and standing is _Standing.FURTHER:
        # No number of a revision is given twice, and the record file that is played into stays the game's own.
        (source,) = database.execute("SELECT source FROM games WHERE key = ?", (game.key,)).fetchone()
        database.execute("DELETE FROM games WHERE key = ?", (game.key,))
        _put(database, replace(game, next=max(game.next, own.next)), source)
    return standing


def _compared(here: StoredGame, there: StoredGame) -> _Standing:
    """How a game of a document stands to the same game here."""
    own, others = (
        {(row.number, row.at, text) for row, text in zip(rows, texts_of("", rows), strict=True)}
        for rows in (here.revisions, there.revisions)
    )
    if own == others:
        # Undone, redone or finished since; clocks of two machines are compared only here.
        later = (there.changed, there.finished is not None) > (here.changed, here.finished is not None)
        return _Standing.FURTHER if later else _Standing.KNOWN
    if own < others:
        return _Standing.FURTHER
    return _Standing.KNOWN if others < own else _Standing.DIFFERING


def _put(database: sqlite3.Connection, game: StoredGame, source: str | None = None) -> None:
    database.execute(
        f"INSERT INTO games ({GAME_COLUMNS}, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            game.key,
            time_text(game.started),
            time_text(game.changed),
            None if game.finished is None else time_text(game.finished),
            game.date,
            game.place,
            game.current,
            game.next,
            game.settings,
            source,
        ),
    )
    tables = (game.revisions, game.players, game.clock, game.results, game.djinns, game.bids)
    for table in tables:
        put_rows(database, game.key, table)
    if game.finished is not None and not game.results:
        result = reckoned(rows.parts(database, game.key, game.current))
        rows.put_result(database, game.key, result, time_text(game.finished))


def _games(document: IO[bytes]) -> Iterator[StoredGame]:
    """The games of a document, which is closed in the end, one after the other: no more than one is in memory.

    Raises NotationError.
    """
    number = 0
    try:
        with TextIOWrapper(document, encoding="utf-8-sig") as stream:
            text = stream.read(_PIECE)
            head = _HEAD.match(text)
            if head is None:
                raise _no_export(say("it does not begin as one"))
            if head[1] not in ("1", str(FORMAT)):
                raise NotationError(
                    say("a history of version {version}; this program reads {known}", version=head[1], known=FORMAT)
                )
            place = head.end()
            while (end := _END.match(text, place)) is None:
                number += 1
                text, beyond = _with_a_game(stream, text[place:])
                yield _game(text[:beyond], is_old=head[1] == "1")
                after = _NEXT.match(text, beyond)
                place = after.end() if after else beyond
                if after is None and not _END.match(text, place):
                    raise _no_export(say("something stands between its games"))
            if text[end.end() :] or stream.read(1):
                raise _no_export(say("something stands behind its end"))
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise NotationError(say("game {number}: {error}", number=number, error=_no_export(str(error)))) from None


def _with_a_game(stream: TextIO, text: str) -> tuple[str, int]:
    """A text that begins with a game and goes on some way behind it, and where the game ends. Raises NotationError."""
    while True:
        text = text.lstrip()
        with suppress(ValueError):
            _, end = _READER.raw_decode(text)
            if len(text) > end + _BETWEEN or not (more := stream.read(_PIECE)):
                return text, end
            return text + more, end
        more = stream.read(max(_PIECE, len(text)))
        if not more:
            raise _no_export(say("it is damaged, or ends in the middle"))
        text += more
        if len(text) > MAX_GAME:
            raise _no_export(say("it is damaged, or one of its games is too large"))


def _game(text: str, *, is_old: bool) -> StoredGame:
    """A game of a document. Raises msgspec.MsgspecError."""
    if not is_old:
        return msgspec.json.decode(text, type=StoredGame)
    game = msgspec.json.decode(text, type=_OldGame)
    texts = [one.text for one in game.revisions]
    sames = [
        shared(before, text) if number % WHOLE_EVERY else 0
        for number, (before, text) in enumerate(zip(["", *texts], texts, strict=False))
    ]
    values = {name: getattr(game, name) for name in GameRow.__struct_fields__ if hasattr(game, name)} | {
        "next": game.revisions[-1].number + 1 if game.revisions else 0,
        "settings": settings_text(game.settings),
        "revisions": [
            (one.number, one.part, kind_of(one.text), same, one.text[same:], one.at, one.told)
            for one, same in zip(game.revisions, sames, strict=True)
        ],
        "players": list(game.players.items()),
        "clock": list(game.clock.items()),
        "results": [],
        "djinns": [],
        "bids": [],
    }
    return msgspec.convert(values, StoredGame)


def _no_export(reason: str) -> NotationError:
    return NotationError(say("no history written by companion history --export: {reason}", reason=reason))


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
