"""Set-up cards: everything on it, nothing over anything else, and a photo of its code gives the table back."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from companion.errors import UnusableInputError, UsageError
from companion.notation.codes import decode, encode
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box
from companion.printing.core.qr import MIN_MODULE_MM, QUIET_MODULES, qr_matrix, qr_modules
from companion.printing.setup.card import LaidTable, check_card, setup_card, setup_pack
from companion.printing.setup.layout import lay_out, lay_out_halves, on_half
from companion.printing.setup.template import load_setup_template
from companion.rules.engine.setup import random_setup
from tests.printing.checks import check_all
from tests.printing.conftest import photographed, picture, read_code

TEMPLATE = load_setup_template(None)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_box_has_a_place_of_its_own(paper: str) -> None:
    page = PAPERS[paper]
    boxes = lay_out(TEMPLATE, page)
    assert all(page.inset(SAFE_MM).holds(part) for part in boxes.parts)
    overlaps = [(a, b) for n, a in enumerate(boxes.parts) for b in boxes.parts[:n] if a.overlaps(b)]
    assert not overlaps
    assert (len(boxes.tiles), len(boxes.row), len(boxes.djinns), len(boxes.bids)) == (30, 9, 3, 4)
    assert all(tile.w == pytest.approx(tile.h) for tile in boxes.tiles)
    assert boxes.ruler.w == 50


def test_korean_is_whole() -> None:
    text = PdfReader(io.BytesIO(setup_card(random_setup(2, 1), language="ko"))).pages[0].extract_text()
    assert all(word in text for word in ("게임 준비 카드", "성지", "입찰 순서 트랙"))


@pytest.mark.parametrize(
    ("players", "seed", "paper", "turn"),
    [(2, 1, "a4", 0), (3, 22, "letter", 1), (4, 333, "a4", 2), (2, 4444, "letter", 3)],
)
def test_a_photo_of_the_card_gives_the_position_back(
    tmp_path: Path, players: int, seed: int, paper: str, turn: int
) -> None:
    """In whatever direction the card lies."""
    position = random_setup(players, seed)
    page = picture(setup_card(position, paper=paper), tmp_path, 150)
    assert decode(read_code(np.rot90(photographed(page), turn).copy())) == position


@pytest.mark.parametrize("paper", PAPERS)
def test_modules_are_large_enough_and_keep_their_quiet_zone(paper: str) -> None:
    box = lay_out(TEMPLATE, PAPERS[paper]).qr
    modules = qr_modules(encode(random_setup(4, 5)), box)
    side = modules[0].w
    assert side >= MIN_MODULE_MM
    assert all(box.inset(QUIET_MODULES * side).holds(module) for module in modules)


def test_codes_take_the_short_way_of_capitals_and_digits() -> None:
    """Sixty capitals at level M fit version 3, 29 modules; as bytes they would need more."""
    assert len(qr_matrix("FT1-" + "A" * 56)) == 29


def test_a_code_too_long_for_its_box_is_refused() -> None:
    with pytest.raises(UnusableInputError, match="needs 40 mm"):
        qr_modules("A" * 500, Box(0, 0, 20, 20))


def test_a_pack_tells_how_far_it_is_and_names_its_pages_by_their_seeds() -> None:
    told: list[int] = []
    tables = [LaidTable(random_setup(3, seed), seed) for seed in (5, 6, 9)]
    pack = PdfReader(io.BytesIO(setup_pack(tables, progress=told.append)))
    assert told == [1, 2, 3] and pack.page_labels == ["5", "6", "9"]
    assert ["seed: 6" in page.extract_text() for page in pack.pages] == [False, True, False]


def test_the_same_card_is_the_same_bytes() -> None:
    position = random_setup(3, 8)
    assert setup_card(position, seed=8) == setup_card(position, seed=8)
    assert setup_card(position, seed=8) != setup_card(position, seed=9)


@pytest.mark.parametrize(("options", "message"), [({"paper": "a3"}, "a4, letter"), ({"language": "xx"}, "it has en")])
def test_what_there_is_not_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        setup_card(random_setup(2, 1), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "uk"])
def test_what_a_card_could_be_drawn_with_is_no_fault(language: str) -> None:
    check_card(language)


def test_a_language_that_the_template_has_not_is_refused_before_anything_is_drawn() -> None:
    with pytest.raises(UsageError, match="the template has no language 'xx'; it has en"):
        check_card("xx")


@pytest.mark.parametrize("paper", PAPERS)
def test_two_cards_share_a_page_and_a_photo_of_each_gives_its_table_back(paper: str, tmp_path: Path) -> None:
    tables = [LaidTable(random_setup(4, seed), seed) for seed in (40, 41, 42)]
    pdf = setup_pack(tables, paper=paper, per_page=2, language="ru")
    assert check_all(pdf) == []
    sheets = PdfReader(io.BytesIO(pdf)).pages
    assert [re.findall(r"4[012]\b", sheet.extract_text()) for sheet in sheets] == [["40", "41"], ["42"]]
    assert [float(sheets[0].mediabox.width) > float(sheets[0].mediabox.height), len(sheets)] == [True, 2]
    # Half a page fills a photo as a whole one does.
    page = picture(pdf, tmp_path, 210)
    halves = page[:, : page.shape[1] // 2], page[:, page.shape[1] // 2 :]
    assert [decode(read_code(photographed(half.copy()))) for half in halves] == [one.position for one in tables[:2]]
    left, right = lay_out_halves(on_half(TEMPLATE), PAPERS[paper])
    middle = PAPERS[paper].h / 2
    assert max(part.right for part in left.parts) < middle - SAFE_MM < middle + SAFE_MM < min(p.x for p in right.parts)
