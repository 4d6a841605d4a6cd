"""Set-up cards: every value in its box, nothing over anything else, and a photo of its code gives the table back."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import product

import pytest
from pypdf import PdfReader

from companion.errors import UnusableInputError
from companion.language.catalogue import PSEUDO, translate
from companion.language.glossary import LANGUAGES
from companion.language.phrase import counted, term
from companion.notation.codes import encode
from companion.notation.typed import parse_typed_tile
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box, Boxes
from companion.printing.core.kinds import SETUP, djinn_power
from companion.printing.core.page import Document
from companion.printing.core.qr import MIN_MODULE_MM, QUIET_MODULES, qr_matrix, qr_modules
from companion.printing.core.template import Table, pick_words
from companion.printing.core.typefaces import Fonts
from companion.printing.setup.card import LaidTable, setup_card, setup_pack
from companion.printing.setup.layout import lay_out, lay_out_halves, on_half
from companion.printing.setup.steps import Pen, draw_djinns
from companion.rules.engine.djinns import DJINNS, Cost
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import COLUMNS
from companion.rules.model.components import FACE_UP_DJINNS, Tribe
from companion.rules.model.position import Position
from tests.printing.boxes import Page, holds, overlapping, parts_of, read_page, squeezed
from tests.printing.checks import check_all, overlapping_texts, page_texts, read_print
from tests.printing.conftest import codes_in, photographed, picture

TEMPLATE = SETUP.load()
FIRST = ("en", "a4", 3)
"""The card of the first tier, with a spot that stays empty; those of all languages on all papers are slow."""
OTHERS = [(language, paper, 2 + at % 3) for at, (language, paper) in enumerate(product(LANGUAGES, PAPERS))]

Card = tuple[Position, Page, Boxes, Table]


@cache
def _card(language: str, paper: str, players: int) -> Card:
    position = random_setup(players, 40 + players)
    pdf = setup_card(position, seed=40 + players, spread=1.4, paper=paper, language=language)
    return position, read_page(pdf), lay_out(TEMPLATE, PAPERS[paper]), pick_words(TEMPLATE, language)


def _same(found: str, *wanted: str) -> bool:
    """The letters of all lines, whatever the order in which lines of one height were read."""
    return sorted(found) == sorted(squeezed(*wanted))


def _counted(count: int, key: str, language: str) -> str:
    return translate(counted(count, key), language)


def _check_board(card: Card) -> None:
    position, page, boxes, words = card
    letters = [words.letters[tribe.noun].replace("З", "") for tribe in Tribe]
    for box, tile in zip(boxes.tiles, position.board, strict=True):
        shown = "".join(letter * count for letter, count in zip(letters, tile.meeples, strict=True))
        assert _same(page.text(box), str(tile.kind.vp), shown), "2.3, 2.4: value and meeples, no code, no З"
        assert TEMPLATE.grounds[tile.kind.action.name.lower()].upper() in page.fills(box)
        for tribe, count in zip(Tribe, tile.meeples, strict=True):
            assert page.fills(box).count(TEMPLATE.tribes[tribe.noun].upper()) >= count
    for row, box in enumerate(boxes.bag):
        tiles = position.board[row * COLUMNS : (row + 1) * COLUMNS]
        counts = [sum(tile.meeples[tribe] for tile in tiles) for tribe in Tribe]
        assert _same(page.text(box), *map(str, counts), "= 18"), "2.4: six tiles of three, and no letter like a digit"
        for tribe in Tribe:
            assert page.fills(box).count(TEMPLATE.tribes[tribe.noun].upper()) == 1
        assert (boxes.tiles[row * COLUMNS].y, boxes.tiles[row * COLUMNS].h) == (box.y, box.h), "beside its row"
    assert [page.text(box) for box in boxes.column_names] == list("abcdef")
    assert [page.text(box) for box in boxes.row_names] == list("12345")


def _check_cards(card: Card, language: str) -> None:
    position, page, boxes, words = card
    assert position.row is not None and position.djinns is not None and position.bid_order is not None
    for number, box in enumerate(boxes.bids):
        if number < len(position.bid_order):
            colour = position.bid_order[number].value
            assert _same(page.text(box), str(number + 1), words.colours[colour]), "2.5"
            assert TEMPLATE.camels[colour].upper() in page.fills(box)
        else:
            assert page.text(box) == str(number + 1) and not page.fills(box), "a spot that stays empty"
    for number, (box, name) in enumerate(zip(boxes.row, position.row, strict=True), 1):
        assert _same(page.text(box), str(number), words.cards[name]), "2.6"
    points = translate(term("VP"), language)
    for box, name in zip(boxes.djinns, position.djinns, strict=True):
        djinn = DJINNS[name]
        cost = words.costs[djinn.cost.name.lower()]
        said = cost if djinn.cost is Cost.NONE else words.use.replace("{cost}", cost)
        assert _same(page.text(box), name, said, djinn_power(name, language), str(djinn.vp), points), "2.7, 11"


def _check(language: str, paper: str, players: int) -> None:
    card = _card(language, paper, players)
    _check_board(card)
    _check_cards(card, language)


def test_every_value_stands_in_its_box() -> None:
    _check(*FIRST)


@pytest.mark.slow
def test_every_value_stands_in_its_box_in_every_language(subtests: pytest.Subtests) -> None:
    for case in OTHERS:
        with subtests.test(msg=str(case)):
            _check(*case)


def _drawn_djinns(names: tuple[str, ...], language: str, template: Table = TEMPLATE) -> tuple[Document, Boxes]:
    boxes = lay_out(template, PAPERS["letter"])
    page = Document(PAPERS["a4"], Fonts(), title="t", language=language)
    draw_djinns(Pen(page, template, pick_words(template, language), language), boxes, names)
    return page, boxes


def _check_powers(language: str) -> None:
    """No power of any djinn is cut on its panel, however low a template makes that."""
    low = Table({**TEMPLATE, "parts": Table({**TEMPLATE.parts, "djinns": 34.0})})
    large = Table({**low, "type": Table({**TEMPLATE.type, "heading_pt": 30, "text_pt": 24})})
    for first in range(0, len(DJINNS), FACE_UP_DJINNS):
        names = tuple(DJINNS)[first : first + FACE_UP_DJINNS]
        page, boxes = _drawn_djinns(names, language)
        for name, box in zip(names, boxes.djinns, strict=False):
            text = squeezed(*(one.text for one in page.written if holds(box.inset(-0.1), one.box)))
            assert "…" not in text and squeezed(djinn_power(name, language)) in text, name
        for template in (low, large):
            assert overlapping_texts(read_print(_drawn_djinns(names, language, template)[0].to_bytes())) == []


def test_every_power_has_room_in_its_box() -> None:
    _check_powers(PSEUDO)


@pytest.mark.slow
def test_every_power_has_room_in_every_language() -> None:
    for language in LANGUAGES:
        _check_powers(language)


def test_large_type_leaves_room_for_what_stands_beside_it() -> None:
    """The hint beside a step's heading, and what a power costs beside its djinn's name."""
    usual = pick_words(TEMPLATE, "en")
    long = "The djinns of the sultanate that lie face up beside the board for everybody"
    words = Table({**usual, "steps": Table({**usual.steps, "djinns": long})})
    large = Table({**TEMPLATE, "type": Table({**TEMPLATE.type, "heading_pt": 30})})
    boxes = lay_out(large, PAPERS["a4"])
    panel = Box(boxes.djinns_heading.x, boxes.djinns_heading.bottom, 80, 25)
    page = Document(PAPERS["a4"], Fonts(), title="t", language="en")
    draw_djinns(Pen(page, large, words, "en"), Boxes({**boxes, "djinns": [panel]}), ["Haurvatat"])
    written = {one.text: one.box for one in page.written}
    for text, room in ((words.hints.djinns, boxes.djinns_heading), (words.costs.none, panel)):
        assert text in written and written[text].right <= room.right


def test_letters_on_meeples_are_those_that_people_type() -> None:
    for language in LANGUAGES:
        letters = pick_words(TEMPLATE, language).letters
        for tribe in Tribe:
            typed = parse_typed_tile("O8" + letters[tribe.noun]).tile
            assert typed.meeples == tuple(int(other is tribe) for other in Tribe)


def test_every_box_has_a_place_of_its_own() -> None:
    for paper in PAPERS.values():
        boxes = lay_out(TEMPLATE, paper)
        assert all(holds(paper.inset(SAFE_MM), part) for part in parts_of(boxes))
        assert overlapping(parts_of(boxes)) == []
        assert (len(boxes.tiles), len(boxes.row), len(boxes.djinns), len(boxes.bids)) == (30, 9, 3, 4)
        assert all(tile.w == pytest.approx(tile.h) for tile in boxes.tiles)
        modules = qr_modules(encode(random_setup(4, 5)), boxes.qr)
        side = modules[0].w
        assert side >= MIN_MODULE_MM
        assert all(holds(boxes.qr.inset(QUIET_MODULES * side), module) for module in modules)


def test_codes_take_the_short_way_of_capitals_and_are_refused_where_they_have_no_room() -> None:
    """Sixty capitals at level M fit version 3, 29 modules; as bytes they would need more."""
    assert len(qr_matrix("FT1-" + "A" * 56)) == 29
    with pytest.raises(UnusableInputError, match="needs 40 mm"):
        qr_modules("A" * 500, Box(0, 0, 20, 20))


def test_a_pack_tells_how_far_it_is_and_has_the_seed_on_each_page() -> None:
    told: list[int] = []
    tables = [LaidTable(random_setup(3, seed), seed) for seed in (5, 6, 9)]
    pack = page_texts(setup_pack(tables, progress=told.append))
    assert told == [1, 2, 3]
    assert ["seed: 6" in page for page in pack] == [False, True, False]


def test_two_cards_share_a_page_and_a_photo_of_each_gives_its_table_back() -> None:
    tables = [LaidTable(random_setup(4, seed), seed) for seed in (40, 41, 42)]
    pdf = setup_pack(tables, per_page=2)
    assert check_all(pdf) == []
    sheets = PdfReader(io.BytesIO(pdf)).pages
    assert [re.findall(r"4[012]\b", sheet) for sheet in page_texts(pdf)] == [["40", "41"], ["42"]]
    assert [float(sheets[0].mediabox.width) > float(sheets[0].mediabox.height), len(sheets)] == [True, 2]
    # Half a page fills a photo as a whole one does.
    page = picture(pdf, 210)
    halves = page[:, : page.shape[1] // 2], page[:, page.shape[1] // 2 :]
    assert [codes_in(photographed(half.copy())) for half in halves] == [{encode(one.position)} for one in tables[:2]]
    for paper in PAPERS.values():
        _, (left, right) = lay_out_halves(on_half(TEMPLATE), paper)
        middle = paper.h / 2
        assert max(part.right for part in parts_of(left)) < middle - SAFE_MM
        assert middle + SAFE_MM < min(part.x for part in parts_of(right))
