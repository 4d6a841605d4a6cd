from __future__ import annotations

import json

import pytest
from hypothesis import given

from companion.errors import NotationError
from companion.notation import codes
from companion.notation.files import format_json, format_toml, from_document, parse_position, to_document
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
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


@given(positions())
def test_positions_round_trip_as_toml_json_and_code(position: Position) -> None:
    assert parse_position(format_toml(position)) == position
    assert parse_position(format_json(position)) == position
    assert parse_position(codes.encode(position)) == position


def test_only_the_board_is_required_and_the_rest_is_unknown() -> None:
    assert parse_position(json.dumps({"board": BOARD})) == parse_position(BOARD)
    assert parse_position(BOARD).row is None
    assert parse_position(json.dumps({"board": EXAMPLE_ROWS, "row": None})) == parse_position(BOARD)


def test_unknown_and_none_are_told_apart() -> None:
    known = from_document({"board": BOARD, "row": [], "players": {"pink": {"goods": {}, "djinns": []}}})
    assert (known.row, known.player(Colour.PINK).goods, known.player(Colour.PINK).djinns) == ((), (0,) * 9, ())
    assert known.djinns is None


def test_the_seed_of_a_setup_is_allowed() -> None:
    position = random_setup(4, 7)
    assert from_document({**to_document(position), "seed": 7}) == position


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({}, "board: missing"),
        ({"bord": BOARD}, "did you mean 'board'"),
        ({"board": BOARD, "rwo": []}, "rwo: unknown key; did you mean 'row'"),
        ({"board": BOARD, "weather": "fine"}, "weather: unknown key; the keys are format, board"),
        ({"board": 5}, "board: expected text .* found a number"),
        ({"board": EXAMPLE_ROWS[:4]}, "board: expected 5 rows, found 4"),
        ({"board": [*EXAMPLE_ROWS[:4], 7]}, "board, row 5: expected text"),
        ({"board": BOARD.replace("S10", "S11")}, "board: b4: .*S11"),
        ({"board": BOARD, "format": 2}, "format: .*format 2 .* newer"),
        ({"board": BOARD, "format": True}, "format: expected a whole number, found true or false"),
        ({"board": BOARD, "row": "fish"}, "row: expected a list of cards, found text"),
        ({"board": BOARD, "row": ["fish", "fsh"]}, "row, no. 2: .*did you mean 'fish'"),
        ({"board": BOARD, "row": [3]}, "row, no. 1: expected a card's name, found a number"),
        ({"board": BOARD, "row": ["fish"] * 101}, "row: 101 entries"),
        ({"board": BOARD, "djinns": ["Utuk"]}, "djinns, no. 1: .*did you mean 'Utug'"),
        ({"board": BOARD, "to_move": "green"}, "to_move: no player's colour"),
        ({"board": BOARD, "phase": "night"}, "phase: no phase 'night'; it is bid, turn or end"),
        ({"board": BOARD, "turn_order": [{"player": "pink"}]}, "turn_order, no. 1: price is missing"),
        ({"board": BOARD, "turn_order": [{"player": "pink", "price": 5, "x": 1}]}, "turn_order, no. 1.x: unknown key"),
        ({"board": BOARD, "turn_order": ["pink"]}, "turn_order, no. 1: expected a table"),
        ({"board": BOARD, "players": {"pink": {"gold": -1}}}, "players.pink.gold: -1 is negative"),
        (
            {"board": BOARD, "players": {"pink": {"gold": 4.5}}},
            "players.pink.gold: expected a whole number, found a dec",
        ),
        ({"board": BOARD, "players": {"pink": {"gold": 10**5000}}}, "players.pink.gold: the number is larger"),
        ({"board": BOARD, "players": {"pink": {"gold": -(10**5000)}}}, "players.pink.gold: the number is negative"),
        ({"board": BOARD, "players": {"pink": {"golf": 4}}}, "players.pink.golf: unknown key; did you mean 'gold'"),
        ({"board": BOARD, "players": {"pink": 4}}, "players.pink: expected a table"),
        ({"board": BOARD, "players": {"pink": {}, "Pink": {}}}, "players.Pink: pink given twice"),
        ({"board": BOARD, "players": {"red": {}}}, "players: no player's colour is called 'red'"),
        ({"board": BOARD, "players": {"pink": {"goods": {"fakir": 1}}}}, "players.pink.goods.fakir: .*fakirs = 1"),
        ({"board": BOARD, "players": {"pink": {"goods": {"fish": 1, "Fish": 1}}}}, "goods.Fish: fish given twice"),
        ({"board": BOARD, "seed": []}, "seed: expected a number"),
    ],
)
def test_a_fault_is_named_by_its_key_path(document: dict[str, object], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        from_document(document)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(NotationError) as refused:
        from_document({"board": BOARD, "rwo": [], "phase": "night", "players": {"pink": {"gold": -1, "x": 1}}})
    assert len(str(refused.value).splitlines()) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("{", "not well-formed JSON: .* line 1"),
        ('{"board": 1, "board": 2}', "board: given twice"),
        ('{"board": NaN}', "NaN is no number"),
        ("[1, 2]", "a table of keys"),
        ('["O8"]', "a table of keys"),
        ("board = x y\n", "not well-formed TOML: .*line 1"),
        ("board = 2020-01-01", "board: expected text .* found a date"),
        ("x = " + "[" * 5000, "nested too deeply|not well-formed TOML"),
        ('{"x": ' + "[" * 200_000, "nested too deeply|not well-formed JSON"),
        ('{"x": ' + "9" * 5000 + "}", "more digits than any on a table"),
        ("x = " + "9" * 5000, "more digits than any on a table"),
        ("hello", "a board has 5 rows"),
        ("FT1-ABC", "position code"),
    ],
)
def test_text_of_no_use_is_refused(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        parse_position(text)
