"""The tables of the history."""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x46547269
"""What marks a SQLite file as a history: "FTri"."""

VERSION = 4
"""The version of the tables, which a file of a later one isn't read for."""

TABLES = """
CREATE TABLE games (
    key TEXT NOT NULL PRIMARY KEY, started TEXT NOT NULL, changed TEXT NOT NULL, finished TEXT, date TEXT NOT NULL,
    place TEXT NOT NULL, current INTEGER NOT NULL, next INTEGER NOT NULL, settings TEXT NOT NULL, source TEXT
);
CREATE TABLE revisions (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, content BLOB NOT NULL,
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
    number INTEGER NOT NULL, round INTEGER NOT NULL, colour TEXT NOT NULL, price INTEGER NOT NULL, paid INTEGER,
    PRIMARY KEY (game, number)
);
CREATE TABLE clock (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    colour TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, colour)
);
CREATE INDEX games_by_date ON games (date, started);
CREATE INDEX games_by_source ON games (source);
"""
"""`games.source` is the record file that a game is played into, as a whole path, NULL where there is none;
`revisions.content` the whole text, compressed; `bids.paid` what was paid for a bid in GC, NULL where that isn't known.
"""


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a file's tables; 0 for a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether a file holds tables of another program."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return mark != APPLICATION_ID and bool(mark or tables)


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in a new file, inside the transaction that the caller has begun; another may have made them."""
    if version_of(connection):
        return
    for statement in filter(str.strip, TABLES.split(";")):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
