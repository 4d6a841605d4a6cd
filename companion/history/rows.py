"""Rows of the tables as values, and values as rows; whoever calls these has begun a transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from companion.errors import NoSuchGameError
from companion.history.contents import Contents, TextKind
from companion.history.kept import GameKey, KeptGame, Revision
from companion.history.results import BidKept, DjinnHeld, GamePart, KeptResult, PlayerResult
from companion.history.texts import kept_as, text_of
from companion.language.phrase import say
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour


@dataclass(frozen=True, slots=True)
class GameRow:
    """Where a game stands: its current revision, the number of the next one, whether it is finished."""

    current: int
    next: int
    is_finished: bool


def game_row(database: sqlite3.Connection, key: str) -> GameRow:
    """Where a game stands. Raises NoSuchGameError."""
    found = database.execute("SELECT current, next, finished IS NOT NULL FROM games WHERE key = ?", (key,)).fetchone()
    if found is None:
        raise NoSuchGameError(
            say("no game is kept as {key}; companion history lists those that are", key=repr(str(key)[:40]))
        )
    current, following, finished = found
    return GameRow(current, following, bool(finished))


def revision(database: sqlite3.Connection, key: str, number: int | None = None) -> Revision:
    """A revision by its number, else the current one."""
    row = database.execute(
        "SELECT number, part, kind, at, told, "
        "EXISTS (SELECT 1 FROM revisions WHERE game = ?1 AND number < r.number), "
        "EXISTS (SELECT 1 FROM revisions WHERE game = ?1 AND number > r.number) "
        "FROM revisions r WHERE game = ?1 AND number = coalesce(?2, (SELECT current FROM games WHERE key = ?1))",
        (key, number),
    ).fetchone()
    found, part, kind, at, told, before, after = row
    text = text_of(database, key, found)
    return Revision(GameKey(key), found, part, TextKind(kind), text, time_of(at), told, bool(before), bool(after))


def put_revision(
    database: sqlite3.Connection,
    key: str,
    number: int,
    kind: TextKind,
    *,
    before: int | None,
    part: int,
    text: str,
    at: str,
    told: str,
) -> None:
    """Keep a text of that kind as a revision after the one of number `before`."""
    same, content = kept_as(database, key, before, text)
    database.execute(
        "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (key, number, part, kind, same, content, at, told)
    )


def numbers(database: sqlite3.Connection, key: str) -> list[int]:
    """The numbers of all revisions of a game in order."""
    found = database.execute("SELECT number FROM revisions WHERE game = ? ORDER BY number", (key,))
    return [number for (number,) in found]


def beside(database: sqlite3.Connection, key: str, number: int, *, back: bool) -> int | None:
    """The number of the revision just before one (`back`), or just after it; None if there is none."""
    which, side = ("max", "<") if back else ("min", ">")
    (found,) = database.execute(
        f"SELECT {which}(number) FROM revisions WHERE game = ? AND number {side} ?", (key, number)
    ).fetchone()
    return None if found is None else int(found)


def parts(database: sqlite3.Connection, key: str) -> tuple[GamePart, ...]:
    """The last text of each part of a game up to the current revision, in order."""
    found = database.execute(
        "SELECT max(number) FROM revisions WHERE game = ?1 "
        "AND number <= (SELECT current FROM games WHERE key = ?1) GROUP BY part ORDER BY part",
        (key,),
    )
    last = [revision(database, key, number) for (number,) in found.fetchall()]
    return tuple(GamePart(one.kind, one.text) for one in last)


def players(database: sqlite3.Connection, key: str) -> dict[Colour, str]:
    """Who plays a game, with a name each or "", in the order of `Colour`."""
    found = database.execute("SELECT colour, name FROM players WHERE game = ?", (key,))
    known = {Colour(colour): name for colour, name in found}
    return {colour: known[colour] for colour in Colour if colour in known}


def put_players(database: sqlite3.Connection, key: str, playing: Mapping[Colour, str]) -> None:
    """Keep who plays a game in place of who was kept."""
    database.execute("DELETE FROM players WHERE game = ?", (key,))
    database.executemany(
        "INSERT INTO players VALUES (?, ?, ?)", [(key, colour, name) for colour, name in playing.items()]
    )


def playing_by(contents: Contents, known: Mapping[Colour, str]) -> dict[Colour, str]:
    """Who plays by a text; a name that is known stays where the text has none.

    A position may know of nobody yet, or not of everybody; a record and an outcome name all who play. Who has no name
    in a record that names others has none.
    """
    if contents.kind is TextKind.RECORD and any(contents.players.values()):
        return dict(contents.players)
    colours = {**known, **contents.players} if contents.kind is TextKind.POSITION else contents.players
    return {colour: contents.players.get(colour) or known.get(colour, "") for colour in colours}


def clock(database: sqlite3.Connection, key: str) -> dict[Colour, float]:
    """How long players have thought, in seconds."""
    found = database.execute("SELECT colour, seconds FROM clock WHERE game = ?", (key,))
    return {Colour(colour): seconds for colour, seconds in found}


def put_clock(database: sqlite3.Connection, key: str, seconds: Mapping[Colour, float]) -> None:
    """Keep how long players have thought in place of what was kept of them."""
    database.executemany(
        "INSERT INTO clock VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seconds = excluded.seconds",
        [(key, colour, time) for colour, time in seconds.items()],
    )


def drop_result(database: sqlite3.Connection, key: str) -> None:
    """Take a game's result away."""
    for table in ("results", "djinns", "bids"):
        database.execute(f"DELETE FROM {table} WHERE game = ?", (key,))
    database.execute("UPDATE games SET finished = NULL WHERE key = ?", (key,))


def put_result(database: sqlite3.Connection, key: str, found: KeptResult, at: str) -> None:
    """Keep a game's result, in place of what was kept, and that it was finished at that time."""
    drop_result(database, key)
    database.execute("UPDATE games SET finished = ? WHERE key = ?", (at, key))
    database.executemany(
        f"INSERT INTO results (game, colour, {', '.join(CATEGORIES)}, total, place) "
        f"VALUES (?, ?, {', '.join('?' * len(CATEGORIES))}, ?, ?)",
        [
            (key, colour, *(one.points[name] for name in CATEGORIES), one.total, one.place)
            for colour, one in found.players.items()
        ],
    )
    database.executemany(
        "INSERT INTO djinns VALUES (?, ?, ?, ?)", [(key, one.colour, one.name, one.points) for one in found.djinns]
    )
    database.executemany(
        "INSERT INTO bids VALUES (?, ?, ?, ?, ?, ?)",
        [(key, number, bid.round, bid.colour, bid.price, bid.paid) for number, bid in enumerate(found.bids, 1)],
    )


def results(database: sqlite3.Connection, key: str) -> dict[Colour, PlayerResult]:
    """The players' results; none of a game that is not finished."""
    found = database.execute(
        f"SELECT colour, total, place, {', '.join(CATEGORIES)} FROM results WHERE game = ? ORDER BY rowid", (key,)
    )
    return {
        Colour(colour): PlayerResult(dict(zip(CATEGORIES, points, strict=True)), total, place)
        for colour, total, place, *points in found
    }


def result(database: sqlite3.Connection, key: str) -> KeptResult:
    """The whole result of a finished game."""
    djinns = database.execute("SELECT colour, name, points FROM djinns WHERE game = ? ORDER BY rowid", (key,))
    bids = database.execute("SELECT round, colour, price, paid FROM bids WHERE game = ? ORDER BY number", (key,))
    return KeptResult(
        results(database, key),
        tuple(DjinnHeld(Colour(colour), name, points) for colour, name, points in djinns),
        tuple(BidKept(number, Colour(colour), price, paid) for number, colour, price, paid in bids),
    )


def listed(database: sqlite3.Connection, which: str, *values: str) -> tuple[KeptGame, ...]:
    """Games as they stand in the list; `which` is the end of the question."""
    found = database.execute(
        f"SELECT key, started, changed, finished, date, place, current, settings FROM games {which}", values
    )
    return tuple(
        KeptGame(
            GameKey(key),
            time_of(started),
            time_of(changed),
            time_of(finished) if finished else None,
            date,
            place,
            current,
            players(database, key),
            results(database, key),
            json.loads(settings),
            clock(database, key),
        )
        for key, started, changed, finished, date, place, current, settings in found.fetchall()
    )


def time_of(text: str) -> datetime:
    """A time as it is kept."""
    return datetime.fromisoformat(text)
