"""The bid track aid: spots with prices to put markers on, what zeros do, two players, and Kumarbi (rules 3, 11.8)."""

from __future__ import annotations

from companion.palette import PAPER
from companion.printing.cards.aids import draw_price
from companion.printing.cards.flow import Paragraph, fits, fitting_size, largest, set_text
from companion.printing.cards.look import CardLook
from companion.printing.cards.pages import body_box, draw_page_head
from companion.printing.core.geometry import Box, Boxes
from companion.printing.core.icons import CARD_ICONS, MARKER, draw_icon
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.rules.model.components import BID_SPOTS, TRACK_PRICES_GC, Colour

PRICES = tuple(sorted(TRACK_PRICES_GC, reverse=True))
"""What the spots of the turn order track cost in GC, from the left: the first to play first (rules 3.3)."""

_SPOT_MM = 20.5
"""Side of a spot of either track; they lie side by side."""
_TRACKS_MM = (len(PRICES) * _SPOT_MM, 93.0)
"""Width and height of both tracks with their headings and prices."""
_ORDER_TOP_MM, _BIDS_TOP_MM = 15.0, 57.5
"""Where the spots of the turn order track and of the bid order track begin."""
_ZEROS = PRICES.count(0)
_HEADING_MM = 6.5
_HEADING_PT = 11.5
_CAPTION_MM = 4.5
_PRICE_MM = 7.0
_COIN_RIM_MM = 0.4
_MAX_GAP_MM = 13.0
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
    parts = [
        _TRACKS_MM[1],
        _HEADING_MM + _ZERO_MM + _TEXT_MM,
        _HEADING_MM + _TWO_MM,
        _HEADING_MM + _PRICE_MM * (_MAX_FAKIRS + 1),
    ]
    gap = min((body.h - sum(parts)) / (len(parts) - 1), _MAX_GAP_MM)
    top, zeros, two, kumarbi = body.rows(parts, gap)
    tracks = Box(top.centre[0] - _TRACKS_MM[0] / 2, top.y, *_TRACKS_MM)
    side = _SPOT_MM
    spots = Box(tracks.x, tracks.y + _ORDER_TOP_MM, tracks.w, side)
    prices = Box(tracks.x, spots.bottom, tracks.w, _PRICE_MM)
    captions = Box(tracks.x, prices.bottom, tracks.w, _CAPTION_MM)
    bids = Box(tracks.x, tracks.y + _BIDS_TOP_MM, BID_SPOTS * side, side)
    zeros_heading, zero_row = zeros.rows([_HEADING_MM, zeros.h - _HEADING_MM])
    two_heading, two_rest = two.rows([_HEADING_MM, two.h - _HEADING_MM])
    kumarbi_heading, table = kumarbi.rows([_HEADING_MM, kumarbi.h - _HEADING_MM])
    label = table.w * _LABEL_SHARE
    widths = [label] + [(table.w - label) / len(PRICES)] * len(PRICES)
    cells = [row.columns(widths) for row in table.grid(1, _MAX_FAKIRS + 1)]
    middle = bids.right + 5
    return Boxes(
        order_heading=Box(tracks.x, spots.y - _HEADING_MM, tracks.w, _HEADING_MM),
        spots=tuple(spots.columns([side] * len(PRICES))),
        prices=tuple(prices.columns([side] * len(PRICES))),
        captions=captions,
        bid_heading=Box(tracks.x, bids.y - _HEADING_MM, bids.w, _HEADING_MM),
        bids=tuple(bids.columns([side] * BID_SPOTS)),
        rules=Box(middle, bids.y - _HEADING_MM, tracks.right - middle, bids.h + _HEADING_MM),
        zeros_heading=zeros_heading,
        zeros=tuple(zero_row.grid(_ZEROS, 1, 6)),
        two_heading=two_heading,
        two=Box(two_rest.x, two_rest.y, BID_SPOTS * side, two_rest.h),
        pairs=Box(middle, two_rest.y, two_rest.right - middle, two_rest.h),
        kumarbi_heading=kumarbi_heading,
        labels=tuple(row[0] for row in cells),
        reduced=tuple(tuple(row[1:]) for row in cells),
    )


def reduced_price(spot: int, fakirs: int) -> int:
    """What a spot of `PRICES` costs in GC when Kumarbi's owner discards that many fakirs (rules 11.8)."""
    return PRICES[min(spot + fakirs, len(PRICES) - 1)]


def draw_track_page(page: Document, look: CardLook) -> None:
    """Draw the page."""
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
    texts = [_bullet(text, look) for text in (*look.words.round.bids, words.payment)]
    most = look.sizes.page_text_pt
    set_text(page, boxes.rules, texts, fitting_size(page, boxes.rules, texts, most), middle=True)
    _draw_zeros(page, boxes, look, most)
    _draw_two(page, boxes, look, most)
    _draw_kumarbi(page, boxes, look)


def _draw_kumarbi(page: Document, boxes: Boxes, look: CardLook) -> None:
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
            with page.tagged(named):
                page.text(label, words.price, 8, colour=palette.quiet)
        for spot, place in enumerate(row):
            with page.tagged(Tag.CELL, within=part):
                if PRICES[spot] or not fakirs:
                    price = reduced_price(spot, fakirs)
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
    texts = [_bullet(text, look) for text in words.pairs]
    set_text(page, boxes.pairs, texts, fitting_size(page, boxes.pairs, texts, most), middle=True)


def _draw_spot(page: Document, box: Box, look: CardLook) -> None:
    page.box(box, fill=look.surface(look.palette.ground), stroke=look.palette.ink, width=0.3, radius=1.6)


def _draw_marker(page: Document, box: Box, look: CardLook, colour: Colour | None) -> None:
    side = min(box.w, box.h)
    place = Box(box.centre[0] - side / 2, box.centre[1] - side / 2, side, side)
    if colour is None:
        draw_icon(page, MARKER, place, ink=look.palette.quiet, tint=PAPER, weight=0.5)
        return
    tint = look.surface(look.template.camels[colour.value])
    draw_icon(page, MARKER, place, ink=look.palette.ink, tint=tint, weight=1.2)


def _draw_named(page: Document, box: Box, look: CardLook, colour: Colour) -> None:
    """A turn marker with the name of its colour below it, for whoever does not see colours."""
    marker, name = box.rows([box.h - _NAME_MM, _NAME_MM])
    _draw_marker(page, marker, look, colour)
    name_of_colour = look.words.track.colours[colour.value]
    page.text(name.inset(0.2, 0), name_of_colour, _NAME_PT, colour=look.palette.ink, align="centre")


def _heading(page: Document, box: Box, text: str, look: CardLook) -> None:
    with page.tagged(Tag.HEADING_2):
        page.text(box, text, _HEADING_PT, face=Face.BOLD, colour=look.palette.accent)


def _bullet(text: str, look: CardLook) -> Paragraph:
    return Paragraph(text, look.palette.ink, number="•", number_colour=look.palette.accent)
