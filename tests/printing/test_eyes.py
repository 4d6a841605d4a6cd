"""Prints are read by everybody and come out of every printer; codes are read by cameras."""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
import pikepdf
import pytest

from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts
from tests.printing.conftest import photographed
from tests.printing.eyes import EYES, contrast, faint_texts, faxed, in_grey, pictures, turned
from tests.printing.letters import read_lines
from tests.printing.prints import EVERY, printed

QR = "QR: "
LEAST = 3.5
"""WCAG 2 asks for 4.5 of running text and for 3 of large letters."""


@pytest.mark.parametrize("language", ["ru", "ko"])
@pytest.mark.parametrize("name", EVERY)
def test_texts_stand_out_for_every_eye_and_in_black_and_white(name: str, language: str) -> None:
    assert faint_texts(read_lines(printed(name, language, "a4")), LEAST) == []


def _unread(photo: np.ndarray, codes: set[str]) -> set[str]:
    """Which codes nobody reads in a photo: OpenCV's two detectors each miss codes that the other finds."""
    left = set(codes)
    for detector in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
        if left:
            left -= set(detector.detectAndDecodeMulti(np.ascontiguousarray(photo))[1])
    return left


def _codes_by_page(pdf: bytes) -> dict[int, set[str]]:
    """What the codes on each page say, by what a screen reader is told of them."""
    found: dict[int, set[str]] = {}
    with pikepdf.open(io.BytesIO(pdf)) as file:
        numbers = {page.obj.objgen: number for number, page in enumerate(file.pages)}
        for part in file.objects:
            if isinstance(part, pikepdf.Dictionary) and str(part.get("/Alt", "")).startswith(QR):
                page: Any = part.get("/Pg", part.K[0].get("/Pg") if isinstance(part.K[0], pikepdf.Dictionary) else None)
                found.setdefault(numbers[page.objgen], set()).add(str(part.Alt).removeprefix(QR))
    return found


PHONE_DPI = 200
"""Twelve million dots on a whole page are 340 to the inch; hands shake and edges are cut off."""
CODED = {"sheet": 2, "card": 3, "card-light": 1}
"""How many codes are on the prints that have any."""


@pytest.mark.parametrize(
    ("name", "language", "paper"),
    [("sheet", "en", "a4"), ("sheet", "ko", "letter"), ("card", "it", "letter"), ("card-light", "ru", "a4")],
)
def test_codes_are_read_in_grey_turned_and_from_a_phone(name: str, language: str, paper: str) -> None:
    pdf = printed(name, language, paper)
    codes, shown, sharper = _codes_by_page(pdf), pictures(pdf), pictures(pdf, PHONE_DPI)
    assert sum(map(len, codes.values())) == CODED[name]
    for number, wanted in codes.items():
        for way, seen in {
            "grey": in_grey(shown[number])[:, :, 0],
            "black and white": faxed(shown[number])[:, :, 0],
            "turned": turned(in_grey(shown[number]), 3.0)[:, :, 0],
            "photographed": photographed(in_grey(sharper[number])[:, :, 0]),
        }.items():
            assert _unread(seen, wanted) == set(), way


@pytest.mark.parametrize("name", EVERY)
def test_no_print_has_a_code_that_is_not_read(name: str) -> None:
    """Where there is one, `CODED` names the print, and a camera is tried on it."""
    assert sum(map(len, _codes_by_page(printed(name, "en", "a4")).values())) == CODED.get(name, 0)


def test_colours_are_seen_as_published() -> None:
    """Greys stay, and what the eye lacks is gone: red and green of one lightness become alike without red cones."""
    grey = np.array([120, 120, 120])
    for eye in EYES.values():
        assert np.abs(eye(grey).astype(int) - 120).max() <= 1
    red, green = np.array([205, 60, 50]), np.array([100, 110, 40])
    assert np.abs(red - green).max() > 100
    seen = EYES["deuteranopia"](red).astype(int), EYES["deuteranopia"](green).astype(int)
    assert np.abs(seen[0] - seen[1]).max() < 60
    assert contrast(np.array([255, 255, 255]), np.array([0, 0, 0])) == pytest.approx(21)
    assert faxed(np.array([[[150, 150, 150], [200, 200, 200]]])).tolist() == [[[0] * 3, [255] * 3]]


def test_faint_texts_are_found() -> None:
    page = Document(Box(0, 0, 60, 60), Fonts(system=()), title="t", language="en")
    page.text(Box(10, 10, 40, 5), "dark enough", 10, colour="#555555")
    page.text(Box(10, 20, 40, 5), "pale", 10, colour="#AAAAAA")
    page.box(Box(10, 30, 40, 8), fill="#C03028")
    page.text(Box(10, 30, 40, 8), "blue on red", 10, colour="#2850C0")
    found = faint_texts(read_lines(page.to_bytes()), LEAST)
    assert not any("darkenough" in one for one in found)
    assert any("'pale' in grey" in one for one in found) and any("'pale' in black and white" in one for one in found)
    assert any("'blueonred' protanopia" in one for one in found)
