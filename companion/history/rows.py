"""Rows of the tables as values, and values as rows; whoever calls these has begun a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import asdict, replace

from companion.errors import NoSuchGameError
from companion.history.contents import Contents, TextKind
from companion.history.kept import GameKey, KeptGame, Revision
from companion.history.results import BidKept, DjinnHeld, GamePart, KeptResult, PlayerResult
from companion.history.stored import (
    GAME_COLUMNS,
    AnyRow,
    BidRow,
    ClockRow,
    DjinnRow,
    PlayerRow,
    ResultRow,
    RevisionRow,
    SpoiltGameError,
    StoredGame,
    check_game,
    game_of,
    put_rows,
    rows_of,
    settings_of,
    texts_of,
)
from companion.history.texts import kept_as, text_of
from companion.language.phrase import say
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

Some = TypeVar("Some")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands: its current revision, the number of the next one, whether it is finished."""

    current: int
    next: int
    is_finished: bool


def standing(database: sqlite3.Connection, key: str) -> Standing:
    """Where a game stands. Raises NoSuchGameError, SpoiltGameError."""
    found = database.execute(f"SELECT {GAME_COLUMNS} FROM games WHERE key = ?", (key,)).fetchone()
    if found is None:
        raise no_such_game(key)
    game = game_of(found)
    return Standing(game.current, game.next, game.finished is not None)


def no_such_game(key: str) -> NoSuchGameError:
    """The fault of a key that is none."""
    return NoSuchGameError(
        say("no game is kept as {key}; companion history lists those that are", key=repr(str(key)[:40]))
    )


def revisions(database: sqlite3.Connection, key: str) -> tuple[Revision, ...]:
    """All revisions of a game in order, those that were undone too. Raises SpoiltGameError."""
    rows = rows_of(database, key, RevisionRow)
    texts = texts_of(key, rows)
    return tuple(
        _revision(key, row, text, before=number > 0, after=number + 1 < len(rows))
        for number, (row, text) in enumerate(zip(rows, texts, strict=True))
    )


def revision(database: sqlite3.Connection, key: str, number: int) -> Revision:
    """A revision by its number. Raises SpoiltGameError, also where there is none."""
    text = text_of(database, key, number)
    (row,) = rows_of(database, key, RevisionRow, "AND number = ?", number)
    before, after = (beside(database, key, number, back=back) is not None for back in (True, False))
    return _revision(key, row, text, before=before, after=after)


def _revision(key: str, row: RevisionRow, text: str, *, before: bool, after: bool) -> Revision:
    return Revision(GameKey(key), row.number, row.part, row.kind, text, row.at, row.told, before, after)


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


def beside(database: sqlite3.Connection, key: str, number: int, *, back: bool) -> int | None:
    """The number of the revision just before one (`back`), or just after it; None if there is none."""
    which, side = ("max", "<") if back else ("min", ">")
    (found,) = database.execute(
        f"SELECT {which}(number) FROM revisions WHERE game = ? AND number {side} ? AND typeof(number) = 'integer'",
        (key, number),
    ).fetchone()
    return None if found is None else int(found)


def parts(database: sqlite3.Connection, key: str, current: int) -> tuple[GamePart, ...]:
    """The last text of each part of a game up to the current revision, in order. Raises SpoiltGameError."""
    last = {one.part: one for one in revisions(database, key) if one.number <= current}
    if not last:
        raise SpoiltGameError(key, "games.current", current)
    return tuple(GamePart(one.kind, one.text) for one in last.values())


def players(database: sqlite3.Connection, key: str) -> dict[Colour, str]:
    """Who plays a game, with a name each or "", in the order of `Colour`. Raises SpoiltGameError."""
    known = {row.colour: row.name for row in rows_of(database, key, PlayerRow)}
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
    """How long players have thought, in seconds. Raises SpoiltGameError."""
    return {row.colour: row.seconds for row in rows_of(database, key, ClockRow)}


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
    put_rows(
        database,
        key,
        [ResultRow(colour, **one.points, total=one.total, place=one.place) for colour, one in found.players.items()],
    )
    put_rows(database, key, [DjinnRow(one.colour, one.name, one.points) for one in found.djinns])
    put_rows(
        database,
        key,
        [BidRow(number, bid.round, bid.colour, bid.price, bid.paid) for number, bid in enumerate(found.bids, 1)],
    )


def results(database: sqlite3.Connection, key: str) -> dict[Colour, PlayerResult]:
    """The players' results; none of a game that is not finished. Raises SpoiltGameError."""
    return {
        row.colour: PlayerResult({name: getattr(row, name) for name in CATEGORIES}, row.total, row.place)
        for row in rows_of(database, key, ResultRow)
    }


def result(database: sqlite3.Connection, key: str) -> KeptResult:
    """The whole result of a finished game. Raises SpoiltGameError."""
    djinns = rows_of(database, key, DjinnRow)
    bids = rows_of(database, key, BidRow)
    return KeptResult(
        results(database, key),
        tuple(DjinnHeld(one.colour, one.name, one.points) for one in djinns),
        tuple(BidKept(bid.round, bid.colour, bid.price, bid.paid) for bid in bids),
    )


def listed(
    database: sqlite3.Connection, which: str, values: Sequence[object], spoilt: Callable[[SpoiltGameError], None]
) -> Iterator[KeptGame]:
    """Games as they stand in the list; `which` is the end of the question.

    A game of which the row itself is spoilt is left out; of others, what is spoilt. `spoilt` is told of each.
    """

    def whole(read: Callable[[sqlite3.Connection, str], dict[Colour, Some]], key: str) -> dict[Colour, Some]:
        try:
            return read(database, key)
        except SpoiltGameError as error:
            spoilt(error)
            return {}

    there = "EXISTS (SELECT 1 FROM revisions WHERE game = key AND number = current)"
    for *row, has_revision in database.execute(f"SELECT {GAME_COLUMNS}, {there} FROM games {which}", values).fetchall():
        settings: dict[str, Any] = {}
        try:
            game = game_of(row)
        except SpoiltGameError as error:
            spoilt(error)
            continue
        try:
            settings = settings_of(game)
            if not has_revision:
                raise SpoiltGameError(game.key, "games.current", game.current)
        except SpoiltGameError as error:
            spoilt(error)
        yield KeptGame(
            GameKey(game.key),
            game.started,
            game.changed,
            game.finished,
            game.date,
            game.place,
            game.current,
            whole(players, game.key),
            whole(results, game.key),
            settings,
            whole(clock, game.key),
        )


def stored(
    database: sqlite3.Connection, row: Sequence[object], spoilt: Callable[[SpoiltGameError], None]
) -> StoredGame | None:
    """A game of a row of `GAME_COLUMNS` with all its rows; None if its texts are spoilt.

    Of what else is spoilt nothing is there: a result is reckoned anew from the texts by whoever takes the game in.
    """

    def whole(*kinds: type[AnyRow]) -> list[list[Any]]:
        try:
            return [rows_of(database, key, kind) for kind in kinds]
        except SpoiltGameError as error:
            spoilt(error)
            return [[] for _ in kinds]

    try:
        game = game_of(row)
        key = game.key
        try:
            settings_of(game)
        except SpoiltGameError as error:
            spoilt(error)
            game = replace(game, settings="{}")
        (playing,), (timed,), (points, held, paid) = (
            whole(PlayerRow),
            whole(ClockRow),
            whole(ResultRow, DjinnRow, BidRow),
        )
        found = StoredGame(
            **asdict(game),
            revisions=rows_of(database, key, RevisionRow),
            players=playing,
            clock=timed,
            results=points,
            djinns=held,
            bids=paid,
        )
        check_game(found)
    except SpoiltGameError as error:
        spoilt(error)
        return None
    return found
