from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import ImpossiblePositionError, NotationError
from companion.notation.codes import LETTERS, PREFIX, decode, encode
from companion.notation.files import parse_position
from companion.rules.engine.setup import random_setup
from companion.rules.model.position import Position
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
from tests.notation.refusals import check_refused
from tests.strategies import positions

# Codes that are printed on paper must stay readable: never change these, add others for new formats.
GOLDEN = {
    "late": "FT1-GW7KIND453UJ53COR4P4L2SDM6KTQJAOAY2Z5LZSED32WYYYS7U3KJ4W3YO7MEFREJX3LKSU6N6NKY2WHH7M",
    "early": "FT1-EZHA6OB7CK7UJ4WBCNO4BT6GMNSXAW3VU3QQ24XVTXAPWOW7BPDYGJ3FS5LAFKIZTB",
    "example": "FT1-B7AWAWK2VYSJEJJDZKFC6IBFTVWRX34TBSOSRYKEGKR3XSPLM7CAB3TH6WL4D5R7PN5RVPW7CNINKIVTK6XZ",
    "board alone": "FT1-C6ZLML7OPYYPI2QWHIGUBZ3GMO6JRZNFAIEGCJHLUAWXFFHFKIEX3Y2E",
    "set-up of 4, seed 1": "FT1-DSFBYNJBLVJFLJFGQEM7JUNS5UMDAFXTFMTQ4BGGDOERTSH6VW3IA7UC2",
}


LATE = """
phase = "end"
to_move = "orange"
row = []
djinns = ["Utug"]
discards = ["fakir", "pottery", "gold", "fakir"]
bid_order = ["orange", "black", "pink"]
turn_order = []
[players.black]
gold = 50
viziers = 0
elders = 0
fakirs = 0
goods = {}
djinns = []
[players.orange]
gold = 0
viziers = 16
elders = 1
fakirs = 11
goods = { ivory = 2, jewels = 1, papyrus = 3, silk = 4, spice = 1, fish = 5, wheat = 6, pottery = 2 }
djinns = ["Al-Amin", "Sloar", "Shamhat", "Kumarbi", "Leta", "Boaz"]
[players.pink]
"""
"""A position at its end: every holding known of one player, the start's of another, nothing of a third."""

EARLY = """
phase = "turn"
to_move = "pink"
turn_order = [
    { player = "pink", price = 18 }, { player = "blue", price = 1 }, { player = "pink", price = 0 },
    { player = "blue", price = 0 },
]
[players.blue]
gold = 31
"""
"""A turn of two with markers on the dearest and the cheapest spots, one player listed, and little known."""


def with_board(rows: str, rest: str) -> Position:
    return parse_position(f'board = """\n{rows}\n"""\n{rest}')


def golden_position(name: str) -> Position:
    board = "\n".join(EXAMPLE_ROWS)
    bare = re.sub(r"@[KOBP]", "", board)
    return {
        "late": with_board(re.sub(r":\w*y\w*", ":b", bare).replace("O8@K^1", "O8^12"), LATE),
        "early": with_board(bare, EARLY),
        "example": parse_position(EXAMPLE_TOML),
        "board alone": parse_position("\n".join(EXAMPLE_ROWS)),
        "set-up of 4, seed 1": random_setup(4, 1),
    }[name]


def test_printed_codes_stay_readable(subtests: pytest.Subtests) -> None:
    for name in GOLDEN:
        with subtests.test(name=name):
            assert decode(GOLDEN[name]) == golden_position(name)
            assert encode(golden_position(name)) == GOLDEN[name]


@settings(max_examples=25)
@given(positions())
def test_codes_round_trip_and_stay_short(position: Position) -> None:
    code = encode(position)
    assert decode(code) == position
    assert len(code) <= 200
    assert set(code[len(PREFIX) :]) <= set(LETTERS)


def test_a_set_up_takes_about_sixty_letters() -> None:
    lengths = sorted(len(encode(random_setup(players, seed))) for players in (2, 3, 4) for seed in range(30))
    assert lengths[len(lengths) // 2] <= 61
    assert lengths[-1] <= 66


@given(st.sampled_from(sorted(GOLDEN)), st.randoms(use_true_random=False))
def test_case_spaces_breaks_and_hyphens_do_not_matter(name: str, rng: random.Random) -> None:
    code = GOLDEN[name]
    written = "".join(letter.lower() + rng.choice(["", "", " ", "\n", "-", "–", "\r\n\t"]) for letter in code[4:])
    assert decode(f"  ft1-{written} ") == golden_position(name)


def test_every_wrong_lost_added_or_swapped_letter_is_noticed() -> None:
    """In the longest of these codes and the shortest."""
    for code in (max(GOLDEN.values(), key=len), min(GOLDEN.values(), key=len)):
        for place in range(len(PREFIX), len(code)):
            damaged = {code[:place] + letter + code[place + 1 :] for letter in LETTERS}
            damaged |= {code[:place] + letter + code[place:] for letter in LETTERS[::8]}
            damaged |= {code[:place] + code[place + 1 :], code[:place], code + code[place]}
            damaged.add(code[:place] + code[place + 1 : place + 2] + code[place] + code[place + 2 :])
            for text in damaged - {code}:
                with pytest.raises(NotationError):
                    decode(text)


def test_foreign_newer_and_monstrous_texts_are_refused() -> None:
    cases = [
        ("", "not a position code: a code begins with FT1-"),
        ("https://example.org", "not a position code: a code begins with FT1-"),
        ("FT1-", "0 letters"),
        ("FT1-AAAAAA", "6 letters"),
        ("FT2-ABCDEFGHIJ", "a position code of version 2; this program only reads"),
        ("FT10-ABCDEFGHIJ", "a position code of version 10; this program only reads"),
        ("FT1-ABC0DEF8", "0 8 can't be in a position code"),
        ("FT1-" + "Ж" * 9, "Ж can't be in a position code"),
        ("FT1-" + "A" * 1001, "1001 letters"),
        ("FT1-" + "A" * 10_000_000, "not a position code: 10000004 characters are too many"),
        ("FT" + "9" * 3000 + "-AAAA", "a position code of version 99999999999999999999; this"),
        # Its check letters fit, and it puts four markers on the three spots of price 0 (rules 3.2).
        ("FT1-ILOTHHWVFVBYFGBJSINPM6L7U6SUYMRY7SIA7PAKVPGBW", "check letters match, but it doesn't stand for any"),
    ]
    check_refused(decode, cases)


def test_impossible_positions_have_no_code() -> None:
    position = parse_position("\n".join(EXAMPLE_ROWS).replace("M4:ybr", "S6"))
    with pytest.raises(ImpossiblePositionError):
        encode(position)
