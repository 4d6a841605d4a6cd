"""Every print in every language and on every paper: it looks as approved, and its texts have room."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pikepdf
import pytest
from pypdf import PdfReader

from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES
from companion.printing.core.geometry import PAPERS, Box
from companion.printing.setup.card import setup_pack
from companion.rules.model.position import Position
from tests.printing.checks import lacking_facts, outside, overlapping_texts, small_texts
from tests.printing.letters import read_lines
from tests.printing.looks import (
    DPI,
    FOLDER,
    MOST_APART,
    SEEN,
    Grey,
    apart,
    approved_picture,
    cells,
    pages,
    picture_path,
    strip,
)
from tests.printing.prints import EVERY, PLACES, laid_table, printed

PX_PER_MM = DPI / 25.4
CUT = {"sheet"}
"""Prints with names that are longer than any room."""
WORD_MM = 6.0
"""Words of at least this width are looked for when one is lost."""


@pytest.mark.parametrize(("language", "paper"), PLACES)
@pytest.mark.parametrize("name", EVERY)
def test_a_print_looks_as_approved_and_its_texts_have_room(name: str, language: str, paper: str) -> None:
    pdf = printed(name, language, paper)
    far = apart(approved_picture(name, language, paper), strip(pages(pdf)))
    assert far <= MOST_APART, "look at it; if it is right: python -m tests.printing.approved"
    _check_texts(name, pdf)
    assert lacking_facts(pdf) == []
    with pikepdf.open(io.BytesIO(pdf)) as file:
        root: Any = file.Root
        assert str(root.Lang) == language and len(file.pages) == len(PdfReader(io.BytesIO(pdf)).page_labels)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", EVERY)
def test_texts_longer_by_two_fifths_have_room(name: str, paper: str) -> None:
    _check_texts(name, printed(name, PSEUDO, paper))


def _check_texts(name: str, pdf: bytes) -> None:
    read = read_lines(pdf)
    assert len(read.lines) > 5
    assert [*small_texts(read), *outside(read), *overlapping_texts(read)] == []
    assert name in CUT or not [line.text for line in read.lines if "…" in line.text]


def test_nothing_is_approved_that_is_not_printed() -> None:
    wanted = {picture_path(name, language, paper) for name in EVERY for language, paper in PLACES}
    assert set(FOLDER.iterdir()) == wanted


@pytest.mark.parametrize("name", EVERY)
def test_a_print_moved_by_a_millimetre_does_not_look_so(name: str) -> None:
    shown = pages(printed(name, "en", "a4"))
    for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        moved = [np.roll(page, (round(down * PX_PER_MM), round(right * PX_PER_MM)), axis=(0, 1)) for page in shown]
        for page, other in zip(shown, moved, strict=True):
            assert apart(cells(page), cells(other)) > SEEN, (down, right)


@pytest.mark.parametrize("name", EVERY)
def test_a_print_that_lost_a_word_does_not_look_so(name: str) -> None:
    pdf = printed(name, "ru", "letter")
    shown = pages(pdf)
    lines = [line for line in read_lines(pdf).lines if line.box.w >= WORD_MM]
    words = [line for line in lines if re.sub(r"[ ()]", "", line.text).isalpha()]
    assert len(words) >= 2
    for line in words:
        page = shown[line.page]
        far = apart(cells(page), cells(_without(page, line.box)))
        assert far > SEEN, (line.text, far)


def _without(page: Grey, box: Box) -> Grey:
    """The page with what is in a box painted over in the commonest grey around it."""
    top, left = round((box.y - 0.3) * PX_PER_MM), round((box.x - 0.3) * PX_PER_MM)
    part = np.s_[top : round((box.bottom + 0.8) * PX_PER_MM), left : round((box.right + 0.3) * PX_PER_MM)]
    bare = page.copy()
    bare[part] = np.bincount(page[part].ravel(), minlength=256).argmax()
    return bare


def test_a_card_with_two_tiles_swapped_does_not_look_so() -> None:
    table = laid_table(3)
    for one, other in ((0, 1), (7, 20), (28, 29)):
        board = list(table.position.board)
        assert board[one] != board[other]
        board[one], board[other] = board[other], board[one]
        laid: Position = replace(table.position, board=tuple(board))
        before, after = (
            strip(pages(setup_pack([replace(table, position=position)]))) for position in (table.position, laid)
        )
        assert apart(before, after) > 2 * SEEN


def test_a_card_in_another_language_does_not_look_so() -> None:
    for name in EVERY:
        for language, other in zip(LANGUAGES, (*LANGUAGES[1:], LANGUAGES[0]), strict=True):
            far = apart(approved_picture(name, language, "a4"), approved_picture(name, other, "a4"))
            assert far > 2 * SEEN, (name, language, other)
