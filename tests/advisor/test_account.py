"""A recorded game told decision by decision: in order, as the record has it, and adding up; also one that broke off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.account import GameSummary, RecordedBid, RecordedTurn, recorded_decisions, summarise_game
from companion.notation.records.lines import BidsLine, TurnLine, format_entry, parse_record
from companion.notation.records.recording import turn_of
from companion.notation.records.replay import replay
from companion.opening.text import open_record
from companion.rules.engine.game import step
from companion.rules.engine.scoring import score
from companion.rules.model.actions import EndTurn, Lift
from companion.rules.model.chance import ScriptedChance
from companion.rules.model.components import Colour
from companion.rules.model.events import MeeplesTaken
from tests.advisor.recorded_turns import begun_in_turns, replayed
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TEXT = THREE_ROUNDS.read_text(encoding="utf-8")


def told_of(text: str) -> GameSummary:
    return summarise_game(replay(parse_record(text)))


def test_points_run_from_the_start_to_the_result(subtests: pytest.Subtests) -> None:
    for players, seed in [(2, 1), (3, 5), (4, 2)]:
        with subtests.test(msg=str((players, seed))):
            played = replayed(players, seed)
            told = summarise_game(played)
            points = dict(told.points)
            for one in told.rounds:
                assert one.points is not None and one.bids
                for colour, value in one.points.items():
                    assert value <= points[colour], "bids only cost"
                points = dict(one.points)
                for turn in one.turns:
                    own = score(turn.before.position)[turn.colour].total
                    assert turn.gain == turn.points[turn.colour] - own
                    assert own == points[turn.colour]
                    points = dict(turn.points)
            assert points == {colour: one.total for colour, one in told.result.scores.items()}
            assert len(told.turns) == sum(len(one.turns) for one in told.rounds) > 10
            assert [turn.place for turn in told.rounds[0].turns] == list(range(len(told.rounds[0].turns)))


def test_the_first_turn_of_the_sample_brings_what_its_line_says() -> None:
    told = summarise_game(open_record(THREE_ROUNDS))
    first = told.rounds[0].turns[0]
    assert (first.colour, first.said) == (Colour.BLUE, "a2 > b2b > c2y > d2b; 2 builders: 4 GC; pass")
    assert {category: points for category, points in first.brought.items() if points} == {"gold": 4}
    assert [event.count for event in first.events if isinstance(event, MeeplesTaken)] == [2]
    assert [bid.said for bid in told.rounds[0].bids] == ["3", "0", "1", "12"]
    assert (told.date, told.place, told.names[Colour.BLUE]) == ("2026-02-14", "Київ", "Марія")


def test_a_record_that_broke_off_in_a_turn_is_told_up_to_there() -> None:
    lines = TEXT.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("pink: d2 > d1w"))
    told = told_of("\n".join([*lines[:place], "pink: d2 > d1w > e1y ...", ""]))
    assert [turn.colour for turn in told.turns] == [Colour.BLUE]
    assert f"The turn in line {place + 1} isn't over, so it's left out." in told.notes
    (torn,) = [note for note in summarise_game(replay(parse_record(TEXT)), torn=7).notes if "line 7" in note]
    assert torn == "The record breaks off in line 7; that line is left out."
    assert "The game isn't over; these are the points so far." in told.notes


def test_turns_before_all_bids_are_those_of_a_round_without_a_number() -> None:
    rounds = summarise_game(begun_in_turns()).rounds
    assert [(one.number, len(one.bids), len(one.turns)) for one in rounds] == [(0, 0, 4), (1, 4, 4), (2, 4, 4)]


def test_a_record_of_a_set_up_alone_has_no_rounds() -> None:
    told = told_of(TEXT.partition("round 1")[0])
    assert (told.rounds, told.turns) == ((), ())
    assert set(told.points.values()) == {50}


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
    assert left_out == (f"The turn in line {turn.number} isn't over, so it's left out.",)
    assert found == whole[: len(found)]
    assert len(found) == 4
