"""Photos of one table, and what was read from them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.errors import CompanionError, PhotoError
from companion.notation.outcome import Outcome
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.vision.board.reading import Reading
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.titles import TitleDetection
from companion.vision.load import Picture

Homography = tuple[tuple[float, float, float], ...]
"""A 3 x 3 matrix, row by row, from board coordinates to px of a photo."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo to be read: the name that messages call it by, and the picture (H, W, 3), BGR.

    `titled` asks for the titles of djinns in it, whatever else it shows.
    """

    name: str
    picture: Picture
    titled: bool = False


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """A photo and what was found in it, before all photos are put together.

    `board` is the reading of the sultanate, None without one; `code` and `coded` are the position code and its
    position; `fault` says why no sultanate was found. `titles` are None if they were not looked for, or could not be by
    `title_fault`.
    """

    shot: Shot
    board: Reading | None
    code: str | None
    coded: Position | None
    fault: PhotoError | None
    cards: tuple[CardDetection, ...]
    titles: tuple[TitleDetection, ...] | None
    title_fault: CompanionError | None = None

    @property
    def has_cards(self) -> bool:
        """Whether a resource card was seen, or some djinn recognised by its title."""
        return bool(self.cards) or any(title.name is not None for title in self.titles or ())


@dataclass(frozen=True, slots=True)
class UnclearTitle:
    """A djinn's title that could not be recognised, in the photo of that number, the note about it, and which it is.

    `number` counts such titles from 1, and stays when others are recognised.
    """

    photo: int
    detection: TitleDetection
    note: str
    number: int

    @property
    def label(self) -> str:
        """What the title is called: "djinn-1"."""
        return f"djinn-{self.number}"


@dataclass(frozen=True, slots=True)
class TableReading:
    """What was read from several photos of a table together.

    `reading` holds the position with all that was seen; `views` are the photos of the board, by their number among
    those given, each with its homography for the reading's squares, the first that of the reading itself; there are
    none if the board comes from a code alone. `row` and `goods` are the cards as they were seen; the row lies in the
    photo of number `row_photo`. `titles` are those of djinns that could not be recognised. `outcome` is what a score
    sheet's result code says.
    """

    reading: Reading
    views: Mapping[int, Homography] = field(default_factory=dict)
    row: tuple[CardDetection, ...] = ()
    goods: Mapping[Colour, tuple[CardDetection, ...]] = field(default_factory=dict)
    row_photo: int | None = None
    titles: tuple[UnclearTitle, ...] = ()
    outcome: Outcome | None = None
