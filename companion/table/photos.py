"""What photos show of a table, or of one player's things, to be checked and corrected; it holds no pixel arrays.

`seeing.py` makes it, in whatever process that is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, ceil, pi
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.language.phrase import Phrase, say
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Colour
from companion.rules.model.position import Player, Position

if TYPE_CHECKING:
    from companion.vision.board.reading import Reading
    from companion.vision.reading.doubts import Doubt
    from companion.vision.reading.table import Homography, TableReading, UnclearTitle

AROUND_THE_BOARD = 1 / 12
"""So much of the board's width and height is left around it where a photo is cut: half a tile."""


def photo_name(number: int, photos: int) -> Phrase:
    """What messages call a photo, by its number from 0."""
    return say("the photo") if photos == 1 else say("photo {number}", number=number + 1)


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What photos show, with what to check; `table` has the corrections made since.

    `view` is the photo of the board as JPEG, cut to the board, which lies as boards are drawn, `size` its width and
    height in px, and the homography of the reading is that of this picture; there is none where the board comes from a
    code alone, or where it is a game's and photos show cards alone. `crops` are pictures as JPEG by the labels of
    doubts: "c3", "row-2", "djinn-1". `read` is the reading before any correction, `corrected` the labels of what was
    corrected or confirmed.
    """

    table: TableReading
    read: Reading
    view: bytes | None = None
    size: tuple[int, int] = (0, 0)
    crops: Mapping[str, bytes] = field(default_factory=dict)
    corrected: frozenset[str] = frozenset()

    @property
    def position(self) -> Position:
        """The position as it was read and corrected."""
        return self.table.reading.position

    @property
    def shows_board(self) -> bool:
        """Whether photos show the board, or a code of it."""
        return self.view is not None or self.table.reading.code is not None

    def on_board(self, game: Board) -> SeenTable:
        """The same with a game's board as it is now, where photos show none."""
        if self.shows_board:
            return self
        return replace(self, table=replace(self.table, reading=self.table.reading.laid_on(game)))

    @property
    def corrected_tiles(self) -> dict[int, Tile]:
        """The tiles that were corrected or confirmed, by square."""
        board = self.position.board
        return {square: board[square] for square, name in enumerate(SQUARE_NAMES) if name in self.corrected}

    @property
    def open_squares(self) -> tuple[int, ...]:
        """The doubtful squares that nobody has looked at yet, first where most is at stake."""
        return tuple(square for square in self.table.reading.doubtful if SQUARE_NAMES[square] not in self.corrected)

    @property
    def open_doubts(self) -> tuple[Doubt, ...]:
        """What was not read for sure besides tiles, and nobody has looked at yet."""
        from companion.vision.reading.doubts import doubts

        return tuple(doubt for doubt in doubts(self.table) if doubt.tile is None and doubt.label not in self.corrected)

    def with_answer(self, label: str, answer: str) -> SeenTable:
        """The same with an answer to a doubt, or with a tile by its square's name, and others as the box then allows.

        Raises as `doubts.correct`.
        """
        from companion.vision.reading.doubts import correct

        return replace(self, table=correct(self.table, label, answer), corrected=self.corrected | {label})

    def with_answers(self, answers: Sequence[tuple[str, str]]) -> SeenTable:
        """The same with answers given before, by their labels; those that no longer fit are left out."""
        seen = self
        for label, answer in answers:
            try:
                seen = seen.with_answer(label, answer)
            except CompanionError:
                continue
        return seen


def board_box(homography: Homography, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of a photo of that size in which the board lies, with some of the table around it.

    Left, top, right and bottom in px. What lies further off may be somebody's own (rules 12.2).
    """
    corners = [_projected(homography, column, row) for column in (0, COLUMNS) for row in (0, ROWS)]
    (left, right), (top, bottom) = ((min(ends), max(ends)) for ends in zip(*corners, strict=True))
    across, down = AROUND_THE_BOARD * (right - left), AROUND_THE_BOARD * (bottom - top)
    width, height = size
    return (
        max(0, int(left - across)),
        max(0, int(top - down)),
        min(width, ceil(right + across)),
        min(height, ceil(bottom + down)),
    )


def _projected(homography: Homography, column: float, row: float) -> tuple[float, float]:
    """A point of the board, in tile sides from a1's corner, in px of the photo."""
    x, y, scale = (one * column + other * row + shift for one, other, shift in homography)
    return x / scale, y / scale


def cut_homography(homography: Homography, left: int, top: int) -> Homography:
    """The same homography for a photo of which so many px are cut off on its left side and at its top."""
    (a, b, c), (d, e, f), (g, h, i) = homography
    return (a - left * g, b - left * h, c - left * i), (d - top * g, e - top * h, f - top * i), (g, h, i)


def upright(homography: Homography, size: tuple[int, int]) -> tuple[int, Homography]:
    """How a photo of that size is turned so that its board lies as boards are drawn, a1 in the upper left corner.

    That is how many quarters of a turn counter-clockwise, and the homography of the photo turned so.
    """
    across, down, last = homography
    (x1, y1), (x2, y2) = (_projected(homography, column, ROWS / 2) for column in (0, COLUMNS))
    quarters = round(atan2(y2 - y1, x2 - x1) / (pi / 2)) % 4
    for quarter in range(quarters):
        # A quarter counter-clockwise takes (x, y) to (y, width - x).
        width = size[quarter % 2]
        a, b, c = (width * one - other for one, other in zip(last, across, strict=True))
        across, down = down, (a, b, c)
    return quarters, (across, down, last)


@dataclass(frozen=True, slots=True)
class HandMark:
    """A card or title found in a photo: its outline in px of the photo as it is shown, and whether it was sure."""

    outline: tuple[tuple[float, float], ...]
    is_sure: bool


@dataclass(frozen=True, slots=True)
class HandPhoto:
    """A photo of a hand as it is shown: JPEG, its width and height in px, and what was found in it."""

    content: bytes
    size: tuple[int, int]
    marks: tuple[HandMark, ...]


@dataclass(frozen=True, slots=True)
class SeenHand:
    """What photos of one player's things show, with what to check, and the corrections made since.

    `table` has the cards of that player alone, `djinns` those whose titles were read, `titles` the others.
    `crops` are pictures as JPEG by the labels of doubts. `untold` says why no titles were read.
    """

    colour: Colour
    table: TableReading
    djinns: tuple[str, ...] = ()
    titles: tuple[UnclearTitle, ...] = ()
    photos: tuple[HandPhoto, ...] = ()
    crops: Mapping[str, bytes] = field(default_factory=dict)
    untold: Phrase | None = None

    @property
    def has_cards(self) -> bool:
        """Whether resource cards were found, so that all that the player holds are known."""
        return bool(self.table.goods)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is still in doubt: cards, then titles."""
        from companion.vision.reading.doubts import card_doubts, title_doubt

        return (*card_doubts(self.table), *map(title_doubt, self.titles))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what to look at again."""
        return self.table.reading.notes

    def with_answer(self, label: str, answer: str) -> SeenHand:
        """The same with an answer to a doubt. Raises as `doubts.correct`."""
        from companion.vision.reading.doubts import correct, parse_title

        left = tuple(title for title in self.titles if title.label != label)
        if left == self.titles:
            return replace(self, table=correct(self.table, label, answer))
        djinn = parse_title(answer)
        djinns = self.djinns if djinn is None else tuple(dict.fromkeys((*self.djinns, djinn)))
        return replace(self, djinns=djinns, titles=left)

    def player(self, before: Player) -> Player:
        """The player as the photos show him; what they do not show is as `before`, and djinns only become more."""
        seen = self.table.reading.position.player(self.colour)
        after = before
        if self.has_cards:
            after = replace(after, goods=seen.goods, fakirs=seen.fakirs)
        if self.djinns:
            after = replace(after, djinns=tuple(dict.fromkeys((*(before.djinns or ()), *self.djinns))))
        return after
