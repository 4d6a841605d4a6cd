"""The history as a JSON document, and back; as a copy of its file, while others write; as a table for a spreadsheet."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from companion.errors import CompanionError, NotationError, UnusableInputError, system_reason
from companion.history.database import History
from companion.history.opening import BEGINNING, copy_to, faults_of, files_at
from companion.history.saved import SavedGame, decoding, packed, parts_of, put_result, put_rows, unpacked
from companion.history.saved_results import TextKind, compute_result, kind_of
from companion.language.phrase import say
from companion.notation.spreadsheet import csv_bytes
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from companion.storage import check_free

FORMAT = 2
"""Version of the document."""

_MAX = 10**9
_Count = Annotated[int, Meta(ge=0, le=_MAX)]
_Points = Annotated[int, Meta(ge=-99_999, le=99_999)]
_Moment = Annotated[datetime, Meta(tz=True)]
_Player = tuple[Colour, str]
_Time = tuple[Colour, Annotated[float, Meta(ge=0, le=_MAX)]]
_Known = _Points | None


class _Document(Struct):
    history: int
    games: list[Raw]


class _Revision(Struct, array_like=True):
    """A text: the first `same` letters of the one before, and `content`."""

    number: _Count
    part: _Count
    kind: TextKind
    same: _Count
    content: str
    at: _Moment
    summary: str


class _Game(Struct):
    key: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}\Z")]
    started: _Moment
    changed: _Moment
    finished: _Moment | None
    date: str
    place: str
    current: _Count
    next: _Count
    settings: str
    revisions: list[_Revision]
    players: list[_Player]
    clock: list[_Time]
    results: list[tuple[Colour, _Known, _Known, _Known, _Known, _Known, _Known, _Known, _Known, _Points, _Count]]
    djinns: list[tuple[Colour, str, _Points]]
    bids: list[tuple[_Count, _Count, Colour, _Count, _Count | None]]


_TABLES = ("players", "clock", "results", "djinns", "bids")
"""Fields of a game whose entries are rows of the table of that name, without the game."""


@dataclass(frozen=True, slots=True)
class ImportedGames:
    """What became of the games of a document: new here, known here, and `renewed`, as they went on there."""

    added: int
    known: int
    renewed: int = 0


def exported_games(history: History) -> Iterator[bytes]:
    """All games as a JSON document that `import_games` reads, a line a game; the first begun stands first."""
    columns = "key, started, changed, finished, date, place, current, next, settings"
    yield b'{"history": %d, "games": [' % FORMAT
    with history.reading() as database:
        rows = database.execute(f"SELECT {columns} FROM games ORDER BY started, key").fetchall()
        games = (dict(zip(columns.split(", "), row, strict=True)) for row in rows)
        lines = history.readable(games, lambda game: _exported_game(database, game))
        for number, line in enumerate(lines):
            yield (b",\n" if number else b"\n") + line
    yield b"\n]}\n"


def _exported_game(database: sqlite3.Connection, game: dict[str, Any]) -> bytes:
    """A game's line. Raises SpoiltGameError if it could not be imported."""
    with decoding(game["key"]):
        game |= {name: _exported_time(game[name]) for name in ("started", "changed", "finished")}
        game["revisions"] = list(_exported_revisions(database, game["key"]))
        for table in _TABLES:
            rows = database.execute(f"SELECT * FROM {table} WHERE game = ? ORDER BY rowid", (game["key"],))
            game[table] = [values for _, *values in rows]
        _checked_texts(msgspec.convert(game, _Game))
        return msgspec.json.encode(game)


def _exported_revisions(database: sqlite3.Connection, key: str) -> Iterator[list[object]]:
    text = ""
    rows = database.execute(
        "SELECT number, part, kind, content, at, told FROM revisions WHERE game = ? ORDER BY number", (key,)
    )
    for number, part, kind, content, at, summary in rows:
        before, text = text, unpacked(content)
        same = len(os.path.commonprefix((before, text)))
        yield [number, part, kind, same, text[same:], _exported_time(at), summary]


def _exported_time(time: str | None) -> str | None:
    return time and time.replace("+00:00", "Z")


def import_games(history: History, documents: Mapping[Path, IO[bytes]]) -> ImportedGames:
    """Take in games of documents, all or none, and compute results that they lack; one that is here is replaced where
    it went on there alone. Raises NotationError that says what is wrong.
    """
    games = [
        (say("{path}: game {number}", path=path, number=number), game)
        for path, document in documents.items()
        for number, game in enumerate(_games(path, document), 1)
    ]
    outcomes = []
    with history.changing() as database:
        for where, game in games:
            try:
                outcomes.append(_take_in(database, game))
            except sqlite3.IntegrityError:
                raise NotationError("{game}: something is in it twice", game=where) from None
            except CompanionError as error:
                raise NotationError("{what}: {value}", what=where, value=error) from None
    return ImportedGames(outcomes.count("added"), outcomes.count("known"), outcomes.count("renewed"))


def _games(path: Path, document: IO[bytes]) -> list[_Game]:
    number, content = 0, document.read()
    if content.startswith(BEGINNING):
        raise NotationError(
            "{path} is a database, as companion history --backup copies it, not what --export writes: set "
            "COMPANION_HISTORY to it for companion history --export games.json, and import that",
            path=path,
        )
    try:
        whole = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"), type=_Document)
        if whole.history != FORMAT:
            raise NotationError(
                "{path} has a history of version {version}; this program reads version {known}",
                path=path,
                version=whole.history,
                known=FORMAT,
            )
        games = []
        for number, raw in enumerate(whole.games, 1):  # noqa: B007  (said in the fault)
            games.append(msgspec.json.decode(raw, type=_Game))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        where = say("{path}: game {number}", path=path, number=number) if number else path
        raise NotationError(
            "{game}: this isn't a file from companion history --export: {reason}", game=where, reason=str(error)
        ) from None
    return games


def _take_in(database: sqlite3.Connection, game: _Game) -> str:
    """Keep a game unless it is here and as far; "added", "renewed" or "known". Raises NotationError."""
    texts = _checked_texts(game)
    here = database.execute("SELECT changed, finished, next, source FROM games WHERE key = ?", (game.key,)).fetchone()
    if here is None:
        _put(database, game, texts)
        return "added"
    changed, finished, number, source = here
    rows = database.execute("SELECT number, at, content FROM revisions WHERE game = ?", (game.key,))
    own = {(number, datetime.fromisoformat(at), unpacked(content)) for number, at, content in rows}
    there = {(revision.number, revision.at, text) for revision, text in zip(game.revisions, texts, strict=True)}
    # Undone, redone or finished since: only then clocks of two machines are compared.
    is_later = (game.changed, game.finished is not None) > (datetime.fromisoformat(changed), finished is not None)
    if not (own < there or (own == there and is_later)):
        return "known"
    # No number of a revision is given twice, and the record file that is played into stays the game's own.
    database.execute("DELETE FROM games WHERE key = ?", (game.key,))
    game.next = max(game.next, number)
    _put(database, game, texts, source)
    return "renewed"


def _checked_texts(game: _Game) -> list[str]:
    """The whole texts of a game's revisions. Raises NotationError for a game that does not fit together."""
    texts: list[str] = []
    numbers = [revision.number for revision in game.revisions]
    parts = [revision.part for revision in game.revisions]
    for revision in game.revisions:
        texts.append((texts[-1] if texts else "")[: revision.same] + revision.content)
    try:
        msgspec.json.decode(game.settings, type=dict[str, Any])
        is_wrong = (
            game.current not in numbers
            or numbers != sorted(set(numbers))
            or parts != sorted(parts)
            or game.next <= numbers[-1]
            or any(kind_of(text) is not revision.kind for revision, text in zip(game.revisions, texts, strict=True))
        )
    except (msgspec.MsgspecError, RecursionError):
        is_wrong = True
    if is_wrong:
        raise NotationError("its revisions or settings don't fit together")
    return texts


def _put(database: sqlite3.Connection, game: _Game, texts: list[str], source: str | None = None) -> None:
    started, changed = _saved_time(game.started), _saved_time(game.changed)
    finished = None if game.finished is None else _saved_time(game.finished)
    database.execute(
        "INSERT INTO games (key, started, changed, finished, date, place, current, next, settings, source) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (game.key, started, changed, finished, game.date, game.place, game.current, game.next, game.settings, source),
    )
    revisions = [
        (revision.number, revision.part, revision.kind, packed(text), _saved_time(revision.at), revision.summary)
        for revision, text in zip(game.revisions, texts, strict=True)
    ]
    put_rows(database, "revisions", game.key, revisions)
    for table in _TABLES:
        put_rows(database, table, game.key, getattr(game, table))
    if finished is not None and not game.results:
        put_result(database, game.key, compute_result(parts_of(database, game.key, game.current)), finished)


def _saved_time(time: datetime) -> str:
    try:
        return time.astimezone(UTC).isoformat()
    except OverflowError:
        raise NotationError("{time} isn't a time that can be saved", time=time.isoformat()) from None


def back_up(history: History, target: Path, *, force: bool) -> None:
    """Copy the whole history to a file by SQLite itself; only a whole copy replaces what stood there. Raises as
    `storage.check_free`, NoRoomError and UnusableInputError.
    """
    check_free(target, force=force, inputs=files_at(history.path))
    with faults_of(target):
        try:
            copy_to(history.path, target)
        except OSError as error:
            raise UnusableInputError(
                "cannot write {path}: {reason}; choose another place", path=target, reason=system_reason(error)
            ) from None


HEADINGS = ("game", "date", "place", "finished", "player", "name", *CATEGORIES, "total", "rank", "won", "seconds")


def games_csv(games: Iterable[SavedGame], language: str) -> bytes:
    """Games as a CSV file, in English everywhere; points in VP, empty where not known. `rank` is shared by tied
    players, `won` is 1 for each winner (rules 9.3), `seconds` the turn clock's.
    """
    return csv_bytes([HEADINGS, *(row for game in games for row in _rows(game))], language)


def _rows(game: SavedGame) -> Iterator[list[object]]:
    for colour in Colour:
        if colour not in game.players and colour not in game.results:
            continue
        finished = None if game.finished is None else game.finished.isoformat()
        about = [game.key, game.date, game.place, finished, str(colour), game.players.get(colour, "")]
        result = game.results.get(colour)
        time = round(game.clock[colour], 1) if game.clock.get(colour) else None
        if result is None:
            yield [*about, *([None] * (len(CATEGORIES) + 3)), time]
        else:
            points = [result.points[category] for category in CATEGORIES]
            yield [*about, *points, result.total, result.place or None, int(colour in game.winners), time]
