"""Recorded games for the tests of reviews: random ones, played back."""

from __future__ import annotations

from functools import cache

from companion.notation.records.lines import format_record, parse_record
from companion.notation.records.replay import Replayed, replay
from tests.notation.recorded_games import random_record


@cache
def replayed(players: int, seed: int, djinn: str | None = None) -> Replayed:
    """A random game as its record tells it."""
    record, _, _ = random_record(players, seed, djinn=djinn)
    return replay(parse_record(format_record(record)))
