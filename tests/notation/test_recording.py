"""Making records line by line: the last decision taken back, comments, turns that are over (docs/records.md)."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import pytest

from companion.errors import ImpossiblePositionError, NotationError
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, format_record, parse_record
from companion.notation.records.recording import commented, shut, without_last_decision
from companion.notation.records.replay import replay
from companion.rules.engine.setup import new_game
from tests.notation.recorded_example import example


def _upto(words: str) -> Record:
    """The documented record up to the line that begins so."""
    lines = example().splitlines()
    before = list(takewhile(lambda line: not line.startswith(words), lines))
    return parse_record("\n".join([*before, lines[len(before)]]) + "\n")


def _changed(old: str, new: str) -> Record:
    assert example().count(old) == 1
    return parse_record(example().replace(old, new))


def _last(record: Record) -> str:
    return format_record(record).splitlines()[-1]


def test_each_decision_of_a_turn_is_taken_back_by_itself() -> None:
    record: Record | None = _upto("pink: d2")
    shown = []
    for _ in range(5):
        assert record is not None
        shown.append(_last(record))
        record = without_last_decision(record)
    assert shown == [
        "pink: d2 > d1w > e1y; 2 viziers; buy fakir, fakir (5)",
        "pink: d2 > d1w > e1y; 2 viziers; buy fakir, fakir (5) ...",
        "pink: d2 > d1w > e1y; 2 viziers ...",
        "pink: d2 > d1w > e1y ...",
        "blue: a2 > b2b > c2y > d2b; 2 builders: 4 GC; pass",
    ]


def test_bids_are_taken_back_one_by_one() -> None:
    record = without_last_decision(_upto("round 1"))
    assert record is not None and _last(record).startswith("round 1: pink 3, blue 0, pink 1  #")


def test_nothing_is_taken_back_before_the_first_bid() -> None:
    record: Record | None = _upto("round 1")
    for _ in range(4):
        assert record is not None
        record = without_last_decision(record)
    assert record is not None and record.lines == () and without_last_decision(record) is None


def test_a_comment_joins_the_last_line_or_stands_by_itself() -> None:
    record = commented(commented(_upto("pink: d2"), "  a  good turn "), "so")
    assert _last(record).endswith("  # a good turn; so")
    alone = commented(parse_record(format_record(record) + "# Тепер\n"), "and on")
    assert format_record(alone).splitlines()[-2:] == ["# Тепер", "# and on"]


def test_a_turn_that_is_over_is_shut() -> None:
    record = without_last_decision(_upto("pink: d2"))
    assert record is not None
    assert _last(shut(record, replay(record).state)) == _last(_upto("pink: d2"))


def test_a_turn_without_a_move_is_written_as_such() -> None:
    record = _upto("round 1")
    assert _last(shut(record, replay(record).state)).startswith("blue: ")
    assert _last(shut(record, replay(record).state)) != _last(record)


def test_a_claim_that_is_none_is_refused_in_words() -> None:
    with pytest.raises(NotationError, match=r"the line says claim d1, but it is no claim \(rules 4\.8, 5\.5\)"):
        replay(_changed("2 viziers; buy fakir, fakir (5)", "2 viziers: claim d1; buy fakir, fakir (5)"))


def test_a_record_keeps_hands_that_do_not_go_together() -> None:
    """No code holds them: the set-up is written out, and read as it stands by whoever asks for that."""
    position = new_game(3, 3).position
    for held in position.players:
        position = position.with_player(replace(held, gold=200))
    text = format_record(Record(new_header(position, {})))
    record = parse_record(text)
    assert record.header.setup == position and format_record(record) == text
    assert replay(record, unchecked_hands=True).state.position.players == position.players
    with pytest.raises(ImpossiblePositionError, match="gold of all players"):
        replay(record)
