"""What a print shows in colours is told apart without them: by shape, by letter or name, and by lightness.

Tribes, tiles and values are cut out of a set-up card and compared two by two, as each eye sees them, out of a grey
printer, and black and white from a fax. Players' markers have their names beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.printing.core.geometry import PAPERS, Box
from companion.printing.core.kinds import SETUP
from companion.printing.setup.layout import lay_out
from companion.rules.model.components import TileAction, Tribe
from tests.printing.eyes import DPI, EYES, Pixels, faxed, luminance, pictures
from tests.printing.prints import laid_table, printed

WAYS: dict[str, Callable[[Pixels], Pixels]] = {**EYES, "fax": faxed}
SIDE_PX = 32
LEAST_APART = 0.07
"""The mean difference of lightness, from 0 to 1, of two pictures that are told apart."""

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


def _apart(one: Pixels, other: Pixels, way: Callable[[Pixels], Pixels]) -> float:
    """The mean difference of lightness of two pictures, as it is seen that way."""
    seen = (np.cbrt(luminance(way(one))), np.cbrt(luminance(way(other))))
    return float(np.abs(seen[0] - seen[1]).mean())


def _check(name: str) -> None:
    for show in (_tribes, _tiles, _values):
        for (one, picture), (other, another) in combinations(show(name).items(), 2):
            for way, seen in WAYS.items():
                assert _apart(picture, another, seen) > LEAST_APART, (way, one, other)


def test_pieces_are_told_apart_without_their_colours() -> None:
    _check("card-light")


@pytest.mark.slow
def test_pieces_are_told_apart_in_full_ink() -> None:
    _check("card")
