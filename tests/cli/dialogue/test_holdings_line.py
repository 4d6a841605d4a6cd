"""A player's line is understood in every language, above all as the program itself writes it."""

from __future__ import annotations

from itertools import product

import pytest

from companion.asking.holdings_line import EXAMPLE, format_entries, read_line
from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES

LINES = [
    "41 gold, 2 viziers, 3 elders, 2 silk, 1 fish, 3 fakirs, Jafaar",
    "0 gold, 1 vizier, 1 elder, no goods, 0 fakirs, no djinns",
    "2 GC, 2 gold cards, 2 jewels, 5 palms, 1 palace",
    "goods 13 VP, viziers 12+10 VP",
    "gold 12+7 VP, elders 6 VP, djinns 6+5 VP, palms 3 VP, palaces 5 VP, tiles 15+8",
    "11 viziers, 12 elders, tiles S15 O8",
]


def test_a_line_as_it_is_shown_can_be_typed(subtests: pytest.Subtests) -> None:
    for language, line in product(LANGUAGES, LINES):
        with subtests.test(msg=f"{language}: {line}"):
            entries = read_line(line)
            assert read_line(translate(format_entries(entries), language)) == entries
    for language in LANGUAGES:
        assert read_line(translate(EXAMPLE, language)) == read_line(EXAMPLE)


def test_nothing_at_all() -> None:
    for typed in ("none", "нет", "немає", "없음", "niente", "-", "0"):
        assert read_line(typed)["goods"].text == "none"
        assert read_line(typed)["gold"].held == {"gold": 0}
