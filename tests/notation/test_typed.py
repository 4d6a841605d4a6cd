from __future__ import annotations

import pytest
from hypothesis import given

from companion.errors import NotationError
from companion.notation.typed import parse_typed_tile, typed_square
from companion.rules.model.board import SQUARE_NAMES, Board
from tests.notation.refusals import check_refused
from tests.strategies import boards


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


@given(boards())
def test_every_token_of_the_notation_is_understood(board: Board) -> None:
    for tile in board:
        assert parse_typed_tile(str(tile)).tile == tile


def test_squares_by_name_and_by_cyrillic_twins() -> None:
    assert [typed_square(name.upper()) for name in SQUARE_NAMES] == [(square, ()) for square in range(30)]
    assert typed_square("с3") == (14, ("'с3': Cyrillic с read as c",))
    assert typed_square("g1") is typed_square("O8") is typed_square("б1") is typed_square("") is None
