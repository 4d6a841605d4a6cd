"""Games to keep: texts as they come to be at a table, and a clock that goes on by itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path

from companion.history.database import History, open_history
from companion.notation.files import format_json
from companion.notation.records.lines import Record, format_record, parse_record
from companion.rules.engine.setup import random_setup
from tests.notation.recorded_example import THREE_ROUNDS

BEGUN = datetime(2026, 2, 14, 19, 0, tzinfo=UTC)


def clock(start: datetime = BEGUN) -> Callable[[], datetime]:
    """A clock that is a second later each time it is looked at."""
    seconds = count()
    return lambda: start + timedelta(seconds=next(seconds))


def opened(path: Path) -> History:
    """The history in a file, with keys that are counted."""
    return open_history(path, now=clock())


@cache
def whole_record() -> Record:
    """The sample game of two, played to its end."""
    return parse_record(THREE_ROUNDS.read_text(encoding="utf-8"))


@cache
def growing(number: int) -> tuple[str, ...]:
    """The texts of the sample game after each of its first lines of play."""
    whole = whole_record()
    return tuple(format_record(Record(whole.header, whole.lines[:lines])) for lines in range(number))


@cache
def setup_text(seed: int = 1, players: int = 2) -> str:
    """A position file of a random set-up."""
    return format_json(random_setup(players, seed))
