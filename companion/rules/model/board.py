"""The sultanate: squares, neighbours, tiles (rules 2.3, docs/notation.md).

A square is an int from 0 to 29, row by row from the top left: a1 is 0, f1 is 5, a2 is 6, f5 is 29.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import NotationError, quoted
from companion.rules.model.components import TILE_KINDS, Colour, TileKind, Tribe, short_repr

COLUMNS = 6
ROWS = 5
SQUARES = COLUMNS * ROWS

SQUARE_NAMES: tuple[str, ...] = tuple(
    f"{'abcdef'[square % COLUMNS]}{square // COLUMNS + 1}" for square in range(SQUARES)
)
"""Names of the squares by number: "a1" for 0."""

_SQUARE_BY_NAME = {name: square for square, name in enumerate(SQUARE_NAMES)}


def parse_square(name: str) -> int:
    """The number of a square by its name.

    >>> parse_square("c3")
    14

    Raises NotationError if there is no such square.
    """
    try:
        return _SQUARE_BY_NAME[name.strip().lower()]
    except KeyError:
        raise NotationError(
            "{name} is not a square; write a column a-f and a row 1-5, such as c3", name=quoted(name)
        ) from None


def _around(square: int, *, diagonal: bool) -> tuple[int, ...]:
    row, column = divmod(square, COLUMNS)
    return tuple(
        other
        for other in range(SQUARES)
        if other != square
        and max(abs(other // COLUMNS - row), abs(other % COLUMNS - column)) == 1
        and (diagonal or other // COLUMNS == row or other % COLUMNS == column)
    )


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(_around(square, diagonal=False) for square in range(SQUARES))
"""Orthogonal neighbours of each square: the steps of a move (rules 4.2)."""

SURROUNDINGS: tuple[tuple[int, ...], ...] = tuple(_around(square, diagonal=True) for square in range(SQUARES))
"""The up to eight squares around each square, diagonals included (rules 5.3, 11.2)."""


def distance(one: int, other: int) -> int:
    """Orthogonal steps between two squares (rules 5.4)."""
    return abs(one // COLUMNS - other // COLUMNS) + abs(one % COLUMNS - other % COLUMNS)


WITHIN: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(s for s in range(SQUARES) if distance(square, s) <= reach) for reach in range(ROWS + COLUMNS - 1))
    for square in range(SQUARES)
)
"""`WITHIN[square][reach]`: the squares at most that many steps away, itself included (rules 5.4)."""

MAX_DISTANCE = ROWS + COLUMNS - 2

NO_MEEPLES: tuple[int, ...] = (0,) * len(Tribe)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile and what is on it: meeples by tribe, and whose camel."""

    kind: TileKind
    meeples: tuple[int, ...] = NO_MEEPLES
    camel: Colour | None = None
    palms: int = 0
    palaces: int = 0

    __repr__ = short_repr

    def __str__(self) -> str:
        """The tile as the notation writes it: "O8:wgg@K^1"."""
        meeples = "".join(tribe.letter * count for tribe, count in zip(Tribe, self.meeples, strict=True))
        camel = "" if self.camel is None else f"@{self.camel.letter}"
        palms, palaces = (f"{sign}{count}" * bool(count) for sign, count in (("^", self.palms), ("#", self.palaces)))
        return f"{self.kind.code}{':' * bool(meeples)}{meeples}{camel}{palms}{palaces}"

    @property
    def is_empty(self) -> bool:
        """Nothing stands on it: no camel, meeple, palm or palace (rules 11, Anun-Nak and Leta)."""
        return not (any(self.meeples) or self.camel or self.palms or self.palaces)


def with_meeples(tile: Tile, meeples: tuple[int, ...]) -> Tile:
    """The tile with these meeples on it, by tribe, in place of its own."""
    return Tile(tile.kind, meeples, tile.camel, tile.palms, tile.palaces)


Board = tuple[Tile, ...]
"""Thirty tiles by square."""


def empty_tile(code: str) -> Tile:
    """A tile of that kind with nothing on it. Raises KeyError for an unknown code."""
    return Tile(TILE_KINDS[code])


def meeples_on(board: Board) -> tuple[int, ...]:
    """Meeples on the whole board, by tribe."""
    return tuple(map(sum, zip(*(tile.meeples for tile in board), strict=True)))


def palms_on(tiles: Iterable[Tile]) -> int:
    return sum(tile.palms for tile in tiles)


def palaces_on(tiles: Iterable[Tile]) -> int:
    return sum(tile.palaces for tile in tiles)


def camels_on(board: Board) -> dict[Colour, int]:
    """Camels on the board, a number for each colour that has one, in the order of `Colour`."""
    camels = [tile.camel for tile in board]
    return {colour: camels.count(colour) for colour in Colour if colour in camels}
