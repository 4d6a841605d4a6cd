"""Rows of the tables as this program writes them, each column of its kind: so they are read, exported and taken in.

Another program may have written anything in the file; `SpoiltGameError` says in which game and column.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple

from companion.errors import UnusableInputError, quoted
from companion.history.contents import TextKind, kind_of
from companion.language.phrase import say
from companion.rules.model.components import Colour

MOST = 10**9
"""Of revisions, rounds and seconds: no table gets there."""

MAX_SETTINGS_DEPTH = 20
"""Settings within settings; what goes much deeper could be read and not written again."""

Count = Annotated[int, Meta(ge=0, le=MOST)]
Points = Annotated[int, Meta(ge=-99_999, le=99_999)]
Seconds = Annotated[float, Meta(ge=0, le=MOST)]
Moment = Annotated[datetime, Meta(tz=True)]
Key = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}\Z")]


class SpoiltGameError(UnusableInputError):
    """A row of a game holds what this program never writes; `column` is as in `games.started`."""

    def __init__(self, game: object, column: str, value: object) -> None:
        self.game, self.column = game, column
        super().__init__(
            say(
                "another program changed game {game}: its {column} is {value}, which cannot be, and is left out; "
                "companion history {game} --forget drops the game",
                game=game if isinstance(game, str) else repr(game)[:40],
                value=quoted(value, 30) if isinstance(value, str) else repr(value)[:30],
                column=column,
            )
        )


def _check_year(column: str, time: datetime | None) -> None:
    """Raises ValueError for a time that could not be put into another zone."""
    if time is not None and not MINYEAR < time.year < MAXYEAR:
        raise ValueError(column)


class GameRow(Struct, frozen=True):
    """A row of `games`; `settings` is JSON."""

    table: ClassVar[str] = "games"
    key: Key
    started: Moment
    changed: Moment
    finished: Moment | None
    date: str
    place: str
    current: Count
    next: Count
    settings: str

    def __post_init__(self) -> None:
        for column in ("started", "changed", "finished"):
            _check_year(column, getattr(self, column))


class RevisionRow(Struct, frozen=True, array_like=True, gc=False):
    """A text: the first `same` letters of the one before, and `content`."""

    table: ClassVar[str] = "revisions"
    unique: ClassVar[str] = "number"
    number: Count
    part: Count
    kind: TextKind
    same: Count
    content: str
    at: Moment
    told: str

    def __post_init__(self) -> None:
        _check_year("at", self.at)


class PlayerRow(Struct, frozen=True, array_like=True, gc=False):
    """Who plays, with a name or ""."""

    table: ClassVar[str] = "players"
    unique: ClassVar[str] = "colour"
    colour: Colour
    name: str


class ClockRow(Struct, frozen=True, array_like=True, gc=False):
    """How long a player has thought, in seconds."""

    table: ClassVar[str] = "clock"
    unique: ClassVar[str] = "colour"
    colour: Colour
    seconds: Seconds


class ResultRow(Struct, frozen=True, array_like=True, gc=False):
    """A player's points in VP, in the order of `scoring.CATEGORIES`."""

    table: ClassVar[str] = "results"
    unique: ClassVar[str] = "colour"
    colour: Colour
    gold: Points | None
    viziers: Points | None
    elders: Points | None
    djinns: Points | None
    palms: Points | None
    palaces: Points | None
    tiles: Points | None
    goods: Points | None
    total: Points
    place: Count


class DjinnRow(Struct, frozen=True, array_like=True, gc=False):
    """A djinn that a player had at the end."""

    table: ClassVar[str] = "djinns"
    unique: ClassVar[str] = "name"
    colour: Colour
    name: str
    points: Points


class BidRow(Struct, frozen=True, array_like=True, gc=False):
    """A bid; prices in GC."""

    table: ClassVar[str] = "bids"
    unique: ClassVar[str] = "number"
    number: Count
    round: Count
    colour: Colour
    price: Count
    paid: Count | None


class StoredGame(GameRow, frozen=True):
    """A game with all its rows: a line of an export."""

    revisions: list[RevisionRow]
    players: list[PlayerRow]
    clock: list[ClockRow]
    results: list[ResultRow]
    djinns: list[DjinnRow]
    bids: list[BidRow]


AnyRow: TypeAlias = RevisionRow | PlayerRow | ClockRow | ResultRow | DjinnRow | BidRow
Row = TypeVar("Row", bound=AnyRow)

GAME_COLUMNS = ", ".join(GameRow.__struct_fields__)
"""As `game_of` takes them."""

_PLACE = re.compile(r"`\$(?:\.(?P<name>\w+)|\[(?P<number>\d+)\])")


def text_or_bytes(raw: bytes) -> str | bytes:
    """A text of the file; bytes where it is none, for whoever reads the row to refuse."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def game_of(row: Sequence[object]) -> GameRow:
    """The game of a row of `GAME_COLUMNS`. Raises SpoiltGameError."""
    values = dict(zip(GameRow.__struct_fields__, row, strict=True))
    try:
        return msgspec.convert(values, GameRow)
    except msgspec.ValidationError as error:
        found = _PLACE.search(str(error))
        column = found["name"] if found else str(error).split()[0]
        raise SpoiltGameError(values["key"], f"games.{column}", values[column]) from None


def rows_of(database: sqlite3.Connection, game: str, kind: type[Row], which: str = "", *values: object) -> list[Row]:
    """Rows of a game's table in their order; `which` says more of them. Raises SpoiltGameError."""
    fields = kind.__struct_fields__
    order = "number" if "number" in fields else "rowid"
    found = database.execute(
        f"SELECT {', '.join(fields)} FROM {kind.table} WHERE game = ? {which} ORDER BY {order}", (game, *values)
    ).fetchall()
    rows: list[Row] = []
    for row in found:
        try:
            rows.append(msgspec.convert(row, kind))
        except msgspec.ValidationError as error:
            place = _PLACE.search(str(error))
            column = fields.index("at") if place is None else int(place["number"])
            raise SpoiltGameError(game, f"{kind.table}.{fields[column]}", row[column]) from None
    once = [getattr(row, kind.unique) for row in rows]
    if len(set(once)) < len(once):
        raise SpoiltGameError(game, f"{kind.table}.{kind.unique}", next(one for one in once if once.count(one) > 1))
    return rows


def put_rows(database: sqlite3.Connection, game: str, rows: Sequence[AnyRow]) -> None:
    """Keep rows of one table of a game."""
    if rows:
        fields = rows[0].__struct_fields__
        values = ([time_text(one) if isinstance(one, datetime) else one for one in astuple(row)] for row in rows)
        database.executemany(
            f"INSERT INTO {rows[0].table} (game, {', '.join(fields)}) VALUES (?{', ?' * len(fields)})",
            ([game, *row] for row in values),
        )


def settings_of(game: GameRow) -> dict[str, Any]:
    """The settings of a game. Raises SpoiltGameError."""
    try:
        found = msgspec.json.decode(game.settings, type=dict[str, Any])
        if not _is_deeper(found, MAX_SETTINGS_DEPTH):
            return found
    except (msgspec.MsgspecError, RecursionError):
        pass
    raise SpoiltGameError(game.key, "games.settings", game.settings)


def _is_deeper(value: object, depth: int) -> bool:
    """Whether lists and tables within one another go deeper than that."""
    held = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return bool(held) and (depth == 0 or any(_is_deeper(one, depth - 1) for one in held))


def texts_of(game: str, rows: Iterable[RevisionRow]) -> Iterator[str]:
    """The text of each revision, put together; the first is whole. Raises SpoiltGameError."""
    text = ""
    for row in rows:
        if row.same > len(text):
            raise SpoiltGameError(game, "revisions.same", row.same)
        text = text[: row.same] + row.content
        yield text


def check_game(game: StoredGame) -> None:
    """Raises SpoiltGameError for a game whose rows do not fit one another."""
    settings_of(game)
    before = RevisionRow(0, 1, TextKind.RECORD, 0, "", game.started, "")
    for row in game.revisions:
        if row.number <= before.number:
            raise SpoiltGameError(game.key, "revisions.number", row.number)
        if row.part < before.part:
            raise SpoiltGameError(game.key, "revisions.part", row.part)
        before = row
    if all(row.number != game.current for row in game.revisions):
        raise SpoiltGameError(game.key, "games.current", game.current)
    if game.next <= before.number:
        raise SpoiltGameError(game.key, "games.next", game.next)
    for row, text in zip(game.revisions, texts_of(game.key, game.revisions), strict=True):
        if not row.same and kind_of(text) is not row.kind:
            raise SpoiltGameError(game.key, "revisions.content", row.content)


def time_text(time: datetime) -> str:
    """A time as it is kept."""
    return time.astimezone(UTC).isoformat()
