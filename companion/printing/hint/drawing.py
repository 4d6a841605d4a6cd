"""How the marks of a turn are drawn, on paper and on pictures: dark arrows with a light rim, to be told on any ground.

Steps are told by number and meeples by letter, so that nothing hangs on colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from companion.printing.core.geometry import Box
from companion.printing.core.outline import Outline
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Face
from companion.printing.hint.marks import (
    DISC,
    HEAD,
    HEAD_LENGTH,
    MEEPLE_AT,
    NUMBER_AT,
    SHAFT,
    Arrow,
    Grid,
    Label,
    Point,
)
from companion.printing.setup.board_picture import is_light
from companion.printing.setup.template import SetupTemplate

Project = Callable[[Point], Point]
"""Where a point of the board lies on the surface, in its mm."""

INK = "#1A1A1E"
PAPER = "#FFFFFF"
START = "#0B7FC7"
END = "#D9480F"
"""Outlines of the tiles where a turn begins and ends: told apart by those who see few colours, and labelled."""

_RIM = 0.035
_UNIT = Box(0.0, 0.0, 1.0, 1.0)
_TAIL_POINTS = 8
_NEAR = 0.02


def draw_marks(
    surface: Surface,
    project: Project,
    arrows: Sequence[Arrow],
    labels: Sequence[Label],
    start: int | None,
    template: SetupTemplate,
) -> None:
    """Draw arrows and labels, the labels last and in the colour of their tile's rim; `start` is where meeples lie."""
    for arrow in arrows:
        _draw_arrow(surface, project, arrow, template)
    for label in labels:
        only_start = label.square == start and "," not in label.text
        _draw_label(surface, project, label, START if only_start else END)


def draw_tile_rim(surface: Surface, project: Project, grid: Grid, square: int, colour: str) -> None:
    """Outline a tile in a colour with a light line inside it."""
    for inset, tint, width in ((0.03, PAPER, 0.075), (0.03, colour, 0.045)):
        x, y = grid.centre(square)
        half = 0.5 - inset
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        _polygon(surface, map(project, corners), stroke=tint, width=width * scale_at(project, (x, y)))


def scale_at(project: Project, point: Point) -> float:
    """How many mm of the surface a tile's side takes around a point, the lesser of both directions."""
    x, y = point
    here = project(point)
    return min(math.dist(here, project((x + _NEAR, y))), math.dist(here, project((x, y + _NEAR)))) / _NEAR


def _draw_arrow(surface: Surface, project: Project, arrow: Arrow, template: SetupTemplate) -> None:
    shaft = arrow.length - HEAD_LENGTH
    turn = [math.pi * (0.5 + step / _TAIL_POINTS) for step in range(_TAIL_POINTS + 1)]
    tail = [(SHAFT + SHAFT * math.cos(angle), SHAFT * math.sin(angle)) for angle in turn]
    body = [*tail, (shaft, -SHAFT), (shaft, -HEAD), (arrow.length, 0.0), (shaft, HEAD), (shaft, SHAFT)]
    points = [project(arrow.along(along, aside)) for along, aside in body]
    size = scale_at(project, arrow.along(arrow.length / 2))
    _polygon(surface, points, fill=PAPER, stroke=PAPER, width=2 * _RIM * size)
    _polygon(surface, points, fill=INK)
    fill: str = getattr(template.tribes, arrow.tribe.noun)
    for at, text, ground in ((NUMBER_AT, str(arrow.number), PAPER), (MEEPLE_AT, arrow.tribe.letter, fill)):
        _disc(surface, project(arrow.along(at)), DISC * size, text, ground)


def _disc(surface: Surface, centre: Point, radius: float, text: str, ground: str) -> None:
    box = Box(centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius)
    surface.box(box, fill=ground, radius=radius)
    # Small letters sit low in the line; numbers do not.
    drop = 0.0 if text.isdigit() else -0.16 * radius
    size = (1.65 if len(text) == 1 else 1.25) * radius * PT_PER_MM
    colour = INK if is_light(ground) else PAPER
    wide = Box(box.x - radius, box.y + drop, 4 * radius, box.h)
    surface.text(wide, text, size, face=Face.BOLD, colour=colour, align="centre")


def _draw_label(surface: Surface, project: Project, label: Label, colour: str) -> None:
    centre, size = project(label.centre), scale_at(project, label.centre)
    height = label.height * size
    type_size = 0.66 * height * PT_PER_MM
    width = surface.width(label.text, type_size, Face.BOLD) + 0.6 * height
    box = Box(centre[0] - width / 2, centre[1] - height / 2, width, height)
    surface.box(box, fill=PAPER, stroke=colour, width=0.025 * size, radius=0.3 * height)
    surface.text(box, label.text, type_size, face=Face.BOLD, colour=INK, align="centre")


def _polygon(
    surface: Surface, points: Iterable[Point], *, fill: str | None = None, stroke: str | None = None, width: float = 0.0
) -> None:
    first, *rest = points
    outline: Outline = (("M", first), *(("L", point) for point in rest), ("Z", ()))
    surface.outline(outline, _UNIT, fill=fill, stroke=stroke, width=width)
