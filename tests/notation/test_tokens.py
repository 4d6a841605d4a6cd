from __future__ import annotations

import pytest
from hypothesis import given

from companion.errors import NotationError
from companion.notation.tokens import format_board, format_tile, parse_board, parse_tile
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from tests.notation.examples import EXAMPLE_ROWS
from tests.strategies import boards


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("V5", "V5"),
        ("O8:ggw", "O8:wgg"),
        ("s15:BBY@k", "S15:ybb@K"),
        ("O8:w@P^2", "O8:w@P^2"),
        ("V5@O#1", "V5@O#1"),
        ("O8:^0#0", "O8"),
    ],
)
def test_a_token_is_read_in_any_case_and_order_and_written_in_one(typed: str, written: str) -> None:
    assert format_tile(parse_tile(typed)) == written


@pytest.mark.parametrize(
    "token", ["", "X9", "M5", "O8:q", "O8@X", "O8:gg@", "O8^", "O8#1^1", "O8 :g", "V٥", "O8:ggw@PP"]
)
def test_anything_else_is_no_tile(token: str) -> None:
    with pytest.raises(NotationError):
        parse_tile(token)


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
    with pytest.raises(NotationError, match=r"(?s)c3: .*M7.*a5: .*Q1"):
        parse_board("\n".join(rows))


@pytest.mark.parametrize(
    ("rows", "words"),
    [(EXAMPLE_ROWS[:4], "4 row"), ([*EXAMPLE_ROWS[:4], "M4 M4"], "row 5 .* 2 tile")],
)
def test_a_board_of_another_shape_is_refused(rows: list[str], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        parse_board("\n".join(rows))
