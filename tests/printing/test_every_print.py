"""Every print: it is drawn as approved, its texts have room, and readers and printers find what they need.

English and the pseudo-language on A4 stand for the others, which are slow.
"""

from __future__ import annotations

import json
from itertools import product

import pytest

from companion.language.catalogue import PSEUDO, translate
from companion.language.phrase import term
from companion.printing.core.geometry import PAPERS
from companion.printing.core.kinds import with_colour
from companion.rules.model.components import Tribe
from tests.printing import checks
from tests.printing.prints import ALL_LANGUAGES, APPROVED, EVERY, approvable, printed

CUT = {"sheet"}
"""Prints with names that are longer than any room."""


def test_prints_are_drawn_as_approved(subtests: pytest.Subtests) -> None:
    approved, now = json.loads(APPROVED.read_text()), approvable()
    assert approved.keys() == now.keys()
    for name, digests in now.items():
        with subtests.test(msg=name):
            assert digests == approved[name], "look at it; if it is right: python -m tests.printing.prints"


def _check_texts(name: str, language: str, paper: str) -> None:
    read = checks.read_print(printed(name, language, paper))
    assert len(read.lines) > 5
    assert [*checks.small_texts(read), *checks.outside(read), *checks.overlapping_texts(read)] == []
    assert name in CUT or not [line.text for line in read.lines if "…" in line.text]


def test_texts_have_room_though_they_are_longer_by_two_fifths(subtests: pytest.Subtests) -> None:
    for name in EVERY:
        with subtests.test(msg=name):
            _check_texts(name, PSEUDO, "a4")


@pytest.mark.slow
def test_texts_have_room_in_every_language_on_every_paper(subtests: pytest.Subtests) -> None:
    for name, language, paper in product(EVERY, ALL_LANGUAGES, PAPERS):
        with subtests.test(msg=f"{name} {language} {paper}"):
            _check_texts(name, language, paper)
            assert checks.lacking_facts(printed(name, language, paper)) == []


def test_readers_and_printers_find_what_they_need(subtests: pytest.Subtests) -> None:
    for name in EVERY:
        with subtests.test(msg=name):
            pdf = printed(name)
            read = checks.read_print(pdf)
            assert [
                *checks.outside(read),
                *checks.loose_fonts(pdf),
                *checks.untagged(pdf),
                *checks.lacking_facts(pdf),
            ] == []
            assert checks.faults_of_the_tree(checks.tree(read)) == []


def _check_tribes(language: str) -> None:
    for name in ("kit", "card", "report"):
        text = "".join(line.text for line in checks.read_print(printed(name, language)).lines).casefold()
        for tribe in Tribe:
            called = with_colour(translate(term(tribe.noun, plural=True), language), tribe, language)
            assert called.casefold().replace(" ", "") in text.replace(" ", ""), (name, tribe)


def test_tribes_are_named_with_their_colours() -> None:
    assert with_colour("Viziers", Tribe.VIZIER, "en") == "Viziers (yellow)"
    _check_tribes("en")


@pytest.mark.slow
def test_tribes_are_named_with_their_colours_in_every_language() -> None:
    for language in ALL_LANGUAGES:
        _check_tribes(language)


def test_the_same_print_is_the_same_bytes() -> None:
    for name in ("card-light", "report"):
        assert EVERY[name]("a4", "en") == printed(name)
