"""A photo read with the board of its game: the game's tiles, whichever way round it was taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.notation.files import parse_position
from companion.notation.tokens import format_board
from companion.rules.model.board import SQUARES, Board
from companion.table.comparing import board_to_compare
from companion.table.photos import SeenTable
from companion.table.seeing import see_photos

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
    # Every tile can be told, and then learnt from.
    assert len(seen.kept) == SQUARES


def test_other_tiles_than_the_games_are_read_as_they_lie() -> None:
    other = EVENING[7:] + EVENING[:7]
    seen = seen_with(other)
    assert board_to_compare(seen, other) is None
    boards = (EVENING, EVENING[::-1])
    assert max(sum(a.kind is b.kind for a, b in zip(seen.position.board, one, strict=True)) for one in boards) >= 28
