"""What was read from photos of a table, and what is in doubt there: plain values, without arrays and OpenCV."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.language.phrase import Phrase, joined, listed, say
from companion.rules.model.board import SQUARE_NAMES
from companion.vision import fitted

if TYPE_CHECKING:
    from companion.notation.outcome import Outcome
    from companion.rules.model.board import Board, Tile
    from companion.rules.model.components import Colour
    from companion.rules.model.position import Position

Homography = tuple[tuple[float, float, float], ...]
"""A 3 x 3 matrix, row by row, from board coordinates to px of a photo."""

Box = tuple[int, int, int, int]
"""Left, top, width and height in px."""

DOUBT_BELOW = 0.95
"""Tiles read with less confidence than this are shown as doubtful."""

MAX_OTHERS = 8
"""How many other readings of a tile are weighed: on a crowded tile the right one is often the fourth or fifth."""


@dataclass(frozen=True, slots=True)
class CardDetection:
    """A resource card seen in a photo.

    `card` is one of `components.CARD_COUNTS`, None if it could not be named with a margin; `confidence` the probability
    (0 to 1) that the likeliest card is right; `other` the next likeliest card, or the likeliest one when `card` is
    None. `corners_px` are (x, y), top left as printed first, clockwise; `line` counts the laid lines from the top.
    `third` is the card next likely after those, None if there is none.
    """

    card: str | None
    confidence: float
    other: str | None
    corners_px: tuple[tuple[float, float], ...]
    line: int
    third: str | None = None

    @property
    def likely(self) -> tuple[str, ...]:
        """The cards that it may be, likeliest first."""
        return tuple(name for name in (self.card, self.other, self.third) if name is not None)


@dataclass(frozen=True, slots=True)
class TitleDetection:
    """A djinn's title seen in a photo.

    `name` is the djinn's, None where no single name is like enough; `text` as it was read, empty for a card beside
    those of djinns on which no title could be read; `confidence` how like the name the text is (0 to 1), without a
    name how like the nearest one; `box` in the photo.
    """

    name: str | None
    text: str
    confidence: float
    box: Box


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
class TileReading:
    """A tile as read: `confidence` is the probability (0 to 1) that all of it is right.

    `doubts` say in words what else it may be, likeliest first; empty for a clear tile. `detections` are the pieces as
    (class, x, y) in board coordinates, tile sides from the sultanate's top left; `raw_confidence` is the product of the
    parts' probabilities, before it was calibrated as a whole; `others` are the next readings of the whole tile,
    likeliest first, `MAX_OTHERS` at most, with their `probabilities`; `expected_loss` is what is lost in VP, on
    average, if the tile is taken as it was read (`decision.loss_vp`).
    """

    tile: Tile
    confidence: float
    doubts: tuple[str, ...] = ()
    detections: tuple[tuple[str, float, float], ...] = ()
    raw_confidence: float = 1.0
    others: tuple[Tile, ...] = ()
    probabilities: tuple[float, ...] = ()
    expected_loss: float = 0.0

    @property
    def offered(self) -> tuple[Tile, ...]:
        """The readings that a person chooses among: as it was read, then the others, likeliest first."""
        return (self.tile, *self.others[: fitted.MAX_OFFERED])

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should look at this tile again."""
        return self.confidence < DOUBT_BELOW or bool(self.doubts)


def covered_note(squares: Collection[int]) -> Phrase | None:
    """What is to be known of tiles over which something lies; None where there are none."""
    if not squares:
        return None
    return say(
        "Something covers {tiles}, perhaps a hand: nothing could be read there. Take it away and photograph again.",
        tiles=listed([SQUARE_NAMES[square] for square in sorted(squares)]),
    )


def certain_tiles(board: Board) -> tuple[TileReading, ...]:
    """The tiles of a board that is known: nothing on it is in doubt."""
    return tuple(TileReading(tile, confidence=1.0) for tile in board)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from the photos of a table together.

    `position` holds all of it; `tiles` are the thirty readings by square. `turned` is by how many degrees the sultanate
    is turned clockwise in the photo (0 to 359), and `homography` maps board coordinates (tile sides) to px of that
    photo, None when the board came from a code; `code` is that code, None where the board was read. `notes` are
    sentences about the whole that a person should know.

    `views` are the photos of the board, by their number among those given, each with its homography for the reading's
    squares, the first that of the reading itself. `row` and `goods` are the cards as they were seen; the row lies in
    the photo of number `row_photo`. `titles` are those of djinns that could not be recognised. `outcome` is what a
    score sheet's result code says.
    """

    position: Position
    tiles: tuple[TileReading, ...]
    turned: int = 0
    homography: Homography | None = None
    code: str | None = None
    notes: tuple[str, ...] = ()
    views: Mapping[int, Homography] = field(default_factory=dict)
    row: tuple[CardDetection, ...] = ()
    goods: Mapping[Colour, tuple[CardDetection, ...]] = field(default_factory=dict)
    row_photo: int | None = None
    titles: tuple[UnclearTitle, ...] = ()
    outcome: Outcome | None = None

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Squares that a person should look at again: first where most is at stake, then where least is sure."""
        squares = (square for square, tile in enumerate(self.tiles) if tile.is_doubtful)
        return tuple(sorted(squares, key=lambda one: (-self.tiles[one].expected_loss, self.tiles[one].confidence)))

    @property
    def doubts(self) -> dict[int, float]:
        """The doubtful squares in that order, each with the confidence (0 to 1) that it was read with."""
        return {square: self.tiles[square].confidence for square in self.doubtful}

    @property
    def alternatives(self) -> dict[int, tuple[tuple[Tile, float], ...]]:
        """What else may lie on each square that may hold something else, each with its probability, likeliest first."""
        return {
            square: tuple(zip(tile.others, tile.probabilities, strict=True))
            for square, tile in enumerate(self.tiles)
            if tile.probabilities
        }


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
        return self.likely[0].answer != NOTHING

    @property
    def line(self) -> Phrase:
        first = self.likely[0]
        read: str = first.answer if self.tile is not None else first.words if self.is_guessed else say("not recognised")
        text = say("{what}: {read} ({confidence:.0%})", what=self.what, read=read, confidence=self.confidence)
        return joined(", ", (text, self.why)) if self.why else text
