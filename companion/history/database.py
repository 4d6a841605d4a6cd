"""The history: games kept in a SQLite file, a revision for each change; every call is one transaction.

    with open_history(history_path(os.environ), now=now) as history:
        key = history.begin(text)
        history.change(key, longer, told="pink: c3 > c4g", expected=1)
        history.undo(key)

Each answer comes after its change is on disk (WAL, synchronous=FULL). Threads may share a `History`, programs a file.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, TypeVar

from companion.errors import ConflictError, NoSuchGameError
from companion.history import rows
from companion.history.contents import TextKind, contents_of
from companion.history.faults import telling
from companion.history.kept import GameKey, KeptGame, Revision
from companion.history.opening import connect
from companion.history.results import GamePart, KeptResult, reckoned
from companion.history.stored import GAME_COLUMNS, SpoiltGameError, StoredGame, time_text
from companion.history.texts import text_of
from companion.language.phrase import say
from companion.local_time import local
from companion.rules.model.components import Colour

Looked = TypeVar("Looked")

KEY_BYTES = 12
"""Of chance in a key: nobody guesses 96 bits."""


MAX_SPOILT_TOLD = 8
"""Sentences on games that another program spoilt."""


def random_key() -> str:
    """A key that nobody guesses, that fits into an address, and that no command line takes for an option."""
    while (key := secrets.token_urlsafe(KEY_BYTES)).startswith("-"):
        pass
    return key


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
    What another program spoilt of a game raises SpoiltGameError; looks at many games leave it out, and `spoilt_told`
    has a sentence for each game and column that was met since `games` was asked last.
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
        self._spoilt: dict[tuple[str, str], str] = {}
        self._connection = connection
        self._now = now
        self.new_key = new_key
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
        told: str = "",
        source: Path | None = None,
    ) -> GameKey:
        """Keep a new game; `names`, `place` and `date` (2026-02-14; else today) are for texts that do not tell them.

        `source` is its record file.

        Raises NotationError for a text that is no game record, position file or outcome.
        """
        found = contents_of(text)
        with self.changing() as database:
            key, at = GameKey(self.new_key()), self._stamp()
            day = found.date or date or local(self._now()).date().isoformat()
            database.execute(
                "INSERT INTO games (key, started, changed, date, place, current, next, settings, source) "
                "VALUES (?, ?, ?, ?, ?, 1, 2, ?, ?)",
                (key, at, at, day, found.place or place, settings_text(settings or {}), _place_of(source)),
            )
            rows.put_revision(database, key, 1, found.kind, before=None, part=1, text=text, at=at, told=told)
            rows.put_players(database, key, rows.playing_by(found, names or {}))
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
        with self.changing() as database:
            game = self._expected(key, expected)
            before = rows.revision(database, key, game.current)
            database.execute("DELETE FROM revisions WHERE game = ? AND number > ?", (key, before.number))
            rows.put_revision(
                database,
                key,
                game.next,
                found.kind,
                before=before.number,
                part=before.part + new_part,
                text=text,
                at=self._stamp(),
                told=told,
            )
            database.execute("UPDATE games SET next = ? WHERE key = ?", (game.next + 1, key))
            self._go_to(key, game.next)
            rows.put_players(database, key, rows.playing_by(found, rows.players(database, key)))
            return rows.revision(database, key, game.next)

    def undo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go back by one revision, from a finished game too, which goes on then.

        Raises ConflictError as `change`, NoSuchGameError if there is none before.
        """
        return self._step(key, expected, back=True, nothing=say("there is nothing to undo in this game"))

    def redo(self, key: GameKey, *, expected: int | None = None) -> Revision:
        """Go on to the revision that was undone last. Raises as `undo`."""
        return self._step(key, expected, back=False, nothing=say("there is nothing to redo in this game"))

    def follow(self, key: GameKey, text: str, *, told: str) -> Revision:
        """Go to where a text is that was changed elsewhere: nowhere if it is current, back if it was just before."""
        with self.changing() as database:
            now = rows.revision(database, key, rows.standing(database, key).current)
            if now.text == text:
                return now
            before = rows.beside(database, key, now.number, back=True)
            if before is not None and text_of(database, key, before) == text:
                self._go_to(key, before)
                return rows.revision(database, key, before)
        return self.change(key, text, told=told, expected=now.number)

    def finish(self, key: GameKey, *, expected: int | None = None) -> KeptResult:
        """Keep the result of a game as it stands now: points, djinns, bids; told again, it is reckoned anew.

        Raises ConflictError as `change`, and what the rules say of a record that cannot be played.
        """
        with self.looking() as database:
            current = self._expected(key, expected).current
            parts = rows.parts(database, key, current)
        # Playing a record takes a while, in which others may write.
        result = reckoned(parts)
        with self.changing() as database:
            self._expected(key, current)
            rows.put_result(database, key, result, self._stamp())
        return result

    def name_players(self, key: GameKey, names: Mapping[Colour, str]) -> None:
        """Give players of a game their names, where its text does not tell them."""
        with self.changing() as database:
            rows.standing(database, key)
            database.executemany(
                "UPDATE players SET name = ? WHERE game = ? AND colour = ?",
                [(name, key, colour) for colour, name in names.items()],
            )

    def set_settings(self, key: GameKey, settings: Mapping[str, Any]) -> None:
        """Keep the caller's own settings of a game, in place of those before."""
        with self.changing() as database:
            rows.standing(database, key)
            database.execute("UPDATE games SET settings = ? WHERE key = ?", (settings_text(settings), key))

    def change_settings(self, key: GameKey, changes: Mapping[str, Any]) -> None:
        """Keep some of the caller's settings of a game, None to drop one; all others stay as they are just then."""
        with self.changing() as database:
            settings = {**self._listed(database, key).settings, **changes}
            settings = {name: value for name, value in settings.items() if value is not None}
            database.execute("UPDATE games SET settings = ? WHERE key = ?", (settings_text(settings), key))

    def set_clock(self, key: GameKey, seconds: Mapping[Colour, float]) -> None:
        """Keep how long players have thought, in seconds, in place of what was kept of them."""
        with self.changing() as database:
            rows.standing(database, key)
            rows.put_clock(database, key, seconds)

    def forget(self, key: GameKey | None = None) -> int:
        """Drop a game with all its revisions, or all games; how many there were.

        Nothing of them stays in the file, which gets smaller.
        """
        with self.changing() as database:
            if key is not None:
                dropped = database.execute("DELETE FROM games WHERE key = ?", (key,)).rowcount
                if not dropped:
                    raise rows.no_such_game(key)
            else:
                dropped = database.execute("DELETE FROM games").rowcount
        with self._lock, telling(self.path):
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
        with self._lock, telling(self.path):
            (number,) = self._connection.execute("PRAGMA data_version").fetchone()
            return int(number)

    def current(self, key: GameKey) -> Revision:
        """The current revision of a game."""
        with self.looking() as database:
            return rows.revision(database, key, rows.standing(database, key).current)

    def revision(self, key: GameKey, number: int) -> Revision | None:
        """A revision of a game by its number; None if there is none, or no more."""
        with self.looking() as database:
            rows.standing(database, key)
            return next((one for one in rows.revisions(database, key) if one.number == number), None)

    def beside(self, key: GameKey, *, back: bool) -> Revision | None:
        """The revision that `undo` (`back`) or `redo` would go to; None if there is none."""
        with self.looking() as database:
            number = rows.beside(database, key, rows.standing(database, key).current, back=back)
            return None if number is None else rows.revision(database, key, number)

    def revisions(self, key: GameKey) -> tuple[Revision, ...]:
        """All revisions of a game in order, those that were undone too."""
        with self.looking() as database:
            rows.standing(database, key)
            return rows.revisions(database, key)

    def parts(self, key: GameKey) -> tuple[GamePart, ...]:
        """The last text of each part of a game up to the current revision, in order."""
        with self.looking() as database:
            return rows.parts(database, key, rows.standing(database, key).current)

    def game(self, key: GameKey) -> KeptGame:
        """One game as it stands in the list."""
        with self.looking() as database:
            return self._listed(database, key)

    def games(self, *, first: int = 0, most: int = -1) -> tuple[KeptGame, ...]:
        """Games in their list, the latest first: `most` of them after the first so many, or all."""
        with self.looking() as database:
            self._spoilt.clear()
            which = "ORDER BY date DESC, started DESC, key LIMIT ? OFFSET ?"
            return tuple(rows.listed(database, which, (most, first), self._note_spoilt))

    def keys(self, beginning: str = "") -> tuple[GameKey, ...]:
        """The keys of all games, or of those whose key begins so."""
        with self.looking() as database:
            found = database.execute("SELECT key FROM games WHERE substr(key, 1, ?) = ?", (len(beginning), beginning))
            return tuple(GameKey(key) for (key,) in found if isinstance(key, str))

    def has_outcome(self, text: str) -> bool:
        """Whether a game stands at that outcome now."""
        with self.looking() as database:
            found = database.execute(
                "SELECT key, number FROM games JOIN revisions ON game = key AND number = current WHERE kind = ?",
                (TextKind.OUTCOME,),
            )
            for key, number in found.fetchall():
                with suppress(SpoiltGameError):
                    if text_of(database, key, number) == text:
                        return True
        return False

    def at_source(self, source: Path) -> tuple[GameKey, ...]:
        """The games that were played into a record file, the latest first."""
        with self.looking() as database:
            found = database.execute(
                "SELECT key FROM games WHERE source = ? ORDER BY started DESC, key", (_place_of(source),)
            )
            return tuple(GameKey(key) for (key,) in found)

    def finished_games(self) -> tuple[tuple[KeptGame, KeptResult], ...]:
        """All finished games with their results, the latest first."""
        found = []
        with self.looking() as database:
            which = "WHERE finished IS NOT NULL ORDER BY date DESC, started DESC, key"
            for game in rows.listed(database, which, (), self._note_spoilt):
                try:
                    found.append((game, rows.result(database, game.key)))
                except SpoiltGameError as error:
                    self._note_spoilt(error)
        return tuple(found)

    def stored_games(self) -> Iterator[StoredGame]:
        """All games with all their rows, one after the other, the first begun first."""
        with self.looking() as database:
            self._spoilt.clear()
            for row in database.execute(f"SELECT {GAME_COLUMNS} FROM games ORDER BY started, key").fetchall():
                game = rows.stored(database, row, self._note_spoilt)
                if game is not None:
                    yield game

    def result(self, key: GameKey) -> KeptResult | None:
        """The result of a finished game as it is kept; None for one that goes on."""
        with self.looking() as database:
            return rows.result(database, key) if rows.standing(database, key).is_finished else None

    def spoilt_told(self) -> tuple[str, ...]:
        """Sentences on what another program spoilt, those after the first few counted."""
        with self._lock:
            told = tuple(self._spoilt.values())
        more = len(told) - MAX_SPOILT_TOLD
        return told if more <= 0 else (*told[:MAX_SPOILT_TOLD], say("and {count} more such", count=more))

    def readable(self, look: Callable[[GameKey], Looked], key: GameKey) -> Looked | None:
        """What a look at a game gives; None, with a sentence in `spoilt_told`, where another program spoilt that."""
        try:
            return look(key)
        except SpoiltGameError as error:
            self._note_spoilt(error)
            return None

    # Inside a transaction.

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that is on disk when this is left, or has not been at all."""
        with self._within("BEGIN IMMEDIATE") as database:
            yield database

    @contextmanager
    def looking(self) -> Iterator[sqlite3.Connection]:
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
        return time_text(self._now())

    def _listed(self, database: sqlite3.Connection, key: str) -> KeptGame:
        rows.standing(database, key)
        (game,) = rows.listed(database, "WHERE key = ?", (key,), self._note_spoilt)
        return game

    def _note_spoilt(self, error: SpoiltGameError) -> None:
        self._spoilt[str(error.game), error.column] = str(error)

    def _expected(self, key: str, expected: int | None) -> rows.Standing:
        """Where a game stands, if it is where it is expected to be. Raises ConflictError."""
        game = rows.standing(self._connection, key)
        if expected is not None and expected != game.current:
            raise ConflictError(
                say("this game was changed meanwhile by somebody else: look at it as it is now, then try again")
            )
        return game

    def _step(self, key: GameKey, expected: int | None, *, back: bool, nothing: str) -> Revision:
        with self.changing() as database:
            number = rows.beside(database, key, self._expected(key, expected).current, back=back)
            if number is None:
                raise NoSuchGameError(nothing)
            self._go_to(key, number)
            found = rows.revision(database, key, number)
            # Who plays, and by what name, is what that text says.
            rows.put_players(database, key, rows.playing_by(contents_of(found.text), rows.players(database, key)))
            return found

    def _go_to(self, key: str, number: int) -> None:
        self._connection.execute(
            "UPDATE games SET current = ?, changed = ? WHERE key = ?", (number, self._stamp(), key)
        )
        rows.drop_result(self._connection, key)


def settings_text(settings: Mapping[str, Any]) -> str:
    """Settings of a game as they are kept."""
    return json.dumps(dict(settings), ensure_ascii=False, sort_keys=True)


def _place_of(source: Path | None) -> str | None:
    if source is None:
        return None
    # A file's name need not be UTF-8, as SQLite's text is.
    return os.fsencode(os.path.normcase(os.path.realpath(source))).decode("utf-8", "backslashreplace")
