"""What photos of a table told, as it is shown and corrected tile by tile: pictures and readings, without a pixel array.

`seeing.py` makes it, in whatever process that is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.language.phrase import Phrase, say
from companion.notation.tokens import parse_tile
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile, parse_square
from companion.rules.model.position import Position
from companion.table.questions import PhotoQuestion, answered, questions

if TYPE_CHECKING:
    from companion.vision.board.reading import Reading
    from companion.vision.reading.table import Homography, TableReading

AROUND_THE_BOARD = 1 / 12
"""So much of the board's width and height is left around it where a photo is cut: half a tile."""


def photo_name(number: int, photos: int) -> Phrase:
    """What messages call a photo, by its number from 0."""
    return say("the photo") if photos == 1 else say("photo {number}", number=number + 1)


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What photos told, with what to look at; `table` has what was told of it since.

    `view` is the photo of the board as JPEG, `size` its width and height in px, and the homography of the reading is
    that of this picture; there is none where a code alone told the board, or where it is a game's and photos show cards
    alone. `crops` are pictures as JPEG by name: "c3",
    "row-2", "djinn-1". `read` is the reading before anything was told, and `told` the squares and labels of what was.
    """

    table: TableReading
    read: Reading
    view: bytes | None = None
    size: tuple[int, int] = (0, 0)
    crops: Mapping[str, bytes] = field(default_factory=dict)
    told: frozenset[str] = frozenset()

    @property
    def position(self) -> Position:
        """The position as it was read and corrected."""
        return self.table.reading.position

    @property
    def shows_board(self) -> bool:
        """Whether photos told what lies on the board, by itself or by a code."""
        return self.view is not None or self.table.reading.code is not None

    @property
    def board_box(self) -> tuple[int, int, int, int]:
        """The part of the view in which the board lies, with some of the table around it: left, top, right, bottom.

        In px of the view, which has to have a homography.
        """
        homography = self.table.reading.homography
        assert homography is not None, "what shows a board knows where it lies"
        corners = [_projected(homography, column, row) for column in (0, COLUMNS) for row in (0, ROWS)]
        (left, right), (top, bottom) = ((min(one), max(one)) for one in zip(*corners, strict=True))
        across, down = AROUND_THE_BOARD * (right - left), AROUND_THE_BOARD * (bottom - top)
        width, height = self.size
        return (
            max(0, int(left - across)),
            max(0, int(top - down)),
            min(width, ceil(right + across)),
            min(height, ceil(bottom + down)),
        )

    def on_board(self, game: Board) -> SeenTable:
        """The same with a game's board as it is now, where photos told none."""
        if self.shows_board:
            return self
        return replace(self, table=replace(self.table, reading=self.table.reading.laid_on(game)))

    @property
    def told_tiles(self) -> dict[int, Tile]:
        """The tiles that were told, by square."""
        board = self.position.board
        return {square: board[square] for square, name in enumerate(SQUARE_NAMES) if name in self.told}

    @property
    def open_squares(self) -> tuple[int, ...]:
        """The doubtful squares that nobody told yet, first where most is at stake."""
        return tuple(square for square in self.table.reading.doubtful if SQUARE_NAMES[square] not in self.told)

    @property
    def untold_squares(self) -> tuple[int, ...]:
        """All squares that nobody told, from a1 on."""
        return tuple(square for square, name in enumerate(SQUARE_NAMES) if name not in self.told)

    @property
    def open_questions(self) -> tuple[PhotoQuestion, ...]:
        """What was not read for sure besides tiles, and nobody told yet."""
        return tuple(question for question in questions(self.table) if question.label not in self.told)

    def with_tile(self, square: int, tile: Tile) -> SeenTable:
        """The same with a tile as a person says it is, and the others as the box then allows."""
        from companion.vision.board.decision import decided_anew

        reading = decided_anew(self.table.reading, square, tile)
        return replace(self, table=replace(self.table, reading=reading), told=self.told | {SQUARE_NAMES[square]})

    def with_answer(self, label: str, answer: str) -> SeenTable:
        """The same with an answer to one of the questions. Raises as `questions.answered`."""
        return replace(self, table=answered(self.table, label, answer), told=self.told | {label})

    def told_again(self, answers: Sequence[tuple[str, str]]) -> SeenTable:
        """The same with what was told before: squares or labels and what they are; what no longer fits is left out."""
        seen = self
        for label, answer in answers:
            try:
                if label in SQUARE_NAMES:
                    seen = seen.with_tile(parse_square(label), parse_tile(answer))
                else:
                    seen = seen.with_answer(label, answer)
            except CompanionError:
                continue
        return seen


def _projected(homography: Homography, column: float, row: float) -> tuple[float, float]:
    """A point of the board, in tile sides from a1's corner, in px of the photo."""
    x, y, scale = (one * column + other * row + shift for one, other, shift in homography)
    return x / scale, y / scale


def cut_homography(homography: Homography, left: int, top: int) -> Homography:
    """The same homography for a photo of which so many px are cut off on its left side and at its top."""
    (a, b, c), (d, e, f), (g, h, i) = homography
    return (a - left * g, b - left * h, c - left * i), (d - top * g, e - top * h, f - top * i), (g, h, i)
