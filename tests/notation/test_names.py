from __future__ import annotations

import tomllib
from collections.abc import Callable

import pytest

from companion.errors import NotationError
from companion.notation.holdings import read_cards, read_holdings
from companion.notation.names import (
    CARD_NAMES,
    CARDS_TOGETHER,
    COLOUR_NAMES,
    DJINN_NAMES,
    GOLD_CARD_NAMES,
    HELD_NAMES,
    TRIBE_NAMES,
    fold,
    nearest,
    nearest_form,
    parse_card,
    parse_colour,
    parse_djinn,
)
from companion.resources import template_path
from companion.rules.engine.djinns.registry import DJINNS
from companion.rules.model.components import CARD_COUNTS, Colour


@pytest.mark.parametrize("name", DJINNS)
def test_djinns_are_read_without_regard_to_case_accents_and_apostrophes(name: str) -> None:
    accented = name.replace("a", "á").replace("'", "’")
    for typed in (name, name.upper(), accented, name.replace("-", " "), f"  {name.replace(chr(39), '')}\t"):
        assert parse_djinn(typed) == name


@pytest.mark.parametrize("card", CARD_COUNTS)
def test_cards_are_read_in_any_case(card: str) -> None:
    assert parse_card(card.title()) == card


@pytest.mark.parametrize("old", ["slave", "Worker"])
def test_rules_1_4_older_words_for_the_fakir(old: str) -> None:
    assert parse_card(old) == "fakir"


def test_colours() -> None:
    assert [parse_colour(name) for name in ("Black", "ORANGE", "blue", " pink ")] == list(Colour)


@pytest.mark.parametrize(
    ("parse", "typed", "words"),
    [
        (parse_card, "fsh", "did you mean 'fish'"),
        (parse_djinn, "Jaffar", "did you mean 'Jafaar'"),
        (parse_colour, "pnik", "did you mean 'pink'"),
        (parse_colour, "green", "expected one of: black, orange, blue, pink"),
        (parse_card, "", "expected one of"),
        (parse_card, "q" * 5000, "…"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(parse: Callable[..., object], typed: str, words: str) -> None:
    with pytest.raises(NotationError, match=words) as refused:
        parse(typed)
    assert len(str(refused.value)) < 200


LANGUAGES = ("en", "ru", "uk", "ko", "it")


def printed(template: str, language: str, section: str) -> dict[str, str]:
    """Words that a print shows in a language."""
    words = tomllib.loads(template_path(template).read_text(encoding="utf-8"))["words"][language]
    found = words.get(section, {})
    assert isinstance(found, dict)
    return {str(key): str(value) for key, value in found.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_set_up_cards_and_sheets_print_is_read_when_typed(language: str) -> None:
    cards = printed("setup_card.toml", language, "cards")
    assert set(cards) == set(CARD_COUNTS)
    assert {parse_card(word): card for card, word in cards.items()} == {card: card for card in CARD_COUNTS}
    for template in ("setup_card.toml", "score_sheet.toml", "game_review.toml"):
        colours = printed(template, language, "colours")
        assert {colour: parse_colour(word).value for colour, word in colours.items()} == {c: c for c in Colour}
    arithmetic = printed("score_sheet.toml", language, "arithmetic")
    for card in CARD_COUNTS:
        assert str(read_cards(f"2 {arithmetic.get(card, card)}")).startswith("2 ")
    for card, word in cards.items():
        assert parse_card(arithmetic.get(card, word)) == card
    assert str(read_cards(f"3 {arithmetic.get('fakirs', 'fakirs')}")) == "3 fakirs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lines_of_a_sheet_can_be_typed_in_its_words(language: str) -> None:
    labels = printed("score_sheet.toml", language, "labels")
    line = ", ".join(f"{number} {labels[key]}" for number, key in enumerate(HELD, 3))
    held = read_holdings(line)
    assert [getattr(held, key) for key in HELD] == list(range(3, 3 + len(HELD)))
    assert read_holdings(f"0 {labels['djinns']}") == read_holdings("no djinns")
    assert read_holdings(f"0 {labels['goods']}") == read_holdings("no goods")
    tribes = printed("setup_card.toml", language, "tribes")
    assert {fold(word) for word in tribes.values()} <= {fold(form) for forms in TRIBE_NAMES.values() for form in forms}


HELD = ("gold", "viziers", "elders", "palms", "palaces")


def test_no_word_stands_for_two_things() -> None:
    """Coins and the good gold apart, which share a word in every language and are told apart by number."""
    seen: dict[str, object] = {}
    for table in (CARD_NAMES, TRIBE_NAMES, DJINN_NAMES, CARDS_TOGETHER, HELD_NAMES, GOLD_CARD_NAMES):
        for name, forms in table.items():
            for form in forms:
                assert seen.setdefault(fold(form), name) == name, form
    colours: dict[str, Colour] = {}
    for colour, forms in COLOUR_NAMES.items():
        for form in forms:
            assert colours.setdefault(fold(form), colour) is colour, form


@pytest.mark.parametrize(
    ("typed", "colour"),
    [
        ("голубой", "blue"),
        ("синій", "blue"),
        ("ЧЁРНЫЙ", "black"),
        ("주황", "orange"),
        ("rosa", "pink"),
        ("nero", "black"),
    ],
)
def test_colours_in_five_languages(typed: str, colour: str) -> None:
    assert parse_colour(typed) is Colour(colour)


@pytest.mark.parametrize(
    ("typed", "djinn"),
    [("Баал", "Ba'al"), ("Накир", "Nekir"), ("Мункір", "Monkir"), ("аль амин", "Al-Amin"), ("자파르", "Jafaar")],
)
def test_djinns_as_cards_in_other_languages_print_them(typed: str, djinn: str) -> None:
    assert parse_djinn(typed) == djinn


def test_of_two_words_for_one_thing_the_nearest_is_offered() -> None:
    forms = {"fakir": 1, "fakirs": 1, "fakirx": 2, "silk": 3}
    assert nearest_form("fakir", forms) == "; did you mean 'fakir' or 'fakirx'?"
    assert nearest_form("slik", forms) == "; did you mean 'silk'?"
    assert nearest_form("q", forms) == ""
    assert nearest("fakirss", ["fakir", "fakirs", "fakirx"]) == "; did you mean 'fakirs' or 'fakir'?"
    assert nearest("f" * 60, ["f" * 60]) == f"; did you mean '{'f' * 60}'?"
    assert nearest("f" * 61, ["f" * 60]) == ""
