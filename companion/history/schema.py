"""The tables of the history, and how an older file comes to have them."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable

APPLICATION_ID = 0x46547269
"""What marks a SQLite file as a history: "FTri"."""

_FIRST = """
CREATE TABLE games (
    key TEXT NOT NULL PRIMARY KEY, started TEXT NOT NULL, changed TEXT NOT NULL, finished TEXT, date TEXT NOT NULL,
    place TEXT NOT NULL, current INTEGER NOT NULL, next INTEGER NOT NULL, settings TEXT NOT NULL
);
CREATE TABLE revisions (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, same INTEGER NOT NULL, content TEXT NOT NULL,
    at TEXT NOT NULL, told TEXT NOT NULL, PRIMARY KEY (game, number)
);
CREATE TABLE players (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (game, colour)
);
CREATE TABLE results (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, gold INTEGER, viziers INTEGER, elders INTEGER, djinns INTEGER, palms INTEGER,
    palaces INTEGER, tiles INTEGER, goods INTEGER, total INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (game, colour)
);
CREATE TABLE djinns (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, name TEXT NOT NULL, points INTEGER NOT NULL, PRIMARY KEY (game, name)
);
CREATE TABLE bids (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL, round INTEGER NOT NULL, colour TEXT NOT NULL, price INTEGER NOT NULL,
    PRIMARY KEY (game, number)
);
CREATE TABLE clock (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, colour)
);
CREATE INDEX games_by_date ON games (date, started);
"""
"""`revisions.same`: how many letters of the one before it begins with; `content` is what follows those."""

_SECOND = """
ALTER TABLE games ADD COLUMN source TEXT;
CREATE INDEX games_by_source ON games (source);
"""
"""The record file that a game is played into, as a whole path; NULL where there is none."""

_THIRD = "ALTER TABLE bids ADD COLUMN paid INTEGER"
"""What was paid for a bid in GC; NULL of games that were finished before it was kept."""

_FOURTH = """
ALTER TABLE revisions RENAME TO older_revisions;
CREATE TABLE revisions (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, content BLOB NOT NULL,
    at TEXT NOT NULL, told TEXT NOT NULL, PRIMARY KEY (game, number)
);
"""
"""`revisions.content`: the whole text, compressed."""


def _compress_texts(connection: sqlite3.Connection) -> None:
    text = ""
    rows = connection.execute("SELECT * FROM older_revisions ORDER BY game, number").fetchall()
    for game, number, part, kind, same, content, at, told in rows:
        text = text[:same] + content
        values = (game, number, part, kind, zlib.compress(text.encode()), at, told)
        connection.execute("INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    connection.execute("DROP TABLE older_revisions")


Step = str | Callable[[sqlite3.Connection], None]

STEPS: tuple[tuple[Step, ...], ...] = ((_FIRST,), (_SECOND,), (_THIRD,), (_FOURTH, _compress_texts))
"""What makes each version of the tables of the one before."""

VERSION = len(STEPS)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a file's tables; 0 for a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether a file holds tables of another program."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return mark != APPLICATION_ID and bool(mark or tables)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file's tables to `VERSION`, inside the transaction that the caller has begun."""
    for number in range(version_of(connection), VERSION):
        for step in STEPS[number]:
            if callable(step):
                step(connection)
                continue
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number + 1}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
