from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from companion.errors import CompanionError, IllegalMoveError, NotationError, UnusableInputError
from companion.notation.files import format_toml
from companion.notation.records.items import EXAMPLES, format_item, parse_item
from companion.notation.records.lines import Record, format_record, parse_record
from companion.notation.records.recording import action_words, commented, examples, taken_back
from companion.notation.records.replay import RecordPlayer, Replayed, opening, play_line, replay
from companion.rules.engine.djinns.base import Cost
from companion.rules.engine.djinns.registry import EVERY_DJINN, PROMO_DJINNS
from companion.rules.engine.game import apply
from companion.rules.engine.scoring import player_points
from companion.rules.model.actions import PlaceBid
from companion.rules.model.state import Stage
from tests.notation.recorded_games import random_record

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/records.md"


def played(text: str) -> Replayed:
    return replay(parse_record(text))


@cache
def example() -> str:
    """The record in the documentation."""
    found = re.search(r"^```record\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def changed(old: str, new: str) -> str:
    assert example().count(old) == 1
    return example().replace(old, new)


def numbered(part: str) -> int:
    """The number of the line of the example that holds the part."""
    return next(number for number, line in enumerate(example().splitlines(), 1) if part in line)


def test_example_of_the_documentation_plays_and_is_written_as_it_stands() -> None:
    game = played(example())
    assert format_record(game.record) == example()
    assert game.state.stage is Stage.BID
    assert not game.owes_refill
    assert {str(c): player_points(game.state.position, c) for c in game.state.position.colours} == {
        "blue": 40,
        "pink": 49,
    }
    assert game.record.header.names[game.state.position.colours[0]] == "Марія"


def test_sample_is_the_example_of_the_documentation() -> None:
    assert (DOCUMENT.parents[1] / "samples/game.txt").read_text(encoding="utf-8") == example()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_random_games_replay_to_the_identical_state(players: int, seed: int) -> None:
    record, state, _ = random_record(players, seed, promo=seed == 4)
    text = format_record(record)
    again = played(text)
    assert again.state == state
    assert state.is_over
    assert format_record(again.record) == text


@pytest.mark.parametrize("djinn", EVERY_DJINN)
def test_games_with_each_djinn_replay_to_the_identical_state(djinn: str) -> None:
    pays = EVERY_DJINN[djinn].cost is not Cost.NONE
    used: set[str] = set()
    for seed in range(30):
        record, state, powers = random_record(3, seed, promo=djinn in PROMO_DJINNS, djinn=djinn, most=60)
        assert played(format_record(record)).state == state
        used |= powers
        if djinn in used or (not pays and seed == 1):
            break
    assert not pays or djinn in used


def test_unfinished_games_are_written_inside_a_turn_too() -> None:
    for most in range(1, 60):
        record, state, _ = random_record(2, 3, most=most)
        assert played(format_record(record)).state == state


def test_taking_back_to_the_beginning_passes_only_through_records_that_play() -> None:
    record, state, _ = random_record(2, 6)
    number = 0
    left: Record | None = record
    while left is not None and (left := taken_back(left)) is not None:
        if number % 7 == 0:
            assert len(played(format_record(left)).plays) < len(played(format_record(record)).plays)
        number += 1
        first = left
    assert number > 50
    assert first.lines == ()


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("C3>c4G > D4b", "c3 > c4g > d4b"),
        ("> c4 g", "> c4g"),
        ("2 VIZIERS", "2 viziers"),
        ("kill c2b", "kill b on c2"),
        ("kill elder of Pink", "kill elder of pink"),
        ("kill w of pink", "kill elder of pink"),
        ("2 assassins with 1 fakir kill y on a1", "2 assassins with 1 fakir kill y on a1"),
        ("2 assassins kill nobody", "2 assassins kill nobody"),
        ("kill b on c2 and g on c2 with iblis for w", "kill b on c2 and g on c2 with Iblis for elder"),
        ("use anun nak for f on C3: y w, g", "use Anun-Nak for fakir on c3: ywg"),
        ("use echidna for wf", "use Echidna for elder and fakir"),
        ("use Echidna for 2 elders: 8GC", "use Echidna for 2 elders: 8 GC"),
        (
            "use Bouraq for elder on c3 with Hagis for fakir onto d4",
            "use Bouraq for elder on c3 with Hagis for fakir onto d4",
        ),
        ("Palm with lamia for elder onto d4", "palm with Lamia for elder onto d4"),
        ("buy Fish, slave (3)", "buy fish, fakir (3)"),
        ("take baal", "take Ba'al for 2 elders"),
        ("sell silk ivory : 3 gc", "sell ivory, silk: 3 GC"),
        ("use Sloar for fakir: ?", "use Sloar for fakir: ?"),
        ("3 merchants: fish, ?, gold, claim c3", "3 merchants: fish, ?, gold, claim c3"),
        ("buy nothing", "pass"),
        ("NO MOVE", "no move"),
        # Number and tribe may be left out, and stay left out.
        ("builders: 6 GC", "builders: 6 GC"),
        ("elder", "elders"),
        ("1 elders", "1 elder"),
        ("assassins", "assassins kill nobody"),
        ("2 kill b on c2", "2 kill b on c2"),
        ("2 kill nothing", "2 kill nobody"),
        ("kill nobody", "kill nobody"),
        ("kill nobody with iblis for elder", "kill nobody with Iblis for elder"),
        ("with 1 fakir", "with 1 fakir"),
        ("2 with 2 slaves", "2 with 2 fakirs"),
        ("builders with 1 worker kill y on a1", "builders with 1 fakir kill y on a1"),
        ("use Sloar for worker", "use Sloar for fakir"),
        ("use Anun-Nak for elder on c3: ywg, rb", "use Anun-Nak for elder on c3: ywg, rb"),
        ("use Anun-Nak for elder on c3: yw, grb", "use Anun-Nak for elder on c3: ywg, rb"),
        ("2 merchants: рыба", "2 merchants: fish"),
        ("3 merchants: 2 fakirs, fish", "3 merchants: fakir, fakir, fish"),
        ("buy 2 fakirs", "buy fakir, fakir"),
        ("buy 1 silk, fish x2", "buy silk, fish, fish"),
        ("sell 1 fish, 1 silk", "sell silk, fish"),
    ],
)
def test_items_are_read_forgivingly_and_written_one_way(typed: str, written: str) -> None:
    assert format_item(parse_item(typed)) == written
    assert format_item(parse_item(written)) == written


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", f"nothing stands before ':' or between ';'; write one of: {EXAMPLES}"),
        ("dance", f"'dance' is nothing that a player does; write such as: {EXAMPLES}"),
        ("by fish", f"'by fish' is nothing that a player does; did you mean 'buy'?; write such as: {EXAMPLES}"),
        ("c3 > c9g", "'c9g' is not a step: expected a tile and a meeple's letter, such as c4g"),
        ("x9 > c3g", "'x9 > c3g' does not begin with a tile such as c3; write c3 > c4g > d4y"),
        ("buy ivory 2 silk", "'ivory 2 silk' may mean '2 ivory, 1 silk' or '1 ivory, 2 silk'; type one of them"),
        ("buy 0", "'0' names no card; write such as 2 fakirs"),
        ("buy 2 fish (3)", "'buy 2 fish (3)': a place of the row holds one card; name each card with its own"),
        ("buy fsh", "no resource card is called 'fsh'; did you mean 'fish'?"),
        ("take Utug for 3 elders", "'take Utug for 3 elders': a djinn costs 2 elders, or elder and fakir (rules 6.5)"),
        ("take Utugg", "no djinn is called 'Utugg'; did you mean 'Utug'?"),
        ("sell fakir", "'sell fakir': name the goods sold, such as sell fish, silk; fakirs are none"),
        ("sell", "'sell': name the goods sold, such as sell fish, silk; fakirs are none"),
        ("use Sloar for love", "'love' is no price: write such as elder, fakir, 2 elders, elder and fakir"),
        ("kill c2", "'c2' is nobody to kill: write such as b on c2, or elder of pink"),
        (
            "kill b on c2, b on c2, b on c2",
            "'kill b on c2, b on c2, b on c2': assassins never kill more than two (rules 5.4, 11.10)",
        ),
        (
            "2 viziers: c3",
            "after ':' come cards, djinns, meeples, GC and claims: no resource card is called 'c3'; "
            "expected one of: fakir, ivory, jewels, gold, papyrus, silk, spice, fish, wheat, pottery",
        ),
        ("use", "'use': write such as use Sloar for fakir, or use Enki for elder on c3"),
        ("palm tree", "'palm tree': write palm or palace, or such as palm with Lamia for elder onto d4"),
    ],
)
def test_items_that_cannot_be_read_are_told(typed: str, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_item(typed)
    assert str(refused.value) == message


FIRST_MOVE = "blue: a2 > b2b > c2y > d2b; 2 builders: 4 GC; pass"
MARKET_TURN = "blue: e3 > d3w > c3y; 2 viziers; buy silk; sell silk: 1 GC"
REFILL = "refill: ivory, gold\n"


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        pytest.param("pink 3, blue 0, pink 1", "pink 4, blue 0, pink 1", "rules 3.1", id="3.1 no such price"),
        pytest.param("pink 3, blue 0, pink 1", "blue 3, pink 0, pink 1", "rules 3.1", id="3.1 the other bids"),
        pytest.param("pink 3, blue 0, pink 1", "pink 3, blue 3, pink 1", "rules 3.1", id="3.1 taken"),
        pytest.param(FIRST_MOVE, FIRST_MOVE.replace("blue", "pink"), "rules 3.3", id="3.3 the other's turn"),
        pytest.param(FIRST_MOVE, FIRST_MOVE.replace("b2b > c2y", "c2b > c2y"), "rules 4.2", id="4.2 no neighbour"),
        pytest.param(FIRST_MOVE, FIRST_MOVE.replace(" > d2b", ""), "rules 4.2", id="4.2 a meeple left in hand"),
        pytest.param(FIRST_MOVE, FIRST_MOVE.replace("c2y > d2b", "a2y > b2b"), "rules 4.3", id="4.3 straight back"),
        pytest.param(FIRST_MOVE, "blue: pass", "rules 4.6", id="4.6 passing"),
        pytest.param(FIRST_MOVE, "blue: no move", "rules 4.6", id="4.6 can move"),
        pytest.param(FIRST_MOVE, FIRST_MOVE.replace("2 builders", "3 builders"), "rules 4.7", id="4.7 count"),
        pytest.param(FIRST_MOVE, FIRST_MOVE.replace("2 builders: 4 GC", "2 viziers"), "rules 4.7", id="4.7 tribe"),
        pytest.param("assassins kill y on d5", "assassins kill y on a1", "rules 5.4", id="5.4 too far"),
        pytest.param("assassins kill y on d5", "assassins kill nobody", "rules 5.4", id="5.4 compulsory"),
        pytest.param("d5; palace", "d5; palm", "rules 6.1", id="6.1 no oasis"),
        pytest.param(MARKET_TURN, MARKET_TURN.replace("silk; ", "gold; "), "rules 6.3", id="6.3 not in the row"),
        pytest.param(MARKET_TURN, MARKET_TURN.replace("silk; ", "silk, fish; "), "rules 6.3", id="6.3 two cards"),
        pytest.param(MARKET_TURN, MARKET_TURN.replace("sell silk: 1", "sell fish: 1"), "rules 7", id="7.1 not held"),
        pytest.param("take Sibittis", "take Utug", "rules 6.5", id="6.5 not face up"),
        pytest.param("keep Al-Amin", "keep Utug", "rules 11", id="11 not drawn"),
        pytest.param("use Sibittis for elder and fakir", "use Sloar for fakir", "rules 11", id="11 not owned"),
        pytest.param(REFILL, f"{REFILL}refill: fish\n", "rules 8.1", id="8.1 refilled twice"),
        pytest.param(REFILL, f"{REFILL}result: blue 1, pink 2\n", "rules 9", id="9 not over"),
    ],
)
def test_lines_against_the_rules_are_refused_with_number_rule_and_examples(old: str, new: str, rule: str) -> None:
    text = changed(old, new)
    lines = zip(text.splitlines(), example().splitlines(), strict=False)
    number = next(number for number, (one, other) in enumerate(lines, 1) if one != other)
    with pytest.raises(IllegalMoveError, match=re.escape(rule)) as fault:
        played(text)
    assert str(fault.value).startswith(f"line {number}: ")
    assert "legal here: " in str(fault.value)


def strictly(text: str) -> RecordPlayer:
    """The record played as `companion play` plays what is typed."""
    record = parse_record(text)
    player = RecordPlayer(opening(record.header))
    for line in record.lines:
        play_line(player, line)
    return player


@pytest.mark.parametrize(
    ("old", "new", "number", "warning"),
    [
        (
            "6 GC; palm;",
            "6 GC; pass;",
            18,
            "d4 is an oasis, so a palm must be put there: no pass (rules 6.1); read as placing it",
        ),
        (
            "kill y on d5; palace",
            "kill y on d5; pass",
            19,
            "e5 is a village, so a palace must be put there: no pass (rules 6.2); read as placing it",
        ),
    ],
)
def test_6_1_and_6_2_an_old_pass_is_read_as_placing_with_a_warning(
    old: str, new: str, number: int, warning: str
) -> None:
    text = changed(old, new)
    game = played(text)
    assert game.warnings == (f"line {number}: {warning}",)
    assert game.state == played(example()).state
    assert played(example()).warnings == ()
    assert format_record(game.record) == text
    assert strictly(example()).state == game.state
    with pytest.raises(IllegalMoveError, match=re.escape(f"line {number}: {warning.split(';')[0]}\n  legal here: ")):
        strictly(text)


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


@pytest.mark.parametrize(("piece", "column", "rule"), [("palm", "b", "6.1"), ("palace", "c", "6.2")])
def test_6_1_and_6_2_an_old_placing_with_none_left_is_read_as_pass_with_a_warning(
    piece: str, column: str, rule: str
) -> None:
    turn = f"pink: {column}2 > {column}1y; 2 viziers; {piece} ...\n"
    refusal = f"line 14: no {piece} is left to put on {column}1: pass (rules {rule})"
    game, passed = played(NONE_LEFT + turn), played(NONE_LEFT + turn.replace(piece, "pass"))
    assert game.warnings == (f"{refusal}; read as pass",)
    assert passed.warnings == ()
    assert passed.state == game.state == strictly(NONE_LEFT + turn.replace(piece, "pass")).state
    assert format_record(game.record) == NONE_LEFT + turn
    with pytest.raises(IllegalMoveError, match=f"^{re.escape(refusal)}"):
        strictly(NONE_LEFT + turn)
    # On the wrong tile it was never read.
    wrong = {"palm": "palace", "palace": "palm"}[piece]
    with pytest.raises(IllegalMoveError, match=f"so no {wrong} is put there"):
        played(NONE_LEFT + turn.replace(piece, wrong))


def test_a_second_tile_action_is_told_as_one() -> None:
    text = changed("2 builders: 6 GC; palm; use", "2 builders: 6 GC; palm; pass; use")
    with pytest.raises(IllegalMoveError) as lenient:
        played(text)
    with pytest.raises(IllegalMoveError) as strict:
        strictly(text)
    assert str(lenient.value) == str(strict.value)
    assert "must be put there" not in str(strict.value)


def test_examples_begin_with_the_tile_that_was_to_be_moved() -> None:
    with pytest.raises(IllegalMoveError, match=r"legal here: a2 > \S+ > .*; or a2 > "):
        played(changed(FIRST_MOVE, FIRST_MOVE.replace("b2b > c2y", "c2b > c2y")))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Five Tribes record 1",
            "Five Tribes record 2",
            "line 1: a record of version 2, which this program does not know; it reads version 1, a "
            "newer program may read the other",
        ),
        (
            "Five Tribes record 1",
            "Five Tribes record",
            "line 1: a record of version of no number, which this program does not know; it reads "
            "version 1, a newer program may read the other",
        ),
        (
            "Five Tribes record 1",
            "Chess record 1",
            "line 1: no game record: those begin with the line 'Five Tribes record 1'",
        ),
        ("date: 2026", "dat: 2026", "line 2: no tag is called 'dat'; did you mean 'date'?"),
        ("place: Київ", "date: 2026-02-14", "line 3: date is given twice"),
        ("place: Київ", "promo: perhaps", "line 3: promo is yes or no, not 'perhaps'"),
        ("player pink", "player black", "black has a name in the record, but does not play in its set-up"),
        (
            "setup: FT1-BEDK",
            "setup: FT1-BEDL",
            "setup: the position code is damaged: its check letters do not fit. A letter is wrong, "
            "missing or too many; compare it with the original or scan it again",
        ),
        (
            "round 1: pink 3,",
            "round 1: pink three,",
            "line 8: 'pink three' is no bid; write such as pink 5, or pink 8 with 1 fakir",
        ),
        ("round 2:", "round 3:", "line 15: the line says round 3, but this is round 2: lines are missing"),
        ("2 builders: 4 GC", "2 builders: 5 GC", "line 9: the line says 5 GC, but it brings 4 GC (rules 5.3, 7.1)"),
        ("d2: claim d2", "d2: claim d3", "line 27: the line says claim d3, but it is claim d2 (rules 4.8, 5.5)"),
        (
            "2 merchants: ivory, fakir",
            "2 merchants: gold",
            "line 24: the line says gold, but the row gives ivory, fakir (rules 5.2)",
        ),
        (
            "refill: ivory, gold\n",
            "",
            "line 22: the round is over, so first comes a line such as refill: fish, silk, Utug with "
            "what was put into the row and to the djinns (rules 8.1)",
        ),
        (
            "refill: ivory, gold\n",
            "refill: ivory\n",
            "line 21: a card is drawn here that the line does not tell; add it after ':' (it can be "
            "fakir, jewels, gold, papyrus, silk, spice, …) (rules 8.1, 11)",
        ),
        (
            "refill: ivory, gold\n",
            "refill: ivory, gold, fish\n",
            "line 21: fish stands after ':', but nothing more is drawn there (rules 8.1, 11)",
        ),
        (
            "refill: ivory, gold\n",
            "refill: ivory, ?\n",
            "line 21: an unknown card cannot be the card drawn here; it can be fakir, jewels, gold, "
            "papyrus, silk, spice, fish, wheat, pottery (rules 1)",
        ),
        (
            "refill: ivory, gold\n",
            "refill: jewels, jewels\n",
            "line 21: jewels cannot be the card drawn here; it can be fakir, ivory, gold, papyrus, "
            "silk, spice, fish, wheat, pottery (rules 1)",
        ),
        (
            "Iblis, Al-Amin, Anun-Nak; keep",
            "Iblis, Al-Amin; keep",
            "line 18: a djinn is drawn here that the line does not tell; add it after ':' (it can be "
            "Anun-Nak, Ba'al, Boaz, Bouraq, Echidna, Enki, …) (rules 8.1, 11)",
        ),
        (
            "refill: ivory, gold\n",
            "refil: ivory, gold\n",
            "line 21: 'refil: ivory, gold' is no line of a record; did you mean 'refill'?",
        ),
        ("refill: ivory, gold\n", "date: today\n", "line 21: the tag date stands after setup; tags come before it"),
    ],
)
def test_damaged_records_are_refused_with_the_line(old: str, new: str, message: str) -> None:
    with pytest.raises(UnusableInputError) as refused:
        played(changed(old, new))
    assert str(refused.value) == message


@pytest.mark.parametrize(("length", "shown"), [(40, "q" * 40), (41, "q" * 40 + "…")])
def test_long_lines_are_cut_short_in_messages(length: int, shown: str) -> None:
    expected = "; expected such as round 1: pink 5 …, pink: c3 > c4g …, refill: …, result: …"
    for old, new, message in (
        (MARKET_TURN, "q" * length, f"line 16: '{shown}' is no line of a record{expected}"),
        (
            "round 1: pink 3",
            f"round 1: {'q' * length}",
            f"line 8: '{shown}' is no bid; write such as pink 5, or pink 8 with 1 fakir",
        ),
        (MARKET_TURN, f"result: {'q' * length}", f"line 16: '{shown}' is no result; write such as black 101, pink 93"),
        ("place: Київ", f"promo: {'q' * length}", f"line 3: promo is yes or no, not '{shown}'"),
        ("place: Київ", f"{'q' * length}: Київ", f"line 3: no tag is called '{shown}"),
    ):
        with pytest.raises(NotationError, match=f"^{re.escape(message)}"):
            played(changed(old, new))


def test_a_cut_off_file_is_noticed() -> None:
    with pytest.raises(NotationError, match=r"line 28: the record is cut off here"):
        played(example().removesuffix("\n"))
    with pytest.raises(NotationError, match="cut off before its set-up"):
        played("Five Tribes record 1\ndate: 2026-02-14\n")
    with pytest.raises(NotationError, match="setup is empty"):
        played("Five Tribes record 1\nsetup:\n")


@pytest.mark.parametrize("seed", range(40))
def test_cut_edited_and_swapped_records_give_one_message_or_play(seed: int) -> None:
    random = Random(seed)
    text = example()
    lines = text.splitlines(keepends=True)
    for _ in range(8):
        match random.randrange(4):
            case 0:
                bad = text[: random.randrange(len(text))]
            case 1:
                one, other = random.sample(range(len(lines)), 2)
                swapped = lines.copy()
                swapped[one], swapped[other] = lines[other], lines[one]
                bad = "".join(swapped)
            case 2:
                at = random.randrange(len(text))
                bad = text[:at] + random.choice("abc >;:,.?#123\n\0ї-") + text[at + random.randrange(3) :]
            case _:
                at = random.randrange(len(lines))
                bad = "".join(lines[:at] + lines[at + 1 :])
        try:
            played(bad)
        except CompanionError as error:
            assert str(error)


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


def test_a_line_with_many_blanks_is_read_at_once() -> None:
    blanks = " " * 100_000
    assert played(changed("; pass\npink: d2", f";{blanks}pass{blanks}\npink: d2")).state == played(example()).state
    with pytest.raises(NotationError, match="line 2: no tag is called 'a  "):
        parse_record(f"Five Tribes record 1\na{blanks}b\n")
    with pytest.raises(NotationError, match="line 9: 'a b' is nothing that a player does"):
        parse_record(changed(FIRST_MOVE, f"blue: a{blanks}b"))


def test_a_result_must_be_that_of_the_game() -> None:
    record, _, _ = random_record(2, 2)
    text = format_record(record)
    assert re.search(r"^result: blue \d+, pink \d+$", text, re.MULTILINE)
    counted = re.search(r"^result: (.*)$", text, re.MULTILINE)
    assert counted is not None
    number = text.count("\n")
    with pytest.raises(NotationError) as refused:
        played(re.sub(r"result: blue \d+", "result: blue 999", text))
    assert str(refused.value) == f"line {number}: the game comes to another result: {counted[1]} (rules 10)"
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
        text += f"round 1: {action_words(state, bid)}\n"
        state = apply(state, bid)
    assert state.mover is owner
    drawn = f"{text}{owner}: use Sloar for fakir: ?"
    assert sum(played(f"{drawn} ...\n").state.hidden) == 1
    move = next(one for one in (examples(state, 30)) if one.endswith(("y", "w")))
    assert sum(played(f"{drawn}; {move}; sell pottery: 1 GC ...\n").state.hidden) == 0


def test_comments_go_to_the_last_line_of_play() -> None:
    record = parse_record(example())
    text = format_record(commented(commented(record, "  good   game "), "да"))
    assert text.endswith("pottery, pottery  # good game; да\n")
    assert format_record(parse_record(text)) == text
