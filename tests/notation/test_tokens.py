from __future__ import annotations

import pytest
from hypothesis import given

from companion.errors import NotationError
from companion.notation.tokens import format_board, format_rows, format_tile, parse_board, parse_tile
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from tests.notation.examples import EXAMPLE_ROWS
from tests.strategies import boards


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
            assert format_tile(parse_tile(typed)) == written


SHAPE = "is not a tile: expected TILE[:MEEPLES][@CAMEL][^PALMS][#PALACES], such as O8:ggw or V5@K#1"
TILES = "the tiles are O8, M6, M4, V5, S6, S10, S12, S15"


def test_anything_else_is_no_tile(subtests: pytest.Subtests) -> None:
    for token, message in [
        *((token, f"{token!r} {SHAPE}") for token in ("", "O8:gg@", "O8^", "O8#1^1", "O8 :g", "O8:ggw@PP", "O8^1000")),
        ("V٥", f"'V٥' (٥ is 5 in another script) {SHAPE}"),
        ("X9", f"'X9': no tile X9; {TILES}"),
        ("M5", f"'M5': no tile M5; {TILES}"),
        ("O8:q", "'O8:q': no meeple 'q'; y vizier, w elder, b builder, g merchant, r assassin"),
        ("O8@X", "'O8@X': no camel 'X'; K black, O orange, B blue, P pink"),
        ("Q" * 61, f"'{'Q' * 60}…' {SHAPE}"),
    ]:
        with subtests.test(token=token):
            with pytest.raises(NotationError) as refused:
                parse_tile(token)
            assert str(refused.value) == message


@given(boards())
def test_boards_round_trip(board: Board) -> None:
    assert parse_board(format_board(board)) == board


def test_rows_may_be_separated_by_slashes() -> None:
    board = parse_board(" / ".join(EXAMPLE_ROWS))
    assert board == parse_board("\n".join(EXAMPLE_ROWS))
    assert board[3].camel is Colour.PINK


def test_every_wrong_tile_is_named_by_its_square() -> None:
    rows = [*EXAMPLE_ROWS]
    rows[2] = rows[2].replace("M6 ", "M7 ", 1)
    rows[4] = "Q1" + rows[4][4:]
    with pytest.raises(NotationError) as refused:
        parse_board("\n".join(rows))
    assert str(refused.value) == f"c3: 'M7': no tile M7; {TILES}\na5: 'Q1': no tile Q1; {TILES}"


def test_a_board_of_another_shape_is_refused(subtests: pytest.Subtests) -> None:
    for rows, message in [
        (EXAMPLE_ROWS[:4], "a board has 5 rows of 6 tiles; 4 rows given"),
        ([*EXAMPLE_ROWS[:4], "M4 M4"], "row 5 of the board has 2 tiles, not 6: 'M4 M4'"),
        (
            [f"{EXAMPLE_ROWS[0]} O8", *EXAMPLE_ROWS[1:]],
            f"row 1 of the board has 7 tiles, not 6: '{EXAMPLE_ROWS[0]} O8'",
        ),
    ]:
        with subtests.test(rows=rows):
            with pytest.raises(NotationError) as refused:
                parse_board("\n".join(rows))
            assert str(refused.value) == message


def test_a_board_is_written_as_rows_of_six_tokens() -> None:
    board = parse_board("\n".join(EXAMPLE_ROWS))
    assert format_rows(board) == [" ".join(sorted_meeples(row)) for row in EXAMPLE_ROWS]
    assert format_board(board) == "\n".join(format_rows(board))


def sorted_meeples(row: str) -> list[str]:
    return [format_tile(parse_tile(token)) for token in row.split()]
