from __future__ import annotations

import pytest
from hypothesis import given

from companion.errors import NotationError
from companion.notation.tokens import format_tile
from companion.notation.typed import parse_typed_tile, typed_square
from companion.rules.model.board import SQUARE_NAMES, Board
from tests.strategies import boards


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
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
    ],
)
def test_short_forms_and_local_letters(typed: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(NotationError):
            parse_typed_tile(typed)
    else:
        assert format_tile(parse_typed_tile(typed).tile) == meant


@pytest.mark.parametrize(
    ("typed", "meant", "said"),
    [("О8", "O8", "Cyrillic О read as O"), ("М6ж", "M6:y", "Cyrillic М read as M"), ("V5@К", "V5@K", "Cyrillic К")],
)
def test_look_alikes_that_can_mean_one_thing_are_read_and_said(typed: str, meant: str, said: str) -> None:
    result = parse_typed_tile(typed)
    assert format_tile(result.tile) == meant
    assert any(said in note for note in result.notes)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("S6в", "looks like b"),
        ("S6р", "looks like P"),
        ("S6у", "looks like y"),
        ("S6О8", "not a tile"),
        ("S6ом", "space missing"),
        ("6", "M6 or S6"),
        ("M", "M6 or M4"),
        ("S", "S6 or S10 or S12 or S15"),
        ("M10", "no tile M10"),
        ("V5x", "no meeple X"),
        ("V5@Q", "no camel Q"),
        ("V5@", "no camel"),
        ("", "not a tile"),
        ("^2", "not a tile"),
        ("٣", "no tile"),
    ],
)
def test_what_could_mean_two_things_is_refused(typed: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        parse_typed_tile(typed)


@given(boards())
def test_every_token_of_the_notation_is_understood(board: Board) -> None:
    for tile in board:
        assert parse_typed_tile(format_tile(tile)).tile == tile


def test_squares_by_name_and_by_cyrillic_twins() -> None:
    assert [typed_square(name.upper()) for name in SQUARE_NAMES] == [(square, ()) for square in range(30)]
    assert typed_square("с3") == (14, ("'с3': Cyrillic с read as c",))
    assert typed_square("g1") is typed_square("O8") is typed_square("б1") is typed_square("") is None
