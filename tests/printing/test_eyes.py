"""Prints are read by everybody and come out of every printer; codes are read by cameras."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import product
from typing import Any

import pikepdf
import pytest

from companion.printing.core.geometry import Box
from companion.printing.core.kinds import MIN_CAPTION_PT, SCORE
from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts
from companion.printing.score.layout import lay_out
from companion.printing.score.sheet import score_pad
from tests.printing.boxes import holds
from tests.printing.checks import read_print
from tests.printing.conftest import codes_in, photographed
from tests.printing.eyes import faint_texts, faxed, in_grey, pictures, turned
from tests.printing.prints import ALL_LANGUAGES, EVERY, printed

QR = "QR: "
LEAST = 3.5
"""WCAG 2 asks for 4.5 of running text and for 3 of large letters."""


def test_texts_stand_out_for_every_eye_and_in_black_and_white(subtests: pytest.Subtests) -> None:
    for name in ("sheet", "card-light", "cards-light"):
        with subtests.test(msg=name):
            assert faint_texts(read_print(printed(name)), LEAST) == []


@pytest.mark.slow
def test_texts_of_every_print_stand_out(subtests: pytest.Subtests) -> None:
    for name, language in product(EVERY, ("ru", "ko")):
        with subtests.test(msg=f"{name} {language}"):
            assert faint_texts(read_print(printed(name, language)), LEAST) == []


@pytest.mark.slow
def test_captions_of_pads_survive_being_copied() -> None:
    """Small print has a contrast of 7 for every eye, and comes out of a copier that knows black and white alone."""
    template = SCORE.load()
    for language, (paper, per_page) in product(ALL_LANGUAGES, (("letter", 1), ("a4", 2), ("letter", 4), ("a4", 4))):
        read = read_print(score_pad(paper=paper, per_page=per_page, language=language))
        first = lay_out(template, read.papers[0], template.layouts[str(per_page)], 4).slips[0].trim
        # All sheets of a page are alike.
        mine = replace(read, lines=tuple(line for line in read.lines if holds(first, line.box)))
        assert len(mine.lines) > 40 and min(line.size for line in mine.lines) >= MIN_CAPTION_PT - 0.005
        assert faint_texts(mine, 7.0) == [], (language, paper, per_page)


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
CODED = {"sheet": 2, "sheet-crowded": 2, "card": 3, "card-light": 1, "card-half": 2}
"""How many codes are on the prints that have any."""


def _check_codes(name: str, language: str, paper: str) -> None:
    pdf = printed(name, language, paper)
    shown, sharper = pictures(pdf), pictures(pdf, PHONE_DPI)
    for number, wanted in _codes_by_page(pdf).items():
        for way, seen in {
            "grey": in_grey(shown[number])[:, :, 0],
            "black and white": faxed(shown[number])[:, :, 0],
            "turned": turned(in_grey(shown[number]), 3.0)[:, :, 0],
            "photographed": photographed(in_grey(sharper[number])[:, :, 0]),
        }.items():
            assert wanted <= codes_in(seen), way


def test_what_has_a_code_tells_readers_of_it() -> None:
    for name in EVERY:
        assert sum(map(len, _codes_by_page(printed(name)).values())) == CODED.get(name, 0), name


@pytest.mark.slow
def test_codes_are_read_in_grey_turned_and_from_a_phone() -> None:
    """A sheet's and a card's are photographed by their own tests, quickly."""
    for name, language, paper in (
        ("card-light", "en", "a4"),
        ("sheet", "en", "a4"),
        ("sheet", "ko", "letter"),
        ("card", "it", "letter"),
        ("card-half", "ru", "a4"),
    ):
        _check_codes(name, language, paper)


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
