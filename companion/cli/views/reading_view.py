"""A photo's reading: in words, and as the JSON that `companion read` prints (docs/json.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.notation.tokens import format_rows, format_tile
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import FAKIR, GOODS

if TYPE_CHECKING:
    from companion.rules.model.position import Player
    from companion.vision.board.reading import Reading
    from companion.vision.cards.detection import CardDetection
    from companion.vision.reading.table import TableReading


def print_reading(table: TableReading) -> None:
    """Print the board with its doubtful tiles marked, the cards, and what is to be looked at again."""
    from companion.cli.output import console
    from companion.cli.views.board_view import BoardView

    lines = (*card_lines(table), *doubt_lines(table.reading), *card_doubts(table))
    screen = console()
    screen.print(BoardView(table.reading.position.board, table.reading.doubtful))
    for line in lines:
        screen.print(line, markup=False)


def doubt_lines(reading: Reading) -> Iterator[str]:
    """What is to be known of the whole, a line that sums the reading up, then each doubtful tile, least sure first."""
    yield from reading.notes
    if reading.code is not None:
        yield "Read from the position code in the picture."
        return
    doubtful = by_doubt(reading)
    if not doubtful:
        yield "All 30 tiles read clearly."
        return
    yield f"{len(doubtful)} of 30 tiles {'is' if len(doubtful) == 1 else 'are'} doubtful, please compare:"
    for square in doubtful:
        tile = reading.tiles[square]
        why = why_doubtful(reading, square)
        yield f"  {SQUARE_NAMES[square]} {format_tile(tile.tile)} ({tile.confidence:.0%}): {why}"


def by_doubt(reading: Reading) -> list[int]:
    """The doubtful squares, least sure first."""
    return sorted(reading.doubtful, key=lambda square: reading.tiles[square].confidence)


def why_doubtful(reading: Reading, square: int) -> str:
    """Why a tile is doubtful, in a few words."""
    return "; ".join(reading.tiles[square].doubts) or "read with little confidence"


def card_lines(table: TableReading) -> Iterator[str]:
    """The row, the face-up djinns and players' goods, as far as they were read; doubtful cards have a "?"."""
    position = table.reading.position
    if table.row:
        yield "Row: " + _named(table.row)
    elif position.row is not None:
        yield "Row: " + ", ".join(position.row)
    if position.djinns is not None:
        yield "Djinns: " + ", ".join(position.djinns)
    for colour, cards in table.goods.items():
        yield f"{colour.capitalize()} has: {_named(cards)}"


def _named(cards: Sequence[CardDetection]) -> str:
    from companion.vision.reading.cards import best_name, is_sure

    return ", ".join((best_name(card) or "a card") + ("" if is_sure(card) else "?") for card in cards)


def card_doubts(table: TableReading) -> Iterator[str]:
    """A line for each card that somebody should look at again."""
    from companion.vision.reading.cards import best_name, is_sure

    places = [("the row", table.row), *((f"{colour}'s", cards) for colour, cards in table.goods.items())]
    for where, cards in places:
        for number, card in enumerate(cards, 1):
            if not is_sure(card):
                other = f", perhaps {card.other}" if card.card is not None and card.other is not None else ""
                yield f"  card {number} of {where}: {best_name(card) or 'not told'} ({card.confidence:.0%}){other}"


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
    from companion.vision.reading.cards import is_sure

    return [
        {"card": card.card, "confidence": round(card.confidence, 4), "other": card.other, "doubtful": not is_sure(card)}
        for card in cards
    ]


def _holdings(player: Player) -> dict[str, object]:
    """Goods and fakirs as a position file has them."""
    counts = dict(zip(GOODS, player.goods or (0,) * len(GOODS), strict=True))
    return {FAKIR + "s": player.fakirs, "goods": {good: count for good, count in counts.items() if count}}
