"""The history: games kept in a SQLite file, a revision for each change; every call is one transaction.

    with open_history(history_path(os.environ), now=now) as history:
        key = history.begin(text)
        history.change(key, longer, summary="pink: c3 > c4g", expected=1)
        history.undo(key)

Each answer comes after its change is on disk (WAL, synchronous=FULL). Threads may share a `History`, programs a file.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from companion.errors import ConflictError, NoSuchGameError, NotationError, UnusableInputError
from companion.history.contents import Contents, TextKind, contents_of
from companion.history.kept import GameKey, KeptGame, Revision
from companion.history.opening import connect, faults_of, transaction
from companion.history.results import DjinnHeld, GamePart, KeptBid, KeptResult, PlayerResult, compute_result
from companion.language.phrase import say
from companion.local_time import local
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

Source = TypeVar("Source")
Read = TypeVar("Read")

KEY_BYTES = 12
"""Of chance in a key: nobody guesses 96 bits."""

_LISTED = "key, started, changed, finished, date, place, current, settings"
_LATEST_FIRST = "ORDER BY date DESC, started DESC, key"


def random_key() -> str:
    """A key that nobody guesses, that fits into an address, and that no command line takes for an option."""
    while (key := secrets.token_urlsafe(KEY_BYTES)).startswith("-"):
        pass
    return key


def open_history(path: Path, *, now: Callable[[], datetime], new_key: Callable[[], str] = random_key) -> History:
    """The history in a file, which is made if there is none; `now` gives times with their zone.

    Raises UnusableInputError where no games can be kept there, for a file of a newer version or another program;
    NoRoomError where the disk is full. A damaged file is set aside, as `History.notices` says.
    """
    connection, notices = connect(path, today=now())
    return History(connection, path, now, new_key, notices)


_BROKEN_VALUES = (ValueError, TypeError, LookupError, RecursionError, StopIteration)
_UNDECODABLE = (*_BROKEN_VALUES, NotationError, zlib.error, msgspec.MsgspecError)
"""What reading a row raises that another program has written."""


class SpoiltGameError(UnusableInputError):
    """A game whose rows hold what this program never writes."""

    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(
            "game {game} can't be read: another program has changed it; companion history {game} --forget deletes it",
            game=game,
        )


@contextmanager
def decoding(key: str) -> Iterator[None]:
    """Raises SpoiltGameError where what is kept of a game can't be decoded: another program has changed it."""
    try:
        yield
    except _UNDECODABLE as error:
        raise SpoiltGameError(key) from error


class History:
    """Games kept in a file, to be closed in the end.

    Each method raises NoSuchGameError for a key that is none, and what `opening.faults_of` raises where the file does
    not do as it should; nothing is changed then. `notices` say what happened to the file when it was opened; `spoilt`
    are the games that can't be read, and so were missing from the last list of games.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        now: Callable[[], datetime],
        new_key: Callable[[], str],
        notices: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.notices = notices
        self.spoilt: dict[str, SpoiltGameError] = {}
        self._connection = connection
        self._now = now
        self._new_key = new_key
        self._lock = RLock()

    def __enter__(self) -> History:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        with self._lock:
            self._connection.close()

    # Changes.

    def begin(
        self,
        text: str,
        *,
        names: Mapping[Colour, str] | None = None,
        place: str = "",
        date: str = "",
        settings: Mapping[str, Any] | None = None,
        summary: str = "",
        source: Path | None = None,
    ) -> GameKey:
        """Keep a new game; `names`, `place` and `date` (2026-02-14; else today) are for texts that lack them.

        `source` is its record file. Raises NotationError for a text that is no game record, position file or outcome.
        """
        contents = contents_of(text)
        with self.changing() as database:
            key, at = GameKey(self._new_key()), self._stamp()
            day = contents.date or date or local(self._now()).date().isoformat()
            database.execute(
                "INSERT INTO games (key, started, changed, date, place, current, next, settings, source) "
                "VALUES (?, ?, ?, ?, ?, 1, 2, ?, ?)",
                (key, at, at, day, contents.place or place, _json(settings or {}), _source_path(source)),
            )
            self._put_revision(key, 1, contents.kind, 1, text, summary)
            _put_players(database, key, contents, names or {})
        return key

    def change(
        self, key: GameKey, text: str, *, summary: str, expected: int | None = None, new_part: bool = False
    ) -> Revision:
        """Keep the next revision of a game; what was beyond the current one is dropped, and a result with it.

        `expected` is the number of the revision that the change was made on. `new_part` says that the text begins anew
        in the middle of the game: what was before stays in its history. Raises ConflictError if another revision is
        current now, NotationError for a text that is none.
        """
        contents = contents_of(text)
        with self.changing() as database:
            before = self._expected(key, expected)
            (number,) = database.execute("SELECT next FROM games WHERE key = ?", (key,)).fetchone()
            database.execute("DELETE FROM revisions WHERE game = ? AND number > ?", (key, before.number))
            self._put_revision(key, number, contents.kind, before.part + new_part, text, summary)
            database.execute("UPDATE games SET next = ? WHERE key = ?", (number + 1, key))
            self._go_to(key, number, contents)
            return _revision(database, key, number)

    def undo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go back by one revision, from a finished game too, which goes on then.

        Raises ConflictError as `change`, NoSuchGameError if there is none before.
        """
        return self._step(key, expected, back=True)

    def redo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go on to the revision that was undone last. Raises as `undo`."""
        return self._step(key, expected, back=False)

    def follow(self, key: GameKey, text: str, *, summary: str) -> Revision:
        """Go to where a text is that was changed elsewhere: nowhere if it is current, back if it was just before."""
        with self.changing() as database:
            now = self._expected(key)
            if now.text == text:
                return now
            before = _beside(database, key, now.number, back=True)
            if before is not None and before.text == text:
                self._go_to(key, before.number, contents_of(text))
                return before
        return self.change(key, text, summary=summary, expected=now.number)

    def finish(self, key: GameKey, *, expected: int | None = None) -> KeptResult:
        """Keep the result of a game as it stands now: points, djinns, bids; a second time it is computed anew.

        Raises ConflictError as `change`, and what the rules say of a record that cannot be played.
        """
        with self.looking() as database:
            current = self._expected(key, expected).number
            parts = parts_of(database, key, current)
        # Playing a record takes a while, in which others may write.
        result = compute_result(parts)
        with self.changing() as database:
            self._expected(key, current)
            put_result(database, key, result, self._stamp())
        return result

    def name_players(self, key: GameKey, names: Mapping[Colour, str]) -> None:
        """Give players of a game their names, where its text does not have them."""
        with self.changing() as database:
            _check_key(database, key)
            database.executemany(
                "UPDATE players SET name = ? WHERE game = ? AND colour = ?",
                [(name, key, colour) for colour, name in names.items()],
            )

    def change_settings(self, key: GameKey, changes: Mapping[str, Any]) -> None:
        """Keep some of the caller's settings of a game, None to drop one; all others stay as they are just then."""
        with self.changing() as database:
            settings = {**_game(database, key).settings, **changes}
            settings = {name: value for name, value in settings.items() if value is not None}
            database.execute("UPDATE games SET settings = ? WHERE key = ?", (_json(settings), key))

    def set_clock(self, key: GameKey, seconds: Mapping[Colour, float]) -> None:
        """Keep how long players have thought, in seconds, in place of what was kept of them."""
        with self.changing() as database:
            _check_key(database, key)
            database.executemany(
                "INSERT OR REPLACE INTO clock VALUES (?, ?, ?)",
                [(key, colour, time) for colour, time in seconds.items()],
            )

    def forget(self, key: GameKey | None = None) -> int:
        """Drop a game with all its revisions, or all games; how many there were.

        Nothing of them stays in the file, which gets smaller.
        """
        with self.changing() as database:
            if key is None:
                dropped = database.execute("DELETE FROM games").rowcount
            else:
                _check_key(database, key)
                dropped = database.execute("DELETE FROM games WHERE key = ?", (key,)).rowcount
        with self._lock, faults_of(self.path):
            # What was forgotten is overwritten already (secure_delete); where somebody reads or the disk is full, the
            # file only stays as large as it is.
            with suppress(sqlite3.OperationalError):
                self._connection.execute("VACUUM")
            # The log would still hold them. Somebody who reads just now keeps it a while.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return dropped

    # Looks.

    def written_by_others(self) -> int:
        """A number that is another one when another program has written in the file, and not by changes made here."""
        with self._lock, faults_of(self.path):
            (number,) = self._connection.execute("PRAGMA data_version").fetchone()
            return int(number)

    def current(self, key: GameKey) -> Revision:
        """The current revision of a game."""
        with self.looking():
            return self._expected(key)

    def revision(self, key: GameKey, number: int) -> Revision | None:
        """A revision of a game by its number; None if there is none, or no more."""
        with self.looking() as database:
            _check_key(database, key)
            return next(_revisions(database, key, "AND number = ?", number), None)

    def beside(self, key: GameKey, *, back: bool) -> Revision | None:
        """The revision that `undo` (`back`) or `redo` would go to; None if there is none."""
        with self.looking() as database:
            return _beside(database, key, self._expected(key).number, back=back)

    def revisions(self, key: GameKey) -> tuple[Revision, ...]:
        """All revisions of a game in order, those that were undone too."""
        with self.looking() as database:
            _check_key(database, key)
            return tuple(_revisions(database, key))

    def parts(self, key: GameKey) -> tuple[GamePart, ...]:
        """The last text of each part of a game up to the current revision, in order."""
        with self.looking() as database:
            return parts_of(database, key, self._expected(key).number)

    def game(self, key: GameKey) -> KeptGame:
        """One game as it stands in the list."""
        with self.looking() as database:
            return _game(database, key)

    def games(self, *, first: int = 0, most: int = -1) -> tuple[KeptGame, ...]:
        """Games in their list, the latest first: `most` of them after the first so many, or all."""
        with self.looking() as database:
            self.spoilt.clear()
            keys = _keys(database, f"{_LATEST_FIRST} LIMIT ? OFFSET ?", most, first)
            return tuple(self.readable(keys, lambda key: _game(database, key)))

    def keys(self, beginning: str = "") -> tuple[GameKey, ...]:
        """The keys of all games, or of those whose key begins so."""
        with self.looking() as database:
            return _keys(database, "WHERE substr(key, 1, ?) = ?", len(beginning), beginning)

    def at_source(self, source: Path) -> tuple[GameKey, ...]:
        """The games that were played into a record file, the latest first."""
        with self.looking() as database:
            return _keys(database, "WHERE source = ? ORDER BY started DESC, key", _source_path(source))

    def has_outcome(self, text: str) -> bool:
        """Whether a game stands at that outcome now."""
        with self.looking() as database:
            outcomes = database.execute(
                "SELECT content FROM games JOIN revisions ON game = key AND number = current WHERE kind = ?",
                (TextKind.OUTCOME,),
            )
            return any(unpacked(content) == text for (content,) in outcomes)

    def finished_games(self) -> tuple[tuple[KeptGame, KeptResult], ...]:
        """All finished games with their results, the latest first."""
        with self.looking() as database:
            keys = _keys(database, f"WHERE finished IS NOT NULL {_LATEST_FIRST}")
            games = self.readable(keys, lambda key: _game(database, key))
            return tuple(self.readable(games, lambda game: (game, _result(database, game))))

    def result(self, key: GameKey) -> KeptResult | None:
        """The result of a finished game as it is kept; None for one that goes on."""
        with self.looking() as database:
            game = _game(database, key)
            return None if game.finished is None else _result(database, game)

    # Inside a transaction.

    def readable(self, games: Iterable[Source], read: Callable[[Source], Read]) -> Iterator[Read]:
        """What is read of each game but those that another program has spoilt, which are noted in `spoilt`."""
        for game in games:
            try:
                yield read(game)
            except SpoiltGameError as error:
                self.spoilt[error.game] = error

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that is on disk when this is left, or has not been at all."""
        with self._lock, faults_of(self.path), transaction(self._connection, "BEGIN IMMEDIATE"):
            yield self._connection

    @contextmanager
    def looking(self) -> Iterator[sqlite3.Connection]:
        """One look at the file as it stood at one moment."""
        with self._lock, faults_of(self.path), transaction(self._connection, "BEGIN"):
            yield self._connection

    def _stamp(self) -> str:
        return self._now().astimezone(UTC).isoformat()

    def _expected(self, key: str, expected: int | None = None) -> Revision:
        """The current revision of a game, if it is the one that is expected. Raises ConflictError."""
        _check_key(self._connection, key)
        with decoding(key):
            revision = next(
                _revisions(self._connection, key, "AND number = (SELECT current FROM games WHERE key = ?)", key)
            )
        if expected is not None and expected != revision.number:
            raise ConflictError(
                say("somebody else has changed this game in the meantime: look at it as it is now, then try again")
            )
        return revision

    def _step(self, key: GameKey, expected: int | None, *, back: bool) -> Revision:
        with self.changing() as database:
            revision = _beside(database, key, self._expected(key, expected).number, back=back)
            if revision is None:
                nothing = say("there is nothing to undo in this game"), say("there is nothing to redo in this game")
                raise NoSuchGameError(nothing[0 if back else 1])
            self._go_to(key, revision.number, contents_of(revision.text))
            return revision

    def _go_to(self, key: str, number: int, contents: Contents) -> None:
        """Make a revision the current one. Who plays, and by what name, is what its text says."""
        self._connection.execute(
            "UPDATE games SET current = ?, changed = ? WHERE key = ?", (number, self._stamp(), key)
        )
        _drop_result(self._connection, key)
        _put_players(self._connection, key, contents, _players(self._connection, key))

    def _put_revision(self, key: str, number: int, kind: TextKind, part: int, text: str, summary: str) -> None:
        self._connection.execute(
            "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (key, number, part, kind, packed(text), self._stamp(), summary),
        )


def packed(text: str) -> bytes:
    """The text of a revision as it is kept."""
    return zlib.compress(text.encode())


def unpacked(content: bytes) -> str:
    """The text of a revision from what is kept of it."""
    return zlib.decompress(content).decode()


def parts_of(database: sqlite3.Connection, key: str, current: int) -> tuple[GamePart, ...]:
    """The last text of each part of a game up to a revision, in order."""
    last = database.execute(
        "SELECT kind, content FROM revisions WHERE game = ?1 AND number IN "
        "(SELECT max(number) FROM revisions WHERE game = ?1 AND number <= ?2 GROUP BY part) ORDER BY number",
        (key, current),
    )
    with decoding(key):
        return tuple(GamePart(TextKind(kind), unpacked(content)) for kind, content in last)


def put_result(database: sqlite3.Connection, key: str, result: KeptResult, at: str) -> None:
    """Keep a game's result, in place of what was kept, and that it was finished at that time."""
    _drop_result(database, key)
    database.execute("UPDATE games SET finished = ? WHERE key = ?", (at, key))
    put_rows(
        database,
        "results",
        key,
        [
            (colour, *(player.points[category] for category in CATEGORIES), player.total, player.place)
            for colour, player in result.players.items()
        ],
    )
    put_rows(database, "djinns", key, [(djinn.colour, djinn.name, djinn.points) for djinn in result.djinns])
    bids = [(number, bid.round, bid.colour, bid.price, bid.paid) for number, bid in enumerate(result.bids, 1)]
    put_rows(database, "bids", key, bids)


def put_rows(database: sqlite3.Connection, table: str, key: str, rows: Sequence[Sequence[object]]) -> None:
    """Keep rows of a table of a game, each with its values in the order of the table's columns."""
    if rows:
        marks = ", ?" * len(rows[0])
        database.executemany(f"INSERT INTO {table} VALUES (?{marks})", [(key, *row) for row in rows])


def _json(settings: Mapping[str, Any]) -> str:
    return json.dumps(dict(settings), ensure_ascii=False, sort_keys=True)


def _source_path(source: Path | None) -> str | None:
    if source is None:
        return None
    # A file's name need not be UTF-8, as SQLite's text is.
    return os.fsencode(os.path.normcase(os.path.realpath(source))).decode("utf-8", "backslashreplace")


def _check_key(database: sqlite3.Connection, key: str) -> None:
    """Raises NoSuchGameError."""
    if database.execute("SELECT 1 FROM games WHERE key = ?", (key,)).fetchone() is None:
        raise NoSuchGameError(
            say("there is no game {key}; companion history lists the games that are kept", key=repr(str(key)[:40]))
        )


def _keys(database: sqlite3.Connection, which: str, *values: object) -> tuple[GameKey, ...]:
    return tuple(GameKey(key) for (key,) in database.execute(f"SELECT key FROM games {which}", values))


def _revisions(database: sqlite3.Connection, key: str, which: str = "", *values: object) -> Iterator[Revision]:
    """Revisions of a game in order; `which` is a condition."""
    others = "EXISTS (SELECT 1 FROM revisions AS other WHERE other.game = own.game AND other.number {} own.number)"
    rows = database.execute(
        f"SELECT number, part, kind, content, at, told, {others.format('<')}, {others.format('>')} "
        f"FROM revisions AS own WHERE game = ? {which} ORDER BY number",
        (key, *values),
    ).fetchall()
    for number, part, kind, content, at, summary, before, after in rows:
        with decoding(key):
            revision = Revision(
                *(GameKey(key), number, part, TextKind(kind), unpacked(content), datetime.fromisoformat(at), summary),
                *(bool(before), bool(after)),
            )
        yield revision


def _revision(database: sqlite3.Connection, key: str, number: int) -> Revision:
    return next(_revisions(database, key, "AND number = ?", number))


def _beside(database: sqlite3.Connection, key: str, number: int, *, back: bool) -> Revision | None:
    """The revision just before one (`back`), or just after it; None if there is none."""
    which, side = ("max", "<") if back else ("min", ">")
    nearest = f"AND number = (SELECT {which}(number) FROM revisions WHERE game = ? AND number {side} ?)"
    return next(_revisions(database, key, nearest, key, number), None)


def _game(database: sqlite3.Connection, key: str) -> KeptGame:
    """A game as it stands in the list."""
    _check_key(database, key)
    row = database.execute(f"SELECT {_LISTED} FROM games WHERE key = ?", (key,)).fetchone()
    with decoding(key):
        game = dict(zip(_LISTED.split(", "), row, strict=True))
        clock = database.execute("SELECT colour, seconds FROM clock WHERE game = ?", (key,))
        kept = msgspec.convert(
            {
                **game,
                "revision": game["current"],
                "players": _players(database, key),
                "settings": json.loads(game["settings"]),
                "clock": dict(clock.fetchall()),
            },
            KeptGame,
        )
        return replace(kept, results=_player_results(database, key))


def _players(database: sqlite3.Connection, key: str) -> dict[Colour, str]:
    """Who plays a game, with a name each or "", in the order of `Colour`."""
    names = dict(database.execute("SELECT colour, name FROM players WHERE game = ?", (key,)).fetchall())
    return {colour: names[colour] for colour in Colour if colour in names}


def _put_players(database: sqlite3.Connection, key: str, contents: Contents, known: Mapping[Colour, str]) -> None:
    """Keep who plays a game by its text; a name that is `known` stays where the text has none.

    A position may know of nobody yet, or not of everybody; a record and an outcome name all who play. A player without
    a name in a record that names others has none.
    """
    players = contents.players
    if contents.kind is not TextKind.RECORD or not any(players.values()):
        colours = {**known, **players} if contents.kind is TextKind.POSITION else players
        players = {colour: players.get(colour) or known.get(colour, "") for colour in colours}
    database.execute("DELETE FROM players WHERE game = ?", (key,))
    put_rows(database, "players", key, list(players.items()))


def _drop_result(database: sqlite3.Connection, key: str) -> None:
    for table in ("results", "djinns", "bids"):
        database.execute(f"DELETE FROM {table} WHERE game = ?", (key,))
    database.execute("UPDATE games SET finished = NULL WHERE key = ?", (key,))


def _player_results(database: sqlite3.Connection, key: str) -> dict[Colour, PlayerResult]:
    """The players' results; none of a game that is not finished."""
    rows = database.execute(
        f"SELECT colour, total, place, {', '.join(CATEGORIES)} FROM results WHERE game = ? ORDER BY rowid", (key,)
    )
    results = {
        colour: {"points": dict(zip(CATEGORIES, points, strict=True)), "total": total, "place": place}
        for colour, total, place, *points in rows
    }
    return msgspec.convert(results, dict[Colour, PlayerResult])


def _result(database: sqlite3.Connection, game: KeptGame) -> KeptResult:
    djinns = database.execute("SELECT colour, name, points FROM djinns WHERE game = ? ORDER BY rowid", (game.key,))
    bids = database.execute("SELECT round, colour, price, paid FROM bids WHERE game = ? ORDER BY number", (game.key,))
    with decoding(game.key):
        return KeptResult(
            game.results,
            tuple(DjinnHeld(Colour(colour), name, points) for colour, name, points in djinns),
            tuple(KeptBid(number, Colour(colour), price, paid) for number, colour, price, paid in bids),
        )
