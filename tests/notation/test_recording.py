"""Making records line by line: the last decision taken back, comments, turns that are over (docs/records.md)."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import pytest

from companion.errors import ImpossiblePositionError, NotationError
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, format_record, parse_record
from companion.notation.records.recording import actions_line, commented, shut, without_last_decision
from companion.notation.records.replay import replay
from companion.rules.engine.setup import new_game
from companion.rules.engine.turn import lone_turn
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Position
from tests.notation.recorded_example import changed, example, played
from tests.rules.test_turn import move, on, position


def _upto(words: str) -> Record:
    """The documented record up to the line that begins so."""
    lines = example().splitlines()
    before = list(takewhile(lambda line: not line.startswith(words), lines))
    return parse_record("\n".join([*before, lines[len(before)]]) + "\n")


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
        played(changed("2 viziers; buy fakir, fakir (5)", "2 viziers: claim d1; buy fakir, fakir (5)"))


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


PINK = Colour.PINK


def owning(start: Position, *djinns: str) -> Position:
    return start.with_player(replace(start.player(PINK), djinns=djinns))


MERCHANT_KILLED = position(c3="M6:r", c4="M6:r@K", d4="M6:gb")
TURNS = {
    "5.2 cards of a row that is not known": (
        position(row=None, c3="M6:g", c4="M6:gb"),
        move("c3>c4g"),
        "pink: c3 > c4g; 2 merchants: ?, ?; pass",
    ),
    "11 a card that nobody has seen": (
        owning(MERCHANT_KILLED, "Kandicha"),
        move("c3>c4r", victim=on("d4", Tribe.MERCHANT)),
        "pink: c3 > c4r; 2 assassins kill g on d4 ...",
    ),
    "11 a builder whose income is seen": (
        owning(MERCHANT_KILLED, "Kandicha"),
        move("c3>c4r", victim=on("d4", Tribe.BUILDER)),
        "pink: c3 > c4r; 2 assassins kill b on d4; pass",
    ),
}


def test_what_nobody_has_seen_is_written_as_in_a_record(subtests: pytest.Subtests) -> None:
    for start, turn, line in TURNS.values():
        with subtests.test(start=start):
            assert actions_line(lone_turn(start), turn.actions) == line
