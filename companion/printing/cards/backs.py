"""The backs of cards: the same upright and turned round, so that a deck has no wrong way."""

from __future__ import annotations

from companion.printing.cards.emblems import STAR, turned
from companion.printing.cards.look import CardLook
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CATEGORY_ICONS, TRIBE_SHAPES
from companion.printing.core.outline import parse_outline
from companion.printing.core.page import Document
from companion.rules.model.components import Tribe

_FRAME_MM = 4.2
_STAR_MM = 7.4
_STARS = (7, 10)
"""Stars of the pattern across and down; an odd and an even number, so that it looks the same turned round."""
_PLATE_MM = 34.0


def draw_back(page: Document, cut: Box, look: CardLook, *, djinn: bool) -> None:
    """Draw the back of a card into its cut; its ground is there already.

    Djinns have lamps in the middle, cards of rules the shapes of the five tribes.
    """
    page.stamp("djinn" if djinn else "rules", cut, lambda box: _draw(page, box, look, djinn=djinn))


def _draw(page: Document, cut: Box, look: CardLook, *, djinn: bool) -> None:
    line = look.back_line
    frame = cut.inset(_FRAME_MM)
    columns, rows = _STARS
    middle = cut.centre
    field = Box(
        middle[0] - columns * _STAR_MM / 2, middle[1] - rows * _STAR_MM / 2, columns * _STAR_MM, rows * _STAR_MM
    )
    for place in field.grid(columns, rows):
        page.outline(parse_outline(STAR), place.inset(0.25), stroke=line, width=0.18)
    page.box(frame, stroke=line, width=0.5, radius=2.2)
    page.box(frame.inset(0.9), stroke=line, width=0.2, radius=1.5)
    plate = Box(middle[0] - _PLATE_MM / 2, middle[1] - _PLATE_MM / 2, _PLATE_MM, _PLATE_MM)
    page.outline(parse_outline(STAR), plate, fill=look.back_ground, stroke=line, width=0.5)
    page.outline(parse_outline(STAR), plate.inset(2), stroke=line, width=0.2)
    if djinn:
        _draw_lamps(page, middle, line)
    else:
        _draw_tribes(page, middle, line)


def _draw_lamps(page: Document, middle: tuple[float, float], line: str) -> None:
    side = 10.5
    for degrees, top in ((0.0, -side - 0.7), (180.0, 0.7)):
        box = Box(middle[0] - side / 2, middle[1] + top, side, side)
        for _, text in CATEGORY_ICONS["djinns"]:
            page.outline(turned(parse_outline(text), degrees), box, stroke=line, width=0.4)


def _draw_tribes(page: Document, middle: tuple[float, float], line: str) -> None:
    side = 3.8
    for degrees, sign in ((0.0, 1), (180.0, -1)):
        for number, tribe in enumerate(Tribe):
            x, y = middle[0] + sign * (number - 2) * 4.3, middle[1] - sign * (2.9 + 2.5 * (2 - abs(number - 2)))
            box = Box(x - side / 2, y - side / 2, side, side)
            page.outline(turned(parse_outline(TRIBE_SHAPES[tribe]), degrees), box, stroke=line, width=0.4)
