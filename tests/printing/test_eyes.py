"""Prints are read by everybody and come out of every printer; codes are read by cameras."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.notation.codes import encode
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts
from companion.rules.engine.setup import random_setup
from tests.printing.approved import PRINTS
from tests.printing.checks import read_print
from tests.printing.conftest import photographed
from tests.printing.eyes import EYES, contrast, faint_texts, faxed, in_grey, pictures, turned

LEAST = 3.5
"""WCAG 2 asks for 4.5 of running text and for 3 of large letters."""


@pytest.mark.parametrize("name", PRINTS)
def test_texts_stand_out_for_every_eye_and_in_black_and_white(name: str) -> None:
    assert faint_texts(read_print(PRINTS[name]()), LEAST) == []


def _codes_read(photo: np.ndarray) -> set[str]:
    """What all the codes in a photo say: OpenCV's two detectors each miss codes that the other finds."""
    found = set()
    for detector in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
        found |= set(detector.detectAndDecodeMulti(photo)[1])
    return found


@pytest.mark.parametrize(
    ("name", "players", "seed"), [("sheet", 4, 9), ("card", 4, 7), ("card-two", 2, 8), ("card-three", 3, 4)]
)
def test_codes_are_read_in_grey_turned_and_from_a_phone(name: str, players: int, seed: int) -> None:
    code, page = encode(random_setup(players, seed)), pictures(PRINTS[name]())[0]
    grey = in_grey(page)[:, :, 0]
    for way, seen in {
        "grey": grey,
        "black and white": faxed(page)[:, :, 0],
        "turned": turned(in_grey(page), 3.0)[:, :, 0],
        "turned back": turned(in_grey(page), -3.0)[:, :, 0],
        "photographed": photographed(grey),
    }.items():
        assert code in _codes_read(np.ascontiguousarray(seen)), way


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
    found = faint_texts(read_print(page.to_bytes()), LEAST)
    assert not any("dark enough" in one for one in found)
    assert any("'pale' in grey" in one for one in found) and any("'pale' in black and white" in one for one in found)
    assert any("'blue on red' protanopia" in one for one in found)
