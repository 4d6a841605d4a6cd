"""Game records: what is written down plays again to the same state, in every form that a line may have."""

from __future__ import annotations

import re

import pytest

from companion.errors import IllegalMoveError, NotationError
from companion.notation.files import format_toml
from companion.notation.records.lines import Record, ResultLine, format_record, parse_record
from companion.notation.records.recording import examples, without_last_decision
from companion.notation.wording import record_words
from companion.rules.engine.djinns import EVERY_DJINN, PROMO_DJINNS, Cost
from companion.rules.engine.game import apply
from companion.rules.engine.scoring import score
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid
from companion.rules.model.state import Stage
from tests.notation.recorded_example import DOCUMENT, FIRST_MOVE, THREE_ROUNDS, changed, example, played
from tests.notation.recorded_games import LONG, random_record, stuck_game


def test_example_of_the_documentation_plays_and_is_written_as_it_stands() -> None:
    game = played(example())
    assert format_record(game.record) == example()
    assert game.state.stage is Stage.BID
    assert not game.owes_refill
    assert {str(c): score(game.state.position)[c].total for c in game.state.position.colours} == {
        "blue": 40,
        "pink": 49,
    }
    assert game.record.header.names[game.state.position.colours[0]] == "Марія"


def test_the_file_of_tests_is_the_example_of_the_documentation() -> None:
    assert THREE_ROUNDS.read_text(encoding="utf-8") == example()


def test_the_sample_is_a_whole_game_of_three_with_names_day_and_place() -> None:
    text = (DOCUMENT.parents[1] / "samples" / "game.txt").read_text(encoding="utf-8")
    game = played(text)
    assert format_record(game.record) == text
    assert game.state.is_over and isinstance(game.record.lines[-1].entry, ResultLine)
    assert list(game.record.header.names.values()) == ["Anna", "Boris", "Chiara"]
    assert game.record.header.tag("date") and game.record.header.tag("place")


def test_games_with_each_djinn_replay_to_the_identical_state(subtests: pytest.Subtests) -> None:
    """The first three to their ends, the others until the djinn's power is used."""
    for place, djinn in enumerate(EVERY_DJINN):
        with subtests.test(djinn=djinn):
            pays, promo, whole = EVERY_DJINN[djinn].cost is not Cost.NONE, djinn in PROMO_DJINNS, place < 3
            for seed in range(30):
                record, state, used = random_record(
                    2 + place % 3, seed, promo=promo, djinn=djinn, most=LONG if whole else 60
                )
                text = format_record(record)
                again = played(text)
                assert again.state == state and state.is_over is whole
                assert format_record(again.record) == text
                if djinn in used or not pays:
                    break
            assert not pays or djinn in used


def test_taking_back_to_the_beginning_passes_only_through_records_that_play() -> None:
    record, _, _ = random_record(2, 6, most=90)
    number = 0
    left: Record | None = record
    while left is not None and (left := without_last_decision(left)) is not None:
        if number % 7 == 0:
            assert len(played(format_record(left)).plays) < len(played(format_record(record)).plays)
        number += 1
        first = left
    assert number > 50
    assert first.lines == ()


def test_6_1_and_6_2_a_piece_that_must_be_put_down_is_not_passed_over(subtests: pytest.Subtests) -> None:
    for old, new, number, fault in [
        ("6 GC; palm;", "6 GC; pass;", 18, "d4 is an oasis, so a palm must be put there: no pass (rules 6.1)"),
        (
            "kill y on d5; palace",
            "kill y on d5; pass",
            19,
            "e5 is a village, so a palace must be put there: no pass (rules 6.2)",
        ),
    ]:
        with (
            subtests.test(old=old),
            pytest.raises(IllegalMoveError, match=re.escape(f"line {number}: {fault}\n  legal here: ")),
        ):
            played(changed(old, new))


NONE_LEFT = """Five Tribes record 1
setup:
    phase = "turn"
    to_move = "pink"
    turn_order = [{ player = "blue", price = 0 }]
    bid_order = ["blue", "pink"]
    board = '''
    M6@P^12#10 O8:y V5:y M6 M6 M6
    M6 M6:y M6:y M6 M4 M4
    M4 M4 O8 O8 O8 O8
    O8 V5 V5 V5 V5 S6
    S6 S6 S6 S10 S12 S15
    '''
"""


def test_6_1_and_6_2_a_piece_of_which_none_is_left_is_not_put_down(subtests: pytest.Subtests) -> None:
    for piece, column, rule in [("palm", "b", "6.1"), ("palace", "c", "6.2")]:
        with subtests.test(piece=piece):
            turn = f"pink: {column}2 > {column}1y; 2 viziers; {piece} ...\n"
            refusal = f"line 14: no {piece} is left to put on {column}1: pass (rules {rule})"
            passed = NONE_LEFT + turn.replace(piece, "pass")
            assert format_record(played(passed).record) == passed
            with pytest.raises(IllegalMoveError, match=f"^{re.escape(refusal)}"):
                played(NONE_LEFT + turn)


def test_lines_may_be_spread_continued_and_left_out_where_no_choice_is() -> None:
    spread = changed(
        "round 1: pink 3, blue 0, pink 1, blue 12  #", "round 1: pink 3\nROUND 1: blue 0, pink 1, blue 12  #"
    )
    spread = spread.replace(FIRST_MOVE, "blue: a2 > b2b ...\n\n# still\nBlue: > c2y > d2b ...\nblue:")
    assert played(spread).state == played(example()).state


def test_a_setup_may_be_a_position_file_in_indented_lines() -> None:
    start = played(example()).record.header.setup
    block = "".join(f"    {line}\n" for line in format_toml(start).splitlines())
    text = re.sub(r"^setup: .*\n", lambda _: f"setup:\n{block}", example(), flags=re.MULTILINE)
    game = played(text)
    assert game.state == played(example()).state
    written = format_record(game.record)
    assert written.replace("\n\n", "\n") == text.replace("    \n", "").replace("\n\n", "\n")
    assert format_record(parse_record(written)) == written


def test_what_replays_still_replays_when_it_is_written_again() -> None:
    typed = changed("2 builders: 6 GC; palm; use", "builders: 6 GC; palm; use")
    game = played(typed)
    assert format_record(game.record) == typed
    assert played(format_record(game.record)).state == game.state == played(example()).state


def test_a_byte_order_mark_and_line_ends_of_windows_are_passed_over() -> None:
    assert parse_record("\ufeff" + example().replace("\n", "\r\n")) == parse_record(example())


def test_the_promo_djinn_is_there_or_not() -> None:
    for value, promo in [("yes", True), ("no", False)]:
        record = parse_record(example().replace("setup: ", f"promo: {value}\nsetup: ", 1))
        assert record.header.promo is promo and parse_record(format_record(record)) == record


def test_a_result_must_be_that_of_the_game() -> None:
    record, _, _ = random_record(2, 2)
    text = format_record(record)
    assert re.search(r"^result: blue \d+, pink \d+$", text, re.MULTILINE)
    counted = re.search(r"^result: (.*)$", text, re.MULTILINE)
    assert counted is not None
    number = text.count("\n")
    with pytest.raises(NotationError) as refused:
        played(re.sub(r"result: blue \d+", "result: blue 999", text))
    assert str(refused.value) == f"line {number}: that isn't the result of the game, which is {counted[1]} (rules 10)"
    with pytest.raises(IllegalMoveError, match=r"the game is over \(rules 9\)"):
        played(re.sub(r"result: .*", "pink: pass", text))


def test_a_card_that_nobody_saw_can_be_sold_later_rules_12_2() -> None:
    record, state, _ = random_record(2, 1, djinn="Sloar", most=0)
    owner = state.position.players[0].colour
    text = format_record(record)
    small = iter((0, 1, 3))
    dear = iter((18, 12))
    while state.stage is Stage.BID:
        bid = PlaceBid(next(dear if state.mover is owner else small))
        text += f"round 1: {record_words(state, bid)}\n"
        state = apply(state, bid)
    assert state.mover is owner
    drawn = f"{text}{owner}: use Sloar for fakir: ?"
    assert sum(played(f"{drawn} ...\n").state.hidden) == 1
    move = next(words for words in examples(state, 30) if words.endswith(("y", "w")))
    assert sum(played(f"{drawn}; {move}; sell pottery: 1 GC ...\n").state.hidden) == 0


def test_a_turn_is_begun_once_something_is_played_in_it() -> None:
    text = example()
    first = text.index("blue: a2")
    assert not played(text).is_inside_turn
    assert not played(text[:first]).is_inside_turn
    for part in (
        "blue: a2 > b2b ...",
        "blue: a2 > b2b > c2y > d2b ...",
        "blue: a2 > b2b > c2y > d2b; 2 builders; pass ...",
    ):
        assert played(f"{text[:first]}{part}\n").is_inside_turn
    refill = text.index("refill:")
    assert played(text[:refill]).owes_refill
    assert not played(text[:refill]).is_inside_turn


def test_9_2_a_turn_without_a_legal_move_is_not_begun_yet() -> None:
    text = stuck_game("Sloar", turn_order=(Bid(Colour.PINK, 0),))
    begun = played(text)
    assert (begun.state.stage, begun.is_inside_turn) == (Stage.CLOSE, False)
    assert played(f"{text}blue: use Sloar for fakir: fish ...\n").is_inside_turn
    after = played(f"{text}blue: no move\n")
    assert (after.state.mover, after.state.stage, after.is_inside_turn) == (Colour.PINK, Stage.CLOSE, False)
    over = played(f"{text}blue: no move\npink: no move\n")
    assert over.state.is_over and not over.is_inside_turn


def test_10_7_cards_that_nobody_had_seen_may_be_worth_something_when_all_are_laid_open() -> None:
    text = stuck_game(unseen=2) + "blue: no move\n"
    least = {colour: one.total for colour, one in score(played(text).state.position).items()}
    result = "result: blue {blue}, pink {pink}\n"
    for blue in (least[Colour.BLUE], least[Colour.BLUE] + 3):
        assert played(text + result.format(blue=blue, pink=least[Colour.PINK])).state.is_over
    for blue, pink in ((-1, 0), (3, 1)):
        with pytest.raises(NotationError, match="the result of the game"):
            played(text + result.format(blue=least[Colour.BLUE] + blue, pink=least[Colour.PINK] + pink))
