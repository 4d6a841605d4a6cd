"""Prices as coins, on the card of the round and on the page about bids."""

from __future__ import annotations

from companion.printing.cards.look import WHITE, CardLook
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.typefaces import Face

_PRICE_SHARE = 0.5
"""Size of the number as a share of the coin."""


def draw_price(page: Document, box: Box, price: int, look: CardLook, *, plain: bool = False) -> None:
    """Draw a price in GC on the largest coin that the box has room for; zeros, and what is `plain`, on white."""
    side = min(box.w, box.h)
    coin = Box(box.centre[0] - side / 2, box.centre[1] - side / 2, side, side)
    fill = WHITE if plain or not price else look.tints["gold"]
    page.box(coin, fill=fill, stroke=look.palette.ink, width=0.25, radius=side / 2)
    size = side * _PRICE_SHARE * PT_PER_MM
    page.text(coin, str(price), size, face=Face.BOLD, colour=look.palette.ink, align="centre")
