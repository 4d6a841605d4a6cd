"""A likelihood that knows what lies on the table, with as much noise as is wanted: no photo has to be read for it."""

from __future__ import annotations

from random import Random

from companion.rules.model.board import Board, Tile
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState

A_PIECE_NATS = 11.0
"""What speaks against a piece too many or too few, as on clear photos."""


class Knowing:
    """What a photo of a board would say; on the squares of `misread` it takes another tile for the true one."""

    def __init__(self, board: Board, misread: dict[int, Tile] | None = None) -> None:
        self.board, self.misread = board, misread or {}

    def __call__(self, square: int, tile: Tile) -> float:
        return -A_PIECE_NATS * pieces_apart(self.misread.get(square, self.board[square]), tile)

    def best(self, square: int) -> float:
        return 0.0


class Unclear(Knowing):
    """The same where every piece is worth less, by so many nats."""

    def __init__(self, board: Board, a_piece: float) -> None:
        super().__init__(board)
        self.a_piece = a_piece

    def __call__(self, square: int, tile: Tile) -> float:
        return super().__call__(square, tile) * self.a_piece / A_PIECE_NATS


def pieces_apart(one: Tile, other: Tile) -> int:
    """By how many pieces two tiles differ."""
    apart = sum(abs(a - b) for a, b in zip(one.meeples, other.meeples, strict=True))
    return apart + (one.camel is not other.camel) + abs(one.palms - other.palms) + abs(one.palaces - other.palaces)


def one_meeple_off(tile: Tile, random: Random) -> Tile:
    """The tile with a meeple more of some tribe."""
    tribe = random.choice(list(Tribe))
    meeples = tuple(number + (one is tribe) for one, number in zip(Tribe, tile.meeples, strict=True))
    return Tile(tile.kind, meeples, tile.camel, tile.palms, tile.palaces)


def board_of(state: GameState) -> Board:
    """The board of a state."""
    return state.position.board
