"""The sultanate drawn with room between the tiles, so that arrows lie beside the pieces and never over them."""

from __future__ import annotations

from companion.advisor.wording import TurnWords
from companion.printing.core.geometry import Box
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CATEGORY_ICONS, draw_icon
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Face
from companion.printing.hint.drawing import END, INK, START, Project, draw_marks, draw_tile_rim
from companion.printing.hint.marks import Grid, Label, Point, column_and_row_names, label_texts, lay_arrows, lay_labels
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

WIDTH = NAMES + COLUMNS + (COLUMNS - 1) * DRAWN.gap + RIM
HEIGHT = NAMES + ROWS + (ROWS - 1) * DRAWN.gap + RIM
"""Size of the whole drawing in tile sides."""

LABEL_HEIGHTS = (0.5 + DRAWN.gap / 2, -0.5 - DRAWN.gap / 2)
"""Labels stand in the gaps above and below their tile."""


def drawing_size(width: float) -> float:
    """How high a drawing of that width is."""
    return width * HEIGHT / WIDTH


def draw_turn_on_board(
    surface: Surface, box: Box, board: Board, words: TurnWords, template: SetupTemplate, *, start_only: bool = False
) -> None:
    """Draw a board into a box of the drawing's proportions, with the turn's arrows, labels and rims.

    With `start_only` it shows no more than the tile whose meeples are lifted.
    """
    project = projection(box)
    sowing = words.turn.sowing
    side = box.w / WIDTH
    for text, point in column_and_row_names(DRAWN, NAMES / 2):
        x, y = project(point)
        place = Box(x - side / 2, y - side / 2, side, side)
        surface.text(place, text, 0.2 * side * PT_PER_MM, face=Face.BOLD, colour=template.palette.quiet, align="centre")
    for square, tile in enumerate(board):
        x, y = project(DRAWN.centre(square))
        _draw_tile(surface, Box(x - side / 2, y - side / 2, side, side), tile, template)
    arrows = () if sowing is None or start_only else lay_arrows(sowing, DRAWN)
    if sowing is not None:
        draw_tile_rim(surface, project, DRAWN, sowing.start, START)
        if not start_only:
            for square in dict.fromkeys((sowing.end, *words.explained.explanation.claims)):
                draw_tile_rim(surface, project, DRAWN, square, END)
    texts = label_texts(words, start_only=start_only)
    labels = lay_labels(texts, DRAWN, arrows, heights=LABEL_HEIGHTS, fits=_fits)
    draw_marks(surface, project, arrows, labels, None if sowing is None else sowing.start, template)


def _fits(label: Label) -> bool:
    (left, y), (right, _) = label.ends
    return left >= -NAMES and right <= WIDTH - NAMES and 0 <= y <= HEIGHT - NAMES


def projection(box: Box) -> Project:
    """Where points of the drawn board, in tile sides, lie in a box of the drawing's proportions."""
    side = box.w / WIDTH

    def project(point: Point) -> Point:
        return box.x + (NAMES + point[0]) * side, box.y + (NAMES + point[1]) * side

    return project


def _draw_tile(surface: Surface, box: Box, tile: Tile, template: SetupTemplate) -> None:
    """A tile: kind and value above, meeples in the middle, camel, palms and palaces below."""
    side, palette = box.w, template.palette
    ground: str = getattr(template.grounds, tile.kind.action.name.lower())
    surface.box(box, fill=ground, stroke=INK, width=0.008 * side, radius=0.06 * side)
    icon = Box(box.x + 0.07 * side, box.y + 0.07 * side, 0.25 * side, 0.25 * side)
    draw_icon(surface, ACTION_ICONS[tile.kind.action], icon, ink=palette.ink, tint="#FFFFFF", weight=1.2)
    disc = Box(box.right - 0.33 * side, box.y + 0.07 * side, 0.26 * side, 0.26 * side)
    draw_value(surface, disc, str(tile.kind.vp), blue=tile.kind.blue, template=template)
    _draw_pieces(surface, Box(box.x + 0.06 * side, box.y + 0.34 * side, 0.88 * side, 0.4 * side), tile, template)
    _draw_belongings(surface, Box(box.x + 0.07 * side, box.y + 0.75 * side, 0.86 * side, 0.2 * side), tile, template)


def _draw_pieces(surface: Surface, box: Box, tile: Tile, template: SetupTemplate) -> None:
    """The meeples in one row, or in two where there are many."""
    meeples = [tribe for tribe in Tribe for _ in range(tile.meeples[tribe])]
    if not meeples:
        return
    rows = 1 if len(meeples) <= 3 else 2
    columns = -(-len(meeples) // rows)
    size = min(box.w / columns, box.h / rows, 0.27 / 0.88 * box.w)
    for number, tribe in enumerate(meeples):
        row, column = divmod(number, columns)
        in_row = min(columns, len(meeples) - row * columns)
        x = box.centre[0] + (column - in_row / 2) * size
        y = box.centre[1] + (row - rows / 2) * size
        draw_meeple(surface, Box(x, y, size, size).inset(0.06 * size), tribe, template)


def _draw_belongings(surface: Surface, box: Box, tile: Tile, template: SetupTemplate) -> None:
    """The owner's camel with his letter, and palms and palaces with their numbers."""
    x, palette = box.x, template.palette
    side = box.h
    if tile.camel is not None:
        tint: str = getattr(template.camels, tile.camel.value)
        draw_icon(surface, CAMEL, Box(x, box.y, side, side), ink=palette.ink, tint=tint, weight=1.2)
        x = _beside(surface, Box(x + side, box.y, side, side), tile.camel.letter)
    for name, number in (("palms", tile.palms), ("palaces", tile.palaces)):
        if number:
            draw_icon(surface, CATEGORY_ICONS[name], Box(x, box.y, side, side), ink=palette.ink, tint="#FFFFFF")
            x = _beside(surface, Box(x + side, box.y, side, side), str(number))


def _beside(surface: Surface, box: Box, text: str) -> float:
    """Write a letter or number beside its icon; where the next may begin."""
    width = surface.text(box, text, 0.75 * box.h * PT_PER_MM, face=Face.BOLD, colour=INK)
    return box.x + width + 0.25 * box.h
