"""What is marked of a turn on a board, where it lies, and how it is drawn: dark arrows with a light rim on any ground.

Lengths of marks are tile sides, from the top left corner of the sultanate, x to the right and y down. Arrows cross the
edge between two tiles and leave their middles free, for the pieces stand there. Steps are told by number and meeples by
letter, so that nothing hangs on colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.advisor.advice import AdviceLevel, AdvisedTurn
from companion.drawing.label_placement import Disc, LabelRequest, arrange_labels, leader
from companion.drawing.palette import END, INK, PAPER, START, TRIBES, is_light
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, counted, joined, say, say_as, term
from companion.printing.core.board import FOR_TURNS, BoardFrame, Grid, Point, Project
from companion.printing.core.geometry import Box, Outline
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Face
from companion.rules.model.actions import Sowing
from companion.rules.model.components import Tribe
from companion.rules.model.events import AssassinsKilled, Event, MeeplesTaken, TileClaimed

ARROW_LENGTH = 0.52
SHAFT = 0.105
"""Half the width of an arrow's shaft."""

HEAD_LENGTH, HEAD = 0.12, 0.175
"""Length of an arrow's head, and half its width."""

DISC = 0.09
"""Radius of the discs on an arrow: the number of the step, then the meeple that is left."""

NUMBER_AT, MEEPLE_AT = 0.11, 0.3
"""How far from the tail the two discs lie."""

_SHIFTS = (0.0, 0.13, -0.13, 0.25, -0.25, 0.37, -0.37)
"""How far along its edge an arrow may be moved to keep clear."""

_CLEAR_OF_PIECES = 0.34
_CLEAR_OF_ARROWS = 0.38
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
        shifts = [shift * grid.enlarged for shift in _SHIFTS]
        options = [_crossing(grid, here, square, number, tribe, shift) for shift in shifts]
        laid = [*others, *arrows]
        clear = _CLEAR_OF_ARROWS * grid.enlarged
        worths = [_worth(arrow, shift, pieces, laid, clear) for arrow, shift in zip(options, shifts, strict=True)]
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
    half = ARROW_LENGTH / 2
    return Arrow(number, tribe, (x - ux * half, y - uy * half), (x + ux * half, y + uy * half))


def _worth(arrow: Arrow, shift: float, pieces: Iterable[Point], others: Iterable[Arrow], clear: float) -> float:
    """How well an arrow stands: room around it, and rather in the middle of its edge."""
    points = [arrow.along(arrow.length * share) for share in (0.1, 0.4, 0.7, 0.95)]
    room = min((math.dist(point, piece) for point in points for piece in pieces), default=_CLEAR_OF_PIECES)
    taken = [other.along(other.length * share) for other in others for share in (0.1, 0.4, 0.7, 0.95)]
    between = min((math.dist(point, other) for other in taken for point in points), default=clear)
    return min(room, _CLEAR_OF_PIECES) + 3 * min(between, clear) - 0.1 * abs(shift)


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


def turn_marks(turn: AdvisedTurn, level: AdviceLevel = AdviceLevel.FULL) -> TurnMarks:
    """The marks of advice: as a nudge only where its meeples are lifted, as a path only their way."""
    events = turn.explained.events if level is AdviceLevel.FULL else []
    return replace(marks_of(turn.sowing, events), is_nudge=level is AdviceLevel.NUDGE)


def _add(texts: dict[int, str], square: int, words: Phrase) -> None:
    texts[square] = joined(", ", (texts[square], words)) if square in texts else words


_LABEL_TYPE, _LABEL_RIM, _LABEL_LINE = 0.66, 0.6, 0.1
"""Type size of a label, the room left and right of its words together, and its line, as shares of its height."""

_HOME = 0.28
"""How far a label's middle is from its tile at most where it stands best."""

_RIM = 0.025
_UNIT = Box(0.0, 0.0, 1.0, 1.0)
_TAIL_POINTS = 8
_NEAR = 0.02


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside a tile, the box that they have on the surface, and the tile's middle and side there.

    `gap` is how far tiles lie apart, as a share of their side.
    """

    square: int
    text: str
    box: Box
    about: Point
    side: float
    gap: float


def draw_marks(
    surface: Surface, box: Box, marks: TurnMarks, language: str = "en", *, frame: BoardFrame = FOR_TURNS
) -> None:
    """Draw a turn's arrows, labels and rims over a board that is drawn into a box of the proportions of its frame."""
    project, grid = frame.projection(box), frame.grid
    arrows = lay_arrows(marks.path, grid) if marks.path is not None else ()
    draw_rims(surface, project, grid, marks)
    labels = place_board_labels(surface, box, marks, language, arrows, frame)
    draw_arrows(surface, project, arrows)
    draw_labels(surface, labels, marks)


def place_board_labels(
    surface: Surface,
    box: Box,
    marks: TurnMarks,
    language: str,
    arrows: Sequence[Arrow],
    frame: BoardFrame = FOR_TURNS,
) -> list[Label]:
    """Where labels stand on a board that is drawn into a box: off its tiles and names, and off these arrows.

    They stand best below and above their tile, in the middle of a gap that is no wider than they need.
    """
    project, home = frame.projection(box), 0.5 + min(frame.grid.gap / 2, _HOME)
    names = frame.names * box.w / frame.width
    return place_labels(
        surface,
        project,
        frame.grid,
        marks,
        language,
        homes=(home, -home),
        area=Box(box.x + names, box.y + names, box.w - names, box.h - names),
        discs=arrow_discs(project, arrows, surface.least_pt),
        boxes=frame.tile_boxes(box),
    )


def place_labels(
    surface: Surface,
    project: Project,
    grid: Grid,
    marks: TurnMarks,
    language: str,
    *,
    homes: Sequence[float],
    area: Box,
    discs: Sequence[Disc],
    boxes: Sequence[Box] = (),
) -> list[Label]:
    """Where the labels of a turn stand on a surface: within `area`, over none of the discs and boxes.

    `homes` are heights from a tile's middle, in tile sides, at which a label stands best, the best first.
    """
    if not marks.labels:
        return []
    texts = {square: translate(text, language) for square, text in marks.labels.items()}
    rects = [(box.x, box.y, box.w, box.h) for box in boxes]
    labels: list[Label] = []
    for square, text in texts.items():
        x, y = grid.centre(square)
        about = project((x, y))
        unit = scale_at(project, (x, y))
        height = max(grid.label_height * unit, surface.least_pt / PT_PER_MM / _LABEL_TYPE)
        width = surface.width(text, _LABEL_TYPE * height * PT_PER_MM, Face.BOLD) + _LABEL_RIM * height
        wanted = [LabelRequest(about, project((x, y + home)), ((width, height),)) for home in homes]
        within = (area.x, area.y, area.w, area.h)
        options = [arrange_labels([request], discs, rects, within, unit)[0] for request in wanted]
        ways = [(not laid.free, math.dist(Box(*laid.rect).centre, about)) for laid in options]
        best = options[ways.index(min(ways))]
        labels.append(Label(square, text, Box(*best.rect), about, unit, grid.gap))
        rects.append(best.rect)
    return labels


def arrow_discs(project: Project, arrows: Sequence[Arrow], least_pt: float = 0.0) -> list[Disc]:
    """Discs that cover the arrows on a surface, for labels to keep clear of; `least_pt` as the surface has it."""
    discs = []
    for arrow in arrows:
        laid = _LaidArrow(project, arrow, least_pt)
        for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
            discs.append((*laid.place(arrow.length * share), (HEAD + _RIM) * laid.size))
    return discs


def draw_labels(surface: Surface, labels: Sequence[Label], marks: TurnMarks) -> None:
    """Draw labels in the colour of their tile's rim."""
    for label in labels:
        start = marks.sowing is not None and label.square == marks.sowing.start and label.square not in marks.ends
        draw_label(surface, label, START if start else END)


def draw_rims(surface: Surface, project: Project, grid: Grid, marks: TurnMarks) -> None:
    """Outline the tile where a turn begins, the one where it ends and those that it claims."""
    if marks.sowing is None:
        return
    draw_tile_rim(surface, project, grid, marks.sowing.start, START)
    for square in marks.ends:
        draw_tile_rim(surface, project, grid, square, END)


def draw_tile_rim(surface: Surface, project: Project, grid: Grid, square: int, colour: str) -> None:
    """Outline a tile in a colour with a light line inside it."""
    x, y = grid.centre(square)
    corners = [(x + dx, y + dy) for dx, dy in ((-0.47, -0.47), (0.47, -0.47), (0.47, 0.47), (-0.47, 0.47))]
    for tint, width in ((PAPER, 0.075), (colour, 0.045)):
        _polygon(surface, map(project, corners), stroke=tint, width=width * scale_at(project, (x, y)))


def scale_at(project: Project, point: Point) -> float:
    """How many mm of the surface a tile's side takes around a point, the lesser of both directions."""
    x, y = point
    here = project(point)
    return min(math.dist(here, project((x + _NEAR, y))), math.dist(here, project((x, y + _NEAR)))) / _NEAR


class _LaidArrow:
    """Where the parts of an arrow lie on a surface, larger than on the board where its letters would be too small.

    `size` is how many mm a tile's side takes there. An arrow that is enlarged keeps its middle.
    """

    def __init__(self, project: Project, arrow: Arrow, least_pt: float, prefix: str = "") -> None:
        self._project, self._arrow = project, arrow
        self._middle = project(arrow.along(arrow.length / 2))
        size = scale_at(project, arrow.along(arrow.length / 2))
        letters_pt = _disc_type(f"{prefix}{arrow.number}") * DISC * size * PT_PER_MM
        self._larger = max(1.0, least_pt / letters_pt)
        self.size = size * self._larger

    def place(self, along: float, aside: float = 0.0) -> Point:
        """The point so far from the tail towards the tip, and so far aside, both in tile sides."""
        x, y = self._project(self._arrow.along(along, aside))
        mx, my = self._middle
        return mx + (x - mx) * self._larger, my + (y - my) * self._larger


def draw_arrows(
    surface: Surface, project: Project, arrows: Iterable[Arrow], *, ink: str = INK, prefix: str = ""
) -> None:
    """Draw the arrows of a sowing, their bodies in a colour, their numbers after a letter if there is one."""
    turn = [math.pi * (0.5 + step / _TAIL_POINTS) for step in range(_TAIL_POINTS + 1)]
    tail = [(SHAFT + SHAFT * math.cos(angle), SHAFT * math.sin(angle)) for angle in turn]
    for arrow in arrows:
        shaft, number = arrow.length - HEAD_LENGTH, f"{prefix}{arrow.number}"
        body = [*tail, (shaft, -SHAFT), (shaft, -HEAD), (arrow.length, 0.0), (shaft, HEAD), (shaft, SHAFT)]
        laid = _LaidArrow(project, arrow, surface.least_pt, prefix)
        points = [laid.place(along, aside) for along, aside in body]
        _polygon(surface, points, fill=PAPER, stroke=PAPER, width=2 * _RIM * laid.size)
        _polygon(surface, points, fill=ink)
        meeple = arrow.tribe.letter.upper(), TRIBES[arrow.tribe.noun]
        for at, text, ground in ((NUMBER_AT, number, PAPER), (MEEPLE_AT, *meeple)):
            _disc(surface, laid.place(at), DISC * laid.size, text, ground)


def _disc(surface: Surface, centre: Point, radius: float, text: str, ground: str) -> None:
    box = Box(centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius)
    surface.box(box, fill=ground, stroke=PAPER, width=0.12 * radius, radius=radius)
    size = _disc_type(text) * radius * PT_PER_MM
    colour = INK if is_light(ground) else PAPER
    wide = Box(box.x - radius, box.y, 4 * radius, box.h)
    surface.text(wide, text, size, face=Face.BOLD, colour=colour, align="centre")


def _disc_type(text: str) -> float:
    """The type size of what stands on a disc, in radii: three letters have to fit as well."""
    return 1.65 if len(text) == 1 else 1.5 if len(text) == 2 else 1.0


def draw_label(surface: Surface, label: Label, colour: str) -> None:
    """Draw a label with a rim of that colour, and a line to its tile where it stands off it."""
    box, height = label.box, label.box.h
    line = leader((box.x, box.y, box.w, box.h), label.about, label.side, label.gap)
    if line is not None:
        (x1, y1), (x2, y2) = line
        surface.line(x1, y1, x2, y2, colour=PAPER, width=2.5 * _LABEL_LINE * height)
        surface.line(x1, y1, x2, y2, colour=colour, width=_LABEL_LINE * height)
    surface.box(box, fill=PAPER, stroke=colour, width=_LABEL_LINE * height, radius=0.3 * height)
    # The words were measured at this size; a little more room keeps them at it.
    room = box.inset(-0.1 * height, 0)
    surface.text(room, label.text, _LABEL_TYPE * height * PT_PER_MM, face=Face.BOLD, colour=INK, align="centre")


def _polygon(
    surface: Surface, points: Iterable[Point], *, fill: str | None = None, stroke: str | None = None, width: float = 0.0
) -> None:
    first, *rest = points
    outline: Outline = (("M", first), *(("L", point) for point in rest), ("Z", ()))
    surface.outline(outline, _UNIT, fill=fill, stroke=stroke, width=width)
