"""Texts of revisions as they are kept: what is the same as in the one before is not written again.

A record grows by a line at a time, so that a game takes little more room than its last text. Now and then a text is
kept whole, so that not many have to be put together to read one.
"""

from __future__ import annotations

import os
import sqlite3

from companion.history.stored import RevisionRow, SpoiltGameError, rows_of, texts_of

WHOLE_EVERY = 32
"""One of so many revisions is kept whole."""


def shared(before: str, text: str) -> int:
    """How many letters two texts begin with alike."""
    return len(os.path.commonprefix((before, text)))


def text_of(connection: sqlite3.Connection, game: str, number: int) -> str:
    """The text of a revision, put together. Raises SpoiltGameError, also where there is none."""
    rows = rows_of(
        connection,
        game,
        RevisionRow,
        "AND number <= ? AND number >= "
        "(SELECT coalesce(max(number), 0) FROM revisions WHERE game = ? AND number <= ? AND same = 0)",
        number,
        game,
        number,
    )
    if not rows or rows[-1].number != number:
        raise SpoiltGameError(game, "games.current", number)
    return list(texts_of(game, rows))[-1]


def kept_as(connection: sqlite3.Connection, game: str, before: int | None, text: str) -> tuple[int, str]:
    """How a text is kept after revision `before`: letters that are the same, and what follows them."""
    if before is None:
        return 0, text
    (since,) = connection.execute(
        "SELECT count(*) FROM revisions WHERE game = ?1 AND number <= ?2 AND number > "
        "(SELECT max(number) FROM revisions WHERE game = ?1 AND number <= ?2 AND same = 0)",
        (game, before),
    ).fetchone()
    if since + 1 >= WHOLE_EVERY:
        return 0, text
    same = shared(text_of(connection, game, before), text)
    return same, text[same:]
