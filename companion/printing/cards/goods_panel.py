"""The card of the goods: what sets bring, and what is in the deck (rules 1.4, 7)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.printing.cards.flow import Paragraph, fits, fitting_size, largest, set_text
from companion.printing.cards.look import CardLook
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CARD_ICONS, draw_icon
from companion.printing.core.page import Document
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, SET_PRICES_GC

_SHARES = (0.09, 0.17, 0.02, 0.09, 0.45, 0.02, 0.16)
"""Heights of heading, ladder, gap, heading, cards, gap and lines below, as shares of the panel."""
_ICON_MM = 5.8
_LABEL_SHARE = 0.2
"""Width of the words before the ladder."""


@dataclass(frozen=True, slots=True)
class GoodsBoxes:
    """Where the parts of the panel stand: heading and ladder, heading and cards, and the lines below."""

    ladder_heading: Box
    sizes: tuple[Box, ...]
    """How many goods a set has, the words first."""
    prices: tuple[Box, ...]
    deck_heading: Box
    cards: tuple[Box, ...]
    foot: Box


def goods_boxes(box: Box) -> GoodsBoxes:
    """The parts of the panel in a box."""
    heading, ladder, _, deck, cards, _, foot = box.rows([box.h * share for share in _SHARES])
    label = ladder.w * _LABEL_SHARE
    widths = [label] + [(ladder.w - label) / 9] * 9
    upper, lower = ladder.rows([ladder.h / 2] * 2)
    return GoodsBoxes(
        ladder_heading=heading,
        sizes=tuple(upper.columns(widths)),
        prices=tuple(lower.columns(widths)),
        deck_heading=deck,
        cards=tuple(cell for row in cards.grid(1, 5, 0.4) for cell in row.columns([(row.w - 1.6) / 2] * 2, 1.6)),
        foot=foot,
    )


def draw_goods(page: Document, box: Box, look: CardLook, most: float) -> None:
    """Draw the panel into a box with type of at most `most` points."""
    words, palette, boxes = look.words.goods, look.palette, goods_boxes(box)
    _draw_heading(page, boxes.ladder_heading, words.ladder, most, look)
    with page.tagged(Tag.TABLE) as table:
        counts, prices = table.add(Tag.ROW), table.add(Tag.ROW)
    for number in range(10):
        upper, lower = boxes.sizes[number], boxes.prices[number]
        if number == 0:
            for place, text, row in ((upper, words.cards, counts), (lower, words.price, prices)):
                with page.tagged(Tag.HEADER_CELL, within=row):
                    page.text(Box(place.x, place.y, place.w - 1, place.h), text, most, colour=palette.quiet)
            continue
        page.box(upper, fill=look.surface(look.tints["goods"]), stroke=palette.ink, width=0.2)
        page.box(lower, fill="#FFFFFF", stroke=palette.ink, width=0.2)
        with page.tagged(Tag.CELL, within=counts):
            page.text(upper, str(number), most * 1.1, colour=palette.ink, align="centre")
        price = str(SET_PRICES_GC[number])
        with page.tagged(Tag.CELL, within=prices):
            page.text(lower, price, most * 1.15, face=Face.BOLD, colour=palette.ink, align="centre")
    _draw_heading(page, boxes.deck_heading, words.deck, most, look)
    cells = list(zip((*GOODS, FAKIR), boxes.cards, strict=True))
    names = {card: [Paragraph(getattr(words.names, card), palette.ink)] for card in CARD_COUNTS}
    wide = page.width("× 18", most, Face.BOLD) + 0.2

    def all_fit(size: float) -> bool:
        return all(fits(page, _name_box(place, wide), names[card], size) for card, place in cells)

    size = largest(all_fit, most)
    for card, place in cells:
        side = min(place.h, _ICON_MM)
        icon = Box(place.x, place.centre[1] - side / 2, side, side)
        draw_icon(page, CARD_ICONS[card], icon, ink=palette.ink, tint=look.tints["icon"])
        set_text(page, _name_box(place, wide), names[card], size, middle=True)
        count = Box(place.right - wide, place.y, wide, place.h)
        text = f"× {CARD_COUNTS[card]}"
        page.text(count, text, most, face=Face.BOLD, colour=palette.ink, align="right")
    texts = [Paragraph(words.fakirs, palette.ink), Paragraph(words.advice, palette.ink)]
    set_text(page, boxes.foot, texts, fitting_size(page, boxes.foot, texts, most), middle=True)


def _name_box(place: Box, count: float) -> Box:
    """Where a card's name stands between its icon and its number, which is `count` mm wide."""
    left = min(place.h, _ICON_MM) + 1.2
    return Box(place.x + left, place.y, place.w - left - count - 0.8, place.h)


def _draw_heading(page: Document, box: Box, text: str, most: float, look: CardLook) -> None:
    with page.tagged(Tag.PARAGRAPH):
        page.text(box, text, most * 1.05, face=Face.BOLD, colour=look.palette.accent)
