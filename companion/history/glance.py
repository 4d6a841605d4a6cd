"""A look at a history that changes nothing, not even a file beside it: what `companion doctor` tells of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UnusableInputError, system_reason
from companion.history import rows
from companion.history.faults import telling
from companion.history.opening import check_whole
from companion.history.schema import VERSION
from companion.history.stored import GAME_COLUMNS, SpoiltGameError, text_or_bytes
from companion.language.phrase import say


@dataclass(frozen=True, slots=True)
class HistoryStats:
    """How many games a history holds, how many of them are finished, and how large its file is, in bytes.

    `spoilt` has a sentence for each game and column that another program spoilt.
    """

    games: int
    finished: int
    size: int
    spoilt: tuple[str, ...] = ()


def read_only_stats(path: Path) -> HistoryStats | None:
    """What a file holds; None if there is none.

    Raises DamagedHistoryError, and UnusableInputError for a newer version, another program's file, one that cannot be
    read, and what is no plain file.
    """
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise UnusableInputError(say("{path} is no plain file; choose another name", path=path))
        # Without a log nobody writes; then SQLite need not make the files beside it that a look would leave behind.
        alone = not Path(f"{path}-wal").exists()
    except OSError as error:
        raise UnusableInputError(say("cannot read {path}: {reason}", path=path, reason=system_reason(error))) from None
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    with telling(path), closing(sqlite3.connect(address, uri=True)) as looking:
        version = check_whole(looking, path)
        if not version:
            return HistoryStats(0, 0, path.stat().st_size)
        looking.text_factory = text_or_bytes
        games, finished = looking.execute("SELECT count(*), count(finished) FROM games").fetchone()
        spoilt: list[SpoiltGameError] = []
        if version == VERSION:
            for row in looking.execute(f"SELECT {GAME_COLUMNS} FROM games").fetchall():
                rows.stored(looking, row, spoilt.append)
    return HistoryStats(games, finished, path.stat().st_size, tuple(map(str, spoilt)))
