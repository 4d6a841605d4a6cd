"""What was read from a photo: a tile, a confidence and doubts in words for each square."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.rules.model.board import Tile
from companion.rules.model.position import Position

if TYPE_CHECKING:
    from companion.vision.board.board_evidence import BoardSight

DOUBT_BELOW = 0.93
"""Tiles read with less confidence than this are shown as doubtful."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """A tile as read: `confidence` is the chance (0 to 1) that all of it is right.

    `doubts` say in words what else it may be, likeliest first; empty for a clear tile. `feet` are
    the pieces as (class, x, y) in board coordinates, tile sides from the sultanate's top left;
    `raw_confidence` is the product of the parts' chances, before it was calibrated as a whole;
    `other` is the second best reading of the whole tile, None if there is none.
    """

    tile: Tile
    confidence: float
    doubts: tuple[str, ...] = ()
    feet: tuple[tuple[str, float, float], ...] = ()
    raw_confidence: float = 1.0
    other: Tile | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should look at this tile again."""
        return self.confidence < DOUBT_BELOW or bool(self.doubts)


@dataclass(frozen=True, slots=True)
class Reading:
    """A photo's reading.

    `position` holds the board, and all that a position code in the photo told; `tiles` are the thirty
    readings by square; `turned` is by how many degrees the sultanate is turned clockwise in the
    photo (0 to 359); `homography` maps board coordinates (tile sides) to px of the photo, None when the
    position came from a code; `code` is that code, None where the board was read; `notes` are sentences about
    the whole that a person should know; `sight` is what all was decided from, None without a photo of the board.
    """

    position: Position
    tiles: tuple[TileReading, ...]
    turned: int
    homography: tuple[tuple[float, float, float], ...] | None = None
    code: str | None = None
    notes: tuple[str, ...] = ()
    sight: BoardSight | None = field(default=None, compare=False, repr=False)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Squares that a person should look at again."""
        return tuple(square for square, tile in enumerate(self.tiles) if tile.is_doubtful)

    def told(self, square: int, tile: Tile) -> Reading:
        """The reading with a tile as a person says it is."""
        tiles, board = list(self.tiles), list(self.position.board)
        seen = tiles[square]
        feet = seen.feet if tile == seen.tile else ()
        tiles[square] = replace(seen, tile=tile, confidence=1.0, doubts=(), feet=feet, other=None)
        board[square] = tile
        return replace(self, position=self.position.with_board(tuple(board)), tiles=tuple(tiles))
