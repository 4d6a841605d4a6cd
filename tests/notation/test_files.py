from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from companion.errors import NotationError
from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES
from companion.language.phrase import marked
from companion.notation.files import format_json, format_toml, from_document, parse_position, to_document
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
from tests.notation.refusals import check_refused
from tests.strategies import positions

BOARD = "\n".join(EXAMPLE_ROWS)


def test_the_example_is_read_key_by_key() -> None:
    position = parse_position(EXAMPLE_TOML)
    assert position.row == ("fakir", "ivory", "fish", "fish", "silk")
    assert position.djinns == ("Utug", "Al-Amin", "Nekir")
    assert position.to_move is Colour.PINK
    assert position.phase is Phase.TURN
    assert position.bid_order == (Colour.BLACK, Colour.PINK)
    assert position.turn_order == (Bid(Colour.PINK, 5), Bid(Colour.BLACK, 0))
    assert position.discards == ("fish", "fakir")
    assert position.player(Colour.PINK) == Player(
        Colour.PINK, gold=41, viziers=2, elders=3, fakirs=1, goods=(1, 0, 0, 0, 0, 0, 2, 0, 0), djinns=("Jafaar",)
    )
    assert position.player(Colour.BLACK) == Player(Colour.BLACK, gold=38)


@settings(max_examples=25)
@given(positions())
def test_positions_round_trip_as_toml_and_json(position: Position) -> None:
    assert parse_position(format_toml(position)) == position
    assert parse_position(format_json(position)) == position


def test_only_the_board_is_required_and_the_rest_is_unknown() -> None:
    assert parse_position(json.dumps({"board": BOARD})) == parse_position(BOARD)
    assert parse_position(BOARD).row is None
    assert parse_position(json.dumps({"board": EXAMPLE_ROWS, "row": None})) == parse_position(BOARD)


def test_the_seed_of_a_setup_is_allowed() -> None:
    position = random_setup(4, 7)
    assert from_document({**to_document(position), "seed": 7}) == position


FAULTY: list[tuple[dict[str, object], str]] = [
    ({}, "board: missing; it's the one key that every position file needs"),
    ({"bord": BOARD}, "'bord' is unknown, did you mean 'board'?"),
    ({"rwo": []}, "rwo: unknown key; did you mean 'row'?"),
    ({"weather": "fine"}, "weather: unknown key; the keys are format, board, row"),
    ({"board": 5}, "board: expected text with five rows of tiles, found a number"),
    ({"board": EXAMPLE_ROWS[:4]}, "board: expected 5 rows, found 4"),
    ({"board": [*EXAMPLE_ROWS[:4], 7]}, "board, row 5: expected text, found a number"),
    ({"board": BOARD.replace("S10", "S11")}, "board: b4: 'S11': no tile S11"),
    ({"format": 2}, "format: can't read position files of format 2; a newer version"),
    ({"format": 0}, "this program reads format 1"),
    ({"format": True}, "format: expected a whole number, found true or false"),
    ({"row": "fish"}, "row: expected a list of cards, found text"),
    ({"row": ["fish", "fsh"]}, "row, no. 2: no resource card is called 'fsh'; did you mean 'fish'?"),
    ({"row": [3]}, "row, no. 1: expected a card's name, found a number"),
    ({"row": ["fish"] * 101}, "row: too many entries (101)"),
    ({"djinns": ["Utuk"]}, "djinns, no. 1: no djinn is called 'Utuk'; did you mean 'Utug'?"),
    ({"to_move": "green"}, "to_move: no player's colour is called 'green'; expected one of: black"),
    ({"phase": "night"}, "phase: 'night' is not a phase; expected bid, turn or end"),
    ({"turn_order": [{"player": "pink"}]}, "turn_order, no. 1: price is missing"),
    ({"turn_order": [{}]}, "turn_order, no. 1: player and price are missing"),
    ({"turn_order": [{"player": "pink", "price": 5, "x": 1}]}, "turn_order, no. 1.x: unknown key; the keys are player"),
    ({"turn_order": ["pink"]}, "turn_order, no. 1: expected a table such as { player"),
    ({"players": {"pink": {"gold": -1}}}, "players.pink.gold: -1 is negative; leave out anything you don't know"),
    ({"players": {"pink": {"gold": -(10**6)}}}, "players.pink.gold: the number is negative"),
    ({"players": {"pink": {"gold": 4.5}}}, "players.pink.gold: expected a whole number, found a decimal number"),
    ({"players": {"pink": {"gold": 10**6 + 1}}}, "players.pink.gold: the number is too large"),
    ({"players": {"pink": {"golf": 4}}}, "players.pink.golf: unknown key; did you mean 'gold'?"),
    ({"players": {"pink": 4}}, "players.pink: expected a table such as { gold = 41 }, found a number"),
    ({"players": {"pink": {}, "Pink": {}}}, "players.Pink: pink given twice"),
    ({"players": {"red": {}}}, "players: no player's colour is called 'red'"),
    (
        {"players": {"pink": {"goods": {"fakir": 1}}}},
        "players.pink.goods.fakir: fakirs are not goods; write fakirs = 1",
    ),
    ({"players": {"pink": {"goods": {"fish": 1, "Fish": 1}}}}, "players.pink.goods.Fish: fish given twice"),
    ({"seed": []}, "seed: expected a number or text, found a list"),
    ({"k" * 81: 1}, f"{'k' * 80}…: unknown key"),
]


def test_a_fault_is_named_by_its_key_path() -> None:
    check_refused(from_document, FAULTY[:2])
    check_refused(lambda document: from_document({"board": BOARD, **document}), FAULTY[2:])
    assert from_document({"board": BOARD, "players": {"pink": {"gold": 10**6}}}).player(Colour.PINK).gold == 10**6


def test_all_faults_of_a_table_in_a_table_are_told() -> None:
    goods = {"fihs": 1, "silk": -1, "fakir": 3}
    players = {"pink": {"goods": goods}, "green": {}, "black": 1}
    with pytest.raises(NotationError) as refused:
        from_document({"board": BOARD, "rwo": [], "row": ["fihs", "silk", "slik"], "players": players})
    starts = ["rwo", "row, no. 1", "row, no. 3", *["players.pink.goods"] * 3, "players", "players.black"]
    lines = str(refused.value).splitlines()
    assert all(line.startswith(f"{start}") for line, start in zip(lines, starts, strict=True))


def test_texts_of_no_use_are_refused() -> None:
    cases = [
        ("   \n", "the text is empty; expected a position file, five rows of tiles, or a code FT1-…"),
        ("O8 S6", "a board has 5 rows of 6 tiles; 1 row given"),
        ("See [the page](x.md?a=b), where 2 + 2 = 4.", "neither a position file, five rows of tiles"),
        ("Meet me at b12 after the game.\nBring eggs.", "neither a position file, five rows of tiles"),
        ("milk\neggs 12", "neither a position file, five rows of tiles, a game record nor a code FT1-…"),
        ("board = “O8”", "(“ is a curly quotation mark, ” is a curly quotation mark)"),
        ("FT1-ABC", "3 letters"),
        ("{", "not well-formed JSON: expected a key in double quotes at line 1, column 2"),
        ('{"board": 1, "board": 2}', "board: given twice"),
        ('{"board": NaN}', "NaN is not a number that a position can have"),
        ("[1, 2]", 'a position file is a table of keys such as "board", not a list'),
        ('["O8"]', 'a position file is a table of keys such as "board", not a list'),
        ("board = x y\n", "not well-formed TOML: this is not a value (at line 1, column 9)"),
        ("board = [", "(at the end of the text)"),
        ("board = 2020-01-01", "board: expected text with five rows of tiles, found a date or time"),
        ('{"board": "\0"}', "not well-formed JSON: Invalid control character at at line 1, column 12"),
        ("board = 1\n\0 = 2", "not well-formed TOML: this is not a key (at line 2, column 1)"),
        ("x = " + "[" * 5000, "not well-formed TOML: lists or tables nested too deeply"),
        ("x = " + "{a=" * 200_000, "not well-formed TOML: it has 600,004 letters, and at most 300,000 are allowed"),
        ('{"x": ' + "[" * 200_000, "lists or tables nested too deeply"),
        ('{"x": ' + "9" * 5000 + "}", "it has a number with too many digits"),
        ("O8 \udc80", "the text isn't valid UTF-8; save it again as UTF-8"),
        ("O8 " * 50_000 + "/O8" * 4, f"row 1 of the board has 50000 tiles, not 6: '{'O8 ' * 20}…'"),
    ]
    check_refused(parse_position, cases)


def test_a_byte_order_mark_and_blank_ends_do_not_matter() -> None:
    assert parse_position(f"\ufeff\n\n{BOARD}\n \n") == parse_position(BOARD)
    assert parse_position(f"\n\ufeff{EXAMPLE_TOML}") == parse_position(EXAMPLE_TOML)


def test_what_a_terminal_would_obey_does_not_reach_a_message() -> None:
    escape, turned = "\x1b]0;title\x07", "\u202egnp.exe"
    text = json.dumps({"board": BOARD, escape: 1, "players": {turned: {}, "pink": {escape: 1, "\ud800": 2}}})
    with pytest.raises(NotationError) as refused:
        parse_position(text)
    assert not set(str(refused.value)) & {"\x1b", "\x07", "\u202e", "\ud800"}
    assert "]0;title: unknown key" in str(refused.value) and "\\u202egnp.exe" in str(refused.value)


def test_a_phase_is_read_in_the_words_that_are_printed(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            for printed, phase in (("bidding", Phase.BID), ("turns", Phase.TURN), ("end of the game", Phase.END)):
                words = translate(marked(printed, "phase"), language)
                for typed in (words, words.upper(), f" {words} "):
                    assert from_document({"board": BOARD, "phase": typed}).phase is phase
            assert from_document({"board": BOARD, "phase": "End"}).phase is Phase.END
