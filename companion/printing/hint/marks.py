"""What is marked of a turn on a board, and where: an arrow over the edge of each step, labels beside the pieces.

All lengths are tile sides, from the top left corner of the sultanate, x to the right and y down. Arrows cross the edge
between two tiles and leave their middles free, for the pieces stand there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.advisor.advice import AdviceLevel
from companion.advisor.wording import TurnWords
from companion.language.phrase import Phrase, counted, joined, say, say_as, term
from companion.printing.core.board import Grid, Point
from companion.rules.model.actions import Sowing
from companion.rules.model.components import Tribe
from companion.rules.model.events import AssassinsKilled, Event, MeeplesTaken, TileClaimed

ARROW_LENGTH = 0.6
SHAFT = 0.105
"""Half the width of an arrow's shaft."""

HEAD_LENGTH, HEAD = 0.17, 0.175
"""Length of an arrow's head, and half its width."""

DISC = 0.09
"""Radius of the discs on an arrow: the number of the step, then the meeple that is left."""

NUMBER_AT, MEEPLE_AT = 0.115, 0.315
"""How far from the tail the two discs lie."""

_SHIFTS = (0.0, 0.13, -0.13, 0.25, -0.25, 0.34, -0.34)
"""How far along its edge an arrow may be moved to keep clear."""

_CLEAR_OF_PIECES = 0.34
_CLEAR_OF_ARROWS = 0.36
"""Distances beyond which more room is of no use."""


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


def lay_arrows(
    sowing: Sowing, grid: Grid, pieces: Sequence[Point] = (), others: Sequence[Arrow] = ()
) -> tuple[Arrow, ...]:
    """An arrow for each step, moved along its edge where that keeps it clear of pieces and of earlier arrows.

    `others` are arrows that lie on the board already.
    """
    arrows: list[Arrow] = []
    here = sowing.start
    for number, (square, tribe) in enumerate(zip(sowing.path, sowing.drops, strict=True), 1):
        options = [_crossing(grid, here, square, number, tribe, shift) for shift in _SHIFTS]
        worths = [
            _worth(arrow, shift, pieces, [*others, *arrows]) for arrow, shift in zip(options, _SHIFTS, strict=True)
        ]
        arrows.append(options[worths.index(max(worths))])
        here = square
    return tuple(arrows)


def _crossing(grid: Grid, start: int, other: int, number: int, tribe: Tribe, shift: float) -> Arrow:
    """An arrow over the edge between two neighbouring tiles, moved along the edge by `shift`."""
    (x1, y1), (x2, y2) = grid.centre(start), grid.centre(other)
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


@dataclass(frozen=True, slots=True)
class TurnMarks:
    """What is marked of a turn: how meeples are sown, what is written beside which tile, and which are claimed.

    A nudge shows no more than where its meeples are lifted.
    """

    sowing: Sowing | None
    labels: Mapping[int, str]
    claims: tuple[int, ...] = ()
    is_nudge: bool = False

    @property
    def path(self) -> Sowing | None:
        """The sowing, where its arrows are shown."""
        return None if self.is_nudge else self.sowing

    @property
    def ends(self) -> tuple[int, ...]:
        """The tile where the sowing ends and those that are claimed, where they are shown."""
        return () if self.path is None else tuple(dict.fromkeys((self.path.end, *self.claims)))


NO_MARKS = TurnMarks(None, {})


def marks_of(sowing: Sowing | None, events: Iterable[Event]) -> TurnMarks:
    """The marks of a turn in which this happens: where meeples are lifted, taken and killed, and what is claimed."""
    labels: dict[int, str] = {}
    claims: list[int] = []
    if sowing is not None:
        labels[sowing.start] = say("lift {count}", count=len(sowing.path))
    for event in events:
        match event:
            case MeeplesTaken():
                _add(labels, event.square, say("take {what}", what=counted(event.count, event.tribe.noun)))
            case AssassinsKilled():
                for victim in event.victims:
                    if victim.square is not None:
                        _add(labels, victim.square, say("kill {what}", what=term(victim.tribe.noun)))
            case TileClaimed():
                claims.append(event.square)
    for square in claims:
        _add(labels, square, say_as("a camel is put on the tile", "claim"))
    return TurnMarks(sowing, labels, tuple(claims))


def turn_marks(words: TurnWords, level: AdviceLevel = AdviceLevel.FULL) -> TurnMarks:
    """The marks of advice: as a nudge only where its meeples are lifted, as a path only their way."""
    happens = words.explained.steps if level is AdviceLevel.FULL else []
    events = [event for _, happened in happens for event in happened]
    return replace(marks_of(words.turn.sowing, events), is_nudge=level is AdviceLevel.NUDGE)


def _add(texts: dict[int, str], square: int, words: Phrase) -> None:
    texts[square] = joined(", ", (texts[square], words)) if square in texts else words
