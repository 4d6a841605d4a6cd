"""What the history gives: games, their revisions, how long each turn took; and the rows of the tables that hold them.

Rows are read and written inside a transaction of `database.History`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, NewType

import msgspec
from msgspec import Meta

from companion.errors import NoSuchGameError, NotationError, UnusableInputError
from companion.history.saved_results import Contents, DjinnHeld, GamePart, PlayerResult, SavedBid, SavedResult, TextKind
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase

GameKey = NewType("GameKey", str)
"""The random name of a game, which fits into an address."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A game after one change, whose `number` is never given again; a new `part` begins where the table was read anew.
    `summary` says in English what was changed.
    """

    game: GameKey
    number: int
    part: int
    kind: TextKind
    text: str
    at: datetime
    summary: str
    can_undo: bool = False
    can_redo: bool = False


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game in the list; times are None until they come, `results` empty until it's finished. `settings` are the
    caller's own, `clock` the seconds that each has thought.
    """

    key: GameKey
    started: datetime
    changed: datetime
    finished: datetime | None
    date: str
    place: str
    revision: int
    players: Mapping[Colour, str]
    results: Mapping[Colour, PlayerResult] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    clock: Mapping[Colour, Annotated[float, Meta(ge=0, le=10**9)]] = field(default_factory=dict)

    @property
    def winners(self) -> tuple[Colour, ...]:
        """Who has won; tied players share it (rules 9.3). Nobody before the game is finished."""
        return tuple(colour for colour, result in self.results.items() if result.place == 1)


TURN_TIMES = "turn_times"
"""Their place among a game's settings."""

MIN_S = 0.5
"""What took less was no turn: a phone has looked at the game in between."""


@dataclass(frozen=True, slots=True)
class TurnTime:
    """How long somebody took for a turn, or for the bids before it; `turn` counts from 1 in a part of a game."""

    part: int
    phase: Phase
    turn: int
    colour: Colour
    seconds: float


def turn_times(game: SavedGame) -> tuple[TurnTime, ...]:
    """All that was timed of a game, in order; nothing where something else stands there."""
    try:
        return tuple(
            TurnTime(int(part), Phase(phase), int(turn), Colour(colour), float(seconds))
            for part, phase, turn, colour, seconds in game.settings.get(TURN_TIMES, ())
        )
    except (TypeError, ValueError):
        return ()


def turns_of(game: SavedGame, colour: Colour) -> list[float]:
    """The seconds of each turn of one player, bids left out."""
    return [time.seconds for time in turn_times(game) if time.colour is colour and time.phase is Phase.TURN]


def with_time(game: SavedGame, time: TurnTime) -> dict[str, Any]:
    """The change of a game's settings that adds a time, to that of the same turn if there is one."""
    if time.seconds < MIN_S:
        return {}
    times = list(turn_times(game))
    for index, earlier in enumerate(times):
        if replace(earlier, seconds=time.seconds) == time:
            times[index] = replace(earlier, seconds=earlier.seconds + time.seconds)
            break
    else:
        times.append(time)
    return {
        TURN_TIMES: [
            [time.part, str(time.phase), time.turn, str(time.colour), round(time.seconds, 1)] for time in times
        ]
    }


# The rows of the tables.


_LISTED = "key, started, changed, finished, date, place, current, settings"

_UNDECODABLE = (
    *(ValueError, TypeError, LookupError, RecursionError, StopIteration, NotationError),
    *(zlib.error, msgspec.MsgspecError),
)
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


def packed(text: str) -> bytes:
    return zlib.compress(text.encode())


def unpacked(content: bytes) -> str:
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


def put_result(database: sqlite3.Connection, key: str, result: SavedResult, at: str) -> None:
    """Keep a game's result, in place of what was kept, and that it was finished at that time."""
    drop_result(database, key)
    database.execute("UPDATE games SET finished = ? WHERE key = ?", (at, key))
    results = [
        (colour, *(player.points[category] for category in CATEGORIES), player.total, player.place)
        for colour, player in result.players.items()
    ]
    put_rows(database, "results", key, results)
    put_rows(database, "djinns", key, [(djinn.colour, djinn.name, djinn.points) for djinn in result.djinns])
    bids = [(number, bid.round, bid.colour, bid.price, bid.paid) for number, bid in enumerate(result.bids, 1)]
    put_rows(database, "bids", key, bids)


def put_rows(database: sqlite3.Connection, table: str, key: str, rows: Sequence[Sequence[object]]) -> None:
    """Keep rows of a table of a game, each with its values in the order of the table's columns."""
    if rows:
        marks = ", ?" * len(rows[0])
        database.executemany(f"INSERT INTO {table} VALUES (?{marks})", [(key, *row) for row in rows])


def settings_json(settings: Mapping[str, Any]) -> str:
    """A game's settings as they are kept."""
    return json.dumps(dict(settings), ensure_ascii=False, sort_keys=True)


def source_path(source: Path | None) -> str | None:
    """A record file's whole path as it is kept."""
    if source is None:
        return None
    # A file's name need not be UTF-8, as SQLite's text is.
    return os.fsencode(os.path.normcase(os.path.realpath(source))).decode("utf-8", "backslashreplace")


def check_key(database: sqlite3.Connection, key: str) -> None:
    """Raises NoSuchGameError."""
    if database.execute("SELECT 1 FROM games WHERE key = ?", (key,)).fetchone() is None:
        raise NoSuchGameError(
            "there is no game {key}; companion history lists the saved games", key=repr(str(key)[:40])
        )


def keys_of(database: sqlite3.Connection, which: str, *values: object) -> tuple[GameKey, ...]:
    """The keys of games; `which` is a condition, or an order."""
    return tuple(GameKey(key) for (key,) in database.execute(f"SELECT key FROM games {which}", values))


def revisions_of(database: sqlite3.Connection, key: str, which: str = "", *values: object) -> Iterator[Revision]:
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


def adjacent_revision(database: sqlite3.Connection, key: str, number: int, *, back: bool) -> Revision | None:
    """The revision just before one (`back`), or just after it; None if there is none."""
    which, side = ("max", "<") if back else ("min", ">")
    nearest = f"AND number = (SELECT {which}(number) FROM revisions WHERE game = ? AND number {side} ?)"
    return next(revisions_of(database, key, nearest, key, number), None)


def game_of(database: sqlite3.Connection, key: str) -> SavedGame:
    """A game as it stands in the list."""
    check_key(database, key)
    row = database.execute(f"SELECT {_LISTED} FROM games WHERE key = ?", (key,)).fetchone()
    with decoding(key):
        game = dict(zip(_LISTED.split(", "), row, strict=True))
        clock = database.execute("SELECT colour, seconds FROM clock WHERE game = ?", (key,))
        kept = msgspec.convert(
            {
                **game,
                "revision": game["current"],
                "players": players_of(database, key),
                "settings": json.loads(game["settings"]),
                "clock": dict(clock.fetchall()),
            },
            SavedGame,
        )
        return replace(kept, results=_player_results(database, key))


def players_of(database: sqlite3.Connection, key: str) -> dict[Colour, str]:
    """Who plays a game, with a name each or "", in the order of `Colour`."""
    names = dict(database.execute("SELECT colour, name FROM players WHERE game = ?", (key,)).fetchall())
    return {colour: names[colour] for colour in Colour if colour in names}


def put_players(database: sqlite3.Connection, key: str, contents: Contents, known: Mapping[Colour, str]) -> None:
    """Keep who plays by a game's text, and names that are `known` where it has none; a position may lack players, and a
    player without a name in a record that names others has none.
    """
    players = contents.players
    if contents.kind is not TextKind.RECORD or not any(players.values()):
        colours = {**known, **players} if contents.kind is TextKind.POSITION else players
        players = {colour: players.get(colour) or known.get(colour, "") for colour in colours}
    database.execute("DELETE FROM players WHERE game = ?", (key,))
    put_rows(database, "players", key, list(players.items()))


def drop_result(database: sqlite3.Connection, key: str) -> None:
    """Forget a game's result: it goes on."""
    for table in ("results", "djinns", "bids"):
        database.execute(f"DELETE FROM {table} WHERE game = ?", (key,))
    database.execute("UPDATE games SET finished = NULL WHERE key = ?", (key,))


def _player_results(database: sqlite3.Connection, key: str) -> dict[Colour, PlayerResult]:
    rows = database.execute(
        f"SELECT colour, total, place, {', '.join(CATEGORIES)} FROM results WHERE game = ? ORDER BY rowid", (key,)
    )
    results = {
        colour: {"points": dict(zip(CATEGORIES, points, strict=True)), "total": total, "place": place}
        for colour, total, place, *points in rows
    }
    return msgspec.convert(results, dict[Colour, PlayerResult])


def result_of_game(database: sqlite3.Connection, game: SavedGame) -> SavedResult:
    """What is kept of a finished game."""
    djinns = database.execute("SELECT colour, name, points FROM djinns WHERE game = ? ORDER BY rowid", (game.key,))
    bids = database.execute("SELECT round, colour, price, paid FROM bids WHERE game = ? ORDER BY number", (game.key,))
    with decoding(game.key):
        return SavedResult(
            game.results,
            tuple(DjinnHeld(Colour(colour), name, points) for colour, name, points in djinns),
            tuple(SavedBid(number, Colour(colour), price, paid) for number, colour, price, paid in bids),
        )
