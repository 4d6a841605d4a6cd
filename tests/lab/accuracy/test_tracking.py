"""Named turns measured: games of bots turn by turn, the questions that they leave, and the figures."""

from __future__ import annotations

from dataclasses import replace

from companion.lab.accuracy.photographed import bot_game, recorded_turns
from companion.lab.accuracy.tracking import NamedTurn, calibration_table, questions_for, true_taps, turns_table
from companion.notation.records.header import Header
from companion.notation.records.lines import Record, TurnLine
from companion.notation.records.replay import replay
from companion.table.games import TableGame
from companion.table.playing import Playing
from companion.tracking.inference import played_turns
from tests.tracking.knowing import Knowing

RECORD = bot_game(3, players=2)
TURNS = recorded_turns(RECORD)


def test_a_bot_game_is_a_record_with_each_of_its_turns() -> None:
    lines = [line.entry for line in RECORD.lines if isinstance(line.entry, TurnLine)]
    assert replay(RECORD).state.is_over
    assert 0 < len(TURNS) <= len(lines)
    assert all(turn.before.mover is turn.after.mover for turn in TURNS)
    assert len({turn.photo for turn in TURNS}) == len(TURNS)


def test_true_answers_make_a_named_turn_the_one_that_was_played() -> None:
    asked = []
    for turn in TURNS[:8]:
        played = played_turns(turn.before, Knowing(turn.after.position.board))
        questions = questions_for(turn, played.candidates[0].turns[0])
        assert questions is not None, turn.photo
        asked.append(questions)
    assert max(asked) <= 4


def test_another_turn_is_no_line_of_the_record() -> None:
    first, second = TURNS[0], TURNS[1]
    played = played_turns(first.before, Knowing(first.after.position.board))
    seen = played.candidates[0].turns[0]
    assert questions_for(replace(first, after=second.after), seen) is None


def test_figures_count_what_is_right() -> None:
    right = NamedTurn("a.jpg", "one", 30, True, True, True, True, 0.999, 0.02)
    wrong = replace(right, photo="b.jpg", read_right=20, first=False, sure=False, probability=0.6, cpu_s=0.5)
    table = turns_table([right, right, wrong, replace(right, case="game", line=True, questions=1)])
    one, game = table.splitlines()[2:]
    assert (
        one == "| one | 3 | 66.7% of 3 | 100.0% of 3 | 100.0% of 2 | 66.7% of 3 | 0 | 100.0% of 3 |  |  | 0.020, 0.50 |"
    )
    assert "| 100.0% of 1 | 1.00 |" in game
    assert calibration_table([right, wrong]).splitlines()[2:] == [
        "| 0.5 to 0.8 | 1 | 60.0% | 0.0% of 1 |",
        "| 0.99 to 0.999 | 1 | 99.9% | 100.0% of 1 |",
    ]


def test_after_a_mistake_the_true_answers_are_the_likest_there_are() -> None:
    for turn in TURNS[:8]:
        seen = played_turns(turn.before, Knowing(turn.after.position.board)).candidates[0].turns[0]
        # Somebody else has more coins than is known.
        players = tuple(
            one if one.colour is turn.before.mover else replace(one, gold=(one.gold or 0) + 5)
            for one in turn.before.position.players
        )
        position = replace(turn.before.position, players=players)
        playing = Playing(Record(Header(())), replace(turn.before, position=position), owes=False)
        wrong = true_taps(TableGame(position, playing), (), turn, seen)
        playing = Playing(Record(Header(())), turn.before, owes=False)
        right = true_taps(TableGame(turn.before.position, playing), (), turn, seen)
        assert right is not None and right.likeness.is_whole
        assert wrong is not None and not wrong.likeness.is_whole
        assert wrong.taps == right.taps
