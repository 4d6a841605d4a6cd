"""What photos of a table told, as it is shown and corrected tile by tile: pictures and readings, without a pixel array.

`seeing.py` makes it, in whatever process that is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.errors import UnusableInputError
from companion.language.phrase import Phrase, say
from companion.notation.names import parse_card, parse_djinn
from companion.rules.model.board import SQUARE_NAMES, Tile, parse_square
from companion.rules.model.position import Position

if TYPE_CHECKING:
    from companion.vision.board.reading import Reading
    from companion.vision.colour.learnt import SeenPiece
    from companion.vision.reading.table import TableReading


@dataclass(frozen=True, slots=True)
class KeptTile:
    """A doubtful tile as the reader learns from it: its picture as PNG, and the pieces seen on it, with colours."""

    picture: bytes
    pieces: tuple[SeenPiece, ...]


@dataclass(frozen=True, slots=True)
class AskedCard:
    """A card or a djinn's title that was not read for sure.

    `label` is what it is called ("row-2", "pink-1", "djinn-1"), `likely` are names that it may have, likeliest first;
    `is_djinn` tells a title from a resource card.
    """

    label: str
    what: Phrase
    likely: tuple[str, ...]
    is_djinn: bool


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What photos told, with what to look at; `table` has what was told of it since.

    `view` is the photo of the board as JPEG, `size` its width and height in px, and the homography of the reading is
    that of this picture; there is none where a code alone told the board. `crops` are pictures as JPEG by name: "c3",
    "row-2", "djinn-1". `kept` are the doubtful tiles to learn from, `photo` tells photos apart. `read` is the reading
    before anything was told, and `told` the squares and labels of what was.
    """

    table: TableReading
    read: Reading
    view: bytes | None = None
    size: tuple[int, int] = (0, 0)
    crops: Mapping[str, bytes] = field(default_factory=dict)
    kept: Mapping[int, KeptTile] = field(default_factory=dict)
    photo: str = ""
    told: frozenset[str] = frozenset()

    @property
    def position(self) -> Position:
        """The position as it was read and corrected."""
        return self.table.reading.position

    @property
    def told_tiles(self) -> dict[int, Tile]:
        """The tiles that were told, by square."""
        board = self.position.board
        return {square: board[square] for square, name in enumerate(SQUARE_NAMES) if name in self.told}

    @property
    def open_squares(self) -> tuple[int, ...]:
        """The doubtful squares that nobody told yet, first where most is at stake."""
        return tuple(square for square in self.read.doubtful if SQUARE_NAMES[square] not in self.told)

    @property
    def open_cards(self) -> tuple[AskedCard, ...]:
        """The cards and titles that were not read for sure and that nobody told yet."""
        return tuple(card for card in _asked(self.table) if card.label not in self.told)

    def with_tile(self, square: int, tile: Tile) -> SeenTable:
        """The same with a tile as a person says it is."""
        reading = self.table.reading.corrected(square, tile)
        return replace(self, table=replace(self.table, reading=reading), told=self.told | {SQUARE_NAMES[square]})

    def with_card(self, label: str, name: str) -> SeenTable:
        """The same with a card or a djinn's title as a person says it is.

        Raises NotationError for a name that there is not, UnusableInputError if no such card is asked for.
        """
        from companion.vision.reading.cards import (
            correct_card,
            correct_title,
            doubtful_cards,
            title_label,
            unclear_titles,
        )

        for card in doubtful_cards(self.table):
            if card.label == label:
                table = correct_card(self.table, card, parse_card(name))
                return replace(self, table=table, told=self.told | {label})
        for number, title in enumerate(unclear_titles(self.table), 1):
            if title_label(number) == label:
                return replace(self, table=correct_title(self.table, title, parse_djinn(name)))
        raise UnusableInputError(say("there is no doubtful card {label} in this photo", label=label))

    def told_again(self, answers: Sequence[tuple[str, str]]) -> SeenTable:
        """The same with what was told before: squares or labels and what they are; what no longer fits is left out."""
        from companion.errors import CompanionError
        from companion.notation.tokens import parse_tile

        seen = self
        for label, answer in answers:
            try:
                if label in SQUARE_NAMES:
                    seen = seen.with_tile(parse_square(label), parse_tile(answer))
                else:
                    seen = seen.with_card(label, answer)
            except CompanionError:
                continue
        return seen


def _asked(table: TableReading) -> list[AskedCard]:
    from companion.language.phrase import term
    from companion.vision.cards.djinn_names import rank_names
    from companion.vision.reading.cards import doubtful_cards, title_label, unclear_titles

    asked = []
    for card in doubtful_cards(table):
        whose = say("the row") if card.holder is None else say("what {holder} has", holder=term(card.holder))
        what = say("card {number} of {whose}", number=card.number + 1, whose=whose)
        asked.append(AskedCard(card.label, what, card.detection.likely[:3], is_djinn=False))
    for number, title in enumerate(unclear_titles(table), 1):
        likely = tuple(name for name, _ in rank_names(title.detection.text)[:3])
        what = say("a djinn's title, read as {text!r}", text=title.detection.text)
        asked.append(AskedCard(title_label(number), what, likely, is_djinn=True))
    return asked
