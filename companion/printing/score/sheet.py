"""The score sheet as a PDF: a pad of empty ones, or one filled in (rules 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Unpack

from companion.drawing.palette import PAPER
from companion.errors import UsageError
from companion.printing.core.geometry import Box, Boxes
from companion.printing.core.icons import CARD_ICONS, CATEGORY_ICONS, draw_tribes_rule
from companion.printing.core.kinds import SCORE, pick_layout
from companion.printing.core.page import HowToPrint, begin, check_copies, draw_ruler
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.printing.score.filled import Filling, draw_play
from companion.printing.score.layout import CATEGORY_ROWS, COUNTED, PageBoxes, lay_out, lay_out_filled
from companion.printing.score.pen import FRAME_MM, HAIRLINE_MM, ColumnHead, ScorePen, draw_head, fitting_lines, line_mm
from companion.rules.engine.scoring import GameResult
from companion.rules.model.components import GOODS, SET_PRICES_GC, Colour

_TWO = (Colour.BLUE, Colour.PINK)
"""The colours of two players (rules 2.1)."""
_DASH_MM = 0.5
_COUNT_MM = 0.8
"""Between the words for a number and the place where it is written."""


def score_pad(
    *,
    players: int = 4,
    per_page: int = 4,
    pages: int = 1,
    names: Sequence[str] | Mapping[Colour, str] = (),
    full_ink: bool = True,
    **how: Unpack[HowToPrint],
) -> bytes:
    """A PDF of empty score sheets, `per_page` to the page with marks where it is cut, for 2 to 4 players.

    `names` are printed over the columns, by colour or, where nobody knows the colours yet, in their order; light ink
    leaves every surface white. Raises what `begin` raises, and UsageError for numbers that no sheet has.
    """
    job = begin(SCORE, **how)
    if players not in (2, 3, 4):
        raise UsageError("a sheet is for 2, 3 or 4 players, not {players}", players=players)
    check_copies(pages)
    if len(names) not in (0, players):
        raise UsageError("{players} players need {players} names, not {number}", players=players, number=len(names))
    layout = pick_layout(job.template, str(per_page))
    boxes = lay_out(job.template, job.paper, layout, players)
    page = job.document(paper=boxes.paper)
    pen = ScorePen(page, job.template, layout, job.words, job.language, full_ink)
    for number in range(pages):
        if number:
            page.next_page()
        _draw_page(pen, boxes, column_heads(players, names))
    return page.to_bytes()


def column_heads(players: int, names: Sequence[str] | Mapping[Colour, str] = ()) -> list[ColumnHead]:
    """The heads of an empty sheet's columns: a colour each if it's certain which play, else all that are possible.

    Two play with blue and pink, four with every colour, and three leave one out (rules 2.1).
    """
    if names and isinstance(names, Mapping):
        return [ColumnHead((colour,), name) for colour, name in names.items()]
    among = _TWO if players == len(_TWO) else tuple(Colour)
    if names or players < len(among):
        return [ColumnHead(among, name) for name in names or [""] * players]
    return [ColumnHead((colour,)) for colour in among]


def filled_sheet(
    result: GameResult,
    *,
    names: Mapping[Colour, str] = MappingProxyType({}),
    code: str | None = None,
    date: str = "",
    place: str = "",
    play_link: str | None = None,
    **how: Unpack[HowToPrint],
) -> bytes:
    """A PDF of one sheet with everybody's points, the arithmetic in small, the winner marked (rules 9.3, 10).

    Nobody is marked while the game goes on, which is said over the table, and who has no name in `names` has a rule to
    write it on. `date` and `place` stand in the head; `code` is the position's FT1 code, printed as text and QR code
    at the foot, beside the result as a QR code of plain text. `play_link`, as `notation.bgstats.push_link` makes it,
    stands on a page behind. Raises what `begin` raises.
    """
    job = begin(SCORE, **how)
    template = job.template
    boxes = lay_out_filled(template, job.paper, len(result.scores))
    page = job.document(date, place, paper=boxes.paper)
    pen = ScorePen(page, template, template.layouts[template.filled.layout], job.words, job.language, full_ink=True)
    filling = Filling(result, names, code, date, place)
    _draw_page(pen, boxes, filling.heads, filling)
    if play_link is not None:
        page.next_page()
        draw_play(page, boxes.paper, play_link, language=job.language, ink=pen.palette.ink)
    return page.to_bytes()


def _draw_page(pen: ScorePen, boxes: PageBoxes, heads: Sequence[ColumnHead], filling: Filling | None = None) -> None:
    """A whole page, all sheets on it with the same heads, empty or filled in."""
    page = pen.page
    with page.ornament():
        for mark in boxes.marks:
            page.line(*mark, colour=pen.palette.ink, width=pen.template.marks.width)
        if boxes.ruler is not None:
            draw_ruler(page, *boxes.ruler, pen.words.scale, pen.palette.quiet)
    for slip in boxes.slips:
        with page.tagged(Tag.SECTION):
            _draw_slip(pen, slip, heads, filling)


def _draw_slip(pen: ScorePen, slip: Boxes, heads: Sequence[ColumnHead], filling: Filling | None) -> None:
    _draw_header(pen, slip, filling)
    above = slip.names_label.inset(1.2)
    if filling:
        filling.draw_note(pen, Box(above.x, above.y, above.w, above.h - line_mm(pen.layout.small_pt)))
    with pen.page.tagged(Tag.TABLE):
        _draw_heads(pen, slip, heads)
        for number in range(len(CATEGORY_ROWS)):
            _draw_row(pen, slip, number, filling)
    _draw_frame(pen, slip)
    if slip.goods is not None:
        draw_goods(pen, slip.goods, filling)
    if filling and slip.code is not None:
        filling.draw_foot(pen, slip.code)


def _draw_header(pen: ScorePen, slip: Boxes, filling: Filling | None) -> None:
    page, palette, layout, words = pen.page, pen.palette, pen.layout, pen.words
    title, subtitle = slip.title.rows([slip.title.h * 0.62, slip.title.h * 0.38])
    page.text(title, words.title, layout.title_pt, face=Face.TITLE, colour=palette.accent, tag=Tag.HEADING_1)
    page.text(subtitle, words.subtitle, layout.subtitle_pt, colour=palette.quiet)
    for box, name in zip(slip.blanks, ("date", "place"), strict=True):
        with page.tagged(Tag.PARAGRAPH):
            _draw_blank(pen, Box(box.x, box.bottom - box.h * 0.8, box.w, box.h * 0.8), name, filling)
    with page.ornament():
        tribes = {tribe: pen.tint(colour) for tribe, colour in pen.template.tribes.items()}
        draw_tribes_rule(page, slip.ornament, tints=tribes, ink=palette.ink, accent=palette.accent)


def _draw_blank(pen: ScorePen, line: Box, name: str, filling: Filling | None) -> None:
    """A word with a rule after it, and what stands on the rule."""
    palette, size = pen.palette, pen.layout.small_pt
    # However long the word is, half of the line is left to write on.
    word = Box(line.x, line.y, line.w / 2, line.h)
    width = pen.page.text(word, pen.words[name], size, colour=palette.quiet)
    y = line.centre[1] + line_mm(size) * 0.42
    pen.page.line(line.x + width + 1.2, y, line.right, y, colour=palette.ink, width=HAIRLINE_MM)
    if filling:
        filling.draw_blank(pen, Box(line.x + width + 2.0, line.y, line.w - width - 2.0, line.h), name)


def _draw_heads(pen: ScorePen, slip: Boxes, heads: Sequence[ColumnHead]) -> None:
    page = pen.page
    with page.tagged(Tag.ROW):
        label = slip.names_label.inset(1.2)
        size = pen.layout.small_pt
        with page.tagged(Tag.HEADER_CELL):
            low = Box(label.x, label.bottom - line_mm(size), label.w, line_mm(size))
            page.text(low, pen.words.players, size, colour=pen.palette.quiet)
        for box, head in zip(slip.names, heads, strict=True):
            with page.tagged(Tag.HEADER_CELL, across=True):
                draw_head(pen, box, head)


def _draw_row(pen: ScorePen, slip: Boxes, number: int, filling: Filling | None) -> None:
    page, category = pen.page, CATEGORY_ROWS[number]
    label, cells = slip.labels[number], slip.cells[number]
    row = Box(label.x, label.y, cells[-1].right - label.x, label.h)
    last = category == CATEGORY_ROWS[-1]
    if pen.full_ink and not last and number % 2 == 0:
        page.box(row, fill=pen.palette.band)
    if pen.full_ink and last:
        page.box(label, fill=pen.palette.ink)
    if number and not last:
        pen.hairline(row.x, row.y, row.right, row.y)
    counts = slip.counts if category == COUNTED else ()
    if counts:
        first = counts[0]
        pen.hairline(first.x, first.bottom, row.right, first.bottom, dash=_DASH_MM)
    with page.tagged(Tag.ROW):
        with page.tagged(Tag.HEADER_CELL):
            _draw_label(pen, label, category, counts[0].h if counts else 0.0, light=pen.full_ink and last)
        for column, cell in enumerate(cells):
            with page.tagged(Tag.CELL):
                if filling:
                    filling.draw_points(pen, cell, category, column)


def _draw_label(pen: ScorePen, box: Box, category: str, count: float, *, light: bool) -> None:
    layout = pen.layout
    size = min(layout.icon, box.h - 0.8)
    margin = 1.0 + (layout.icon - size) / 2
    icon = Box(box.x + margin, box.y + (box.h - size) / 2, size, size)
    pen.icon(CATEGORY_ICONS[category], icon, pen.template.tints[category], light=light)
    ink, quiet = (PAPER, PAPER) if light else (pen.palette.ink, pen.palette.quiet)
    words = Box(box.x + layout.icon + 2.4, box.y, box.w - layout.icon - 2.8, box.h)
    hints = pen.page.balanced(pen.words.hints[category], layout.hint_pt, words.w)
    room = words.h - (count or line_mm(layout.label_pt))
    hints = fitting_lines(hints, layout.hint_pt, room)
    if count:
        label, hint = words.rows([count, words.h - count])
    else:
        heights = [line_mm(layout.label_pt), line_mm(layout.hint_pt) * len(hints)]
        heights = [height * min(1.0, words.h / sum(heights)) for height in heights]
        top = words.y + (words.h - sum(heights)) / 2
        label, hint = Box(words.x, top, words.w, sum(heights)).rows(heights)
    name = pen.words.labels[category]
    named = pen.page.room_before(label, pen.words.count, layout.hint_pt, 1 + _COUNT_MM) if count else label
    width = pen.page.text(named, name, layout.label_pt, face=Face.BOLD, colour=ink)
    if count:
        right = Box(label.x + width + 1, label.y, label.w - width - 1 - _COUNT_MM, label.h)
        pen.page.text(right, pen.words.count, layout.hint_pt, colour=quiet, align="right")
    pen.lines(hint, hints, layout.hint_pt, colour=quiet)


def _draw_frame(pen: ScorePen, slip: Boxes) -> None:
    palette = pen.palette
    top, total = slip.labels[0], slip.labels[-1]
    right = slip.cells[0][-1].right
    for column in slip.cells[0]:
        pen.hairline(column.x, top.y, column.x, total.bottom)
    pen.page.box(Box(total.x, total.y, right - total.x, total.h), stroke=palette.ink, width=FRAME_MM)
    for cell in slip.cells[-1][1:]:
        pen.page.line(cell.x, cell.y, cell.x, cell.bottom, colour=palette.ink, width=FRAME_MM)
    pen.page.box(Box(top.x, top.y, right - top.x, total.bottom - top.y), stroke=palette.ink, width=FRAME_MM)


_DOTS_MM = 0.4
_HINT_MM = 1.4
"""Between the word for sets and its example."""


def draw_goods(pen: ScorePen, boxes: Boxes, filling: Filling | None) -> None:
    """The ladder and the grid with what stands in it."""
    _draw_bands(pen, boxes)
    _draw_ladder(pen, boxes)
    with pen.page.tagged(Tag.TABLE):
        caption = boxes.head.inset(1.2, 0)
        pen.page.text(caption, pen.words.cards, pen.layout.hint_pt, colour=pen.palette.quiet)
        for number, label in enumerate(boxes.labels):
            _draw_good(pen, label, boxes.cells[number], number, filling)
        _draw_sets(pen, boxes, filling)
    _draw_goods_frame(pen, boxes)


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
                page.text(left, str(number), size, colour=pen.palette.quiet, align="centre", tag=Tag.HEADER_CELL)
                price = str(SET_PRICES_GC[number])
                page.text(right, price, size, face=Face.BOLD, colour=pen.palette.ink, align="centre")


def _draw_good(pen: ScorePen, box: Box, cells: Sequence[Box], number: int, filling: Filling | None) -> None:
    page, layout, good = pen.page, pen.layout, GOODS[number]
    size = min(layout.icon * 0.86, box.h - 0.5)
    icon = Box(box.x + 1.2, box.y + (box.h - size) / 2, size, size)
    pen.icon(CARD_ICONS[good], icon, pen.template.tints.goods)
    words = Box(icon.right + 1.0, box.y, box.right - icon.right - 1.3, box.h)
    with page.tagged(Tag.ROW):
        page.text(words, pen.words.goods[good], layout.small_pt, colour=pen.palette.ink, tag=Tag.HEADER_CELL)
        for column, cell in enumerate(cells):
            with page.tagged(Tag.CELL):
                if filling:
                    filling.draw_cards(pen, cell, good, column)


def _draw_sets(pen: ScorePen, boxes: Boxes, filling: Filling | None) -> None:
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
                if filling:
                    filling.draw_sets(pen, cell, column)


def _draw_goods_frame(pen: ScorePen, boxes: Boxes) -> None:
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
