"""The history: games kept in a SQLite file, a revision for each change; every call is one transaction.

    with open_history(history_path(os.environ), now=now) as history:
        key = history.begin(text)
        history.change(key, longer, told="pink: c3 > c4g", expected=1)
        history.undo(key)

Each answer comes after its change is on disk (WAL, synchronous=FULL). Threads may share a `History`, programs a file.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any

from companion.errors import ConflictError, NoSuchGameError
from companion.history.contents import Contents, TextKind, contents_of
from companion.history.faults import telling
from companion.history.kept import GameKey, KeptGame, Revision
from companion.history.opening import connect
from companion.history.results import BidKept, DjinnHeld, GamePart, KeptResult, PlayerResult, reckoned
from companion.history.texts import kept_as, text_of
from companion.language.phrase import say
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

KEY_BYTES = 12
"""Of chance in a key: nobody guesses 96 bits."""


def random_key() -> str:
    """A key that nobody guesses and that fits into an address."""
    return secrets.token_urlsafe(KEY_BYTES)


def open_history(path: Path, *, now: Callable[[], datetime], new_key: Callable[[], str] = random_key) -> History:
    """The history in a file, which is made if there is none; `now` gives times with their zone.

    Raises UnusableInputError where no games can be kept there, for a file of a newer version or another program;
    NoRoomError where the disk is full. A damaged file is set aside and told of in `History.told`.
    """
    connection, told = connect(path, today=now())
    return History(connection, path, now, new_key, told)


class History:
    """Games kept in a file, to be closed in the end.

    Each method raises NoSuchGameError for a key that is none, and what `faults.telling` raises where the file does not
    do as it should; nothing is changed then. `told` are sentences about what happened to the file when it was opened.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        now: Callable[[], datetime],
        new_key: Callable[[], str],
        told: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.told = told
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
        settings: Mapping[str, Any] | None = None,
        told: str = "",
    ) -> GameKey:
        """Keep a new game; `names` and `place` are for texts that do not tell them.

        Raises NotationError for a text that is no game record, position file or outcome.
        """
        found = contents_of(text)
        with self._changing() as database:
            key, at = GameKey(self._new_key()), self._stamp()
            date = found.date or self._now().astimezone().date().isoformat()
            database.execute(
                "INSERT INTO games (key, started, changed, date, place, current, next, settings) "
                "VALUES (?, ?, ?, ?, ?, 1, 2, ?)",
                (key, at, at, date, found.place or place, _json(settings or {})),
            )
            database.execute("INSERT INTO revisions VALUES (?, 1, 1, ?, 0, ?, ?, ?)", (key, found.kind, text, at, told))
            self._put_players(key, found, names or {})
        return key

    def change(
        self, key: GameKey, text: str, *, told: str, expected: int | None = None, new_part: bool = False
    ) -> Revision:
        """Keep the next revision of a game; what was beyond the current one is dropped, and a result with it.

        `expected` is the number of the revision that the change was made on. `new_part` says that the text begins anew
        in the middle of the game: what was before stays in its history. Raises ConflictError if another revision is
        current now, NotationError for a text that is none.
        """
        found = contents_of(text)
        with self._changing() as database:
            current, number = self._expected(key, expected)
            database.execute("DELETE FROM revisions WHERE game = ? AND number > ?", (key, current))
            (part,) = database.execute(
                "SELECT part FROM revisions WHERE game = ? AND number = ?", (key, current)
            ).fetchone()
            same, content = kept_as(database, key, current, text)
            database.execute(
                "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (key, number, part + new_part, found.kind, same, content, self._stamp(), told),
            )
            database.execute("UPDATE games SET next = ? WHERE key = ?", (number + 1, key))
            self._go_to(key, number)
            self._put_players(key, found, {})
            return self._revision(key)

    def undo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go back by one revision, from a finished game too, which goes on then.

        Raises ConflictError as `change`, NoSuchGameError if there is none before.
        """
        return self._step(key, expected, "max(number)", "<", say("there is nothing to undo in this game"))

    def redo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go on to the revision that was undone last. Raises as `undo`."""
        return self._step(key, expected, "min(number)", ">", say("there is nothing to redo in this game"))

    def finish(self, key: GameKey, *, expected: int | None = None) -> KeptResult:
        """Keep the result of a game as it stands now: points, djinns, bids; told again, it is reckoned anew.

        Raises ConflictError as `change`, and what the rules say of a record that cannot be played.
        """
        with self._looking():
            current, _ = self._expected(key, expected)
            parts = self._parts(key)
        # Playing a record takes a while, in which others may write.
        result = reckoned(parts)
        with self._changing() as database:
            self._expected(key, current)
            self._drop_result(key)
            database.execute("UPDATE games SET finished = ? WHERE key = ?", (self._stamp(), key))
            database.executemany(
                f"INSERT INTO results (game, colour, {', '.join(CATEGORIES)}, total, place) "
                f"VALUES (?, ?, {', '.join('?' * len(CATEGORIES))}, ?, ?)",
                [
                    (key, colour, *(one.points[name] for name in CATEGORIES), one.total, one.place)
                    for colour, one in result.players.items()
                ],
            )
            database.executemany(
                "INSERT INTO djinns VALUES (?, ?, ?, ?)",
                [(key, one.colour, one.name, one.points) for one in result.djinns],
            )
            database.executemany(
                "INSERT INTO bids VALUES (?, ?, ?, ?, ?)",
                [(key, number, bid.round, bid.colour, bid.price) for number, bid in enumerate(result.bids, 1)],
            )
        return result

    def name_players(self, key: GameKey, names: Mapping[Colour, str]) -> None:
        """Give players of a game their names, where its text does not tell them."""
        with self._changing() as database:
            self._game(key)
            database.executemany(
                "UPDATE players SET name = ? WHERE game = ? AND colour = ?",
                [(name, key, colour) for colour, name in names.items()],
            )

    def set_settings(self, key: GameKey, settings: Mapping[str, Any]) -> None:
        """Keep the caller's own settings of a game, in place of those before."""
        with self._changing() as database:
            self._game(key)
            database.execute("UPDATE games SET settings = ? WHERE key = ?", (_json(settings), key))

    def set_clock(self, key: GameKey, seconds: Mapping[Colour, float]) -> None:
        """Keep how long players have thought, in seconds, in place of what was kept of them."""
        with self._changing() as database:
            self._game(key)
            database.executemany(
                "INSERT INTO clock VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seconds = excluded.seconds",
                [(key, colour, time) for colour, time in seconds.items()],
            )

    def forget(self, key: GameKey | None = None) -> int:
        """Drop a game with all its revisions, or all games; how many there were. Nothing of them stays in the file."""
        with self._changing() as database:
            if key is not None:
                self._game(key)
                database.execute("DELETE FROM games WHERE key = ?", (key,))
                dropped = 1
            else:
                dropped = database.execute("DELETE FROM games").rowcount
        with self._lock, telling(self.path):
            # The log would still hold them. Somebody who reads just now keeps it a while.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return dropped

    # Looks.

    def current(self, key: GameKey) -> Revision:
        """The current revision of a game."""
        with self._looking():
            self._game(key)
            return self._revision(key)

    def revisions(self, key: GameKey) -> tuple[Revision, ...]:
        """All revisions of a game in order, those that were undone too."""
        with self._looking() as database:
            self._game(key)
            numbers = database.execute("SELECT number FROM revisions WHERE game = ? ORDER BY number", (key,))
            return tuple(self._revision(key, number) for (number,) in numbers.fetchall())

    def parts(self, key: GameKey) -> tuple[GamePart, ...]:
        """The last text of each part of a game up to the current revision, in order."""
        with self._looking():
            self._game(key)
            return self._parts(key)

    def game(self, key: GameKey) -> KeptGame:
        """One game as it stands in the list."""
        with self._looking():
            self._game(key)
            return self._listed("WHERE key = ?", key)[0]

    def games(self) -> tuple[KeptGame, ...]:
        """All games, the latest first."""
        with self._looking():
            return self._listed("ORDER BY date DESC, started DESC, key")

    def result(self, key: GameKey) -> KeptResult | None:
        """The result of a finished game as it is kept; None for one that goes on."""
        with self._looking() as database:
            game = self._game(key)
            if game["finished"] is None:
                return None
            djinns = database.execute("SELECT colour, name, points FROM djinns WHERE game = ? ORDER BY rowid", (key,))
            bids = database.execute("SELECT round, colour, price FROM bids WHERE game = ? ORDER BY number", (key,))
            return KeptResult(
                self._results(key),
                tuple(DjinnHeld(Colour(colour), name, points) for colour, name, points in djinns),
                tuple(BidKept(round_, Colour(colour), price) for round_, colour, price in bids),
            )

    # Inside a transaction.

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that is on disk when this is left, or has not been at all."""
        with self._within("BEGIN IMMEDIATE") as database:
            yield database

    @contextmanager
    def _looking(self) -> Iterator[sqlite3.Connection]:
        """One look at the file as it stood at one moment."""
        with self._within("BEGIN") as database:
            yield database

    @contextmanager
    def _within(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, telling(self.path):
            self._connection.execute(begin)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # After some faults SQLite has rolled back already.
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _stamp(self) -> str:
        return self._now().astimezone(UTC).isoformat()

    def _game(self, key: str) -> dict[str, Any]:
        """The row of a game. Raises NoSuchGameError."""
        found = self._connection.execute("SELECT current, next, finished FROM games WHERE key = ?", (key,)).fetchone()
        if found is None:
            raise NoSuchGameError(
                say("no game is kept as {key}; companion history lists those that are", key=repr(str(key)[:40]))
            )
        return dict(zip(("current", "next", "finished"), found, strict=True))

    def _expected(self, key: str, expected: int | None) -> tuple[int, int]:
        """The number of the current revision and that of the next to be made. Raises ConflictError."""
        game = self._game(key)
        if expected is not None and expected != game["current"]:
            raise ConflictError(
                say("this game was changed meanwhile by somebody else: look at it as it is now, then try again")
            )
        return game["current"], game["next"]

    def _step(self, key: GameKey, expected: int | None, which: str, side: str, nothing: str) -> Revision:
        with self._changing() as database:
            current, _ = self._expected(key, expected)
            (number,) = database.execute(
                f"SELECT {which} FROM revisions WHERE game = ? AND number {side} ?", (key, current)
            ).fetchone()
            if number is None:
                raise NoSuchGameError(nothing)
            self._go_to(key, number)
            return self._revision(key)

    def _go_to(self, key: str, number: int) -> None:
        self._connection.execute(
            "UPDATE games SET current = ?, changed = ?, finished = NULL WHERE key = ?", (number, self._stamp(), key)
        )
        self._drop_result(key)

    def _drop_result(self, key: str) -> None:
        for table in ("results", "djinns", "bids"):
            self._connection.execute(f"DELETE FROM {table} WHERE game = ?", (key,))

    def _put_players(self, key: str, found: Contents, names: Mapping[Colour, str]) -> None:
        """Keep who plays by a text; a name that is known stays where the text has none.

        A position may know of nobody yet, or not of everybody; a record and an outcome name all who play.
        """
        known = {**self._players(key), **names}
        playing = {**known, **found.players} if found.kind is TextKind.POSITION else found.players
        self._connection.execute("DELETE FROM players WHERE game = ?", (key,))
        self._connection.executemany(
            "INSERT INTO players VALUES (?, ?, ?)",
            [(key, colour, found.players.get(colour) or known.get(colour, "")) for colour in playing],
        )

    def _revision(self, key: str, number: int | None = None) -> Revision:
        """A revision by its number, else the current one."""
        row = self._connection.execute(
            "SELECT number, part, kind, at, told, "
            "EXISTS (SELECT 1 FROM revisions WHERE game = ?1 AND number < r.number), "
            "EXISTS (SELECT 1 FROM revisions WHERE game = ?1 AND number > r.number) "
            "FROM revisions r WHERE game = ?1 AND number = coalesce(?2, (SELECT current FROM games WHERE key = ?1))",
            (key, number),
        ).fetchone()
        found, part, kind, at, told, before, after = row
        text = text_of(self._connection, key, found)
        return Revision(GameKey(key), found, part, TextKind(kind), text, _time(at), told, bool(before), bool(after))

    def _parts(self, key: str) -> tuple[GamePart, ...]:
        rows = self._connection.execute(
            "SELECT max(number) FROM revisions WHERE game = ?1 "
            "AND number <= (SELECT current FROM games WHERE key = ?1) GROUP BY part ORDER BY part",
            (key,),
        )
        last = [self._revision(key, number) for (number,) in rows.fetchall()]
        return tuple(GamePart(one.kind, one.text) for one in last)

    def _players(self, key: str) -> dict[Colour, str]:
        rows = self._connection.execute("SELECT colour, name FROM players WHERE game = ?", (key,))
        known = {Colour(colour): name for colour, name in rows}
        return {colour: known[colour] for colour in Colour if colour in known}

    def _results(self, key: str) -> dict[Colour, PlayerResult]:
        rows = self._connection.execute(
            f"SELECT colour, total, place, {', '.join(CATEGORIES)} FROM results WHERE game = ? ORDER BY rowid", (key,)
        )
        return {
            Colour(colour): PlayerResult(dict(zip(CATEGORIES, points, strict=True)), total, place)
            for colour, total, place, *points in rows
        }

    def _listed(self, which: str, *values: str) -> tuple[KeptGame, ...]:
        rows = self._connection.execute(
            f"SELECT key, started, changed, finished, date, place, current, settings FROM games {which}", values
        )
        return tuple(
            KeptGame(
                GameKey(key),
                _time(started),
                _time(changed),
                _time(finished) if finished else None,
                date,
                place,
                current,
                self._players(key),
                self._results(key),
                json.loads(settings),
                {
                    Colour(colour): seconds
                    for colour, seconds in self._connection.execute(
                        "SELECT colour, seconds FROM clock WHERE game = ?", (key,)
                    )
                },
            )
            for key, started, changed, finished, date, place, current, settings in rows.fetchall()
        )


def _json(settings: Mapping[str, Any]) -> str:
    return json.dumps(dict(settings), ensure_ascii=False, sort_keys=True)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
