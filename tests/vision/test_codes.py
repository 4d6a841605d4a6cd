"""Position codes in photos: ours, foreign, damaged, newer, several."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import qrcode

from companion.errors import NotationError, PhotoError, printable
from companion.notation.codes import encode
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.locate.scan import scan_photo
from companion.vision.reading.pipeline import read_picture


def card(*texts: str, grey: bool = False) -> np.ndarray:
    """A photo of a sheet on a table with a QR code for each text, seen a little askew."""
    table = np.full((1200, 1500, 3), (150, 150, 150) if grey else (70, 100, 140), np.uint8)
    cv2.rectangle(table, (100, 80), (1400, 1120), (250, 250, 250), -1)
    for number, text in enumerate(texts):
        code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=4)
        code.add_data(text)
        code.make()
        cells = np.array(code.get_matrix(), dtype=np.uint8)
        picture = cv2.resize(255 * (1 - cells), (500, 500), interpolation=cv2.INTER_NEAREST)
        left = 150 + 620 * number
        table[300:800, left : left + 500] = picture[:, :, None]
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1500, 0], [1500, 1200], [0, 1200]], np.float32),
        np.array([[40, 20], [1460, 0], [1500, 1190], [0, 1150]], np.float32),
    )
    return np.asarray(cv2.GaussianBlur(cv2.warpPerspective(table, matrix, (1500, 1200)), (0, 0), 1.0))


@pytest.mark.parametrize("grey", [False, True], ids=["colour", "grey"])
def test_our_code_gives_the_position_back(grey: bool) -> None:
    position = random_setup(4, 11)
    reading = read_picture(card(encode(position), grey=grey))
    assert reading.position == position
    assert reading.code == encode(position)
    assert reading.doubtful == ()


def test_a_foreign_code_is_named() -> None:
    with pytest.raises(PhotoError, match="https://example.org.*no sultanate"):
        read_picture(card("https://example.org/menu"))


def test_beside_a_foreign_code_a_board_that_is_not_there_stays_missing() -> None:
    assert isinstance(scan_photo(card("https://example.org/menu")).fault, NoSultanateError)


def test_a_result_of_ours_is_not_called_foreign() -> None:
    scan = scan_photo(card("Five Tribes, 2026-02-14\nAnna (pink) 30 = 30+0+0+0+0+0+0+0\nblue 20 = 20+0+0+0+0+0+0+0"))
    assert scan.outcome is not None and scan.outcome.totals == {Colour.PINK: 30, Colour.BLUE: 20}
    assert "no sultanate found" in str(scan.fault) and "QR code" not in str(scan.fault)


@pytest.mark.parametrize("text", ["\x1b]0;owned\x07 menu", "a\u202eb\x9bc"], ids=["title", "direction"])
def test_a_foreign_code_reaches_the_terminal_without_control_characters(text: str) -> None:
    with pytest.raises(PhotoError, match="not one of this program's") as refused:
        read_picture(card(text))
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("text", ["FT1-\x1b]0;owned\x07ABC", "FT9\x1b]0;owned\x07-ABC"])
def test_a_code_of_ours_with_control_characters_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_picture(card(text))
    assert printable(str(refused.value)).isprintable()


def test_ours_is_taken_beside_a_foreign_one() -> None:
    position = random_setup(2, 5)
    assert read_picture(card("https://example.org/menu", encode(position))).position == position


def test_two_positions_in_one_photo_are_refused() -> None:
    with pytest.raises(PhotoError, match="two positions"):
        read_picture(card(encode(random_setup(3, 1)), encode(random_setup(3, 2))))


def test_a_damaged_code_is_refused_never_guessed() -> None:
    code = encode(random_setup(3, 1))
    wrong = code[:10] + ("A" if code[10] != "A" else "B") + code[11:]
    with pytest.raises(NotationError):
        read_picture(card(wrong))


def test_a_newer_code_is_refused() -> None:
    with pytest.raises(NotationError, match="newer"):
        read_picture(card(encode(random_setup(3, 1)).replace("FT1", "FT2", 1)))


def test_a_photo_without_colour_is_refused() -> None:
    photo = cv2.imread(str(Path(__file__).resolve().parents[2] / "samples" / "start.jpg"), cv2.IMREAD_GRAYSCALE)
    with pytest.raises(PhotoError, match="no colour"):
        read_picture(np.repeat(photo[:, :, None], 3, axis=2))
