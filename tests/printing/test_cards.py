"""Reference cards: every value in its box, backs behind their fronts, nothing outside its place in any language."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.language.glossary import LANGUAGES
from companion.printing.cards import layout
from companion.printing.cards.aids import AIDS
from companion.printing.cards.flow import Paragraph, line_mm, set_text
from companion.printing.cards.pages import PRICES
from companion.printing.cards.sheet import Cutting, all_cards, cards_pdf, kit_pdf
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box
from companion.printing.core.kinds import CARDS, djinn_key
from companion.printing.core.page import Document
from companion.printing.core.rule_texts import timing
from companion.printing.core.template import Table, pick_words
from companion.printing.core.typefaces import Fonts
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN, Cost
from companion.system.installation import template_path
from tests.printing.boxes import Page, box_of_mark, holds, overlaps, read_page
from tests.printing.checks import overlapping_texts, read_print, small_texts
from tests.printing.prints import printed

TEMPLATE = CARDS.load()
WORDS = pick_words(TEMPLATE, "en")
ALL = all_cards()


def _read(pdf: bytes) -> list[Page]:
    """All pages of a PDF."""
    return [read_page(pdf, number) for number in range(len(PdfReader(io.BytesIO(pdf)).pages))]


def test_powers_work_when_the_rules_say() -> None:
    when = {name: timing(djinn) for name, djinn in EVERY_DJINN.items()}
    assert {name for name in when if when[name] == "end"} == {"Al-Amin", "Haurvatat", "Jafaar", "Shamhat"}
    assert {name for name in when if when[name] == "bid"} == {"Kumarbi"}
    always = {"Ba'al", "Boaz", "Kandicha", "Marid", "Monkir", "Nekir", "Dhenim"}
    assert {name for name in when if when[name] == "always"} == always
    for name in set(when) - always - {"Kumarbi", "Al-Amin", "Haurvatat", "Jafaar", "Shamhat"}:
        assert when[name] == "turn" and EVERY_DJINN[name].cost is not Cost.NONE


def _numbers(text: str) -> list[int]:
    """The numbers in a text; "1개당" is Korean for "each"."""
    return [int(number) for number in re.findall(r"\d+", text.replace("1개당", ""))]


def test_the_numbers_in_powers_are_those_of_the_rules() -> None:
    for language in LANGUAGES:
        _check_numbers(pick_words(TEMPLATE, language))


def _check_numbers(words: Table) -> None:
    """Rules 11, in words of any language."""
    numbers = {name: _numbers(words.powers[djinn_key(name)]) for name in EVERY_DJINN}
    coins = ("Ba'al", "Marid", "Monkir", "Nekir", "Dhenim")
    assert all(numbers.pop(name) == [1, 2] for name in coins), "a coin for the owner, two from others"
    valued = {name: sorted(numbers.pop(name)) for name in ("Haurvatat", "Jafaar", "Shamhat")}
    assert valued == {"Haurvatat": [3, 5], "Jafaar": [1, 3], "Shamhat": [2, 4]}
    assert numbers.pop("Anun-Nak") == [3] and 3 in numbers.pop("Sibittis")
    assert set(numbers) >= {"Boaz", "Bouraq", "Enki", "Hagis", "Lamia", "Leta", "Utug", "Kandicha"}
    for name in ("Boaz", "Bouraq", "Enki", "Hagis", "Lamia", "Leta", "Utug", "Kandicha", "Echidna"):
        assert numbers[name] == [], name
    notes = {name: _numbers(words.notes.get(djinn_key(name), "")) for name in EVERY_DJINN}
    assert notes["Hagis"] == notes["Lamia"] == [8], "11.2"
    assert notes["Jafaar"] == [10], "10.2"
    assert PRICES[PRICES.index(12) + 2] == 5 and {5, 12} <= set(notes["Kumarbi"]), "11.8"


def test_a_back_behind_a_back_is_the_front() -> None:
    for paper in PAPERS.values():
        for place in layout.card_places(paper):
            for flip in layout.Flip:
                behind = layout.back_box(place, paper, flip)
                assert layout.back_box(behind, paper, flip).centre == pytest.approx(place.centre)
                assert any(behind.centre == pytest.approx(other.centre) for other in layout.card_places(paper))


def test_printable_margins_are_kept() -> None:
    printable = PAPERS["letter"].inset(SAFE_MM - 0.1)
    for page in _read(cards_pdf(names=ALL[:9], paper="letter", cutting=Cutting(bleed=3.0))):
        for _, at in (*page.letters, *page.shapes):
            assert holds(printable, at), at


def test_marks_stand_only_at_cuts_and_touch_no_card() -> None:
    for paper in PAPERS.values():
        for count in (1, 2, 5, 9):
            places = layout.card_places(paper, count)
            marks = layout.crop_marks(paper, places, 2.0)
            ends = {round(mark[0], 2) for mark in marks if mark[0] == mark[2]}
            assert ends == {round(x, 2) for box in places for x in (box.x, box.right)}
            for mark in marks:
                assert holds(paper.inset(SAFE_MM), box_of_mark(mark))
                assert box_of_mark(mark).w + box_of_mark(mark).h >= 1.4
                assert not any(overlaps(box.inset(0.01), box_of_mark(mark).inset(-0.01)) for box in places)
            grounds = layout.bleed_boxes(paper, places, 2.0)
            assert all(any(holds(ground, box) for ground in grounds) for box in places)


def test_cards_at_the_edge_of_what_can_be_printed_have_no_mark_in_them() -> None:
    paper = PAPERS["a4"]
    for room in (0.0, 0.7, 1.6):
        moved = Box(SAFE_MM + room, 100, *layout.CARD_MM)
        marks = layout.crop_marks(paper, [moved], 2.0)
        assert all(holds(paper.inset(SAFE_MM - 0.001), box_of_mark(mark)) for mark in marks)
        assert not any(overlaps(moved.inset(0.01), box_of_mark(mark).inset(-0.01)) for mark in marks)
        assert len(marks) == (6 if room == 0 else 8)


def test_what_is_left_out_is_marked_where_the_text_ends() -> None:
    page = Document(PAPERS["a4"], Fonts(), title="", language="en")
    texts = [Paragraph("First.", "#000000"), Paragraph("Second.", "#000000", close=True)]
    set_text(page, Box(20, 20, 60, 1.5 * line_mm(10)), texts, 10)
    assert [written.text for written in page.written] == ["First. …"]


def test_no_line_begins_with_a_dash(dash: str = "—") -> None:
    page = Document(PAPERS["a4"], Fonts(), title="", language="ru")
    text = f"продано {dash} рыба"
    width = page.width(f"продано {dash}", 10)
    assert page.wrapped(text, 10, width) == [f"продано {dash}", "рыба"]
    assert page.wrapped(text, 10, width - 0.1) == [f"продано {dash}", "рыба"]


def test_no_letter_stands_outside_what_sleeves_show(drawn: list[Document]) -> None:
    cards_pdf()
    safe = [place.inset(TEMPLATE.card.frame + 0.6) for place in layout.card_places(PAPERS["a4"])]
    for written in drawn[0].written:
        assert "…" not in written.text and any(holds(box, written.box) for box in safe), written


def test_copies_are_of_the_cards_of_rules_alone() -> None:
    assert len(all_cards(None, 1)) == len(EVERY_DJINN) + len(AIDS) == 29
    assert all_cards(None, 3).count("Utug") == 1 and all_cards(None, 3).count("goods") == 3
    assert all_cards(["goods"], 2) == ["goods", "goods"]


def test_a_last_page_with_room_for_them_has_second_copies() -> None:
    assert all_cards() == [*all_cards(None, 1), *AIDS] and all_cards(list(AIDS)) == list(AIDS)
    assert all_cards(["Utug", "goods"]).count("goods") == 4 and all_cards(["Utug"]) == ["Utug"]
    assert set(DJINNS) < set(all_cards())


def test_the_kit_is_one_pdf_with_bookmarks_and_sheets_that_can_be_cut() -> None:
    reader = PdfReader(io.BytesIO(printed("kit")))
    marked = {
        str(entry.title): reader.get_destination_page_number(entry)
        for entry in reader.outline
        if not isinstance(entry, list)
    }
    assert list(marked) == [WORDS.aid.title, WORDS.table.title, WORDS.track.title, WORDS.subtitle]
    assert list(marked.values()) == [0, 1, 2, 4], "fronts lie on the first side of a sheet"
    (children,) = (entry for entry in reader.outline if isinstance(entry, list))
    assert len(children) == 4 and len(reader.pages) == 12
    assert not isinstance(children[0], list) and children[0].title == "Al-Amin – Haurvatat"
    assert len(PdfReader(io.BytesIO(kit_pdf(cutting=Cutting(backs=False)))).pages) == 7


def test_a_value_of_any_size_stands_over_its_unit(tmp_path: Path) -> None:
    text, path = template_path("reference_cards.toml").read_text(encoding="utf-8"), tmp_path / "mine.toml"
    assert "\nhead = 11\n" in text and "\nvalue_pt = 15\n" in text
    for head, size in ((7, 8), (7, 24), (11, 17), (20, 24)):
        path.write_text(text.replace("head = 11", f"head = {head}").replace("value_pt = 15", f"value_pt = {size}"))
        pdf = cards_pdf(names=["Anun-Nak", "Jafaar"], template=path)
        read = read_print(pdf)
        assert [*overlapping_texts(read), *small_texts(read)] == []
        parts = Table({**TEMPLATE.card, "head": head})
        for cut, value in zip(layout.card_places(PAPERS["a4"]), (8, 6), strict=False):
            assert read_page(pdf).lines(layout.card_boxes(cut, parts).value) == [str(value), "VP"]
