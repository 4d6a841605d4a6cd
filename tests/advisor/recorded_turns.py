"""Recorded games for the tests of reviews: random ones, played back."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from companion.notation.records.header import new_header
from companion.notation.records.lines import BidsLine, Record, format_record, parse_record
from companion.notation.records.replay import Replayed, replay
from companion.opening.text import open_record
from companion.rules.model.actions import PlaceBid
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import random_record


@cache
def replayed(players: int, seed: int, djinn: str | None = None) -> Replayed:
    """A random game as its record tells it."""
    record, _, _ = random_record(players, seed, djinn=djinn)
    return replay(parse_record(format_record(record)))


@cache
def begun_in_turns() -> Replayed:
    """The game in `samples/` without its first bids: its record begins with the turns that they were for."""
    game = open_record(THREE_ROUNDS)
    first = next(play for play in game.plays if not isinstance(play.action, PlaceBid))
    lines = []
    for line in game.record.lines:
        if line.number < first.line:
            continue
        entry = line.entry
        lines.append(
            replace(line, entry=replace(entry, round=entry.round - 1) if isinstance(entry, BidsLine) else entry)
        )
    return replay(parse_record(format_record(Record(new_header(first.before.position, {}), tuple(lines)))))
