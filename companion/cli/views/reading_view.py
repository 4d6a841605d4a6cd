"""A photo's reading: in words, and as the JSON that `companion read` prints (docs/json.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from companion.language.phrase import capitalised, joined, named, say, term
from companion.notation.tokens import format_rows
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import FAKIR, GOODS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

    from companion.rules.model.position import Player
    from companion.vision.load import Picture
    from companion.vision.readings import CardDetection, Reading

_PICTURE_LINES = 20
"""Height of a picture in characters: a square one is twice as many wide."""

UPPER_HALF = "▀"


def print_reading(reading: Reading) -> None:
    """Print the board with its doubtful tiles marked, the cards, and what is to be looked at again."""
    from companion.cli.locale import translate
    from companion.cli.output import broken, console
    from companion.cli.views.board_view import BoardView

    lines = (*card_lines(reading), *doubt_lines(reading))
    screen = console()
    screen.print(BoardView(reading.position.board, reading.doubtful))
    for line in lines:
        screen.print(broken(translate(line), screen.width, "  "))
    if reading.outcome is not None:
        from companion.cli.views.score_table import print_outcome

        screen.print()
        print_outcome(reading.outcome)


def doubt_lines(reading: Reading) -> Iterator[str]:
    """What is to be known of the whole, a line that sums the tiles up, then each doubt."""
    from companion.vision.reading.doubts import tile_lines

    yield from reading.notes
    yield from tile_lines(reading)
    yield from card_doubt_lines(reading)


def card_doubt_lines(reading: Reading) -> Iterator[str]:
    from companion.vision.reading.doubts import card_doubts

    yield from (joined("", ("  ", doubt.line)) for doubt in card_doubts(reading))


def card_lines(reading: Reading) -> Iterator[str]:
    """The row, the face-up djinns and players' goods, as far as they were read; doubtful cards have a "?"."""
    position = reading.position
    if reading.row or position.row is not None:
        yield say(
            "Row: {cards}", cards=_named(reading.row) if reading.row else joined(", ", map(named, position.row or ()))
        )
    if position.djinns is not None:
        yield say("Djinns: {djinns}", djinns=joined(", ", position.djinns))
    for colour, cards in reading.goods.items():
        yield say("{player} has: {cards}", player=capitalised(term(colour)), cards=_named(cards))


def _named(cards: Sequence[CardDetection]) -> str:
    from companion.vision.reading.cards import best_name, is_sure, without_none

    names = [
        (say("a card") if (name := best_name(card)) is None else term(name)) + ("" if is_sure(card) else "?")
        for card in without_none(cards)
    ]
    return joined(", ", names)


def reading_document(reading: Reading) -> dict[str, object]:
    """What the photos told as plain values; the last four keys stand only where there is something to say."""
    position = reading.position
    document: dict[str, object] = {
        "rows": format_rows(position.board),
        "tiles": {
            name: {"token": str(tile.tile), "confidence": tile.confidence, "doubts": list(tile.doubts)}
            for name, tile in zip(SQUARE_NAMES, reading.tiles, strict=True)
        },
        "row": None if position.row is None else list(position.row),
        "djinns": None if position.djinns is None else list(position.djinns),
        "turned": reading.turned,
    }
    if reading.row:
        document["cards"] = _cards(reading.row)
    if reading.goods:
        document["players"] = {
            colour.value: _holdings(position.player(colour)) | {"cards": _cards(cards)}
            for colour, cards in reading.goods.items()
        }
    if reading.notes:
        document["notes"] = list(reading.notes)
    if reading.outcome is not None:
        from companion.cli.views.score_table import outcome_document

        document["result"] = outcome_document(reading.outcome)
    return document


def _cards(cards: Sequence[CardDetection]) -> list[dict[str, object]]:
    from companion.vision.reading.cards import is_sure, without_none

    return [
        {"card": card.card, "confidence": round(card.confidence, 4), "other": card.other, "doubtful": not is_sure(card)}
        for card in without_none(cards)
    ]


def _holdings(player: Player) -> dict[str, object]:
    """Goods and fakirs as a position file has them."""
    goods = {good: count for good, count in zip(GOODS, player.goods or (), strict=False) if count}
    return {FAKIR + "s": player.fakirs, "goods": goods}


class TilePicture:
    """A picture (H, W, 3), BGR, to print with rich: shown on a terminal with enough colours, else nothing."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        coloured = console.color_system in ("truecolor", "256") and not console.no_color
        if not (coloured and console.is_terminal) or options.ascii_only:
            return
        columns = round(2 * _PICTURE_LINES * self._picture.shape[1] / self._picture.shape[0])
        yield from picture_lines(self._picture, min(columns, options.max_width - 2))


def picture_lines(picture: Picture, columns: int) -> list[Text]:
    """The lines of text, for rich, that show a picture that many characters wide."""
    import cv2
    from rich.style import Style
    from rich.text import Text

    height = max(2, round(picture.shape[0] * columns / picture.shape[1] / 2) * 2)
    small = cv2.resize(picture, (columns, height), interpolation=cv2.INTER_AREA)
    lines: list[Text] = []
    for upper, lower in zip(small[::2], small[1::2], strict=True):
        line = Text("  ")
        for top, bottom in zip(upper, lower, strict=True):
            line.append(UPPER_HALF, Style(color=_colour(top), bgcolor=_colour(bottom)))
        lines.append(line)
    return lines


def _colour(pixel: Iterable[int]) -> str:
    blue, green, red = map(int, pixel)
    return f"#{red:02x}{green:02x}{blue:02x}"
