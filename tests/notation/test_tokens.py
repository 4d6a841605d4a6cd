from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.notation import tokens
from companion.notation.typed import parse_typed_tile, typed_square
from companion.rules.model.board import SQUARE_NAMES, SQUARES, Board
from companion.rules.model.components import Colour
from tests.notation.examples import EXAMPLE_ROWS
from tests.notation.refusals import check_refused
from tests.rules.tables import parse_sowing
from tests.strategies import boards

SQUARE = st.integers(0, SQUARES - 1)


def test_a_token_is_read_in_any_case_and_order_and_written_in_one(subtests: pytest.Subtests) -> None:
    for typed, written in [
        ("V5", "V5"),
        ("O8:ggw", "O8:wgg"),
        ("s15:BBY@k", "S15:ybb@K"),
        ("O8:w@P^2", "O8:w@P^2"),
        ("V5@O#1", "V5@O#1"),
        ("O8:^0#0", "O8"),
    ]:
        with subtests.test(typed=typed):
            assert str(tokens.parse_tile(typed)) == written


def test_anything_else_is_no_tile() -> None:
    odd = ("", "O8:gg@", "O8^", "O8#1^1", "O8 :g", "O8:ggw@PP", "O8^1000")
    cases = [
        *((token, f"{token!r} is not a tile: expected TILE[:MEEPLES][@CAMEL][^PALMS][#PALACES]") for token in odd),
        ("V٥", "'V٥' (٥ is 5 in another script) is not a tile"),
        ("О8:ggw", "'О8:ggw' is not a tile: О is a Cyrillic letter"),
        ("M6:yс", "с is a Cyrillic letter"),
        ("X9", "'X9': no tile X9; the tiles are O8, M6"),
        ("O8:q", "'O8:q': no meeple 'q'; y vizier"),
        ("O8@X", "'O8@X': no camel 'X'; K black"),
        ("Q" * 61, f"'{'Q' * 60}…' is not a tile"),
    ]
    check_refused(tokens.parse_tile, cases)


@settings(max_examples=25)
@given(boards())
def test_boards_round_trip(board: Board) -> None:
    assert tokens.parse_board(tokens.format_board(board)) == board


def test_rows_may_be_separated_by_slashes() -> None:
    board = tokens.parse_board(" / ".join(EXAMPLE_ROWS))
    assert board == tokens.parse_board("\n".join(EXAMPLE_ROWS))
    assert board[3].camel is Colour.PINK


def test_every_wrong_tile_is_named_by_its_square() -> None:
    rows = [*EXAMPLE_ROWS]
    rows[2] = rows[2].replace("M6 ", "M7 ", 1)
    rows[4] = "Q1" + rows[4][4:]
    with pytest.raises(NotationError) as refused:
        tokens.parse_board("\n".join(rows))
    assert [line[:13] for line in str(refused.value).splitlines()] == ["c3: 'M7': no ", "a5: 'Q1': no "]


def test_a_board_of_another_shape_is_refused() -> None:
    first, *others = EXAMPLE_ROWS
    cases = [
        ("\n".join(others), "a board has 5 rows of 6 tiles; 4 rows given"),
        ("\n".join([*EXAMPLE_ROWS[:4], "M4 M4"]), "row 5 of the board has 2 tiles, not 6: 'M4 M4'"),
        ("\n".join([f"{first} O8", *others]), "row 1 of the board has 7 tiles, not 6"),
    ]
    check_refused(tokens.parse_board, cases)


def test_a_board_is_written_as_rows_of_six_tokens() -> None:
    board = tokens.parse_board("\n".join(EXAMPLE_ROWS))
    assert tokens.format_rows(board) == [" ".join(sorted_meeples(row)) for row in EXAMPLE_ROWS]
    assert tokens.format_board(board) == "\n".join(tokens.format_rows(board))


def sorted_meeples(row: str) -> list[str]:
    return [str(tokens.parse_tile(token)) for token in row.split()]


def test_a_sowing_for_json() -> None:
    assert tokens.sowing_document(parse_sowing("c3>c4g>d4b>d5y")) == {
        "from": "c3",
        "path": ["c4", "d4", "d5"],
        "drops": "gby",
    }
    assert str(parse_sowing("c3>c4g>d4b")) == "c3>c4g>d4b"


def test_whole_numbers_as_they_are_typed() -> None:
    assert [tokens.whole_number(text) for text in ("0", " 007 ", "0" * 5000 + "12", "9" * tokens.MAX_DIGITS)] == [
        0,
        7,
        12,
        999999999,
    ]
    assert all((tokens.whole_number("9" * digits) or 0) >= 10**tokens.MAX_DIGITS for digits in (10, 5000))
    assert {tokens.whole_number(text) for text in ("", "-1", "1.5", "+3", "1 2", "\u0663", "\u00b2", "x")} == {None}


def test_short_forms_and_local_letters(subtests: pytest.Subtests) -> None:
    for typed, meant in [
        ("O8:ggw", "O8:wgg"),
        ("o8GGW", "O8:wgg"),
        ("8ggw", "O8:wgg"),
        ("5", "V5"),
        ("v", "V5"),
        ("o", "O8"),
        ("4ybr", "M4:ybr"),
        ("12", "S12"),
        ("V5w@P#", "V5:w@P#1"),
        ("v5@pink^2#1", "V5@P^2#1"),
        ("v5@розовый", "V5@P"),
        ("v5@чорний#", "V5@K#1"),
        ("v5@파란색", "V5@B"),
        ("v5@arancione", "V5@O"),
        ("S6ЖбЗсК", "S6:ywbgr"),
        ("S6чж", "S6:yr"),
        ("S6노흰초파빨", "S6:ywbgr"),
        ("S6нож", None),
        ("S6노", "S6:y"),
    ]:
        with subtests.test(typed=typed):
            if meant is None:
                with pytest.raises(NotationError):
                    parse_typed_tile(typed)
            else:
                assert str(parse_typed_tile(typed).tile) == meant


def test_look_alikes_that_can_mean_one_thing_are_read_and_said(subtests: pytest.Subtests) -> None:
    for typed, meant, said in [
        ("О8", "O8", "Cyrillic О read as O"),
        ("М6ж", "M6:y", "Cyrillic М read as M"),
        ("V5@К", "V5@K", "Cyrillic К"),
    ]:
        with subtests.test(typed=typed):
            result = parse_typed_tile(typed)
            assert str(result.tile) == meant
            assert any(said in note for note in result.notes)


def test_what_could_mean_two_things_is_refused() -> None:
    cases = [
        ("S6в", "the Cyrillic letter В looks like b (blue): type b, or С"),
        ("S6р", "the Cyrillic letter Р looks like P"),
        ("S6у", "the Cyrillic letter У looks like y (yellow)"),
        ("S6ом", "the Cyrillic letter О is not a meeple; is there a space missing"),
        ("S6О8", "'S6О8' is not a tile: type its letter and value"),
        ("6", "6 may be M6 or S6; type letter and value"),
        ("S", "S may be S6 or S10 or S12 or S15; type letter and value"),
        ("M10", "'M10': no tile M10; the tiles are O8"),
        ("V5x", "'V5x': no meeple X; y vizier"),
        ("V5@Q", "'V5@Q': no camel Q; K black"),
        ("V5@", "no camel letter after @"),
        ("^2", "'^2' is not a tile"),
        ("٣", "'٣' (٣ is 3 in another script): no tile ٣"),
    ]
    check_refused(parse_typed_tile, cases)


@settings(max_examples=10)
@given(boards())
def test_every_token_of_the_notation_is_understood(board: Board) -> None:
    for tile in board:
        assert parse_typed_tile(str(tile)).tile == tile


def test_squares_by_name_and_by_cyrillic_twins() -> None:
    assert [typed_square(name.upper()) for name in SQUARE_NAMES] == [(square, ()) for square in range(30)]
    assert typed_square("с3") == (14, ("'с3': Cyrillic с read as c",))
    assert typed_square("g1") is typed_square("O8") is typed_square("б1") is typed_square("") is None
