"""Phrases: English text everywhere, and said in other languages at the edge."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.language.catalogue import PSEUDO, lengthened, translate, with_particles
from companion.language.choice import chosen_language, known_language
from companion.language.phrase import (
    Phrase,
    capitalised,
    counted,
    decimal,
    joined,
    listed,
    listed_or,
    marked,
    percentage,
    say,
    say_as,
    say_many,
    term,
    thousands,
)
from companion.rules.model.components import Colour

PHRASES = [
    say("plain"),
    say("no row {row} on this board", row=3),
    say("{what} at {place}", what=say("no row {row}", row=3), place=Path("a/b")),
    say_as("djinns", "none"),
    say_many("{count} tile", "{count} tiles", 2),
    joined(", ", [term("ivory"), "x", term("vizier", plural=True)]),
    term(Colour.PINK),
    counted(3, "fakir"),
    decimal(2.14, signed=True),
    listed(["a", term("silk"), term("fish")]),
]


def test_a_copy_is_translated_like_the_phrase() -> None:
    for phrase in PHRASES:
        for again in (copy.copy(phrase), copy.deepcopy(phrase), pickle.loads(pickle.dumps(phrase))):
            assert again == phrase and isinstance(again, Phrase)
            for language in ("ru", "uk", "ko", "it", PSEUDO):
                assert translate(again, language) == translate(phrase, language)


def test_a_phrase_is_its_english_text() -> None:
    for phrase in PHRASES:
        plain = str.__str__(phrase)
        assert type(translate(phrase, "en")) is str
        assert translate(phrase, "en") == plain == phrase
        assert hash(phrase) == hash(plain)
        assert json.loads(json.dumps({phrase: phrase})) == {plain: plain}
        assert f"{phrase}!" == plain + "!"


def test_english_is_filled_in() -> None:
    english = "plain|no row 3 on this board|no row 3 at a/b|none|2 tiles|ivory, x, viziers|pink|3 fakirs|+2.1"
    assert [*english.split("|"), "a, silk and fish"] == PHRASES
    assert say_many("{count} tile", "{count} tiles", 1) == "1 tile"


def test_an_error_keeps_its_phrase() -> None:
    error = NotationError(say("no row {row} on this board", row=3))
    assert translate(str(error), PSEUDO) == lengthened("no row 3 on this board")
    assert translate(say("{file}: {error}", file="x", error=error), PSEUDO).endswith(lengthened("on this board"))


def test_what_is_no_phrase_stays_and_what_is_added_to_one_stays_with_it() -> None:
    assert translate("plain", "ru") == "plain" and translate(f"{say('plain')} text", PSEUDO) == "plain text"
    added = "  " + say("row") + "."
    assert added == "  row." and translate(added, PSEUDO) == f"  {lengthened('row')}."
    assert [capitalised(text) for text in ("lift it", "a4의 미플")] == ["Lift it", "a4의 미플"]
    with pytest.raises(KeyError):
        translate(say("plain"), "xx")


def test_values_from_outside_are_never_taken_for_places() -> None:
    assert say("no {name}", name="{x} {0}") == "no {x} {0}" and marked("{as it is}") == "{as it is}"
    assert translate(say("no {name}", name="{x} {0}"), PSEUDO).endswith("{x} {0}")


def test_numbers_are_written_as_the_language_does() -> None:
    numbers = joined(" ", [decimal(-3.14), decimal(0.5, 2, signed=True), thousands(24_000), percentage(0.12)])
    english, slavic = "-3.1 +0.50 24,000 12%", "-3,1 +0,50 24\xa0000 12%"
    written = {"en": english, "ru": slavic, "uk": slavic, "ko": english, "it": "-3,1 +0,50 24.000 12%"}
    assert {language: translate(numbers, language) for language in written} == written
    sentence = say("{size:.1f} of {games:,} in {path}", size=2.1, games=24_000, path="a.b,c")
    assert translate(sentence, "ru").startswith("2,1 of 24\xa0000 in") and translate(sentence, "it").endswith("a.b,c")


def test_lists_of_few() -> None:
    assert [listed([]), listed(["a"]), listed_or(["a"]), listed_or(["a", "b"])] == ["", "a", "a", "a or b"]


def test_korean_particles_follow_the_sound_before_them() -> None:
    examples = {
        "2(이)라": "2라",
        "3(이)라": "3이라",
        "'타일'(이)라는 이름": "'타일'이라는 이름",
        "'바코드'(이)라는 이름": "'바코드'라는 이름",
        "'Utuk'(이)라는 이름": "'Utuk'(이)라는 이름",
    }
    assert {before: with_particles(before) for before in examples} == examples


CASES: list[tuple[str | None, dict[str, str], str | None, str]] = [
    (None, {}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8"}, None, "ru"),
    (None, {"LANG": "de_DE.UTF-8"}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "it_IT"}, None, "it"),
    (None, {"LC_MESSAGES": "it_IT", "LC_ALL": "ko_KR.UTF-8"}, None, "ko"),
    (None, {"LANG": "en_GB.UTF-8", "LANGUAGE": "de:uk:ru"}, None, "uk"),
    (None, {"LANG": "C.UTF-8", "LANGUAGE": "uk"}, None, "en"),
    (None, {"LANGUAGE": "uk"}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": "it"}, None, "it"),
    (None, {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": "klingon"}, None, "ru"),
    (None, {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": ""}, None, "ru"),
    ("uk", {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": "it"}, None, "uk"),
    ("xx", {"COMPANION_LANG": "it"}, None, "it"),
    (None, {}, "ko_KR", "ko"),
    (None, {"LANG": "it_IT"}, "ko_KR", "it"),
]


def test_the_language_of_a_run() -> None:
    for option, environment, system, language in CASES:
        assert chosen_language(option, environment, system) == language, (option, environment, system)


def test_names_of_languages() -> None:
    names = {"ru": "ru", "RU": "ru", "it-IT": "it", "ko_KR.euckr@x": "ko", "russian": None, "": None, "rus": None}
    assert {name: known_language(name) for name in names} == names
