"""Bids and whole turns taken out of a record: all of them, in order, written again as the record has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.advisor.account import RecordedBid, RecordedTurn, recorded_decisions
from companion.notation.records.lines import BidsLine, TurnLine, format_entry
from companion.notation.records.recording import turn_of
from companion.notation.records.replay import replay
from companion.opening.text import open_record
from companion.rules.engine.game import step
from companion.rules.model.actions import EndTurn, Lift
from companion.rules.model.chance import ScriptedChance
from tests.advisor.recorded_turns import begun_in_turns, replayed
from tests.notation.recorded_example import THREE_ROUNDS

GAMES = [(4, 2, None), (3, 1, "Sloar"), (2, 2, "Anun-Nak")]


def test_rounds_are_numbered_as_the_record_numbers_them() -> None:
    """Turns before all bids are those of a round that the record has no number for."""
    played = begun_in_turns()
    numbers = {line.number: line.entry.round for line in played.record.lines if isinstance(line.entry, BidsLine)}
    found, _ = recorded_decisions(played)
    assert [one.round for one in found if isinstance(one, RecordedTurn)] == [0] * 4 + [1] * 4 + [2] * 4
    assert all(one.round == numbers[one.line] for one in found if isinstance(one, RecordedBid))


def test_a_turn_is_written_as_its_record_has_it(subtests: pytest.Subtests) -> None:
    for players, seed, djinn in GAMES:
        with subtests.test(msg=str((players, seed))):
            played = replayed(players, seed, djinn)
            lines = {line.number: line.entry for line in played.record.lines}
            for turn in recorded_decisions(played)[0]:
                if isinstance(turn, RecordedTurn):
                    assert format_entry(turn_of(turn.before, turn.actions, turn.drawn)) == format_entry(
                        lines[turn.line]
                    )


def test_the_actions_of_a_turn_lead_from_state_to_state(subtests: pytest.Subtests) -> None:
    for players, seed, djinn in GAMES:
        with subtests.test(msg=str((players, seed))):
            drew = 0
            for one in recorded_decisions(replayed(players, seed, djinn))[0]:
                if isinstance(one, RecordedBid):
                    assert step(one.before, one.bid).state == one.after
                    continue
                state = one.before
                assert not any(isinstance(action, (Lift, EndTurn)) for action in one.actions)
                for action, drawn in zip(one.actions, one.drawn, strict=True):
                    state = step(state, action, ScriptedChance(drawn)).state
                assert state == one.closed
                assert step(state, EndTurn(), ScriptedChance(one.refill)).state == one.after
                drew += one.drew
            assert drew or djinn is None


def test_a_turn_that_is_not_over_is_named_and_left_out() -> None:
    game = open_record(THREE_ROUNDS)
    whole, left_out = recorded_decisions(game)
    assert left_out == ()
    turn = next(line for line in game.record.lines if isinstance(line.entry, TurnLine))
    assert isinstance(turn.entry, TurnLine)
    half = replace(turn, entry=replace(turn.entry, steps=turn.entry.steps[:1], open=True))
    before = tuple(line for line in game.record.lines if line.number < turn.number)
    found, left_out = recorded_decisions(replay(replace(game.record, lines=(*before, half))))
    assert left_out == (f"The turn of line {turn.number} isn't over, so it's left out.",)
    assert found == whole[: len(found)]
    assert len(found) == 4
