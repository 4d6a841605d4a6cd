"""Corrections in records: written as they are read, and each leads from one position to the other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from companion.errors import IllegalMoveError, NotationError
from companion.notation.records.corrections import changes_between, changes_phrase, parse_changes, with_changes
from companion.notation.records.header import new_header
from companion.notation.records.lines import CorrectionLine, Record, format_record, parse_record
from companion.notation.records.recording import without_last_decision
from companion.notation.records.replay import joined_record, replay
from companion.rules.model.position import Position
from tests.notation.recorded_games import random_record
from tests.strategies import positions


@settings(max_examples=25)
@given(positions(), positions())
def test_what_differs_is_written_read_and_leads_to_the_other_position(before: Position, after: Position) -> None:
    changes = changes_between(before, after)
    if changes:
        changes = parse_changes(changes_phrase(changes))
    assert with_changes(before, changes) == after


def test_a_correction_is_a_line_with_a_comment_like_others() -> None:
    """A # inside the token of a tile counts palaces, one after a blank begins the comment."""
    record, state, _ = random_record(2, 3, most=4)
    text = (
        format_record(record) + "correction: c3 v5:wy#1 ; Blue  Goods ?;row 2 fish, Fakir;turn order none # seen #2\n"
    )
    line = parse_record(text).lines[-1]
    assert isinstance(line.entry, CorrectionLine) and line.comment == "seen #2"
    assert changes_phrase(line.entry.changes) == "c3 V5:yw#1; blue goods ?; row fish, fish, fakir; turn order none"
    assert format_record(parse_record(text)).splitlines()[-1].endswith("turn order none  # seen #2")


def test_what_is_no_correction_is_refused_with_its_line(subtests: pytest.Subtests) -> None:
    for said, fault, message in [
        ("correction:", NotationError, "is not a correction"),
        ("correction: gold 12", NotationError, "'gold 12' is not a correction; write something like c3 O8:gw"),
        ("correction: c3 X9", NotationError, "no tile X9"),
        ("correction: c3 ?", NotationError, "not a tile"),
        ("correction: blue gold none", NotationError, "'none' is not a number"),
        ("correction: row fsh", NotationError, "did you mean 'fish'"),
        ("correction: row fish; row silk", NotationError, "'row' is corrected twice"),
        ("correction: turn order blue", NotationError, "not a colour with a number"),
        ("correction: phase late", NotationError, "the phases are bid, turn, end"),
        ("correction: blue viziers 99", IllegalMoveError, "viziers"),
        ("corection: c3 O8", NotationError, "did you mean 'correction'"),
    ]:
        with subtests.test(said=said):
            record, _, _ = random_record(2, 3, most=4)
            text = format_record(record) + said + "\n"
            with pytest.raises(fault, match=message) as refused:
                replay(parse_record(text))
            assert str(refused.value).startswith(f"line {text.count(chr(10))}: ")


def test_records_of_one_game_are_joined_to_one_that_ends_as_the_last_does(subtests: pytest.Subtests) -> None:
    """Whatever decision the first breaks off before: a bid, a step, a tribe action."""
    for most in [3, 4, 5, 9, 17, 80]:
        with subtests.test(most=most):
            first, _, _ = random_record(3, 4, most=most)
            second, _, _ = random_record(3, 5, most=60)
            whole = parse_record(format_record(joined_record([first, second])))
            played, last = replay(whole), replay(second)
            assert played.state.position == last.state.position
            assert [line.entry for line in whole.lines[: len(first.lines)]] == [line.entry for line in first.lines]
            assert played.record.header.tag("setup") == first.header.tag("setup")


def test_what_no_correction_joins_stands_above_as_remarks() -> None:
    """A turn that was begun and then was told anew from its beginning."""
    first, state, _ = random_record(2, 4, most=9)
    second = parse_record(format_record(Record(new_header(state.position, {}))))
    whole = parse_record(format_record(joined_record([first, second])))
    assert replay(first).is_inside_turn and not replay(whole).is_inside_turn
    assert replay(whole).state == replay(second).state
    assert f"# {format_record(first).splitlines()[-1]}" in format_record(whole).splitlines()


def test_a_correction_is_taken_back_as_one_decision() -> None:
    record, state, _ = random_record(2, 3, most=9)
    corrected = parse_record(format_record(record) + "correction: blue gold 7; c3 S15\n")
    before = without_last_decision(corrected)
    assert before is not None and replay(before).state == state
