from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.notation import names
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import CARD_COUNTS, Colour


def test_names_are_read_without_regard_to_case_accents_and_apostrophes() -> None:
    for name in DJINNS:
        accented = name.replace("a", "á").replace("'", "’")
        for typed in (name, name.upper(), accented, name.replace("-", " "), f"  {name.replace(chr(39), '')}\t"):
            assert names.parse_djinn(typed) == name
    assert [names.parse_card(card.title()) for card in CARD_COUNTS] == list(CARD_COUNTS)
    assert [names.parse_card(old) for old in ("slave", "Worker")] == ["fakir", "fakir"], "1.4"
    assert [names.parse_colour(name) for name in ("Black", "ORANGE", "blue", " pink ")] == list(Colour)


def test_names_in_other_languages() -> None:
    for typed, name in {
        **dict.fromkeys(["Дхеним", "Деним", "Дхенім", "Денім", "데님", "드헤님"], "Dhenim"),
        **{"Баал": "Ba'al", "Накир": "Nekir", "Мункір": "Monkir", "аль амин": "Al-Amin", "자파르": "Jafaar"},
    }.items():
        assert names.parse_djinn(typed) == name
    for typed, colour in {
        **{"azzurro": "blue", "arancio": "orange", "핑크": "pink", "까만색": "black", "голубой": "blue"},
        **{"синій": "blue", "ЧЁРНЫЙ": "black", "주황": "orange", "rosa": "pink", "nero": "black"},
    }.items():
        assert names.parse_colour(typed) is Colour(colour)


def test_unknown_names_are_refused_with_the_nearest(subtests: pytest.Subtests) -> None:
    for parse, typed, words in [
        (names.parse_card, "fsh", "did you mean 'fish'"),
        (names.parse_djinn, "Jaffar", "did you mean 'Jafaar'"),
        (names.parse_colour, "pnik", "did you mean 'pink'"),
        (names.parse_colour, "green", "expected one of: black, orange, blue, pink"),
        (names.parse_card, "", "expected one of"),
        (names.parse_card, "q" * 5000, "…"),
    ]:
        with subtests.test(parse=parse):
            with pytest.raises(NotationError, match=words) as refused:
                parse(typed)
            assert len(str(refused.value)) < 200


def test_no_word_stands_for_two_things() -> None:
    """Coins and the good gold apart, which share a word in every language and are told apart by number."""
    seen: dict[str, object] = {}
    for table in (
        names.CARD_NAMES,
        names.TRIBE_NAMES,
        names.DJINN_NAMES,
        names.CARDS_TOGETHER,
        names.HELD_NAMES,
        names.GOLD_CARD_NAMES,
    ):
        for name, forms in table.items():
            for form in forms:
                assert seen.setdefault(names.fold(form), name) == name, form
    colours: dict[str, Colour] = {}
    for colour, forms in names.COLOUR_NAMES.items():
        for form in forms:
            assert colours.setdefault(names.fold(form), colour) is colour, form


def test_of_two_words_for_one_thing_the_nearest_is_offered() -> None:
    forms = {"fakir": "fakir", "fakirs": "fakir", "fakirx": "wheat", "silk": "silk"}
    assert names.nearest_form("fakir", forms) == "; did you mean 'fakir' or 'wheat'?"
    assert names.nearest_form("slik", forms) == "; did you mean 'silk'?"
    assert names.nearest_form("q", forms) == ""
    assert names.nearest("fakirss", ["fakir", "fakirs", "fakirx"]) == "; did you mean 'fakirs' or 'fakir'?"
    assert names.nearest("f" * 60, ["f" * 60]) == f"; did you mean '{'f' * 60}'?"
    assert names.nearest("f" * 61, ["f" * 60]) == ""
