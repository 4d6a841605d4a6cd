"""Pages of the kit that are not cut: the player aid, the table of djinns, and the bid track aid (rules 3, 11.8)."""

from __future__ import annotations

from companion.drawing.palette import PAPER
from companion.printing.cards.aids import AIDS, bullet, draw_panel, draw_price
from companion.printing.cards.djinn_card import TIMING_ICONS, draw_star
from companion.printing.cards.flow import Paragraph, fits, fitting_size, largest, set_text
from companion.printing.cards.layout import CardLook
from companion.printing.core.geometry import SAFE_MM, Box, Boxes
from companion.printing.core.icons import CARD_ICONS, EMBLEMS, MARKER, draw_emblem, draw_icon, draw_tribes_rule
from companion.printing.core.page import Document
from companion.printing.core.rule_texts import timing
from companion.printing.core.surface import PT_PER_MM, Align
from companion.printing.core.tagging import StructElement, Tag
from companion.printing.core.typefaces import Face
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import BID_SPOTS, TRACK_PRICES_GC, Colour

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
    page.text(above, title, look.sizes.page_title_pt, face=Face.TITLE, colour=palette.accent, tag=Tag.HEADING_1)
    page.text(below, subtitle, _SUBTITLE_PT, colour=palette.quiet)
    draw_tribes_rule(page, rule, tints=look.tints, ink=palette.ink, accent=palette.accent)


def draw_aid_page(page: Document, look: CardLook) -> None:
    """Draw the player aid: all cards of rules on one page."""
    draw_page_head(page, look.words.aid.title, look.words.aid.subtitle, look)
    for name, frame in zip(AIDS, body_box(page.paper).grid(2, len(AIDS) // 2, _GAP_MM), strict=True):
        draw_panel(page, frame, name, look, look.sizes.title_pt * 1.1, look.sizes.page_text_pt, heading=Tag.HEADING_2)


def draw_table_page(page: Document, look: CardLook) -> None:
    """Draw all djinns in a table: emblem, name, value, when and for what the power works, what it does."""
    words, palette = look.words, look.palette
    draw_page_head(page, words.table.title, words.table.subtitle, look)
    body = body_box(page.paper)
    top, rest = body.rows([_TABLE_HEAD_MM, body.h - _TABLE_HEAD_MM])
    head, *rows = (
        row.columns([share * body.w for share in _TABLE_SHARES]) for row in (top, *rest.grid(1, len(EVERY_DJINN)))
    )
    table = page.tree.add(Tag.TABLE)
    titles = table.add(Tag.ROW)
    for place, text in zip(head[1:], (words.table.djinn, words.vp, words.table.cost, words.table.power), strict=True):
        align: Align = "centre" if text == words.vp else "left"
        with page.tagged(titles.add(Tag.HEADER_CELL, across=True)):
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
    page.text(
        title.inset(1, 0),
        name,
        _TABLE_PT * 1.1,
        face=Face.TITLE,
        colour=look.palette.accent,
        tag=part.add(Tag.HEADER_CELL),
    )
    star = value.square(min(value.h * 0.92, value.w))
    with page.tagged(part.add(Tag.CELL)):
        draw_star(page, star, str(djinn.vp), look, size=_TABLE_PT * 1.15)
    icon = Box(cost.x + 1, cost.centre[1] - 2.2, 4.4, 4.4)
    draw_icon(page, TIMING_ICONS[timing(djinn)], icon, ink=look.palette.ink, tint=look.tints["icon"], weight=1.5)
    for place, paragraphs in ((_words_box(cost), texts[0]), (power.inset(1, 0.5), texts[1])):
        with page.tagged(part.add(Tag.CELL)):
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


PRICES = tuple(sorted(TRACK_PRICES_GC, reverse=True))
"""What the spots of the turn order track cost in GC, from the left: the first to play first (rules 3.3)."""

_ZEROS = PRICES.count(0)
_HEADING_MM = 6.5
_HEADING_PT = 11.5
_CAPTION_MM = 4.5
_PRICE_MM = 7.0
_COIN_RIM_MM = 0.4
_MAX_GAP_MM = 17.0
_LABEL_SHARE = 0.14
"""Width of what stands before the rows of Kumarbi's prices."""
_MAX_FAKIRS = 3
_ZERO_MM = 18.0
_NAME_MM, _NAME_PT = 3.2, 6.8
"""Height and type size of a colour's name below a marker."""
_SMALL_MM = 16.0
_TEXT_MM = 11.0
_TWO_MM = 2 * (_SMALL_MM + _CAPTION_MM) + _PRICE_MM
_EXAMPLE: tuple[tuple[int, Colour], ...] = ((5, Colour.BLUE), (3, Colour.BLUE), (1, Colour.PINK), (0, Colour.PINK))
"""Two players' markers on the turn order track, by price."""


def track_boxes(paper: Box) -> Boxes:
    """Both tracks, the zeros (three pictures with their texts), two players, and prices by how many fakirs are paid."""
    body = body_box(paper)
    side = body.w / len(PRICES)
    parts = [
        _HEADING_MM + side + _PRICE_MM + _CAPTION_MM,
        _HEADING_MM + side,
        _HEADING_MM + _ZERO_MM + _TEXT_MM,
        _HEADING_MM + _TWO_MM,
        _HEADING_MM + _PRICE_MM * (_MAX_FAKIRS + 1),
    ]
    gap = min((body.h - sum(parts)) / (len(parts) - 1), _MAX_GAP_MM)
    order, bidding, zeros, two, kumarbi = body.rows(parts, gap)
    order_heading, spots, prices, captions = order.rows([_HEADING_MM, side, _PRICE_MM, _CAPTION_MM])
    bid_heading, bids = Box(body.x, bidding.y, BID_SPOTS * side, bidding.h).rows([_HEADING_MM, side])
    zeros_heading, zero_row = zeros.rows([_HEADING_MM, zeros.h - _HEADING_MM])
    two_heading, two_rest = two.rows([_HEADING_MM, two.h - _HEADING_MM])
    kumarbi_heading, table = kumarbi.rows([_HEADING_MM, kumarbi.h - _HEADING_MM])
    label = table.w * _LABEL_SHARE
    widths = [label] + [(table.w - label) / len(PRICES)] * len(PRICES)
    cells = [row.columns(widths) for row in table.grid(1, _MAX_FAKIRS + 1)]
    middle = bids.right + 5
    return Boxes(
        order_heading=order_heading,
        spots=tuple(spots.columns([side] * len(PRICES))),
        prices=tuple(prices.columns([side] * len(PRICES))),
        captions=captions,
        bid_heading=bid_heading,
        bids=tuple(bids.columns([side] * BID_SPOTS)),
        rules=Box(middle, bidding.y, body.right - middle, bidding.h),
        zeros_heading=zeros_heading,
        zeros=tuple(zero_row.grid(_ZEROS, 1, 6)),
        two_heading=two_heading,
        two=Box(two_rest.x, two_rest.y, BID_SPOTS * side, two_rest.h),
        pairs=Box(middle, two_rest.y, two_rest.right - middle, two_rest.h),
        kumarbi_heading=kumarbi_heading,
        labels=tuple(row[0] for row in cells),
        reduced=tuple(tuple(row[1:]) for row in cells),
    )


def draw_track_page(page: Document, look: CardLook) -> None:
    words, boxes, palette = look.words.track, track_boxes(page.paper), look.palette
    draw_page_head(page, words.title, words.subtitle, look)
    _heading(page, boxes.order_heading, words.order, look)
    for price, spot, label in zip(PRICES, boxes.spots, boxes.prices, strict=True):
        _draw_spot(page, spot.inset(0.8), look)
        _draw_marker(page, spot.inset(spot.w * 0.26), look, None)
        draw_price(page, label.inset(0, _COIN_RIM_MM), price, look)
    page.text(boxes.captions, look.words.round.first, 8, colour=palette.quiet)
    page.text(boxes.captions, look.words.round.last, 8, colour=palette.quiet, align="right")
    _heading(page, boxes.bid_heading, words.bids, look)
    for number, place in enumerate(boxes.bids, 1):
        _draw_spot(page, place.inset(0.8), look)
        _draw_marker(page, place.inset(place.w * 0.26), look, None)
        corner = Box(place.x + 2.6, place.y + 1.8, place.w * 0.3, place.h * 0.28)
        page.text(corner, str(number), corner.h * 0.95 * PT_PER_MM, face=Face.TITLE, colour=palette.quiet)
    texts = [bullet(text, look) for text in (*look.words.round.bids, words.payment)]
    most = look.sizes.page_text_pt
    set_text(page, boxes.rules, texts, fitting_size(page, boxes.rules, texts, most), middle=True)
    _draw_zeros(page, boxes, look, most)
    _draw_two(page, boxes, look, most)
    _draw_kumarbi(page, boxes, look)


def _draw_kumarbi(page: Document, boxes: Boxes, look: CardLook) -> None:
    """What spots cost in GC when Kumarbi's owner discards that many fakirs (rules 11.8)."""
    words, palette = look.words.track, look.palette
    _heading(page, boxes.kumarbi_heading, words.kumarbi, look)
    table = page.tree.add(Tag.TABLE)
    for fakirs, (label, row) in enumerate(zip(boxes.labels, boxes.reduced, strict=True)):
        part = table.add(Tag.ROW)
        named = part.add(Tag.HEADER_CELL, alternative=f"{fakirs} ×" if fakirs else "")
        for number in range(fakirs):
            icon = Box(label.x + number * 5.6, label.y + 0.8, 5.4, 5.4)
            draw_icon(page, CARD_ICONS["fakir"], icon, ink=palette.ink, tint=look.tints["fakir"], weight=1.4)
        if not fakirs:
            page.text(label, words.price, 8, colour=palette.quiet, tag=named)
        for spot, place in enumerate(row):
            with page.tagged(part.add(Tag.CELL)):
                if PRICES[spot] or not fakirs:
                    price = PRICES[min(spot + fakirs, len(PRICES) - 1)]
                    draw_price(page, place.inset(0, _COIN_RIM_MM), price, look, plain=fakirs > 0)


def _draw_zeros(page: Document, boxes: Boxes, look: CardLook, most: float) -> None:
    words, palette = look.words.track, look.palette
    _heading(page, boxes.zeros_heading, words.zeros, look)
    colours = (Colour.BLACK, Colour.ORANGE, Colour.PINK)
    rows = [column.rows([_ZERO_MM, column.h - _ZERO_MM - 1], 1) for column in boxes.zeros]
    texts = [[Paragraph(text, palette.ink)] for text in words.steps]
    shown = list(zip(rows, texts, strict=False))
    size = largest(lambda size: all(fits(page, row[1], text, size) for row, text in shown), most)
    for step, (row, text) in enumerate(shown, 1):
        for place, spot in enumerate(row[0].columns([row[0].w / _ZEROS] * _ZEROS)):
            _draw_spot(page, spot.inset(0.6), look)
            page.text(Box(spot.x, spot.y + 1, spot.w, 3.4), "0", 7.5, colour=palette.quiet, align="centre")
            # The last to come takes the foremost zero and pushes the others on.
            if place < step:
                _draw_named(page, Box(spot.x, spot.y + 4, spot.w, spot.h - 5.2), look, colours[step - 1 - place])
        set_text(page, row[1], text, size)


def _draw_two(page: Document, boxes: Boxes, look: CardLook, most: float) -> None:
    words, palette = look.words.track, look.palette
    _heading(page, boxes.two_heading, words.two, look)
    heights = [_CAPTION_MM, _SMALL_MM, _CAPTION_MM, _SMALL_MM, _PRICE_MM]
    caption, bids, caption_below, order, prices = boxes.two.rows(heights)
    page.text(caption, words.bids, 8, colour=palette.quiet)
    page.text(caption_below, words.order, 8, colour=palette.quiet)
    turns = [colour for _, colour in _EXAMPLE]
    for number, spot in enumerate(bids.columns([_SMALL_MM] * len(turns), 1.5), 1):
        _draw_spot(page, spot.inset(0.5), look)
        page.text(Box(spot.x + 1.4, spot.y + 1.2, 3, 3), str(number), 7, face=Face.BOLD, colour=palette.quiet)
        _draw_named(page, spot.inset(1.2), look, turns[(number + 1) % len(turns)])
    places = zip(_EXAMPLE, order.columns([_SMALL_MM] * len(turns), 1.5), strict=True)
    for (price, colour), spot in places:
        _draw_spot(page, spot.inset(0.5), look)
        _draw_named(page, spot.inset(1.2), look, colour)
        draw_price(page, Box(spot.x, prices.y, spot.w, prices.h).inset(0, _COIN_RIM_MM), price, look)
    texts = [bullet(text, look) for text in words.pairs]
    set_text(page, boxes.pairs, texts, fitting_size(page, boxes.pairs, texts, most), middle=True)


def _draw_spot(page: Document, box: Box, look: CardLook) -> None:
    page.box(box, fill=look.surface(look.palette.ground), stroke=look.palette.ink, width=0.3, radius=1.6)


def _draw_marker(page: Document, box: Box, look: CardLook, colour: Colour | None) -> None:
    ink, tint, weight = look.palette.quiet, PAPER, 0.5
    if colour is not None:
        ink, tint, weight = look.palette.ink, look.surface(look.template.camels[colour.value]), 1.2
    draw_icon(page, MARKER, box.square(), ink=ink, tint=tint, weight=weight)


def _draw_named(page: Document, box: Box, look: CardLook, colour: Colour) -> None:
    """A turn marker with the name of its colour below it, for whoever does not see colours."""
    marker, name = box.rows([box.h - _NAME_MM, _NAME_MM])
    _draw_marker(page, marker, look, colour)
    name_of_colour = look.words.track.colours[colour.value]
    page.text(name.inset(0.2, 0), name_of_colour, _NAME_PT, colour=look.palette.ink, align="centre")


def _heading(page: Document, box: Box, text: str, look: CardLook) -> None:
    page.text(box, text, _HEADING_PT, face=Face.BOLD, colour=look.palette.accent, tag=Tag.HEADING_2)
