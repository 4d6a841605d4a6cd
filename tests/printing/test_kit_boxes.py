"""Every value and word of the kit stands in its box, in every language and on both papers, read by PDFium."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from companion.installation import template_path
from companion.language.catalogue import translate
from companion.language.phrase import term
from companion.printing.cards.aids import END_COLUMNS, HEAD_MM, INSET_MM, end_rows, goods_boxes
from companion.printing.cards.djinn_card import timing
from companion.printing.cards.flow import lay_rows
from companion.printing.cards.layout import CardLook, card_boxes, card_places, panel_boxes
from companion.printing.cards.pages import PRICES, reduced_price, table_places, track_boxes
from companion.printing.cards.sheet import all_cards, cards_pdf
from companion.printing.core.geometry import PAPERS, Box
from companion.printing.core.kinds import CARDS, djinn_key, with_colour
from companion.printing.core.page import Document
from companion.printing.core.template import Table, pick_words
from companion.printing.core.typefaces import Fonts
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import (
    CARD_COUNTS,
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    SET_PRICES_GC,
    TILE_KINDS,
    Colour,
    TileAction,
    Tribe,
)
from tests.printing.boxes import Page, read_page, squeezed
from tests.printing.checks import overlapping_texts, read_print, small_texts
from tests.printing.letters import read_pages
from tests.printing.prints import PLACES, printed

TEMPLATE = CARDS.load()
_, TABLE, TRACK, _, FIRST_CARDS = range(5)
"""Pages of the kit; each page of cards is followed by its backs."""


@cache
def _kit(language: str, paper: str) -> list[Page]:
    return read_pages(printed("kit", language, paper))


def _card(name: str, language: str, paper: str) -> tuple[Page, Box]:
    """The page that a card is on, and its cut."""
    sheet, place = divmod(all_cards().index(name), 9)
    return _kit(language, paper)[FIRST_CARDS + 2 * sheet], card_places(PAPERS[paper])[place]


def _check_each_djinns_values_stand_in_their_boxes(language: str, paper: str) -> None:
    words = pick_words(TEMPLATE, language)
    for name, djinn in EVERY_DJINN.items():
        page, cut = _card(name, language, paper)
        boxes, key = card_boxes(cut, TEMPLATE.card), djinn_key(name)
        assert page.text(boxes.name) == squeezed(name)
        assert page.text(boxes.value) == f"{djinn.vp}{words.vp}", "rules 11"
        assert page.text(boxes.timing) == squeezed(words.timings[timing(djinn)])
        cost = page.text(boxes.cost).replace("/", "").replace("+", "")
        assert cost == squeezed(words.costs[djinn.cost.name.lower()]).replace("+", ""), "rules 11"
        power, note = words.powers[key], words.notes.get(key, "")
        assert page.text(boxes.power) == squeezed(power, note)


def test_a_value_of_any_size_stands_over_its_unit(tmp_path: Path) -> None:
    for head, size in ((7, 8), (7, 24), (11, 17), (20, 24)):
        _check_value(head, size, tmp_path)


def _check_value(head: int, size: int, tmp_path: Path) -> None:
    text, path = template_path("reference_cards.toml").read_text(encoding="utf-8"), tmp_path / "mine.toml"
    assert "\nhead = 11\n" in text and "\nvalue_pt = 15\n" in text
    path.write_text(text.replace("head = 11", f"head = {head}").replace("value_pt = 15", f"value_pt = {size}"))
    pdf = cards_pdf(names=["Anun-Nak", "Jafaar"], template=path)
    read = read_print(pdf)
    assert [*overlapping_texts(read), *small_texts(read)] == []
    page = read_page(pdf)
    parts = Table({**TEMPLATE.card, "head": head})
    for cut, value in zip(card_places(PAPERS["a4"]), (8, 6), strict=False):
        assert page.lines(card_boxes(cut, parts).value) == [str(value), "VP"]


def _check_the_table_has_each_djinn_in_its_row(language: str, paper: str) -> None:
    page, words = _kit(language, paper)[TABLE], pick_words(TEMPLATE, language)
    head, rows = table_places(PAPERS[paper])
    titles = ("", words.table.djinn, words.vp, words.table.cost, words.table.power)
    assert [page.text(box) for box in head] == [squeezed(title) for title in titles]
    for (name, djinn), row in zip(EVERY_DJINN.items(), rows, strict=True):
        assert page.text(row[1]) == squeezed(name)
        assert page.text(row[2]) == str(djinn.vp)
        when, cost = words.timings[timing(djinn)], words.costs[djinn.cost.name.lower()]
        assert page.text(row[3]) == squeezed(when, cost)
        key = djinn_key(name)
        assert page.text(row[4]) == squeezed(words.powers[key], words.notes.get(key, ""))


def _check_each_spot_has_its_price_below_and_each_marker_its_name(language: str, paper: str) -> None:
    page, words, boxes = _kit(language, paper)[TRACK], pick_words(TEMPLATE, language), track_boxes(PAPERS[paper])
    assert PRICES == (18, 12, 8, 5, 3, 1, 0, 0, 0), "rules 1.6, the first to play first"
    for price, spot, below in zip(PRICES, boxes.spots, boxes.prices, strict=True):
        assert page.text(below) == str(price)
        assert below.x == spot.x and below.y == pytest.approx(spot.bottom)
    assert page.text(boxes.captions) == squeezed(words.round.first, words.round.last)
    assert [page.text(place) for place in boxes.bids] == ["1", "2", "3", "4"]
    for fakirs, row in enumerate(boxes.reduced):
        for at, place in enumerate(row):
            shown = str(reduced_price(at, fakirs)) if PRICES[at] or not fakirs else ""
            assert page.text(place) == shown, "rules 11.8"
    assert (reduced_price(PRICES.index(8), 1), reduced_price(PRICES.index(1), 1)) == (5, 0), "rules 11.8"
    named = {colour: squeezed(translate(term(colour.value), language)) for colour in Colour}
    come = [named[colour] for colour in (Colour.BLACK, Colour.ORANGE, Colour.PINK)]
    for step, (column, text) in enumerate(zip(boxes.zeros, words.track.steps, strict=True), 1):
        standing = "".join(reversed(come[:step]))
        assert page.text(column) == f"000{standing}{squeezed(text)}", "rules 3.2: the last to come plays first"
    blue, pink = named[Colour.BLUE], named[Colour.PINK]
    captions = (words.track.bids, words.track.order)
    both = squeezed(captions[0], f"1234{pink}{pink}{blue}{blue}", captions[1], f"{blue}{blue}{pink}{pink}5310")
    assert page.text(boxes.two) == both, "rules 2.1"


def _check_the_goods_have_their_prices_and_counts(language: str, paper: str) -> None:
    page, cut = _card("goods", language, paper)
    boxes = goods_boxes(panel_boxes(cut.inset(TEMPLATE.card.frame), HEAD_MM, INSET_MM).body)
    for size in range(1, 10):
        assert page.text(boxes.sizes[size]) == str(size)
        assert page.text(boxes.prices[size]) == str(SET_PRICES_GC[size]), "rules 7.1"
    for card, place in zip((*GOODS, FAKIR), boxes.cards, strict=True):
        name = squeezed(pick_words(TEMPLATE, language).goods.names[card])
        # A name on two lines has the number between them.
        assert sorted(page.text(place)) == sorted(f"{name}×{CARD_COUNTS[card]}"), "rules 1.4"


def _check_the_other_cards_have_the_numbers_of_the_rules(language: str, paper: str) -> None:
    words = pick_words(TEMPLATE, language)
    page, cut = _card("tribes", language, paper)
    for tribe in Tribe:
        name = with_colour(words.tribes.names[tribe.noun], tribe, language)
        assert squeezed(f"{name} × {MEEPLE_COUNTS[tribe]}") in page.text(cut), "rules 1.2"
    page, cut = _card("tiles", language, paper)
    for action in TileAction:
        count = sum(kind.count for kind in TILE_KINDS.values() if kind.action is action)
        assert squeezed(f"{words.tiles.names[action.name.lower()]} × {count}") in page.text(cut), "rules 1.1"
    page, cut = _card("end", language, paper)
    points = {"gold": 1, "viziers": 1, "majority": 10, "elders": 2, "palms": 3, "palaces": 5}
    document = Document(PAPERS["a4"], Fonts(), title="", language=language)
    body = panel_boxes(cut.inset(TEMPLATE.card.frame), HEAD_MM, INSET_MM).body
    rows = end_rows(document, CardLook(TEMPLATE, words))
    _, laid = lay_rows(document, body, rows, END_COLUMNS, TEMPLATE.type.text_pt)
    shown = {page.text(row.text): page.text(row.value) for row in laid}
    for key, text in words.end.points.items():
        assert shown[squeezed(text)] == str(points.get(key, "")), "rules 10"


def _check(language: str, paper: str) -> None:
    _check_each_djinns_values_stand_in_their_boxes(language, paper)
    _check_the_table_has_each_djinn_in_its_row(language, paper)
    _check_each_spot_has_its_price_below_and_each_marker_its_name(language, paper)
    _check_the_goods_have_their_prices_and_counts(language, paper)
    _check_the_other_cards_have_the_numbers_of_the_rules(language, paper)


def test_every_value_stands_in_its_box() -> None:
    _check("en", "a4")


@pytest.mark.slow
def test_every_value_stands_in_its_box_in_every_language(subtests: pytest.Subtests) -> None:
    for language, paper in PLACES:
        with subtests.test(msg=f"{language} {paper}"):
            _check(language, paper)
