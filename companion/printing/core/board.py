"""The sultanate drawn: tiles with their pieces, each readable without colour, and the names of columns and rows.

The one drawing for hints, reports, set-up cards and the pages of the web. Lengths inside a tile are shares of its side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.drawing import palette
from companion.drawing.palette import is_light
from companion.language.catalogue import translate
from companion.language.phrase import term
from companion.printing.core.geometry import PT_PER_MM, Box
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CATEGORY_ICONS, Drawing, draw_icon, draw_tribe
from companion.printing.core.kinds import with_colour
from companion.printing.core.surface import Surface
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Tribe

Point = tuple[float, float]
Project = Callable[[Point], Point]
"""Where a point of the board, in tile sides, lies on the surface."""

_LETTER_SHARES = dict(zip(Tribe, (0.62, 0.52, 0.52, 0.66, 0.56), strict=True))
"""Size of a meeple's letter as a share of its shape."""
_LETTER_DROPS: dict[Tribe, float] = {Tribe.ELDER: 0.03, Tribe.BUILDER: 0.17}
"""How far below the middle a capital stands, as shares of the shape: a triangle is widest at its foot."""
_SYLLABLE_SHARE = 0.84
"""Hangul fills its square, capitals do not."""
_LIKE_DIGITS = "ЗОO"
"""Letters that would be read as numbers on a tile."""
_TYPE, _GAP = 0.75, 0.25
"""Size of the letter or number beside a camel, palm or palace, and the room after it, as shares of the icon's side."""
_OWNED = 0.08
"""Width of the rim of a tile that belongs to somebody, as a share of its side."""

KEY_MM = 6.2
"""Height of the row of tribes' names."""
_MEEPLE_MM = 4.6
_BESIDE_MM, _BETWEEN_MM, _MIN_BETWEEN_MM = 1.0, 4.0, 1.5


@dataclass(frozen=True, slots=True)
class BoardLook:
    """The colours of tiles and pieces, and the letters on meeples, the notation's if no others are given.

    With `owners`, the letters of players by their colours, tiles show from afar whose they are: by a rim in the
    player's colour and a large camel with the letter.
    """

    tribes: Mapping[str, str]
    camels: Mapping[str, str]
    grounds: Mapping[str, str]
    red_value: str = palette.RED_VALUE
    blue_value: str = palette.BLUE_VALUE
    ink: str = palette.INK
    letters: Mapping[str, str] | None = None
    owners: Mapping[str, str] | None = None


GAME_LOOK = BoardLook(palette.TRIBES, palette.CAMELS, palette.GROUNDS)


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the tiles lie: side by side on a table, or apart by a `gap` on a drawn board; how high labels are there.

    On small boards arrows are `enlarged` for their letters, and need more room beside one another.
    """

    gap: float = 0.0
    label_height: float = 0.2
    enlarged: float = 1.0

    def centre(self, square: int) -> Point:
        """The middle of a tile."""
        row, column = divmod(square, COLUMNS)
        return column * (1 + self.gap) + 0.5, row * (1 + self.gap) + 0.5

    def column_and_row_names(self, away: float) -> list[tuple[str, Point]]:
        """The letters above the columns and the numbers left of the rows, so far from the tiles' edges."""
        names = [(SQUARE_NAMES[column][0], (self.centre(column)[0], -away)) for column in range(COLUMNS)]
        rows = range(0, len(SQUARE_NAMES), COLUMNS)
        return names + [(SQUARE_NAMES[square][1], (-away, self.centre(square)[1])) for square in rows]


@dataclass(frozen=True, slots=True)
class BoardFrame:
    """How a board is laid out, in tile sides: its grid, the room for names above and left, and the rim opposite.

    `head` is how high a tile's kind and value are.
    """

    grid: Grid
    names: float
    rim: float
    head: float = 0.25

    @property
    def width(self) -> float:
        """Of the whole drawing."""
        return self.names + COLUMNS + (COLUMNS - 1) * self.grid.gap + self.rim

    @property
    def height(self) -> float:
        """Of the whole drawing."""
        return self.names + ROWS + (ROWS - 1) * self.grid.gap + self.rim

    def height_for(self, width: float) -> float:
        """How high a drawing of that width is."""
        return width * self.height / self.width

    def projection(self, box: Box) -> Project:
        """Where points of the board, in tile sides, lie in a box of the frame's proportions."""
        side = box.w / self.width
        return lambda point: (box.x + (self.names + point[0]) * side, box.y + (self.names + point[1]) * side)

    def tile_boxes(self, box: Box) -> list[Box]:
        """Where the tiles lie in such a box, a1 first."""
        project, side = self.projection(box), box.w / self.width
        middles = [project(self.grid.centre(square)) for square in range(COLUMNS * ROWS)]
        return [Box(x - side / 2, y - side / 2, side, side) for x, y in middles]


FOR_TURNS = BoardFrame(Grid(gap=0.5, label_height=0.24), 0.36, 0.34)
"""With room for arrows between the tiles, and for labels right of them and below."""

FOR_ROUNDS = BoardFrame(Grid(gap=1.05, enlarged=2.0), 0.36, 0.55, 0.31)
"""With gaps that hold all of an arrow whose letters can be read where two boards stand on a page."""

CLOSE = BoardFrame(Grid(gap=0.04), 0.24, 0.03)
"""With tiles as large as a small screen allows; no turn is drawn there."""

FOR_SCREENS = BoardFrame(Grid(gap=0.34), 0.24, 0.12)
"""With room for arrows between tiles that are nearly as large."""


def draw_board(surface: Surface, box: Box, board: Board, frame: BoardFrame = FOR_TURNS) -> None:
    """Draw a board into a box of the frame's proportions."""
    draw_names(surface, box, frame, palette.QUIET)
    for place, tile in zip(frame.tile_boxes(box), board, strict=True):
        draw_tile(surface, place, tile, head=frame.head)


def draw_names(surface: Surface, box: Box, frame: BoardFrame, names: str) -> None:
    """Write what columns and rows are called beside a board in a box, in a colour."""
    project, side = frame.projection(box), box.w / frame.width
    for text, point in frame.grid.column_and_row_names(frame.names / 2):
        x, y = project(point)
        place = Box(x - side / 2, y - side / 2, side, side)
        size = max(0.2 * side * PT_PER_MM, surface.least_pt)
        surface.text(place, text, size, face=Face.BOLD, colour=names, align="centre")


def draw_tile(surface: Surface, box: Box, tile: Tile, look: BoardLook = GAME_LOOK, *, head: float = 0.25) -> None:
    """A tile: kind and value above, `head` high, meeples in the middle, camel, palms and palaces below."""
    side, action = box.w, tile.kind.action

    def draw_ground(at: Box) -> None:
        ground = look.grounds[action.name.lower()]
        surface.box(at, fill=ground, stroke=look.ink, width=0.008 * side, radius=0.06 * side)
        icon = Box(at.x + 0.07 * side, at.y + 0.07 * side, head * side, head * side)
        draw_icon(surface, ACTION_ICONS[action], icon, ink=look.ink, tint=palette.PAPER, weight=1.2)

    surface.form_xobject(_form_name("tile", action.name, box), box, draw_ground)
    disc = Box(box.right - (0.08 + head) * side, box.y + 0.07 * side, (0.01 + head) * side, (0.01 + head) * side)
    draw_value(surface, disc, str(tile.kind.vp), blue=tile.kind.blue, look=look)
    if look.owners is not None and tile.camel is not None:
        colour = look.camels[tile.camel.value]
        surface.box(box.inset(_OWNED * side / 2), stroke=colour, width=_OWNED * side, radius=0.06 * side)
    foot = _foot(tile, look)
    for tribe, place in meeple_places(meeple_room(box, tile, look, head=head), tile, look):
        draw_meeple(surface, place, tribe, look, least_pt=surface.least_pt)
    if foot:
        rim = 0.05 if look.owners is None else 0.07
        row = Box(box.x + 0.07 * side, box.bottom - (rim + foot) * side, 0.86 * side, foot * side)
        _draw_belongings(surface, row, tile, look)


def _foot(tile: Tile, look: BoardLook) -> float:
    """How high the row of camel, palms and palaces is: pieces have its room as well where none of them stands."""
    if tile.camel is None and not tile.palms and not tile.palaces:
        return 0.0
    if look.owners is None or any(tile.meeples):
        return 0.2
    # What stands on a tile without meeples has their room too.
    return 0.34 if tile.palms or tile.palaces else 0.5


def meeple_room(box: Box, tile: Tile, look: BoardLook = GAME_LOOK, *, head: float = 0.25) -> Box:
    """The part of a tile in which its meeples stand."""
    side, foot = box.w, _foot(tile, look)
    return Box(box.x + 0.06 * side, box.y + (0.09 + head) * side, 0.88 * side, (0.85 - head - foot) * side)


def draw_value(surface: Surface, box: Box, text: str, *, blue: bool, look: BoardLook = GAME_LOOK) -> None:
    """Draw a value on a disc in its colour; blue ones have a second ring, so that they show in grey.

    Where it would stand on the number there is none.
    """
    fill = look.blue_value if blue else look.red_value
    on_it = look.ink if is_light(fill) else palette.PAPER
    size = max(box.h * 0.58 * PT_PER_MM, surface.least_pt)
    ringed = blue and math.hypot(surface.width(text, size, Face.BOLD), 0.7 * size / PT_PER_MM) < 0.78 * box.w

    def draw_disc(at: Box) -> None:
        surface.box(at, fill=fill, stroke=look.ink, width=0.2, radius=at.w / 2)
        if ringed:
            surface.box(at.inset(at.w * 0.08), stroke=on_it, width=at.w * 0.05, radius=at.w * 0.42)

    surface.form_xobject(_form_name("value", "ringed" if ringed else "blue" if blue else "red", box), box, draw_disc)
    wide = Box(box.x - box.w / 4, box.y, 1.5 * box.w, box.h)
    surface.text(wide, text, size, face=Face.BOLD, colour=on_it, align="centre")


def draw_meeple(
    surface: Surface,
    box: Box,
    tribe: Tribe,
    look: BoardLook = GAME_LOOK,
    *,
    least_pt: float = 0.0,
    lettered: bool = True,
) -> None:
    """Draw a meeple as its tribe's shape in its colour with its letter.

    The shape alone says what it is where the letter would be smaller than `least_pt`, looks like a digit (Cyrillic З),
    or isn't wanted, since it would be read as one with a number beside it.
    """
    fill = look.tribes[tribe.noun]
    surface.form_xobject(
        _form_name("meeple", tribe.name, box),
        box,
        lambda at: draw_tribe(surface, tribe, at, fill=fill, ink=look.ink, width=0.22),
    )
    letter = tribe.letter.upper() if look.letters is None else look.letters[tribe.noun]
    if not lettered or letter in _LIKE_DIGITS or box.h * min(_LETTER_SHARES.values()) * PT_PER_MM < least_pt:
        return
    share = _LETTER_SHARES[tribe] * (_SYLLABLE_SHARE if "가" <= letter <= "힣" else 1.0)
    place = Box(box.x, box.y + _LETTER_DROPS.get(tribe, 0.0) * box.h, box.w, box.h)
    size = max(box.h * share * PT_PER_MM, surface.least_pt)
    colour = look.ink if is_light(fill) else palette.PAPER
    surface.text(place, letter, size, face=Face.BOLD, colour=colour, align="centre")


def _form_name(what: str, which: str, box: Box) -> str:
    return f"{what}-{which.lower()}-{round(100 * box.w)}-{round(100 * box.h)}"


def meeple_places(box: Box, tile: Tile, look: BoardLook = GAME_LOOK) -> list[tuple[Tribe, Box]]:
    """Where a tile's meeples stand in the room that they have, as large as one to three rows allow."""
    meeples = [tribe for tribe in Tribe for _ in range(tile.meeples[tribe])]
    if not meeples:
        return []

    def size_in(rows: int) -> float:
        return min(box.w / -(-len(meeples) // rows), box.h / rows, box.w / 3)

    rows = max((1, 2, 3), key=size_in) if look.owners is not None else 1 if len(meeples) <= 3 else 2
    columns, size = -(-len(meeples) // rows), size_in(rows)
    places = []
    for number, tribe in enumerate(meeples):
        row, column = divmod(number, columns)
        in_row = min(columns, len(meeples) - row * columns)
        x = box.centre[0] + (column - in_row / 2) * size
        y = box.centre[1] + (row - rows / 2) * size
        places.append((tribe, Box(x, y, size, size).inset(0.03 * size)))
    return places


def _draw_belongings(surface: Surface, box: Box, tile: Tile, look: BoardLook) -> None:
    owners = look.owners or {}
    parts = []
    if tile.camel is not None:
        parts = [(CAMEL, look.camels[tile.camel.value], 1.2, owners.get(tile.camel.value, tile.camel.letter))]
    for name, number in (("palms", tile.palms), ("palaces", tile.palaces)):
        if number:
            parts.append((CATEGORY_ICONS[name], palette.PAPER, 1.3, str(number)))
    side, size = _row_size(surface, box, [text for *_, text in parts])
    x, y = box.x, box.y + (box.h - side) / 2
    for drawing, tint, weight, text in parts:
        draw_icon(surface, drawing, Box(x, y, side, side), ink=look.ink, tint=tint, weight=weight)
        text_box = Box(x + side, y, 2 * side, side)
        x = text_box.x + surface.text(text_box, text, size, face=Face.BOLD, colour=look.ink) + _GAP * side


def draw_pieces(surface: Surface, foot: Point, width: float, tile: Tile) -> None:
    """The pieces of a tile side by side on a strip no wider than that, which stands on `foot` with its middle."""
    pieces: list[Tribe | tuple[Drawing, str]] = [tribe for tribe in Tribe for _ in range(tile.meeples[tribe])]
    pieces += [] if tile.camel is None else [(CAMEL, palette.CAMELS[tile.camel.value])]
    pieces += [(CATEGORY_ICONS["palms"], palette.PAPER)] * tile.palms
    pieces += [(CATEGORY_ICONS["palaces"], palette.PAPER)] * tile.palaces
    number = len(pieces)
    if not number:
        return
    side = min(width / number, width / 4)
    strip = Box(foot[0] - number * side / 2, foot[1] - 1.1 * side, number * side, 1.1 * side)
    surface.box(strip, fill=palette.PAPER, radius=0.2 * side)
    for at, piece in enumerate(pieces):
        place = Box(strip.x + (at + 0.04) * side, strip.y + 0.09 * side, 0.92 * side, 0.92 * side)
        if isinstance(piece, Tribe):
            draw_meeple(surface, place, piece)
        else:
            draw_icon(surface, piece[0], place, ink=palette.INK, tint=piece[1], weight=1.6)


def _row_size(surface: Surface, box: Box, texts: Sequence[str]) -> tuple[float, float]:
    """The side of icons that have a row with these texts beside them, and the texts' size in points.

    Camel, palms and palaces together are wider than a tile: all are smaller then, and at the smallest type the icons
    alone.
    """

    def width(size: float) -> float:
        return sum(surface.width(text, size, Face.BOLD) for text in texts)

    icons = len(texts) + (len(texts) - 1) * _GAP
    side = min(box.h, box.w / (icons + width(_TYPE * PT_PER_MM)))
    size = max(_TYPE * side * PT_PER_MM, surface.least_pt)
    return min(side, (box.w - width(size)) / icons), size


def draw_tribe_names(surface: Surface, row: Box, size: float, language: str) -> None:
    """The key to a board: the five meeples with their names and colours, in a row of `KEY_MM` from its left.

    `size` is that of the type in points. Where the row is too short they stand closer, in smaller type.
    """
    names = [with_colour(translate(term(tribe.noun, plural=True), language), tribe, language) for tribe in Tribe]
    room = row.w - len(names) * (_MEEPLE_MM + _BESIDE_MM + 0.5) - (len(names) - 1) * _MIN_BETWEEN_MM
    size = max(min(size, room / sum(surface.width(name, 1.0) for name in names)), surface.least_pt)
    spare = room - sum(surface.width(name, size) for name in names)
    between = min(_MIN_BETWEEN_MM + max(spare, 0.0) / (len(names) - 1), _BETWEEN_MM)
    x, y = row.x, row.centre[1] - _MEEPLE_MM / 2
    with surface.tagged(Tag.LIST):
        for tribe, name in zip(Tribe, names, strict=True):
            place = Box(x, y, _MEEPLE_MM, _MEEPLE_MM)
            width = surface.width(name, size) + 0.5
            with surface.tagged(Tag.LIST_ITEM):
                with surface.tagged(Tag.LABEL):
                    draw_meeple(surface, place, tribe)
                surface.text(Box(place.right + _BESIDE_MM, y, width, _MEEPLE_MM), name, size, tag=Tag.LIST_BODY)
            x = place.right + _BESIDE_MM + width + between
