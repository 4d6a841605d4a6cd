"""Corner markers to cut out, and the calibration card, as a PDF of two pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.notation.fiducials import (
    CARD_MARKER_MM,
    CARD_MARKERS,
    CARD_MM,
    CARD_PIECES,
    CORNER_MARKER_MM,
    CORNER_MARKERS,
    CORNER_RIM_MM,
    FIELD_DOT_MM,
    FIELD_MM,
    MARKER_MODULES,
    STRIP_MM,
    STRIP_STEPS,
    dark_modules,
    field_corner,
    field_dots,
    marker_corner,
)
from companion.printing.core.geometry import SAFE_MM, Box, paper_box
from companion.printing.core.icons import CAMEL, CATEGORY_ICONS, MEEPLE, Drawing, draw_icon
from companion.printing.core.outline import parse_outline
from companion.printing.core.page import Document
from companion.printing.core.ruler import RULER_GAP_MM, RULER_HEIGHT_MM, RULER_MM, draw_ruler
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.template import pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.markers.template import MarkersTemplate, MarkersWords, load_markers_template
from companion.rules.model.board import COLUMNS, ROWS
from companion.rules.model.components import COLOUR_BY_LETTER, TRIBE_LETTERS, Tribe

CUT_MM = CORNER_MARKER_MM + 2 * CORNER_RIM_MM
"""Side of a corner marker as cut out."""

TOP_MM = 14.0
_TITLE_MM = 12.0
_TILE_MM = 14.5
"""Side of a tile in the drawing between the markers."""
_TIP_MM = 7.5
"""Length of the arrow's sides along the edges of a marker: its tip is the corner that touches the tiles."""
_TURNS = ((False, False), (True, False), (True, True), (False, True))
"""Which way (right, down) of the drawing each marker lies, clockwise from the top left."""
_HAIRLINE_MM = 0.2
_LEADING = 1.28
_LABEL_MM = 8.0
_ICON_MM = 7.0


def markers_pdf(
    *, paper: str = "a4", language: str = "en", template: Path | None = None, font_dir: Path | None = None
) -> bytes:
    """A PDF of two pages: the four corner markers, and the calibration card with a field for each kind of piece.

    Raises UsageError for a paper or language that there is not, UnusableInputError for a bad template,
    MissingDependencyError if the program's own fonts are gone.
    """
    chosen = load_markers_template(template)
    words = pick_words(chosen.words, language)
    page = Document(paper_box(paper), Fonts(font_dir), title=f"{words.title} – {words.card_title}", language=language)
    draw_corner_markers(page, chosen, words)
    page.next_page()
    draw_calibration_card(page, chosen, words)
    return page.to_bytes()


def marker_boxes(number: int, box: Box, quarters: int = 0) -> list[Box]:
    """The black modules of a marker that fills the box, turned clockwise by quarters."""
    module = box.w / MARKER_MODULES
    places = dark_modules(number)
    for _ in range(quarters % 4):
        places = tuple((MARKER_MODULES - 1 - row, column) for column, row in places)
    return [Box(box.x + column * module, box.y + row * module, module, module) for column, row in places]


def draw_corner_markers(page: Document, template: MarkersTemplate, words: MarkersWords) -> None:
    """Draw the markers around a small drawing of the sultanate, as they are to lie around the real one."""
    palette, width = template.palette, 2 * CUT_MM + COLUMNS * _TILE_MM
    left = (page.paper.w - width) / 2
    title = Box(left, TOP_MM, width, _TITLE_MM)
    with page.tagged(Tag.HEADING_1):
        page.text(title, words.title, template.type.title_pt, face=Face.TITLE, colour=palette.accent)
    steps = Box(left, title.bottom + 1, width, 0)
    y = _write_steps(page, steps, words.steps, template.type.step_pt, palette.ink) + 5
    board = Box(left + CUT_MM, y + CUT_MM, COLUMNS * _TILE_MM, ROWS * _TILE_MM)
    with page.tagged(Tag.FIGURE, alternative=f"{words.title}. {words.tiles}"):
        _draw_board(page, board, template, words)
    _draw_scale(page, words.scale, palette.quiet)


def _draw_board(page: Document, board: Box, template: MarkersTemplate, words: MarkersWords) -> None:
    """The tiles with a marker at each corner, turned so that its own corner is the one at the tiles."""
    palette = template.palette
    for tile in board.grid(COLUMNS, ROWS):
        page.box(tile.inset(0.3), fill=palette.ground, stroke=palette.line, width=_HAIRLINE_MM, radius=0.8)
    plate = Box(board.x + 10, board.centre[1] - 5, board.w - 20, 10)
    page.box(plate, fill="#FFFFFF", stroke=palette.line, width=_HAIRLINE_MM, radius=2)
    page.text(plate.inset(2, 0), words.tiles, template.type.step_pt, colour=palette.ink, align="centre")
    for place, (right, down) in enumerate(_TURNS):
        x = board.right if right else board.x - CUT_MM
        cut = Box(x, board.bottom if down else board.y - CUT_MM, CUT_MM, CUT_MM)
        _draw_cut_lines(page, cut, palette.line)
        black = cut.inset(CORNER_RIM_MM)
        # The marker's own lower right corner is the one at the tiles.
        page.squares(marker_boxes(CORNER_MARKERS[place], black, quarters=place), "#000000")
        _draw_tip(page, cut, right=right, down=down, colour=palette.accent)


def _draw_cut_lines(page: Document, cut: Box, colour: str) -> None:
    corners = ((cut.x, cut.y), (cut.right, cut.y), (cut.right, cut.bottom), (cut.x, cut.bottom))
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        page.line(x1, y1, x2, y2, colour=colour, width=_HAIRLINE_MM, dash=1.2)


def _draw_tip(page: Document, cut: Box, *, right: bool, down: bool, colour: str) -> None:
    """The arrow head whose tip is the corner of the marker that touches the tiles."""
    x, y = (cut.x if right else cut.right), (cut.y if down else cut.bottom)
    box = Box(x if right else x - _TIP_MM, y if down else y - _TIP_MM, _TIP_MM, _TIP_MM)
    tip = (0 if right else 24, 0 if down else 24)
    page.outline(
        parse_outline(f"M{tip[0]} {tip[1]} L{24 - tip[0]} {tip[1]} L{tip[0]} {24 - tip[1]} Z"), box, fill=colour
    )


def draw_calibration_card(page: Document, template: MarkersTemplate, words: MarkersWords) -> None:
    """Draw the calibration card on a page of its own."""
    palette, sizes = template.palette, template.type
    card = Box((page.paper.w - CARD_MM[0]) / 2, TOP_MM, *CARD_MM)
    for place, number in enumerate(CARD_MARKERS):
        x, y = marker_corner(place)
        page.squares(marker_boxes(number, Box(card.x + x, card.y + y, CARD_MARKER_MM, CARD_MARKER_MM)), "#000000")
    head = Box(card.x + CARD_MARKER_MM + 6, card.y + 2, card.w - 2 * CARD_MARKER_MM - 12, 17)
    title, subtitle = head.rows([11, 6])
    with page.tagged(Tag.HEADING_1):
        page.text(title, words.card_title, sizes.title_pt, face=Face.TITLE, colour=palette.accent, align="centre")
    page.text(subtitle, words.card_subtitle, sizes.name_pt, colour=palette.quiet, align="centre")
    for number, piece in enumerate(CARD_PIECES):
        x, y = field_corner(number)
        field = Box(card.x + x, card.y + y, FIELD_MM, FIELD_MM)
        page.box(field, stroke=palette.ink, width=0.35)
        dots = [(card.x + dot_x, card.y + dot_y) for dot_x, dot_y in field_dots(number)]
        half = FIELD_DOT_MM / 2
        page.squares([Box(dot_x - half, dot_y - half, 2 * half, 2 * half) for dot_x, dot_y in dots], palette.dots)
        _draw_label(page, Box(field.x - 10, field.bottom, field.w + 20, _LABEL_MM), piece, template, words)
    x, y = field_corner(len(CARD_PIECES))
    _write_steps(
        page, Box(card.x + x - 6, card.y + y + 2, FIELD_MM + 12, 0), words.card_steps, sizes.card_pt, palette.ink
    )
    _draw_strip(page, card)
    _draw_scale(page, words.scale, palette.quiet)


def _draw_label(page: Document, box: Box, piece: str, template: MarkersTemplate, words: MarkersWords) -> None:
    """The piece's drawing and name, side by side in the middle of the box."""
    drawing, name, tint = _piece(piece, template, words)
    size = template.type.name_pt
    width = min(page.width(name, size, Face.BOLD), box.w - _ICON_MM - 1.5)
    left = box.centre[0] - (_ICON_MM + 1.5 + width) / 2
    icon = Box(left, box.y + 0.7, _ICON_MM, _ICON_MM)
    draw_icon(page, drawing, icon, ink=template.palette.ink, tint=tint)
    text = Box(icon.right + 1.5, box.y, width, box.h)
    page.text(text, name, size, face=Face.BOLD, colour=template.palette.ink)


def _piece(piece: str, template: MarkersTemplate, words: MarkersWords) -> tuple[Drawing, str, str]:
    """Drawing, name and tint of a piece of the card."""
    if piece in COLOUR_BY_LETTER:
        colour = COLOUR_BY_LETTER[piece].value
        return CAMEL, getattr(words.pieces, colour), getattr(template.camels, colour)
    if piece in TRIBE_LETTERS:
        noun = Tribe(TRIBE_LETTERS.index(piece)).noun
        return MEEPLE, getattr(words.pieces, noun), getattr(template.tribes, noun)
    return CATEGORY_ICONS[f"{piece}s"], getattr(words.pieces, piece), getattr(template.buildings, piece)


def _draw_strip(page: Document, card: Box) -> None:
    """The grey strip: white paper to black in equal steps of ink."""
    left, top, width, height = STRIP_MM
    strip = Box(card.x + left, card.y + top, width, height)
    for step, box in enumerate(strip.grid(STRIP_STEPS, 1)):
        level = round(255 * (1 - step / (STRIP_STEPS - 1)))
        page.box(box, fill=f"#{level:02X}{level:02X}{level:02X}")
    page.box(strip, stroke="#000000", width=_HAIRLINE_MM)


def _draw_scale(page: Document, text: str, colour: str) -> None:
    ruler = Box(12, page.paper.h - SAFE_MM - RULER_HEIGHT_MM - RULER_GAP_MM, RULER_MM, RULER_HEIGHT_MM)
    draw_ruler(page, ruler, Box(ruler.right + 4, ruler.y, page.paper.w - ruler.right - 16, ruler.h), text, colour)


def _write_steps(page: Document, box: Box, steps: Sequence[str], size: float, colour: str) -> float:
    """Write numbered steps from the top of the box down; gives the y below the last."""
    height = size * _LEADING / PT_PER_MM
    indent = page.width("0. ", size) + 0.6
    y = box.y
    with page.tagged(Tag.LIST) as listed:
        for number, step in enumerate(steps, 1):
            item = listed.add(Tag.LIST_ITEM)
            with page.tagged(Tag.LABEL, within=item):
                page.text(Box(box.x, y, indent, height), f"{number}.", size, face=Face.BOLD, colour=colour)
            with page.tagged(Tag.LIST_BODY, within=item):
                for line in page.wrapped(step, size, box.w - indent):
                    page.text(Box(box.x + indent, y, box.w - indent, height), line, size, colour=colour)
                    y += height
            y += height * 0.25
    return y
