"""A photo's reading in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.notation.tokens import format_tile
from companion.rules.board import SQUARE_NAMES

if TYPE_CHECKING:
    from companion.vision.reading import Reading


def doubt_lines(reading: Reading) -> Iterator[str]:
    """A line that sums the reading up, then one for each doubtful tile, least sure first."""
    if reading.code is not None:
        yield "Read from the position code in the picture."
        return
    doubtful = sorted(reading.doubtful, key=lambda square: reading.tiles[square].confidence)
    if not doubtful:
        yield "All 30 tiles read clearly."
        return
    yield f"{len(doubtful)} of 30 tiles are doubtful, please compare:"
    for square in doubtful:
        tile = reading.tiles[square]
        why = "; ".join(tile.doubts) or "read with little confidence"
        yield f"  {SQUARE_NAMES[square]} {format_tile(tile.tile)} ({tile.confidence:.0%}): {why}"
