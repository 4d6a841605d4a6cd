"""Where the marks of a turn stand on a board: an arrow over the edge of each step, labels beside the pieces.

All lengths are tile sides, from the top left corner of the sultanate, x to the right and y down. Arrows cross the edge
between two tiles and leave their middles free, for the pieces stand there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from companion.advisor.effects import plural
from companion.advisor.wording import TurnWords
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, SQUARE_NAMES
from companion.rules.model.components import Tribe
from companion.rules.model.events import AssassinsKilled

Point = tuple[float, float]

ARROW_LENGTH = 0.6
SHAFT = 0.105
"""Half the width of an arrow's shaft."""

HEAD_LENGTH, HEAD = 0.17, 0.175
"""Length of an arrow's head, and half its width."""

DISC = 0.09
"""Radius of the discs on an arrow: the number of the step, then the meeple that is left."""

NUMBER_AT, MEEPLE_AT = 0.115, 0.315
"""How far from the tail the two discs lie."""

_LETTER_WIDTH = 0.29
"""Width of a letter of a label, in label heights."""

_LABEL_RIM = 0.05

_SHIFTS = (0.0, 0.13, -0.13, 0.25, -0.25, 0.34, -0.34)
"""How far along its edge an arrow may be moved to keep clear."""

_CLEAR_OF_PIECES = 0.34
_CLEAR_OF_ARROWS = 0.36
"""Distances beyond which more room is of no use."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the tiles lie: side by side on a table, or apart by a `gap` on a drawn board; how high labels are there."""

    gap: float = 0.0
    label_height: float = 0.2

    def centre(self, square: int) -> Point:
        """The middle of a tile."""
        row, column = divmod(square, COLUMNS)
        return column * (1 + self.gap) + 0.5, row * (1 + self.gap) + 0.5


@dataclass(frozen=True, slots=True)
class Arrow:
    """A step of a sowing: its number from 1, the tribe of the meeple that is left, and where it begins and ends."""

    number: int
    tribe: Tribe
    tail: Point
    tip: Point

    def along(self, distance: float, aside: float = 0.0) -> Point:
        """The point so far from the tail towards the tip, and so far to the right of that line."""
        dx, dy = self.tip[0] - self.tail[0], self.tip[1] - self.tail[1]
        length = math.hypot(dx, dy)
        ux, uy = dx / length, dy / length
        return self.tail[0] + ux * distance - uy * aside, self.tail[1] + uy * distance + ux * aside

    @property
    def length(self) -> float:
        """From tail to tip."""
        return math.dist(self.tail, self.tip)


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside a tile's pieces, in the middle of a box of that width and height."""

    square: int
    text: str
    centre: Point
    width: float
    height: float

    @property
    def ends(self) -> tuple[Point, Point]:
        """The middles of its left and right edges."""
        x, y = self.centre
        return (x - self.width / 2, y), (x + self.width / 2, y)


def lay_arrows(sowing: Sowing, grid: Grid, pieces: Sequence[Point] = ()) -> tuple[Arrow, ...]:
    """An arrow for each step, moved along its edge where that keeps it clear of pieces and of earlier arrows."""
    arrows: list[Arrow] = []
    here = sowing.start
    for number, (square, tribe) in enumerate(zip(sowing.path, sowing.drops, strict=True), 1):
        options = [_crossing(grid, here, square, number, tribe, shift) for shift in _SHIFTS]
        worths = [_worth(arrow, shift, pieces, arrows) for arrow, shift in zip(options, _SHIFTS, strict=True)]
        arrows.append(options[worths.index(max(worths))])
        here = square
    return tuple(arrows)


def _crossing(grid: Grid, one: int, other: int, number: int, tribe: Tribe, shift: float) -> Arrow:
    """An arrow over the edge between two neighbouring tiles, moved along the edge by `shift`."""
    (x1, y1), (x2, y2) = grid.centre(one), grid.centre(other)
    step = math.dist((x1, y1), (x2, y2))
    ux, uy = (x2 - x1) / step, (y2 - y1) / step
    # Shifts follow the board, not the arrow, so that one there and one back do not meet.
    x, y = (x1 + x2) / 2 + abs(uy) * shift, (y1 + y2) / 2 + abs(ux) * shift
    back, on = 0.47 * ARROW_LENGTH, 0.53 * ARROW_LENGTH
    return Arrow(number, tribe, (x - ux * back, y - uy * back), (x + ux * on, y + uy * on))


def _worth(arrow: Arrow, shift: float, pieces: Iterable[Point], others: Iterable[Arrow]) -> float:
    """How well an arrow stands: room around it, and rather in the middle of its edge."""
    points = [arrow.along(arrow.length * share) for share in (0.1, 0.4, 0.7, 0.95)]
    room = min((math.dist(point, piece) for point in points for piece in pieces), default=_CLEAR_OF_PIECES)
    between = min(
        (
            math.dist(point, other.along(other.length * share))
            for other in others
            for share in (0.1, 0.4, 0.7, 0.95)
            for point in points
        ),
        default=_CLEAR_OF_ARROWS,
    )
    return min(room, _CLEAR_OF_PIECES) + 3 * min(between, _CLEAR_OF_ARROWS) - 0.1 * abs(shift)


def label_texts(words: TurnWords, *, start_only: bool = False) -> dict[int, str]:
    """What is written beside the tiles of a turn: where meeples are lifted and taken, and what is claimed."""
    sowing, taken = words.turn.sowing, words.explained.taken
    claims = words.explained.explanation.claims
    texts: dict[int, str] = {}
    if sowing is not None:
        texts[sowing.start] = f"lift {len(sowing.path)}"
    if start_only:
        return texts
    if taken is not None:
        _add(texts, taken.end, f"take {plural(taken.count, taken.tribe.noun)}")
    for event in (event for _, events in words.explained.steps for event in events):
        if isinstance(event, AssassinsKilled):
            for victim in event.victims:
                if victim.square is not None:
                    _add(texts, victim.square, f"kill {victim.tribe.noun}")
    for square in claims:
        _add(texts, square, "claim")
    return texts


def _add(texts: dict[int, str], square: int, words: str) -> None:
    texts[square] = f"{texts[square]}, {words}" if square in texts else words


def lay_labels(
    texts: dict[int, str],
    grid: Grid,
    arrows: Sequence[Arrow],
    pieces: Sequence[Point] = (),
    heights: Sequence[float] = (0.4, -0.4),
    fits: Callable[[Label], bool] = lambda label: True,
    names: Sequence[Point] = (),
) -> tuple[Label, ...]:
    """A label for each square, where it covers least: at one of the `heights` (from the tile's middle), or aside.

    `fits` says whether a label lies on the picture; `names` are where letters and numbers of the board stand.
    """
    taken = [arrow.along(arrow.length * share) for arrow in arrows for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    labels: list[Label] = []
    for square, text in texts.items():
        x, y = grid.centre(square)
        width = len(text) * _LETTER_WIDTH * grid.label_height + 2 * _LABEL_RIM
        # Far enough aside to stand next to an arrow that comes through the middle.
        past = width / 2 + HEAD + _LABEL_RIM
        asides = (0.0, 0.2, -0.2, 0.4, -0.4, past, -past)
        anywhere = [Label(square, text, (x + dx, y + dy), width, grid.label_height) for dy in heights for dx in asides]
        options = [label for label in anywhere if fits(label)] or anywhere
        busy = [*taken, *names, *(point for other in labels for point in _corners(other))]
        room = [5 * _room(one, busy, 0.14) + _room(one, pieces, 0.16) - _away(one, (x, y)) for one in options]
        labels.append(options[room.index(max(room))])
    return tuple(labels)


def _room(label: Label, points: Iterable[Point], enough: float) -> float:
    """The distance from a label's box to the nearest of the points, no more than `enough`; 0 if it covers one."""
    return min(enough, min((_distance(label, point) for point in points), default=enough))


def _away(label: Label, middle: Point) -> float:
    """What it costs a label to stand off its tile's axis: a little, or more where it could be taken for another's."""
    dx, dy = abs(label.centre[0] - middle[0]), abs(label.centre[1] - middle[1])
    return 0.05 * dx + 0.35 * max(dx - 0.45, 0.0) + 0.1 * max(dy - 0.5, 0.0)


def _distance(label: Label, point: Point) -> float:
    dx = max(abs(point[0] - label.centre[0]) - label.width / 2, 0.0)
    dy = max(abs(point[1] - label.centre[1]) - label.height / 2, 0.0)
    return math.hypot(dx, dy)


def _corners(label: Label) -> list[Point]:
    x, y = label.centre
    return [(x + dx * label.width / 2, y) for dx in (-1.0, -0.5, 0.0, 0.5, 1.0)]


def column_and_row_names(grid: Grid, away: float) -> list[tuple[str, Point]]:
    """The letters above the columns and the numbers left of the rows, so far from the tiles' edges."""
    names = [(SQUARE_NAMES[column][0], (grid.centre(column)[0], -away)) for column in range(COLUMNS)]
    rows = range(0, len(SQUARE_NAMES), COLUMNS)
    return names + [(SQUARE_NAMES[square][1], (-away, grid.centre(square)[1])) for square in rows]
