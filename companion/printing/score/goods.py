"""The grid of goods: how many of each everybody has, and the ladder of set prices beside it (rules 7.1, 10.7)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.printing.core.geometry import Box, Boxes
from companion.printing.core.icons import CARD_ICONS, CATEGORY_ICONS
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.printing.score.pen import FRAME_MM, HAIRLINE_MM, ScorePen, SheetContents
from companion.rules.model.components import GOODS, SET_PRICES_GC

_DOTS_MM = 0.4
_HINT_MM = 1.4
"""Between the word for sets and its example."""


def draw_goods(pen: ScorePen, boxes: Boxes, contents: SheetContents) -> None:
    """The ladder and the grid with what stands in it."""
    _draw_bands(pen, boxes)
    _draw_ladder(pen, boxes)
    with pen.page.tagged(Tag.TABLE):
        caption = boxes.head.inset(1.2, 0)
        pen.page.text(caption, pen.words.cards, pen.layout.hint_pt, colour=pen.palette.quiet)
        for number, label in enumerate(boxes.labels):
            _draw_good(pen, label, boxes.cells[number], number, contents)
        _draw_sets(pen, boxes, contents)
    _draw_frame(pen, boxes)


def _draw_bands(pen: ScorePen, boxes: Boxes) -> None:
    for number, (step, cells) in enumerate(zip(boxes.steps, boxes.cells, strict=True)):
        row = Box(step.x, step.y, cells[-1].right - step.x, step.h)
        if pen.full_ink and number % 2 == 0:
            pen.page.box(row, fill=pen.palette.band)
        if number:
            pen.hairline(row.x, row.y, row.right, row.y)


def _draw_ladder(pen: ScorePen, boxes: Boxes) -> None:
    """What sets of each size bring: cards and coins over the columns, then a rung for each size."""
    page, size = pen.page, pen.layout.small_pt
    cards, coins = boxes.ladder_head.grid(2, 1)
    pen.icon(CATEGORY_ICONS["goods"], cards.inset(0.4), pen.template.tints.goods)
    pen.icon(CATEGORY_ICONS["gold"], coins.inset(0.4), pen.template.tints.gold)
    with page.tagged(Tag.TABLE):
        for number, step in enumerate(boxes.steps, 1):
            left, right = step.grid(2, 1)
            with page.tagged(Tag.ROW):
                with page.tagged(Tag.HEADER_CELL):
                    page.text(left, str(number), size, colour=pen.palette.quiet, align="centre")
                price = str(SET_PRICES_GC[number])
                page.text(right, price, size, face=Face.BOLD, colour=pen.palette.ink, align="centre")


def _draw_good(pen: ScorePen, box: Box, cells: Sequence[Box], number: int, contents: SheetContents) -> None:
    page, layout, good = pen.page, pen.layout, GOODS[number]
    size = min(layout.icon * 0.86, box.h - 0.5)
    icon = Box(box.x + 1.2, box.y + (box.h - size) / 2, size, size)
    pen.icon(CARD_ICONS[good], icon, pen.template.tints.goods)
    words = Box(icon.right + 1.0, box.y, box.right - icon.right - 1.3, box.h)
    with page.tagged(Tag.ROW):
        with page.tagged(Tag.HEADER_CELL):
            page.text(words, pen.words.goods[good], layout.small_pt, colour=pen.palette.ink)
        for column, cell in enumerate(cells):
            with page.tagged(Tag.CELL):
                contents.draw_cards(pen, cell, good, column)


def _draw_sets(pen: ScorePen, boxes: Boxes, contents: SheetContents) -> None:
    page, layout, words = pen.page, pen.layout, pen.words
    room = boxes.sets_label.inset(1.2, 0)
    with page.tagged(Tag.ROW):
        with page.tagged(Tag.HEADER_CELL):
            named = page.room_before(room, words.sets_hint, layout.hint_pt, _HINT_MM)
            width = page.text(named, words.sets, layout.label_pt, face=Face.BOLD, colour=pen.palette.ink)
            hint = Box(room.x + width + _HINT_MM, room.y, room.w - width - 1.0, room.h)
            pen.lines(hint, page.balanced(words.sets_hint, layout.hint_pt, hint.w), layout.hint_pt)
        for column, cell in enumerate(boxes.sets):
            with page.tagged(Tag.CELL):
                contents.draw_sets(pen, cell, column)


def _draw_frame(pen: ScorePen, boxes: Boxes) -> None:
    """Lines between players, beside the ladder, below the heads, over the sets and around it all, heads included."""
    page, palette = pen.page, pen.palette
    head, ladder, sets = boxes.ladder_head, boxes.steps[0], boxes.sets
    bottom, right = sets[0].bottom, sets[-1].right
    for column in sets:
        pen.hairline(column.x, ladder.y, column.x, bottom)
    middle = ladder.centre[0]
    page.line(middle, ladder.y, middle, sets[0].y, colour=palette.line, width=HAIRLINE_MM, dash=_DOTS_MM)
    pen.hairline(ladder.right, head.y, ladder.right, sets[0].y)
    for y in (ladder.y, sets[0].y):
        page.line(ladder.x, y, right, y, colour=palette.ink, width=HAIRLINE_MM)
    page.box(Box(ladder.x, head.y, right - ladder.x, bottom - head.y), stroke=palette.ink, width=FRAME_MM)
