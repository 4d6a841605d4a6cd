"""The history: games kept in a SQLite file, a revision for each change; every call is one transaction.

    with open_history(history_path(os.environ), now=now) as history:
        key = history.begin(text)
        history.change(key, longer, summary="pink: c3 > c4g", expected=1)
        history.undo(key)

Each answer comes after its change is on disk (WAL, synchronous=FULL). Threads may share a `History`, programs a file.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from companion.errors import ConflictError, NoSuchGameError
from companion.history.opening import connect, faults_of, transaction
from companion.history.saved import (
    GameKey,
    Revision,
    SavedGame,
    SpoiltGameError,
    adjacent_revision,
    check_key,
    decoding,
    drop_result,
    game_of,
    keys_of,
    packed,
    parts_of,
    players_of,
    put_players,
    put_result,
    result_of_game,
    revisions_of,
    settings_json,
    source_path,
    unpacked,
)
from companion.history.saved_results import Contents, GamePart, SavedResult, TextKind, compute_result, contents_of
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.system.local_time import local

Source = TypeVar("Source")
Read = TypeVar("Read")

CHANGED = say("The game has changed. Look at it as it is now, then try again.")
KEY_BYTES = 12
"""Of chance in a key: nobody guesses 96 bits."""

_LATEST_FIRST = "ORDER BY date DESC, started DESC, key"

_MOST_NAMED = 60
"""The names of players in this many games are offered again."""


def random_key() -> str:
    """A key that nobody guesses, that fits into an address, and that no command line takes for an option."""
    while (key := secrets.token_urlsafe(KEY_BYTES)).startswith("-"):
        pass
    return key


def open_history(path: Path, *, now: Callable[[], datetime], new_key: Callable[[], str] = random_key) -> History:
    """The history in a file, made if there is none; `now` gives times with their zone. Raises UnusableInputError,
    NoRoomError; a damaged file is set aside, as `History.notices` says.
    """
    connection, notices = connect(path, today=now())
    return History(connection, path, now, new_key, notices)


class History:
    """Games kept in a file. Methods raise NoSuchGameError, and what `opening.faults_of` raises; nothing is changed
    then. `notices` say what happened to the file, `spoilt` are games that can't be read.
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

    def __exit__(self, *_: object) -> None:
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
        """Keep a new game; `names`, `place`, `date` are for texts that lack them. Raises NotationError."""
        contents = contents_of(text)
        with self.changing() as database:
            key, at = GameKey(self._new_key()), self._stamp()
            day = contents.date or date or local(self._now()).date().isoformat()
            database.execute(
                "INSERT INTO games (key, started, changed, date, place, current, next, settings, source) "
                "VALUES (?, ?, ?, ?, ?, 1, 2, ?, ?)",
                (key, at, at, day, contents.place or place, settings_json(settings or {}), source_path(source)),
            )
            self._put_revision(key, 1, contents.kind, 1, text, summary)
            put_players(database, key, contents, names or {})
        return key

    def change(
        self, key: GameKey, text: str, *, summary: str, expected: int | None = None, new_part: bool = False
    ) -> Revision:
        """Keep the next revision, and drop those beyond the one before it and the result; a `new_part` begins anew in
        mid-game. Raises ConflictError if the current one isn't `expected`, NotationError.
        """
        contents = contents_of(text)
        with self.changing() as database:
            before = self._expected(key, expected)
            (number,) = database.execute("SELECT next FROM games WHERE key = ?", (key,)).fetchone()
            database.execute("DELETE FROM revisions WHERE game = ? AND number > ?", (key, before.number))
            self._put_revision(key, number, contents.kind, before.part + new_part, text, summary)
            database.execute("UPDATE games SET next = ? WHERE key = ?", (number + 1, key))
            self._go_to(key, number, contents)
            return self._expected(key)

    def undo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go back by one revision; a finished game goes on then. Raises ConflictError as `change`, NoSuchGameError."""
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
            before = adjacent_revision(database, key, now.number, back=True)
            if before is not None and before.text == text:
                self._go_to(key, before.number, contents_of(text))
                return before
        return self.change(key, text, summary=summary, expected=now.number)

    def finish(self, key: GameKey, *, expected: int | None = None) -> SavedResult:
        """Keep the result of a game as it stands now, anew each time. Raises ConflictError and as `replay`."""
        with self.reading() as database:
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
            check_key(database, key)
            database.executemany(
                "UPDATE players SET name = ? WHERE game = ? AND colour = ?",
                [(name, key, colour) for colour, name in names.items()],
            )

    def change_settings(self, key: GameKey, changes: Mapping[str, Any]) -> None:
        """Keep some of the caller's settings of a game, None to drop one; all others stay as they are just then."""
        with self.changing() as database:
            settings = {**game_of(database, key).settings, **changes}
            settings = {name: value for name, value in settings.items() if value is not None}
            database.execute("UPDATE games SET settings = ? WHERE key = ?", (settings_json(settings), key))

    def set_clock(self, key: GameKey, seconds: Mapping[Colour, float]) -> None:
        """Keep how long players have thought, in seconds, in place of what was kept of them."""
        with self.changing() as database:
            check_key(database, key)
            database.executemany(
                "INSERT OR REPLACE INTO clock VALUES (?, ?, ?)",
                [(key, colour, time) for colour, time in seconds.items()],
            )

    def forget(self, key: GameKey | None = None) -> int:
        """Drop a game with all its revisions, or all games; how many. Nothing of them stays in the file."""
        with self.changing() as database:
            if key is None:
                dropped = database.execute("DELETE FROM games").rowcount
            else:
                check_key(database, key)
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
        with self.reading():
            return self._expected(key)

    def revision(self, key: GameKey, number: int) -> Revision | None:
        """A revision of a game by its number; None if there is none, or no more."""
        with self.reading() as database:
            check_key(database, key)
            return next(revisions_of(database, key, "AND number = ?", number), None)

    def adjacent(self, key: GameKey, *, back: bool) -> Revision | None:
        """The revision that `undo` (`back`) or `redo` would go to; None if there is none."""
        with self.reading() as database:
            return adjacent_revision(database, key, self._expected(key).number, back=back)

    def revisions(self, key: GameKey) -> tuple[Revision, ...]:
        """All revisions of a game in order, those that were undone too."""
        with self.reading() as database:
            check_key(database, key)
            return tuple(revisions_of(database, key))

    def parts(self, key: GameKey) -> tuple[GamePart, ...]:
        """The last text of each part of a game up to the current revision, in order."""
        with self.reading() as database:
            return parts_of(database, key, self._expected(key).number)

    def game(self, key: GameKey) -> SavedGame:
        with self.reading() as database:
            return game_of(database, key)

    def games(self, *, first: int = 0, most: int = -1) -> tuple[SavedGame, ...]:
        """Games in their list, the latest first: `most` of them from number `first` on, or all."""
        with self.reading() as database:
            self.spoilt.clear()
            keys = keys_of(database, f"{_LATEST_FIRST} LIMIT ? OFFSET ?", most, first)
            return tuple(self.readable(keys, lambda key: game_of(database, key)))

    def names(self) -> list[str]:
        """The names of who played last, each once, the latest first."""
        games = self.games(most=_MOST_NAMED)
        return [*dict.fromkeys(name for game in games for name in game.players.values() if name)]

    def keys(self, beginning: str = "") -> tuple[GameKey, ...]:
        """The keys of all games, or of those whose key begins so."""
        with self.reading() as database:
            return keys_of(database, "WHERE substr(key, 1, ?) = ?", len(beginning), beginning)

    def at_source(self, source: Path) -> tuple[GameKey, ...]:
        """The games that were played into a record file, the latest first."""
        with self.reading() as database:
            return keys_of(database, "WHERE source = ? ORDER BY started DESC, key", source_path(source))

    def at_outcome(self, text: str) -> GameKey | None:
        """A game that stands at that outcome now; None where there is none."""
        with self.reading() as database:
            outcomes = database.execute(
                "SELECT key, content FROM games JOIN revisions ON game = key AND number = current WHERE kind = ?",
                (TextKind.OUTCOME,),
            )
            return next((GameKey(key) for key, content in outcomes if unpacked(content) == text), None)

    def finished_games(self) -> tuple[tuple[SavedGame, SavedResult], ...]:
        """All finished games with their results, the latest first."""
        with self.reading() as database:
            keys = keys_of(database, f"WHERE finished IS NOT NULL {_LATEST_FIRST}")
            games = self.readable(keys, lambda key: game_of(database, key))
            return tuple(self.readable(games, lambda game: (game, result_of_game(database, game))))

    def result(self, key: GameKey) -> SavedResult | None:
        """The result of a finished game as it is kept; None for one that goes on."""
        with self.reading() as database:
            game = game_of(database, key)
            return None if game.finished is None else result_of_game(database, game)

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
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One look at the file as it stood at one moment."""
        with self._lock, faults_of(self.path), transaction(self._connection, "BEGIN"):
            yield self._connection

    def _stamp(self) -> str:
        return self._now().astimezone(UTC).isoformat()

    def _expected(self, key: str, expected: int | None = None) -> Revision:
        """The current revision of a game, if it is the one that is expected. Raises ConflictError."""
        check_key(self._connection, key)
        with decoding(key):
            revision = next(
                revisions_of(self._connection, key, "AND number = (SELECT current FROM games WHERE key = ?)", key)
            )
        if expected is not None and expected != revision.number:
            raise ConflictError(CHANGED)
        return revision

    def _step(self, key: GameKey, expected: int | None, *, back: bool) -> Revision:
        with self.changing() as database:
            revision = adjacent_revision(database, key, self._expected(key, expected).number, back=back)
            if revision is None:
                raise NoSuchGameError(say("Nothing to undo.") if back else say("There is nothing to redo."))
            self._go_to(key, revision.number, contents_of(revision.text))
            return revision

    def _go_to(self, key: str, number: int, contents: Contents) -> None:
        """Make a revision the current one. Who plays, and by what name, is what its text says."""
        self._connection.execute(
            "UPDATE games SET current = ?, changed = ? WHERE key = ?", (number, self._stamp(), key)
        )
        drop_result(self._connection, key)
        put_players(self._connection, key, contents, players_of(self._connection, key))

    def _put_revision(self, key: str, number: int, kind: TextKind, part: int, text: str, summary: str) -> None:
        self._connection.execute(
            "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (key, number, part, kind, packed(text), self._stamp(), summary),
        )
