"""A reading as the JSON that `companion read` prints (docs/json.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.notation.tokens import format_rows, format_tile
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import FAKIR, GOODS
from companion.rules.model.position import Player
from companion.vision.board.reading import Reading
from companion.vision.reading.cards import is_sure
from companion.vision.reading.table import TableReading

if TYPE_CHECKING:
    from companion.vision.cards.detection import CardDetection


def table_document(table: TableReading) -> dict[str, object]:
    """What the photos told as plain values; further keys stand only where there is something to say."""
    more: dict[str, object] = {}
    if table.row:
        more["cards"] = _cards(table.row)
    if table.goods:
        more["players"] = {
            colour.value: _holdings(table.reading.position.player(colour)) | {"cards": _cards(cards)}
            for colour, cards in table.goods.items()
        }
    if table.reading.notes:
        more["notes"] = list(table.reading.notes)
    return reading_document(table.reading) | more


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


def _cards(cards: Sequence[CardDetection]) -> list[dict[str, object]]:
    return [
        {"card": card.card, "confidence": round(card.confidence, 4), "other": card.other, "doubtful": not is_sure(card)}
        for card in cards
    ]


def _holdings(player: Player) -> dict[str, object]:
    """Goods and fakirs as a position file has them."""
    counts = dict(zip(GOODS, player.goods or (0,) * len(GOODS), strict=True))
    return {FAKIR + "s": player.fakirs, "goods": {good: count for good, count in counts.items() if count}}
