"""A reading as the JSON that `companion read` prints (docs/notation.md)."""

from __future__ import annotations

from companion.notation.tokens import format_rows, format_tile
from companion.rules.board import SQUARE_NAMES
from companion.vision.reading import Reading


def reading_document(reading: Reading) -> dict[str, object]:
    """The reading as plain values; what the photo does not tell is None."""
    position = reading.position
    return {
        "rows": format_rows(position.board),
        "tiles": {
            name: {
                "token": format_tile(tile.tile),
                "confidence": tile.confidence,
                "doubts": list(tile.doubts),
            }
            for name, tile in zip(SQUARE_NAMES, reading.tiles, strict=True)
        },
        "row": None if position.row is None else list(position.row),
        "djinns": None if position.djinns is None else list(position.djinns),
        "turned": reading.turned,
    }
