"""Codes in photos: ours, foreign, damaged, newer, several; and boards drawn beside them on a card."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
import qrcode

from companion.errors import NotationError, PhotoError, printable
from companion.language.phrase import say
from companion.notation.codes import encode
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.kinds import SETUP
from companion.printing.core.qr import qr_modules
from companion.printing.setup.layout import lay_out
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.vision.load import Picture
from companion.vision.locate.code_detection import DetectedCode, find_codes
from companion.vision.locate.grid import HALF_TURN, Lattice
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import Points, project
from companion.vision.reading import scan
from companion.vision.reading.pipeline import read_picture
from companion.vision.reading.scan import find_cards_code, is_drawn, scan_photo


def card(*texts: str, grey: bool = False) -> np.ndarray:
    """A photo of a sheet on a table with a QR code for each text, seen a little askew."""
    table = np.full((600, 750, 3), (150, 150, 150) if grey else (70, 100, 140), np.uint8)
    cv2.rectangle(table, (50, 40), (700, 560), (250, 250, 250), -1)
    for number, text in enumerate(texts):
        code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=4)
        code.add_data(text)
        code.make()
        cells = np.array(code.get_matrix(), dtype=np.uint8)
        picture = cv2.resize(255 * (1 - cells), (250, 250), interpolation=cv2.INTER_NEAREST)
        left = 75 + 310 * number
        table[150:400, left : left + 250] = picture[:, :, None]
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [750, 0], [750, 600], [0, 600]], np.float32),
        np.array([[20, 10], [730, 0], [750, 595], [0, 575]], np.float32),
    )
    return np.asarray(cv2.GaussianBlur(cv2.warpPerspective(table, matrix, (750, 600)), (0, 0), 0.6))


@pytest.fixture
def no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sultanate is looked for: a code's text decides."""

    def fail(photo: Picture) -> Lattice:
        raise NoSultanateError(say("no sultanate found"))

    monkeypatch.setattr(scan, "find_lattice", fail)


@pytest.mark.usefixtures("no_board")
def test_our_code_gives_the_position_back_beside_a_foreign_one_and_light_on_dark_too() -> None:
    position = random_setup(4, 11)
    dark = 255 - card(encode(position), grey=True)
    for photo in (dark, card("https://example.org/menu", encode(position))):
        reading = read_picture(photo)
        assert reading.position == position and reading.code == encode(position) and reading.doubtful == ()


def test_a_foreign_code_is_named_and_no_board_is_found() -> None:
    fault = scan_photo(card("https://example.org/menu")).fault
    assert isinstance(fault, NoSultanateError)
    assert re.search("https://example.org.*no sultanate", str(fault))


@pytest.mark.usefixtures("no_board")
def test_a_result_of_ours_is_not_called_foreign() -> None:
    seen = scan_photo(card("Five Tribes, 2026-02-14\nAnna (pink) 30 = 30+0+0+0+0+0+0+0\nblue 20 = 20+0+0+0+0+0+0+0"))
    assert seen.outcome is not None and seen.outcome.totals == {Colour.PINK: 30, Colour.BLUE: 20}
    assert "no sultanate found" in str(seen.fault) and "QR code" not in str(seen.fault)


@pytest.mark.usefixtures("no_board")
def test_control_characters_of_a_code_reach_no_terminal() -> None:
    with pytest.raises(PhotoError, match="not one of this program's") as refused:
        read_picture(card("\x1b]0;owned\x07 me\u202enu\x9bc"))
    assert str(refused.value).isprintable()
    with pytest.raises(NotationError) as damaged:
        read_picture(card("FT1-\x1b]0;owned\x07ABC"))
    assert printable(str(damaged.value)).isprintable()


@pytest.mark.usefixtures("no_board")
def test_codes_that_are_two_damaged_or_newer_are_refused_never_guessed() -> None:
    code = encode(random_setup(3, 1))
    with pytest.raises(PhotoError, match="two positions"):
        read_picture(card(code, encode(random_setup(3, 2))))
    damaged, newer = code[:10] + ("A" if code[10] != "A" else "B") + code[11:], code.replace("FT1", "FT2", 1)
    for text, why in ((damaged, "."), (newer, "newer")):
        with pytest.raises(NotationError, match=why):
            read_picture(card(text))


def test_a_photo_without_colour_is_refused() -> None:
    photo = cv2.imread(str(Path(__file__).resolve().parents[2] / "samples" / "start.jpg"), cv2.IMREAD_GRAYSCALE)
    with pytest.raises(PhotoError, match="no colour"):
        read_picture(np.repeat(photo[:, :, None], 3, axis=2))


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


def seen(code_mm: Points, board: Box | Points, tile_mm: float, text: str = CODE) -> tuple[Lattice, list[DetectedCode]]:
    """A board and a code of one plane as a tilted photo shows them; `board` is where a1's corner lies."""
    left, top = (board.x, board.y) if isinstance(board, Box) else board
    tilted = np.array([[5.0, 0.9, 40], [-0.7, 4.6, 300], [0.0002, 0.0006, 1]])
    to_mm = np.array([[tile_mm, 0, left], [0, tile_mm, top], [0, 0, 1]])
    return Lattice(tilted @ to_mm, 30), [DetectedCode(text, project(tilted, code_mm))]


# As the first cards had them: tiles nearly 27 mm (Letter: 23 mm) wide in the middle of the page, a code of 38 mm.
FIRST_CARDS = {"a4": (155.0, 226.0, 25.0, 35.5, 26.7), "letter": (161.0, 208.0, 39.0, 35.5, 23.0)}


def test_a_board_beside_its_cards_code_is_drawn() -> None:
    for paper, (x, y, left, top, tile) in FIRST_CARDS.items():
        first = seen(corners(x, y, x + 37.6, y + 37.6), np.array((left, top)), tile)
        for lattice, codes in (seen(*printed(paper)), seen(*printed(paper), text=""), first):
            assert is_drawn(lattice, codes) and is_drawn(Lattice(lattice.homography @ HALF_TURN, 30), codes)


def test_tiles_beside_a_card_or_another_code_are_not() -> None:
    code = corners(-15.5, -15.5, 15.5, 15.5)
    places = ((0, 480, 60), (0, 460, 420), (0, 150, 400), (90, 480, 300), (180, -120, -60), (8, 440, 450))
    for turn, x, y in places:
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        assert not is_drawn(*seen(code @ np.array([[c, s], [-s, c]]) + (x, y), np.zeros(2), TILE_MM)), (turn, x, y)
    assert not is_drawn(*seen(*printed("a4"), text="https://example.org/menu"))


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
    expected = project(small @ np.diag([8.0, 8.0, 1.0]), code_mm)
    assert not find_codes(photo)
    for shown in (photo, 255 - photo):
        codes = find_cards_code(shown, lattice)
        assert {one.text for one in codes} == {CODE} and is_drawn(lattice, codes)
        assert np.abs(codes[0].corners - expected).max() < 4
