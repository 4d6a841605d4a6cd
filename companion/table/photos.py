"""What photos show of a table, or of one player's things, to be checked and corrected; it holds no arrays.

`photo_reading.py` makes it, and takes answers, in whatever process that is done.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import atan2, ceil, pi
from pathlib import Path

from companion.errors import UnusableInputError, system_reason
from companion.language.phrase import Phrase, say
from companion.resources import data_folder
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Colour
from companion.rules.model.position import Player, Position
from companion.vision.readings import Doubt, Homography, Reading, certain_tiles

AROUND_THE_BOARD = 1 / 12
"""How much of the board's width and height is left around it where a photo is cut: half a tile."""


ABOUT = "about.json"
"""What a folder of kept photos says of them: the `game` that they were sent for, and the one that has `accepted` them.
"""


def photos_folder() -> Path:
    """The folder that photos of phones are kept in, for their owner alone."""
    return data_folder() / "table" / "photos"


def forget_photos(folder: Path, games: Collection[str | None]) -> list[str]:
    """Delete the photos of games, None being those of none yet; their keys. Raises UnusableInputError."""
    gone = []
    for place in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError, ValueError, KeyError, TypeError):
            about = json.loads((place / ABOUT).read_text(encoding="utf-8"))
            if (about["accepted"] or about["game"]) in games:
                gone.append(place)
    for place in gone:
        try:
            shutil.rmtree(place)
        except OSError as error:
            raise UnusableInputError(
                "cannot remove {path}: {reason}", path=place, reason=system_reason(error)
            ) from None
    return [place.name for place in gone]


def photo_name(number: int, photos: int) -> Phrase:
    """What messages call a photo, by its number from 0."""
    return say("the photo") if photos == 1 else say("photo {number}", number=number + 1)


@dataclass(frozen=True, slots=True)
class TableReading:
    """What photos show, with what to check, and the corrections made since.

    `as_read` is the reading before any correction, `reading` what is known by now; `questions` what was not read for
    sure besides tiles. `view` is the photo of the board as JPEG, cut to the board, which lies as boards are drawn,
    `size` its width and height in px, and the readings' homography is that of this picture; there is none where the
    board comes from a code alone, or where it is a game's and photos show cards alone. `crops` are pictures as JPEG by
    the labels of doubts: "c3", "row-2", "djinn-1". `corrected` are the labels of what was corrected or confirmed.
    `state` is what `photo_reading.py` goes on from.
    """

    as_read: Reading
    reading: Reading
    questions: tuple[Doubt, ...] = ()
    view: bytes | None = None
    size: tuple[int, int] = (0, 0)
    crops: Mapping[str, bytes] = field(default_factory=dict)
    corrected: frozenset[str] = frozenset()
    state: bytes = field(default=b"", repr=False)

    @property
    def position(self) -> Position:
        return self.reading.position

    @property
    def shows_board(self) -> bool:
        """Whether photos show the board, or a code of it."""
        return self.view is not None or self.reading.code is not None

    def position_in(self, game: Board) -> Position:
        """The position with a game's board as it is now, where photos show none."""
        return self.position if self.shows_board else self.position.with_board(game)

    def with_known_board(self, board: Board) -> TableReading:
        """The same with a board that is known without a doubt."""
        reading = replace(self.reading, position=self.position.with_board(board), tiles=certain_tiles(board))
        return replace(self, reading=reading, corrected=frozenset(SQUARE_NAMES))

    @property
    def corrected_tiles(self) -> dict[int, Tile]:
        """The tiles that were corrected or confirmed, by square."""
        board = self.position.board
        return {square: board[square] for square, name in enumerate(SQUARE_NAMES) if name in self.corrected}

    @property
    def open_squares(self) -> tuple[int, ...]:
        """The doubtful squares that nobody has looked at yet, first where most is at stake."""
        return tuple(square for square in self.reading.doubtful if SQUARE_NAMES[square] not in self.corrected)

    @property
    def open_doubts(self) -> tuple[Doubt, ...]:
        """What was not read for sure besides tiles, and nobody has looked at yet."""
        return tuple(doubt for doubt in self.questions if doubt.label not in self.corrected)

    @property
    def alternatives(self) -> dict[int, tuple[tuple[Tile, float], ...]]:
        """What else may lie on the tiles that nobody has looked at, as `Reading.alternatives`."""
        now, read = self.position.board, self.as_read
        return {
            square: others
            for square, others in read.alternatives.items()
            if SQUARE_NAMES[square] not in self.corrected and now[square] == read.position.board[square]
        }


def board_box(homography: Homography, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of a photo with the board and a rim: left, top, right, bottom in px. The rest may be private."""
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
    """The same homography for a photo of which that many px are cut off on its left side and at its top."""
    (a, b, c), (d, e, f), (g, h, i) = homography
    return (a - left * g, b - left * h, c - left * i), (d - top * g, e - top * h, f - top * i), (g, h, i)


def upright(homography: Homography, size: tuple[int, int]) -> tuple[int, Homography]:
    """The quarter turns counter-clockwise that bring a1 to the upper left, and the homography after them."""
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
class HandReading:
    """What photos of one player's things show, with what to check, and the corrections made since.

    `cards` is a player with the cards that were found, None where there were none; `djinns` are those whose titles were
    read; `doubts` what is still in doubt: cards, then titles; `notes` sentences about what to look at again. `crops`
    are pictures as JPEG by the labels of doubts. `unread` says why no titles were read, `state` is what
    `photo_reading.py` goes on from.
    """

    colour: Colour
    cards: Player | None
    djinns: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()
    photos: tuple[HandPhoto, ...] = ()
    crops: Mapping[str, bytes] = field(default_factory=dict)
    unread: Phrase | None = None
    state: bytes = field(default=b"", repr=False)

    def player(self, before: Player) -> Player:
        """The player as the photos show; what they do not show is as `before`, and djinns only become more."""
        after = before
        if self.cards is not None:
            after = replace(after, goods=self.cards.goods, fakirs=self.cards.fakirs)
        if self.djinns:
            after = replace(after, djinns=tuple(dict.fromkeys((*(before.djinns or ()), *self.djinns))))
        return after
