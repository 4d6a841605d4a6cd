"""Pages of the kit that are not cut: the player aid and the table of djinns."""

from __future__ import annotations

from companion.printing.cards.aids import AIDS, draw_panel
from companion.printing.cards.djinn_card import TIMING_ICONS, draw_star, timing
from companion.printing.cards.flow import Paragraph, fits, largest, set_text
from companion.printing.cards.look import CardLook
from companion.printing.core.geometry import SAFE_MM, Box
from companion.printing.core.icons import EMBLEMS, draw_emblem, draw_icon, draw_tribes_rule
from companion.printing.core.page import Document
from companion.printing.core.surface import Align
from companion.printing.core.tagging import StructElement, Tag
from companion.printing.core.typefaces import Face
from companion.rules.engine.djinns import EVERY_DJINN

_SIDE_MM = 10.0
_TOP_MM = 9.0
_HEAD_MM = 17.0
_GAP_MM = 4.0
_SUBTITLE_PT = 10.0
_TABLE_HEAD_MM = 6.0
_TABLE_SHARES = (0.095, 0.125, 0.07, 0.24, 0.47)
"""Widths of the table's columns as shares: emblem, name, value, time and cost, power."""
_TABLE_PT = 8.6


def body_box(paper: Box) -> Box:
    """What is below the head of a page."""
    top = _TOP_MM + _HEAD_MM + _GAP_MM
    return Box(_SIDE_MM, top, paper.w - 2 * _SIDE_MM, paper.h - top - SAFE_MM - _GAP_MM)


def draw_page_head(page: Document, title: str, subtitle: str, look: CardLook) -> None:
    """Title, what stands under it, and a rule with the five tribes' shapes."""
    palette = look.palette
    head = Box(_SIDE_MM, _TOP_MM, page.paper.w - 2 * _SIDE_MM, _HEAD_MM)
    above, below, rule = head.rows([head.h * 0.5, head.h * 0.28, head.h * 0.22])
    with page.tagged(Tag.HEADING_1):
        page.text(above, title, look.sizes.page_title_pt, face=Face.TITLE, colour=palette.accent)
    page.text(below, subtitle, _SUBTITLE_PT, colour=palette.quiet)
    draw_tribes_rule(page, rule, tints=look.tints, ink=palette.ink, accent=palette.accent)


def draw_aid_page(page: Document, look: CardLook) -> None:
    """Draw the player aid: all cards of rules on one page."""
    draw_page_head(page, look.words.aid.title, look.words.aid.subtitle, look)
    for name, frame in zip(AIDS, panel_places(page.paper), strict=True):
        draw_panel(page, frame, name, look, look.sizes.title_pt * 1.1, look.sizes.page_text_pt, heading=Tag.HEADING_2)


def panel_places(paper: Box) -> list[Box]:
    """Where the cards of rules stand on the player aid, in their order."""
    return body_box(paper).grid(2, len(AIDS) // 2, _GAP_MM)


def table_places(paper: Box) -> tuple[list[Box], list[list[Box]]]:
    """The cells of the table of djinns: its head, then a row for each djinn in their order."""
    body = body_box(paper)
    widths = [share * body.w for share in _TABLE_SHARES]
    head, rest = body.rows([_TABLE_HEAD_MM, body.h - _TABLE_HEAD_MM])
    return head.columns(widths), [row.columns(widths) for row in rest.grid(1, len(EVERY_DJINN))]


def draw_table_page(page: Document, look: CardLook) -> None:
    """Draw all djinns in a table: emblem, name, value, when and for what the power works, what it does."""
    words, palette = look.words, look.palette
    draw_page_head(page, words.table.title, words.table.subtitle, look)
    head, rows = table_places(page.paper)
    table = page.tree.add(Tag.TABLE)
    titles = table.add(Tag.ROW)
    for place, text in zip(head[1:], (words.table.djinn, words.vp, words.table.cost, words.table.power), strict=True):
        align: Align = "centre" if text == words.vp else "left"
        with page.tagged(Tag.HEADER_CELL, across=True, within=titles):
            page.text(place.inset(1, 0), text, _TABLE_PT, face=Face.BOLD, colour=palette.accent, align=align)
    texts = {name: _table_texts(name, look) for name in EVERY_DJINN}

    def all_fit(size: float) -> bool:
        return all(
            fits(page, _words_box(row[3]), texts[name][0], size)
            and fits(page, row[4].inset(1, 0.5), texts[name][1], size)
            for name, row in zip(EVERY_DJINN, rows, strict=True)
        )

    size = largest(all_fit, _TABLE_PT)
    for number, (name, row) in enumerate(zip(EVERY_DJINN, rows, strict=True)):
        whole = Box(row[0].x, row[0].y, row[-1].right - row[0].x, row[0].h)
        if number % 2 == 0:
            page.box(whole, fill=look.surface(palette.ground))
        page.line(whole.x, whole.y, whole.right, whole.y, colour=palette.line, width=0.15)
        _draw_row(page, row, name, texts[name], size, look, table.add(Tag.ROW))


def _draw_row(
    page: Document,
    row: list[Box],
    name: str,
    texts: tuple[list[Paragraph], list[Paragraph]],
    size: float,
    look: CardLook,
    part: StructElement,
) -> None:
    emblem, title, value, cost, power = row
    djinn = EVERY_DJINN[name]
    draw_emblem(page, EMBLEMS[name], emblem.inset(0.8), ink=look.palette.ink, tints=look.tints, weight=0.18)
    with page.tagged(Tag.HEADER_CELL, within=part):
        page.text(title.inset(1, 0), name, _TABLE_PT * 1.1, face=Face.TITLE, colour=look.palette.accent)
    side = min(value.h * 0.92, value.w)
    star = Box(value.centre[0] - side / 2, value.centre[1] - side / 2, side, side)
    with page.tagged(Tag.CELL, within=part):
        draw_star(page, star, str(djinn.vp), look, size=_TABLE_PT * 1.15)
    icon = Box(cost.x + 1, cost.centre[1] - 2.2, 4.4, 4.4)
    draw_icon(page, TIMING_ICONS[timing(djinn)], icon, ink=look.palette.ink, tint=look.tints["icon"], weight=1.5)
    for place, paragraphs in ((_words_box(cost), texts[0]), (power.inset(1, 0.5), texts[1])):
        with page.tagged(Tag.CELL, within=part):
            set_text(page, place, paragraphs, size, middle=True)


def _words_box(cost: Box) -> Box:
    return Box(cost.x + 7, cost.y + 0.5, cost.w - 8, cost.h - 1)


def _table_texts(name: str, look: CardLook) -> tuple[list[Paragraph], list[Paragraph]]:
    """When the power works and what it costs; what it does, with what is to be known besides."""
    words, palette, djinn = look.words, look.palette, EVERY_DJINN[name]
    when = Paragraph(getattr(words.timings, timing(djinn)), palette.ink, face=Face.BOLD, share=0.92)
    cost = Paragraph(words.costs[djinn.cost.name.lower()], palette.ink, close=True)
    power, note = look.power(name)
    does = [Paragraph(power, palette.ink)]
    if note:
        does.append(Paragraph(note, palette.quiet, share=0.86, close=True))
    return [when, cost], does
