"""A page behind a filled-in score sheet that gives the play to BG Stats: one large QR code."""

from __future__ import annotations

from companion.language.catalogue import translate
from companion.language.phrase import say
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.qr import draw_qr
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.printing.score.pen import line_mm

_MARGIN_MM = 20.0
_CODE_MM = 120.0
"""Side of the code; the largest has modules of 0.6 mm then."""

_TITLE_PT, _TEXT_PT = 18.0, 11.0
_GAP_MM = 4.0


def draw_play(page: Document, paper: Box, link: str, *, language: str, ink: str) -> None:
    """Draw the page: what to do with the link, and the link as a QR code.

    `link` is as `notation.bgstats.push_link` makes it, of `core.qr.MAX_LONG_BYTES` at most; `ink` a colour.
    """
    room = paper.inset(_MARGIN_MM)
    title = Box(room.x, room.y, room.w, line_mm(_TITLE_PT))
    with page.tagged(Tag.HEADING_1):
        page.text(title, "BG Stats", _TITLE_PT, face=Face.TITLE, colour=ink)
    words = translate(say("Scan this with your phone: the app opens with this play, ready to save."), language)
    y = title.bottom + _GAP_MM
    with page.tagged(Tag.PARAGRAPH):
        for line in page.balanced(words, _TEXT_PT, room.w):
            page.text(Box(room.x, y, room.w, line_mm(_TEXT_PT)), line, _TEXT_PT, colour=ink)
            y += line_mm(_TEXT_PT)
    side = min(_CODE_MM, room.w)
    draw_qr(page, link, Box(room.x + (room.w - side) / 2, y + _GAP_MM, side, side), is_long=True)
