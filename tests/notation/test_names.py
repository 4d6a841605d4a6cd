from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.language.catalogue import translate
from companion.language.phrase import counted
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
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import CARD_COUNTS, Colour


def test_names_are_read_without_regard_to_case_accents_and_apostrophes() -> None:
    for name in DJINNS:
        accented = name.replace("a", "á").replace("'", "’")
        for typed in (name, name.upper(), accented, name.replace("-", " "), f"  {name.replace(chr(39), '')}\t"):
            assert parse_djinn(typed) == name
    assert [parse_card(card.title()) for card in CARD_COUNTS] == list(CARD_COUNTS)
    assert [parse_card(old) for old in ("slave", "Worker")] == ["fakir", "fakir"], "1.4"
    assert [parse_colour(name) for name in ("Black", "ORANGE", "blue", " pink ")] == list(Colour)


def test_names_in_other_languages() -> None:
    for typed, name in {
        **dict.fromkeys(["Дхеним", "Деним", "Дхенім", "Денім", "데님", "드헤님"], "Dhenim"),
        **{"Баал": "Ba'al", "Накир": "Nekir", "Мункір": "Monkir", "аль амин": "Al-Amin", "자파르": "Jafaar"},
    }.items():
        assert parse_djinn(typed) == name
    for typed, colour in {
        **{"azzurro": "blue", "arancio": "orange", "핑크": "pink", "까만색": "black", "голубой": "blue"},
        **{"синій": "blue", "ЧЁРНЫЙ": "black", "주황": "orange", "rosa": "pink", "nero": "black"},
    }.items():
        assert parse_colour(typed) is Colour(colour)


def test_unknown_names_are_refused_with_the_nearest(subtests: pytest.Subtests) -> None:
    for parse, typed, words in [
        (parse_card, "fsh", "did you mean 'fish'"),
        (parse_djinn, "Jaffar", "did you mean 'Jafaar'"),
        (parse_colour, "pnik", "did you mean 'pink'"),
        (parse_colour, "green", "expected one of: black, orange, blue, pink"),
        (parse_card, "", "expected one of"),
        (parse_card, "q" * 5000, "…"),
    ]:
        with subtests.test(parse=parse):
            with pytest.raises(NotationError, match=words) as refused:
                parse(typed)
            assert len(str(refused.value)) < 200


LANGUAGES = ("en", "ru", "uk", "ko", "it")


def test_what_is_counted_in_a_sentence_is_read_when_typed(subtests: pytest.Subtests) -> None:
    for count in [1, 2, 5, 11]:
        for language in LANGUAGES:
            with subtests.test(count=count, language=language):
                for card in CARD_COUNTS:
                    if count <= CARD_COUNTS[card]:
                        assert read_cards(translate(counted(count, card), language)) == read_cards(f"{count} {card}"), (
                            card
                        )
                for key, field in (
                    ("coins", "gold"),
                    ("GC", "gold"),
                    ("vizier", "viziers"),
                    ("elder", "elders"),
                    ("palms", "palms"),
                ):
                    held = read_holdings(translate(counted(count, key), language))
                    assert getattr(held, field) == count, key


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


def test_of_two_words_for_one_thing_the_nearest_is_offered() -> None:
    forms = {"fakir": "fakir", "fakirs": "fakir", "fakirx": "wheat", "silk": "silk"}
    assert nearest_form("fakir", forms) == "; did you mean 'fakir' or 'wheat'?"
    assert nearest_form("slik", forms) == "; did you mean 'silk'?"
    assert nearest_form("q", forms) == ""
    assert nearest("fakirss", ["fakir", "fakirs", "fakirx"]) == "; did you mean 'fakirs' or 'fakir'?"
    assert nearest("f" * 60, ["f" * 60]) == f"; did you mean '{'f' * 60}'?"
    assert nearest("f" * 61, ["f" * 60]) == ""
