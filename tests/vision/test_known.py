"""Tiles known from a card's code: found again either way up, doubted where they look otherwise, refused if other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from companion.errors import PhotoError
from companion.notation.tokens import parse_tile
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.position import Position
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import OtherTilesError, check_known, half_turn, is_known_half_turned, known_tiles
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.reading.merge import BOARD_OF_CODE, TILES_FROM_CODE, BoardUnseenError, merge_code, merge_shots
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TileReading
from tests.strategies import boards

SETUP = random_setup(3, 7)


def looks(board: Board, clear: float = 0.93) -> np.ndarray:
    """What the network says (30, 8 kinds, 4 turns) of a board that lies upright."""
    seen = np.full((SQUARES, len(KINDS), 4), (1 - clear) / (4 * len(KINDS) - 1))
    for square, tile in enumerate(board):
        seen[square, KINDS.index(tile.kind), 0] = clear
    return seen


@given(boards())
def test_known_tiles_are_found_again_either_way_up(board: Board) -> None:
    check_known(looks(board), board)
    assert not is_known_half_turned(looks(board), board) and is_known_half_turned(half_turn(looks(board)), board)
    sights = known_tiles(looks(board), board)
    assert [sight.kind for sight in sights] == [tile.kind for tile in board]
    assert all(sight.probability == 1.0 for sight in sights)


def test_a_tile_that_looks_otherwise_is_doubted_and_kept() -> None:
    swapped = list(SETUP.board)
    one = next(square for square in range(1, SQUARES) if swapped[square].kind is not swapped[0].kind)
    swapped[0], swapped[one] = swapped[one], swapped[0]
    sights = known_tiles(looks(tuple(swapped)), SETUP.board)
    assert [square for square, sight in enumerate(sights) if sight.other_probability] == [0, one]
    assert sights[0].kind is SETUP.board[0].kind and sights[0].other is SETUP.board[one].kind


def test_other_tiles_are_refused_of_a_table_or_of_a_cards_drawing() -> None:
    for clear, is_table in ((0.93, True), (0.4, False)):
        with pytest.raises(OtherTilesError, match=r"a different set-up.* and \d+ more differ") as refused:
            check_known(looks(random_setup(3, 8).board, clear), SETUP.board)
        assert refused.value.is_table is is_table


EVIDENCE = BoardEvidence(looks(SETUP.board), (), (), np.eye(3), (), np.zeros(SQUARES))
"""What the photo of a board showed, which no code changes."""


def read(board: Board, doubtful: tuple[int, ...] = ()) -> Reading:
    tiles = tuple(TileReading(tile, 0.5 if square in doubtful else 0.99) for square, tile in enumerate(board))
    return Reading(replace(SETUP, board=board, players=(), row=None, djinns=None), tiles, turned=90)


def test_while_the_board_is_the_codes_all_of_the_code_holds() -> None:
    for doubtful in ((), (3, 4)):
        both, evidence = merge_code(read(SETUP.board, doubtful), EVIDENCE, SETUP)
        assert both.position == SETUP and both.notes == (BOARD_OF_CODE,) and both.doubtful == ()
        assert evidence is None, "the code decides too"


def test_a_doubtful_tile_of_a_setup_is_as_the_code_says() -> None:
    misread = (parse_tile(SETUP.board[0].kind.code + ":yyyyy"), *SETUP.board[1:])
    both, _ = merge_code(read(misread, doubtful=(0,)), EVIDENCE, SETUP)
    assert both.position == SETUP
    assert both.tiles[0].tile == SETUP.board[0] and "taken from the code" in both.tiles[0].doubts[0]


def test_once_pieces_have_moved_only_tiles_and_players_are_taken() -> None:
    moved = (parse_tile(SETUP.board[0].kind.code), *SETUP.board[1:])
    both, evidence = merge_code(read(moved), EVIDENCE, SETUP)
    assert evidence is EVIDENCE
    assert both.position.board == moved and both.position.row is None
    assert [player.colour for player in both.position.players] == list(SETUP.colours)
    assert all(player.gold is None for player in both.position.players)
    assert both.notes == (TILES_FROM_CODE,)


def card_photo(name: str, coded: Position | None, *, cards: tuple[CardDetection, ...] = ()) -> Shot:
    """A photo without a board: of a card with a code, of resource cards, or of both."""
    code = None if coded is None else "FT1-…"
    fault = NoSultanateError("no board found")
    return Shot(name, np.zeros((1, 1, 3), np.uint8), code=code, coded=coded, fault=fault, cards=cards)


FISH = CardDetection("fish", 0.97, None, ((0, 0),) * 4, 0)


def test_photos_of_a_game_need_not_show_its_board() -> None:
    reading, evidence = merge_shots([card_photo("cards.jpg", None, cards=(FISH,))], SETUP.board)
    assert reading.position == Position(SETUP.board) and not reading.doubtful
    assert reading.views == {} and evidence is None
    with pytest.raises(PhotoError, match="no board found"):
        merge_shots([card_photo("nothing.jpg", None)], SETUP.board)


def test_what_is_wrong_with_a_photo_of_the_board_is_told_beside_cards_too() -> None:
    row = card_photo("row.jpg", None, cards=(FISH,))
    cut = replace(row, name="cut.jpg", fault=PhotoError("the board is cut off"))
    with pytest.raises(PhotoError, match=r"^the board is cut off$"):
        merge_shots([cut])
    with pytest.raises(PhotoError, match=r"^cut\.jpg: the board is cut off$"):
        merge_shots([row, cut])
    with pytest.raises(BoardUnseenError, match=r"row\.jpg shows cards, but no photo shows the board"):
        merge_shots([row])


def test_the_code_of_a_game_that_has_gone_on_is_left_out() -> None:
    moved = (parse_tile(SETUP.board[0].kind.code), *SETUP.board[1:])
    with pytest.raises(PhotoError, match="from an earlier point in this game"):
        merge_shots([card_photo("card.jpg", SETUP)], moved)
    reading, _ = merge_shots([card_photo("card.jpg", SETUP), card_photo("row.jpg", None, cards=(FISH,))], moved)
    assert reading.position == Position(moved) and reading.code is None
    assert "card.jpg is from an earlier point in" in reading.notes[0]
    with pytest.raises(PhotoError, match="from another table"):
        merge_shots([card_photo("card.jpg", SETUP)], random_setup(3, 8).board)
    for board in (None, SETUP.board):
        reading, evidence = merge_shots([card_photo("card.jpg", SETUP)], board)
        assert (
            reading.position == SETUP
            and reading.code == "FT1-…"
            and reading.doubtful == ()
            and reading.views == {}
            and evidence is None
        )
