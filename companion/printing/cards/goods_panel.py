"""The card of the goods: what sets bring, and what is in the deck (rules 1.4, 7)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.printing.cards.flow import Paragraph, fitting_size, set_text
from companion.printing.cards.look import CardLook
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CARD_ICONS, draw_icon
from companion.printing.core.page import Document
from companion.printing.core.typefaces import Face
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, SET_PRICES_GC

_LABEL_SHARE = 0.17
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
    heading, ladder, _, deck, cards, foot = box.rows([box.h * share for share in (0.09, 0.18, 0.03, 0.09, 0.43, 0.18)])
    label = ladder.w * _LABEL_SHARE
    widths = [label] + [(ladder.w - label) / 9] * 9
    upper, lower = ladder.rows([ladder.h / 2] * 2)
    return GoodsBoxes(
        ladder_heading=heading,
        sizes=tuple(upper.columns(widths)),
        prices=tuple(lower.columns(widths)),
        deck_heading=deck,
        cards=tuple(cards.grid(2, 5, 1.2)),
        foot=foot,
    )


def draw_goods(page: Document, box: Box, look: CardLook, most: float) -> None:
    """Draw the panel into a box with type of at most `most` points."""
    words, palette, boxes = look.words.goods, look.palette, goods_boxes(box)
    for place, text in ((boxes.ladder_heading, words.ladder), (boxes.deck_heading, words.deck)):
        page.text(place, text, most * 1.05, face=Face.BOLD, colour=palette.accent)
    for number in range(10):
        upper, lower = boxes.sizes[number], boxes.prices[number]
        if number == 0:
            page.text(upper, words.cards, most, colour=palette.quiet)
            page.text(lower, words.price, most, colour=palette.quiet)
            continue
        page.box(upper, fill=look.pale(look.tints["goods"]), stroke=palette.ink, width=0.2)
        page.box(lower, fill="#FFFFFF", stroke=palette.ink, width=0.2)
        page.text(upper, str(number), most * 1.1, colour=palette.ink, align="centre")
        page.text(lower, str(SET_PRICES_GC[number]), most * 1.15, face=Face.BOLD, colour=palette.ink, align="centre")
    for card, place in zip((*GOODS, FAKIR), boxes.cards, strict=True):
        side = min(place.h, 7.4)
        icon = Box(place.x, place.centre[1] - side / 2, side, side)
        draw_icon(page, CARD_ICONS[card], icon, ink=palette.ink, tint=look.tints["icon"])
        count = f"× {CARD_COUNTS[card]}"
        wide = page.width("× 18", most, Face.BOLD) + 0.2
        name = Box(icon.right + 1.2, place.y, place.right - wide - icon.right - 1.6, place.h)
        page.text(name, getattr(words.names, card), most, colour=palette.ink)
        page.text(
            Box(place.right - wide, place.y, wide, place.h),
            count,
            most,
            face=Face.BOLD,
            colour=palette.ink,
            align="right",
        )
    texts = [Paragraph(words.fakirs, palette.ink), Paragraph(words.advice, palette.ink)]
    set_text(page, boxes.foot, texts, fitting_size(page, boxes.foot, texts, most), middle=True)
