"""A photo read with the board of its game: the game's tiles, whichever way round it was taken; or no board at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import PhotoError
from companion.lab.rendering.card_art import draw_card
from companion.notation.files import parse_position
from companion.notation.tokens import format_board
from companion.programs import find_tesseract
from companion.rules.model.board import SQUARES, Board
from companion.table.comparing import board_to_compare
from companion.table.photos import SeenTable
from companion.table.seeing import see_photos
from tests.vision.cards.tables import Camera, deal, djinn_photo, lines_of, photograph

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
EVENING = parse_position((SAMPLES / "evening.toml").read_text(encoding="utf-8")).board

pytestmark = pytest.mark.slow


def seen_with(board: Board) -> SeenTable:
    return see_photos([str(SAMPLES / "evening.jpg")], False, format_board(board), lambda share, stage: None)


def test_the_tiles_are_those_of_the_game_the_way_the_game_has_them() -> None:
    board = EVENING[::-1]
    seen = seen_with(board)
    assert [tile.kind for tile in seen.position.board] == [tile.kind for tile in board]
    assert sum(tile == known for tile, known in zip(seen.position.board, board, strict=True)) >= SQUARES - 4
    assert len(seen.crops) >= SQUARES


def test_other_tiles_than_the_games_are_read_as_they_lie() -> None:
    other = EVENING[7:] + EVENING[:7]
    seen = seen_with(other)
    assert board_to_compare(seen, other) is None
    boards = (EVENING, EVENING[::-1])
    assert max(sum(a.kind is b.kind for a, b in zip(seen.position.board, one, strict=True)) for one in boards) >= 28


def photo_of_a_row(folder: Path) -> tuple[Path, list[str]]:
    """A photo of a row of nine resource cards and nothing else, and the cards from left to right."""
    rng = np.random.default_rng(4)
    names = deal(rng, 9)
    photo = photograph(
        lines_of([names], rng=rng), lambda card: draw_card(card.name or "", rng), rng, Camera(0, 10, 900)
    )
    path = folder / "row.jpg"
    cv2.imwrite(str(path), photo)
    return path, list(names)


def test_a_photo_of_the_row_alone_leaves_the_board_as_it_is(tmp_path: Path) -> None:
    """rules 2.6"""
    path, names = photo_of_a_row(tmp_path)
    seen = see_photos([str(path)], False, format_board(EVENING), lambda share, stage: None)
    assert seen.position.board == EVENING and not seen.shows_board and seen.view is None
    assert seen.position.row == tuple(names)


def test_a_phone_is_told_of_a_photo_without_a_board_in_words_without_commands(tmp_path: Path) -> None:
    path, _ = photo_of_a_row(tmp_path)
    with pytest.raises(PhotoError) as caught:
        see_photos([str(path)], False, "", lambda share, stage: None)
    assert str(caught.value) == "the photo shows cards, but no photo shows the board: add one of all 30 tiles"


def test_a_photo_of_the_djinns_alone_leaves_the_board_as_it_is(tmp_path: Path) -> None:
    """rules 2.7"""
    if find_tesseract() is None:
        pytest.skip("needs Tesseract")
    photo, djinns = djinn_photo("en", np.random.default_rng([0, 1, *b"en"]))
    path = tmp_path / "djinns.jpg"
    cv2.imwrite(str(path), photo)
    seen = see_photos([str(path)], False, format_board(EVENING), lambda share, stage: None)
    assert seen.position.board == EVENING and seen.position.djinns == tuple(djinns) and seen.position.row is None
