"""The second best reading of a tile: the one change to it that is most probable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.rules.board import Tile
from companion.rules.components import COLOUR_BY_LETTER, TRIBE_LETTERS


def with_piece(tile: Tile, kind: str, change: int = 1) -> Tile:
    """The tile with a piece more, or with -1 fewer, of a class of `pieces.PIECE_CLASSES`; none goes below 0.

    A camel takes the place of another; a camel fewer is none.
    """
    if kind in COLOUR_BY_LETTER:
        return replace(tile, camel=COLOUR_BY_LETTER[kind] if change > 0 else None)
    if kind == "palm":
        return replace(tile, palms=max(tile.palms + change, 0))
    if kind == "palace":
        return replace(tile, palaces=max(tile.palaces + change, 0))
    counts = list(tile.meeples)
    index = TRIBE_LETTERS.index(kind)
    counts[index] = max(counts[index] + change, 0)
    return replace(tile, meeples=tuple(counts))


def likeliest_other(tile: Tile, others: Iterable[tuple[float, Tile]]) -> Tile | None:
    """Of the other readings of a tile, with their chances, the likeliest that differs from it; None without any."""
    different = [(chance, other) for chance, other in others if other != tile and chance > 0]
    return max(different, key=lambda pair: pair[0])[1] if different else None
