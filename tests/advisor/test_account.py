"""A recorded game told turn by turn: its points add up, and it tells what there is of a record that broke off."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.advisor.account import GameSummary, summarise_game
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.opening.text import open_record
from companion.rules.engine.scoring import score
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
    assert f"The turn of line {place + 1} isn't over, so it's left out." in told.notes
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
