"""A board drawn on a card is told from one of tiles by where the card's code lies beside it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.notation.codes import encode
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.kinds import SETUP
from companion.printing.core.qr import qr_modules
from companion.printing.setup.layout import lay_out
from companion.rules.engine.setup import random_setup
from companion.vision.locate.codes import SeenCode, find_codes
from companion.vision.locate.grid import HALF_TURN, Lattice
from companion.vision.locate.scan import find_cards_code, is_drawn
from companion.vision.numerics import Points, project

CODE = encode(random_setup(3, 5))
TILE_MM = 64.0


def corners(left: float, top: float, right: float, bottom: float) -> Points:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)


def printed(paper: str) -> tuple[Points, Box, float]:
    """The corners of a card's code in mm, its tile a1 and how far its tiles are apart."""
    boxes = lay_out(SETUP.load(), paper_box(paper))
    modules = qr_modules(CODE, boxes.qr)
    code = corners(modules[0].x, modules[0].y, max(one.right for one in modules), max(one.y + one.h for one in modules))
    return code, boxes.tiles[0], boxes.tiles[1].x - boxes.tiles[0].x


def seen(code_mm: Points, board: Box | Points, tile_mm: float, text: str = CODE) -> tuple[Lattice, list[SeenCode]]:
    """A board and a code of one plane as a tilted photo shows them; `board` is where a1's corner lies."""
    left, top = (board.x, board.y) if isinstance(board, Box) else board
    tilted = np.array([[5.0, 0.9, 40], [-0.7, 4.6, 300], [0.0002, 0.0006, 1]])
    to_mm = np.array([[tile_mm, 0, left], [0, tile_mm, top], [0, 0, 1]])
    return Lattice(tilted @ to_mm, 30), [SeenCode(text, project(tilted, code_mm))]


# As the first cards had them: tiles nearly 27 mm (Letter: 23 mm) wide in the middle of the page, a code of 38 mm.
FIRST_CARDS = {"a4": (155.0, 226.0, 25.0, 35.5, 26.7), "letter": (161.0, 208.0, 39.0, 35.5, 23.0)}


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("turned", [False, True], ids=["upright", "half-turned"])
def test_the_board_of_a_card_is_drawn(paper: str, turned: bool) -> None:
    x, y, left, top, tile = FIRST_CARDS[paper]
    first = seen(corners(x, y, x + 37.6, y + 37.6), np.array((left, top)), tile)
    for lattice, codes in (seen(*printed(paper)), seen(*printed(paper), text=""), first):
        found = Lattice(lattice.homography @ HALF_TURN, 30) if turned else lattice
        assert is_drawn(found, codes)


@pytest.mark.parametrize(
    ("turn", "x", "y"), [(0, 480, 60), (0, 460, 420), (0, 150, 400), (90, 480, 300), (180, -120, -60), (8, 440, 450)]
)
def test_tiles_beside_a_card_are_not(turn: float, x: float, y: float) -> None:
    card = corners(-15.5, -15.5, 15.5, 15.5)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    lattice, codes = seen(card @ np.array([[c, s], [-s, c]]) + (x, y), np.zeros(2), TILE_MM)
    assert not is_drawn(lattice, codes)


def test_other_codes_are_of_no_card() -> None:
    lattice, codes = seen(*printed("a4"), text="https://example.org/menu")
    assert not is_drawn(lattice, codes)


def test_a_cards_code_is_found_where_it_is_too_small_for_a_look_at_the_whole_photo() -> None:
    code_mm, board, tile_mm = printed("a4")
    page = np.full((297 * 8, 210 * 8, 3), 250, np.uint8)
    for module in qr_modules(CODE, lay_out(SETUP.load(), paper_box("a4")).qr):
        at = [round(8 * value) for value in (module.x, module.y, module.right, module.y + module.h)]
        page[at[1] : at[3], at[0] : at[2]] = 0
    small = np.array([[0.5, 0, 900], [0, 0.5, 600], [0, 0, 1]])
    photo = cv2.warpPerspective(page, small, (4000, 3000), flags=cv2.INTER_AREA, borderValue=(70, 100, 140))
    photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.5), np.uint8)
    to_mm = np.array([[tile_mm, 0, board.x], [0, tile_mm, board.y], [0, 0, 1]])
    to_photo = small @ np.diag([8.0, 8.0, 1.0]) @ to_mm
    lattice = Lattice(to_photo @ HALF_TURN, 30)
    codes = find_cards_code(photo, lattice)
    assert not find_codes(photo)
    assert {one.text for one in codes} == {CODE} and is_drawn(lattice, codes)
    expected = project(small @ np.diag([8.0, 8.0, 1.0]), code_mm)
    assert np.abs(codes[0].corners - expected).max() < 4
