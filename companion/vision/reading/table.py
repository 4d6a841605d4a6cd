"""Photos of one table, what was read from them together, and what is in doubt there; without arrays and OpenCV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.language.phrase import Phrase, joined, say

if TYPE_CHECKING:
    from companion.errors import CompanionError, PhotoError
    from companion.notation.outcome import Outcome
    from companion.rules.model.board import Tile
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


NOTHING = "none"
"""The answer for what is no card or no djinn's title."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer: what is typed or sent, in words, and the name of its drawing (`icon_fragment`) if there is one."""

    answer: str
    words: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that was not read for sure.

    `label` identifies it, and its picture: "c3", "row-2", "pink-1", "djinn-1". `what` and `why` say
    so in words. `likely` are the readings, likeliest first, the first being what was read; `others` all else that it
    may be. A tile has no others: it may be anything. `confidence` (0 to 1) is that of the first; `tile` is what was
    read where it is a tile, `detection` what was seen where it is a card.
    """

    label: str
    what: str
    why: str
    likely: tuple[Choice, ...]
    others: tuple[Choice, ...] = ()
    confidence: float = 0.0
    tile: Tile | None = None
    detection: CardDetection | None = None

    @property
    def is_guessed(self) -> bool:
        """Whether there is a reading at all."""
        return self.likely[0].answer != NOTHING

    @property
    def line(self) -> Phrase:
        """The doubt in one line of a list."""
        first = self.likely[0]
        read: str = first.answer if self.tile is not None else first.words if self.is_guessed else say("not recognised")
        text = say("{what}: {read} ({confidence:.0%})", what=self.what, read=read, confidence=self.confidence)
        return joined(", ", (text, self.why)) if self.why else text
