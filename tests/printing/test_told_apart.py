"""What a print shows in colours is told apart without them: by shape, by letter or name, and by lightness.

Tribes, tiles, values and goods are cut out of the printed pages and compared two by two, as each eye sees them, out of
a grey printer, and black and white from a fax. Players' markers have their names beside them (test_setup_boxes.py,
test_kit_boxes.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.printing.cards.aids import goods_boxes
from companion.printing.cards.layout import CardLook, card_places, panel_boxes
from companion.printing.cards.sheet import all_cards
from companion.printing.core.geometry import PAPERS, Box
from companion.printing.core.icons import draw_tribe
from companion.printing.core.kinds import CARDS, SETUP
from companion.printing.core.page import Document
from companion.printing.core.template import pick_words
from companion.printing.core.typefaces import Fonts
from companion.printing.setup.layout import lay_out
from companion.rules.model.components import FAKIR, GOODS, TRIBE_LETTERS, TileAction, Tribe
from tests.printing.eyes import DPI, EYES, Pixels, faxed, in_grey, luminance, pictures
from tests.printing.prints import laid_table, printed

WAYS: dict[str, Callable[[Pixels], Pixels]] = {**EYES, "fax": faxed}
SIDE_PX = 32
LEAST_APART = 0.07
"""The mean difference of lightness, from 0 to 1, of two pictures that are told apart; `test_colours_alone_would_not_do`
has what is too little."""

Pictures = dict[str, Pixels]


@cache
def _pages(name: str) -> list[Pixels]:
    return pictures(printed(name, "en", "a4"))


def _cut(page: Pixels, box: Box) -> Pixels:
    """What a box of a page shows, at one size for all."""
    scale = DPI / 25.4
    part = page[round(box.y * scale) : round(box.bottom * scale), round(box.x * scale) : round(box.right * scale)]
    return cv2.resize(np.ascontiguousarray(part), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)


def _left(box: Box, side: float) -> Box:
    """The icon at the left of a box."""
    return Box(box.x, box.centre[1] - side / 2, side, side)


def _tribes(name: str) -> Pictures:
    """The tribes in the legend of the set-up card."""
    legend, _ = lay_out(SETUP.load(), PAPERS["a4"]).legend.grid(1, 2)
    boxes = legend.grid(len(Tribe), 1, 2)
    return {tribe.noun: _cut(_pages(name)[0], _left(box, 4.2)) for tribe, box in zip(Tribe, boxes, strict=True)}


def _tiles(name: str) -> Pictures:
    """A tile of each kind on the board, without its meeples."""
    table = laid_table(3 if name == "card-light" else 2)
    found: Pictures = {}
    boxes = lay_out(SETUP.load(), PAPERS["a4"]).tiles
    for tile, box in zip(table.position.board, boxes, strict=True):
        half = Box(box.x, box.y, box.w * 0.52, box.h * 0.52)
        found.setdefault(tile.kind.action.name, _cut(_pages(name)[0], half))
    assert len(found) == len(TileAction)
    return found


def _values(name: str) -> Pictures:
    """A red and a blue value of the legend."""
    _, legend = lay_out(SETUP.load(), PAPERS["a4"]).legend.grid(1, 2)
    cells = legend.grid(len(TileAction) + 2, 1, 1.6)
    return {
        colour: _cut(_pages(name)[0], _left(box, 4.2)) for colour, box in zip(("red", "blue"), cells[-2:], strict=True)
    }


def _goods(_: str) -> Pictures:
    """The cards of the goods, on their card of rules."""
    sheet, place = divmod(all_cards().index("goods"), 9)
    cut = card_places(PAPERS["a4"])[place].inset(CARDS.load().card.frame)
    boxes = goods_boxes(panel_boxes(cut, 9.0, 2.2).body).cards
    page = _pages("kit")[4 + 2 * sheet]
    return {card: _cut(page, _left(box, 5.4)) for card, box in zip((*GOODS, FAKIR), boxes, strict=True)}


SHOWN: dict[str, tuple[Callable[[str], Pictures], str]] = {
    "tribes": (_tribes, "card"),
    "tribes in light ink": (_tribes, "card-light"),
    "tiles": (_tiles, "card"),
    "tiles in light ink": (_tiles, "card-light"),
    "values": (_values, "card"),
    "values in light ink": (_values, "card-light"),
    "goods": (_goods, "kit"),
}


def _apart(one: Pixels, other: Pixels, way: Callable[[Pixels], Pixels]) -> float:
    """The mean difference of lightness of two pictures, as it is seen that way."""
    seen = (np.cbrt(luminance(way(one))), np.cbrt(luminance(way(other))))
    return float(np.abs(seen[0] - seen[1]).mean())


def _check(names: Iterable[str]) -> None:
    for what in names:
        show, name = SHOWN[what]
        for (one, picture), (other, another) in combinations(show(name).items(), 2):
            for way, seen in WAYS.items():
                assert _apart(picture, another, seen) > LEAST_APART, (what, way, one, other)


def test_tribes_and_values_are_told_apart_without_their_colours() -> None:
    _check(["tribes in light ink", "values in light ink", "tiles in light ink"])


@pytest.mark.slow
def test_pieces_are_told_apart_without_their_colours() -> None:
    _check(SHOWN)


def test_colours_alone_would_not_do() -> None:
    """Builders, merchants and assassins of one shape and without letters: on a grey printer they are alike."""
    look = CardLook(CARDS.load(), pick_words(CARDS.load(), "en"))
    page = Document(Box(0, 0, 100, 30), Fonts(system=()), title="t", language="en")
    boxes = Box(5, 5, 90, 10).grid(len(TRIBE_LETTERS), 1, 8)
    for tribe, box in zip(Tribe, boxes, strict=True):
        draw_tribe(page, Tribe.VIZIER, _left(box, 10), fill=look.tints[tribe.noun], ink=look.palette.ink)
    (drawn,) = pictures(page.to_bytes())
    shown = [_cut(drawn, _left(box, 10)) for box in boxes[2:]]
    apart = [_apart(one, other, in_grey) for one, other in combinations(shown, 2)]
    assert min(apart) < LEAST_APART / 2
