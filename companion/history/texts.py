"""Texts of revisions as they are kept: what is the same as in the one before is not written again.

A record grows by a line at a time, so that a game takes little more room than its last text. Now and then a text is
kept whole, so that not many have to be put together to read one.
"""

from __future__ import annotations

import os
import sqlite3

WHOLE_EVERY = 32
"""One of so many revisions is kept whole."""


def shared(before: str, text: str) -> int:
    """How many letters two texts begin with alike."""
    return len(os.path.commonprefix((before, text)))


def text_of(connection: sqlite3.Connection, game: str, number: int) -> str:
    """The text of a revision, put together."""
    rows = connection.execute(
        "SELECT same, content FROM revisions WHERE game = ?1 AND number <= ?2 AND number >= "
        "(SELECT max(number) FROM revisions WHERE game = ?1 AND number <= ?2 AND same = 0) ORDER BY number",
        (game, number),
    )
    text = ""
    for same, content in rows:
        text = text[:same] + content
    return text


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
