"""The sultanate drawn with room between the tiles, so that arrows lie beside the pieces and never over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.beside import Disc
from companion.printing.core.geometry import Box
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CATEGORY_ICONS, draw_icon
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Face
from companion.printing.hint.drawing import (
    INK,
    Label,
    Project,
    arrow_discs,
    draw_arrows,
    draw_labels,
    draw_rims,
    place_labels,
)
from companion.printing.hint.marks import Arrow, Grid, Point, TurnMarks, column_and_row_names, lay_arrows
from companion.printing.setup.board_picture import draw_meeple, draw_value
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.board import COLUMNS, ROWS, Board, Tile
from companion.rules.model.components import Tribe

DRAWN = Grid(gap=0.5, label_height=0.24)
"""The tiles of a drawn board lie apart by this share of their side."""

NAMES = 0.36
"""Room above and left of the tiles for the names of columns and rows, in tile sides."""

RIM = 0.34
"""Room right of the tiles and below them, where a label may stand."""


@dataclass(frozen=True, slots=True)
class BoardFrame:
    """How a board is laid out, in tile sides: its grid, the room for names above and left, and the rim opposite."""

    grid: Grid
    names: float
    rim: float

    @property
    def width(self) -> float:
        """Of the whole drawing."""
        return self.names + COLUMNS + (COLUMNS - 1) * self.grid.gap + self.rim

    @property
    def height(self) -> float:
        """Of the whole drawing."""
        return self.names + ROWS + (ROWS - 1) * self.grid.gap + self.rim


FOR_TURNS = BoardFrame(DRAWN, NAMES, RIM)
"""With room for arrows between the tiles."""

CLOSE = BoardFrame(Grid(gap=0.05), 0.3, 0.04)
"""With tiles as large as a small screen allows; no turn is drawn there."""

WIDTH, HEIGHT = FOR_TURNS.width, FOR_TURNS.height
"""Size of the drawing of a turn in tile sides."""

LABEL_HOMES = (0.5 + DRAWN.gap / 2, -0.5 - DRAWN.gap / 2)
"""Labels stand best in the middle of the gaps below and above their tile."""

_TYPE = 0.75
"""Size of the letter or number beside a camel, palm or palace, as a share of the icon's side."""
_GAP = 0.25
"""Room between it and the next icon, as a share of the same."""


def drawing_size(width: float) -> float:
    """How high a drawing of that width is."""
    return width * HEIGHT / WIDTH


def draw_turn_on_board(
    surface: Surface,
    box: Box,
    board: Board,
    marks: TurnMarks,
    template: SetupTemplate,
    language: str = "en",
    *,
    names: str | None = None,
) -> None:
    """Draw a board into a box of the drawing's proportions, with the turn's arrows, labels and rims.

    `names` as for `draw_board`.
    """
    project = projection(box)
    draw_board(surface, box, board, template, names=names)
    arrows = lay_arrows(marks.path, DRAWN) if marks.path is not None else ()
    draw_rims(surface, project, DRAWN, marks)
    labels = place_board_labels(surface, box, marks, language, arrows)
    draw_arrows(surface, project, arrows, template)
    draw_labels(surface, labels, marks)


def place_board_labels(
    surface: Surface, box: Box, marks: TurnMarks, language: str, arrows: Sequence[Arrow]
) -> list[Label]:
    """Where labels stand on a board that is drawn into a box: off its tiles, and off these arrows."""
    project = projection(box)
    return place_labels(
        surface,
        project,
        DRAWN,
        marks,
        language,
        homes=LABEL_HOMES,
        area=box,
        discs=[*arrow_discs(project, arrows, surface.least_pt), *_name_discs(project, box.w / WIDTH)],
        boxes=tile_boxes(box),
    )


def draw_board(
    surface: Surface,
    box: Box,
    board: Board,
    template: SetupTemplate,
    frame: BoardFrame = FOR_TURNS,
    *,
    names: str | None = None,
) -> None:
    """Draw a board with the names of its columns and rows into a box of the frame's proportions.

    `names` is the colour of those names, the template's quiet one if none is given.
    """
    project, side = projection(box, frame), box.w / frame.width
    colour = template.palette.quiet if names is None else names
    for text, point in column_and_row_names(frame.grid, frame.names / 2):
        x, y = project(point)
        place = Box(x - side / 2, y - side / 2, side, side)
        size = max(0.2 * side * PT_PER_MM, surface.least_pt)
        surface.text(place, text, size, face=Face.BOLD, colour=colour, align="centre")
    for place, tile in zip(tile_boxes(box, frame), board, strict=True):
        draw_board_tile(surface, place, tile, template)


def _name_discs(project: Project, side: float) -> list[Disc]:
    """Discs that cover the names of columns and rows."""
    return [(*project(point), 0.15 * side) for _, point in column_and_row_names(DRAWN, NAMES / 2)]


def tile_boxes(box: Box, frame: BoardFrame = FOR_TURNS) -> list[Box]:
    """Where the tiles of a board lie that is drawn into a box, a1 first."""
    project, side = projection(box, frame), box.w / frame.width
    middles = [project(frame.grid.centre(square)) for square in range(COLUMNS * ROWS)]
    return [Box(x - side / 2, y - side / 2, side, side) for x, y in middles]


def projection(box: Box, frame: BoardFrame = FOR_TURNS) -> Project:
    """Where points of the drawn board, in tile sides, lie in a box of the frame's proportions."""
    side = box.w / frame.width

    def project(point: Point) -> Point:
        return box.x + (frame.names + point[0]) * side, box.y + (frame.names + point[1]) * side

    return project


def draw_board_tile(surface: Surface, box: Box, tile: Tile, template: SetupTemplate) -> None:
    """A tile: kind and value above, meeples in the middle, camel, palms and palaces below."""
    side, palette = box.w, template.palette
    ground: str = getattr(template.grounds, tile.kind.action.name.lower())
    surface.box(box, fill=ground, stroke=INK, width=0.008 * side, radius=0.06 * side)
    icon = Box(box.x + 0.07 * side, box.y + 0.07 * side, 0.25 * side, 0.25 * side)
    draw_icon(surface, ACTION_ICONS[tile.kind.action], icon, ink=palette.ink, tint="#FFFFFF", weight=1.2)
    disc = Box(box.right - 0.33 * side, box.y + 0.07 * side, 0.26 * side, 0.26 * side)
    draw_value(surface, disc, str(tile.kind.vp), blue=tile.kind.blue, template=template)
    # Pieces have the foot of the tile as well where nothing else stands there.
    height = 0.4 if tile.camel is not None or tile.palms or tile.palaces else 0.6
    place = Box(box.x + 0.06 * side, box.y + 0.34 * side, 0.88 * side, height * side)
    _draw_pieces(surface, place, tile, template)
    _draw_belongings(surface, Box(box.x + 0.07 * side, box.y + 0.75 * side, 0.86 * side, 0.2 * side), tile, template)


def _draw_pieces(surface: Surface, box: Box, tile: Tile, template: SetupTemplate) -> None:
    """The meeples in one row, or in two where there are many."""
    meeples = [tribe for tribe in Tribe for _ in range(tile.meeples[tribe])]
    if not meeples:
        return
    rows = 1 if len(meeples) <= 3 else 2
    columns = -(-len(meeples) // rows)
    size = min(box.w / columns, box.h / rows, box.w / 3)
    for number, tribe in enumerate(meeples):
        row, column = divmod(number, columns)
        in_row = min(columns, len(meeples) - row * columns)
        x = box.centre[0] + (column - in_row / 2) * size
        y = box.centre[1] + (row - rows / 2) * size
        place = Box(x, y, size, size).inset(0.03 * size)
        draw_meeple(surface, place, tribe, template, least_pt=surface.least_pt)


def _draw_belongings(surface: Surface, box: Box, tile: Tile, template: SetupTemplate) -> None:
    """The owner's camel with his letter, and palms and palaces with their numbers."""
    letter = "" if tile.camel is None else tile.camel.letter
    numbers = {name: str(number) for name, number in (("palms", tile.palms), ("palaces", tile.palaces)) if number}
    texts = [text for text in (letter, *numbers.values()) if text]
    if not texts:
        return
    side, size = _row_size(surface, box, texts)
    x, y, palette = box.x, box.y + (box.h - side) / 2, template.palette
    if tile.camel is not None:
        tint: str = getattr(template.camels, tile.camel.value)
        draw_icon(surface, CAMEL, Box(x, y, side, side), ink=palette.ink, tint=tint, weight=1.2)
        x = _beside(surface, Box(x + side, y, side, side), letter, size)
    for name, number in numbers.items():
        draw_icon(surface, CATEGORY_ICONS[name], Box(x, y, side, side), ink=palette.ink, tint="#FFFFFF")
        x = _beside(surface, Box(x + side, y, side, side), number, size)


def _row_size(surface: Surface, box: Box, texts: Sequence[str]) -> tuple[float, float]:
    """The side of icons that have a row with these texts beside them, and the texts' size in points.

    Camel, palms and palaces together are wider than a tile: all are smaller then, and at the smallest type the icons
    alone.
    """

    def written(size: float) -> float:
        return sum(surface.width(text, size, Face.BOLD) for text in texts)

    icons = len(texts) + (len(texts) - 1) * _GAP
    side = min(box.h, box.w / (icons + written(_TYPE * PT_PER_MM)))
    size = max(_TYPE * side * PT_PER_MM, surface.least_pt)
    return min(side, (box.w - written(size)) / icons), size


def _beside(surface: Surface, box: Box, text: str, size: float) -> float:
    """Write a letter or number beside its icon; where the next may begin."""
    width = surface.text(replace(box, w=box.w * 2), text, size, face=Face.BOLD, colour=INK)
    return box.x + width + _GAP * box.h
