"""Records against the rules, damaged or cut off: one message that names the line, the rule and what is legal."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError, ImpossiblePositionError, NotationError, UnusableInputError
from companion.notation.codes import encode
from companion.notation.records.lines import FIRST_LINE, format_record, parse_record
from companion.notation.records.replay import replay
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import empty_tile, with_meeples
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase
from tests.notation.recorded_example import FIRST_MOVE, MARKET_TURN, REFILL, changed, example, played

BLUE, PINK = Colour.BLUE, Colour.PINK


def test_lines_against_the_rules_are_refused_with_number_rule_and_examples(subtests: pytest.Subtests) -> None:
    for case, old, new, rule in [
        ("3.1 no such price", "pink 3, blue 0, pink 1", "pink 4, blue 0, pink 1", "rules 3.1"),
        ("3.1 the other bids", "pink 3, blue 0, pink 1", "blue 3, pink 0, pink 1", "rules 3.1"),
        ("3.3 the other's turn", FIRST_MOVE, FIRST_MOVE.replace("blue", "pink"), "rules 3.3"),
        ("4.2 no neighbour", FIRST_MOVE, FIRST_MOVE.replace("b2b > c2y", "c2b > c2y"), "rules 4.2"),
        ("4.6 passing", FIRST_MOVE, "blue: pass", "rules 4.6"),
        ("9.2 has moved", FIRST_MOVE, f"{FIRST_MOVE}; no move", "rules 7"),
        ("4.7 count", FIRST_MOVE, FIRST_MOVE.replace("2 builders", "3 builders"), "rules 4.7"),
        ("4.7 tribe", FIRST_MOVE, FIRST_MOVE.replace("2 builders: 4 GC", "2 viziers"), "rules 4.7"),
        ("5.4 compulsory", "assassins kill y on d5", "assassins kill nobody", "rules 5.4"),
        ("6.1 no oasis", "d5; palace", "d5; palm", "rules 6.1"),
        ("6.3 not in the row", MARKET_TURN, MARKET_TURN.replace("silk; ", "gold; "), "rules 6.3"),
        ("8.1 refilled twice", REFILL, f"{REFILL}refill: fish\n", "rules 8.1"),
        ("9 not over", REFILL, f"{REFILL}result: blue 1, pink 2\n", "rules 9"),
    ]:
        with subtests.test(msg=case):
            text = changed(old, new)
            lines = zip(text.splitlines(), example().splitlines(), strict=False)
            number = next(number for number, (one, other) in enumerate(lines, 1) if one != other)
            with pytest.raises(IllegalMoveError, match=re.escape(rule)) as fault:
                played(text)
            assert str(fault.value).startswith(f"line {number}: ")
            assert "legal here: " in str(fault.value)


def test_9_2_who_has_no_move_may_say_so_before_or_after_what_he_sells(subtests: pytest.Subtests) -> None:
    for turn in ["no move", "pass", "sell fish: 1 GC", "sell fish; no move", "no move; sell fish", "sell fish; pass"]:
        with subtests.test(turn=turn):
            position = random_setup(2, 1)
            board = tuple(empty_tile(tile.kind.code) for tile in position.board)
            alone = (with_meeples(board[0], (1, 0, 0, 0, 0)), *board[1:])
            order = tuple(Bid(colour, price) for colour, price in ((PINK, 5), (BLUE, 3), (PINK, 1), (BLUE, 0)))
            selling = replace(position.player(PINK), goods=(0,) * 6 + (1, 0, 0))
            setup = replace(
                position.with_player(selling), board=alone, phase=Phase.TURN, bid_order=(), turn_order=order
            )
            record = parse_record(f"{FIRST_LINE}\nsetup: {encode(setup)}\npink: {turn}\nblue: no move\npink: no move\n")
            assert replay(record).state.player(PINK).gold == (51 if "sell" in turn else 50)


def test_a_second_tile_action_is_told_as_one() -> None:
    text = changed("2 builders: 6 GC; palm; use", "2 builders: 6 GC; palm; pass; use")
    with pytest.raises(IllegalMoveError) as refused:
        played(text)
    assert "must be put there" not in str(refused.value)


def test_examples_begin_with_the_tile_that_was_to_be_moved() -> None:
    with pytest.raises(IllegalMoveError, match=r"legal here: a2 > \S+ > .*; or a2 > "):
        played(changed(FIRST_MOVE, FIRST_MOVE.replace("b2b > c2y", "c2b > c2y")))


DAMAGED = [
    ("Five Tribes record 1", "Five Tribes record 2", "line 1: a record of version 2; this program only reads"),
    ("Five Tribes record 1", "Five Tribes record", "line 1: a record of version (no number)"),
    (
        "Five Tribes record 1",
        "Chess record 1",
        "line 1: not a game record: a record begins with the line 'Five Tribes record",
    ),
    ("date: 2026", "dat: 2026", "line 2: no tag is called 'dat'; did you mean 'date'?"),
    ("place: Київ", "date: 2026-02-14", "line 3: date is given twice"),
    ("place: Київ", "promo: perhaps", "line 3: promo is yes or no, not 'perhaps'"),
    ("place: Київ", "unseen: pink", "line 3: 'pink' is not a number of unseen cards; write something like pink 2"),
    ("place: Київ", "unseen: mauve 2", "line 3: no player's colour is called 'mauve'"),
    ("place: Київ", "djinn discards: Utg", "line 3: no djinn is called 'Utg'; did you mean 'Utug'?"),
    ("player pink", "player black", "black has a name in the record but isn't in its set-up"),
    ("setup: FT1-BEDK", "setup: FT1-BEDL", "setup: the position code is damaged"),
    ("round 1: pink 3,", "round 1: pink three,", "line 8: 'pink three' is not a bid; write something like pink 5"),
    ("round 2:", "round 3:", "line 15: the line says round 3, but this is round 2: lines are missing"),
    ("2 builders: 4 GC", "2 builders: 5 GC", "line 9: the line says 5 GC, but it brings 4 GC (rules 5.3, 7.1)"),
    ("d2: claim d2", "d2: claim d3", "line 27: the line says claim d3, but it is claim d2 (rules 4.8, 5.5)"),
    ("2 merchants: ivory, fakir", "2 merchants: gold", "line 24: the line says gold, but the row gives ivory, fakir"),
    (REFILL, "", "line 22: the round is over, so the next line is something like refill: fish, silk, Utug"),
    (REFILL, "refill: ivory\n", "line 21: a card is drawn here, but the line doesn't say which; add it after ':'"),
    (REFILL, "refill: ivory, gold, fish\n", "line 21: fish comes after ':', but nothing more is drawn there"),
    (REFILL, "refill: ivory, ?\n", "line 21: an unknown card can't be the card drawn here"),
    (REFILL, "refill: jewels, jewels\n", "line 21: jewels can't be the card drawn here; it can be fakir, ivory"),
    ("Iblis, Al-Amin, Anun-Nak; keep", "Iblis, Al-Amin; keep", "line 18: a djinn is drawn here, but the"),
    (
        REFILL,
        "refil: ivory, gold\n",
        "line 21: 'refil: ivory, gold' is not a line of a record; did you mean 'refill'",
    ),
    (REFILL, "date: today\n", "line 21: the tag date comes after setup; tags go before it"),
    (MARKET_TURN, "q" * 41, f"line 16: '{'q' * 40}…' is not a line of a record; expected something like round 1"),
    (MARKET_TURN, "result: pink", "line 16: 'pink' is not a result; write something like black 101, pink 93"),
]


def test_damaged_records_are_refused_with_the_line(subtests: pytest.Subtests) -> None:
    for old, new, message in DAMAGED:
        with subtests.test(msg=new):
            with pytest.raises(UnusableInputError) as refused:
                played(changed(old, new))
            assert message in str(refused.value)


def test_1_4_what_cannot_be_out_of_sight_is_refused(subtests: pytest.Subtests) -> None:
    for tag, message in [
        ("djinn discards: Utug, Utug", "Utug is listed twice"),
        ("unseen: black 1", "black: unseen cards of somebody who isn't playing"),
        ("unseen: pink 44, blue 2", "unseen cards in hands: 46; cards out of sight: 45"),
    ]:
        with subtests.test(tag=tag), pytest.raises(ImpossiblePositionError, match=message):
            played(changed("place: Київ", tag))


def test_a_cut_off_file_is_noticed() -> None:
    with pytest.raises(NotationError, match=r"line 28: the record breaks off here"):
        played(example().removesuffix("\n"))
    with pytest.raises(NotationError, match="cut off before its set-up"):
        played("Five Tribes record 1\ndate: 2026-02-14\n")
    with pytest.raises(NotationError, match="setup is empty"):
        played("Five Tribes record 1\nsetup:\n")


def test_a_line_with_many_blanks_is_read_at_once() -> None:
    blanks = " " * 100_000
    assert played(changed("; pass\npink: d2", f";{blanks}pass{blanks}\npink: d2")).state == played(example()).state
    with pytest.raises(NotationError, match="line 2: no tag is called 'a  "):
        parse_record(f"Five Tribes record 1\na{blanks}b\n")
    with pytest.raises(NotationError, match="line 9: 'a b' isn't something that a player does"):
        played(changed(FIRST_MOVE, f"blue: a{blanks}b"))


POWER = "use Sibittis for elder and fakir"
DRAWN = f"; {POWER}: Iblis, Al-Amin, Anun-Nak; keep Al-Amin\n"
LEFT = f"; {POWER} ...\n"
GOES_ON = f"pink: {POWER}: Iblis, Al-Amin, Anun-Nak; keep Al-Amin\n"


def _broken_off() -> str:
    text = changed(DRAWN, LEFT)
    return text[: text.index(LEFT)] + LEFT


def test_11_a_power_whose_draw_is_not_told_has_not_been_used() -> None:
    game = played(_broken_off())
    assert game.announced == POWER
    before = played(_broken_off().replace(LEFT, " ...\n"))
    assert game.state == before.state
    assert before.announced is None


def test_the_next_line_goes_on_with_it_and_tells_the_draw(subtests: pytest.Subtests) -> None:
    for between in ["", "# who draws?\n", "\n"]:
        with subtests.test(between=between):
            game = played(changed(DRAWN, LEFT + between + GOES_ON))
            assert game.state == played(example()).state
            assert game.announced is None
            assert played(format_record(game.record)).state == game.state


def test_another_line_after_it_is_refused(subtests: pytest.Subtests) -> None:
    for line in ["pink: sell wheat", "pink: palm", "pink: ...", "blue: e5 > f5w > f4y", "refill: fish"]:
        with subtests.test(line=line):
            text = _broken_off()
            number = text.count("\n") + 1
            with pytest.raises(NotationError) as refused:
                played(f"{text}{line}\n")
            assert str(refused.value).startswith(f"line {number}: the previous line ends with '{POWER}'")
            assert f"'{POWER}: '" in str(refused.value)


def test_a_draw_is_left_out_at_the_end_of_an_open_line_alone(subtests: pytest.Subtests) -> None:
    for told in [f"; {POWER}; keep Al-Amin ...\n", f"; {POWER}: Iblis, Al-Amin ...\n", f"; {POWER}\n"]:
        with subtests.test(told=told):
            with pytest.raises(
                UnusableInputError, match="a djinn is drawn here, but the line doesn't say which"
            ) as refused:
                played(changed(DRAWN, told))
            assert "line 18: " in str(refused.value)
