"""What records say in other languages: every word of it, numbers and names as that language has them."""

from __future__ import annotations

import pytest

from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES
from companion.notation.records.steps import bid_phrase, format_step, parse_step, step_phrase

ITEMS = {
    "c3 > c4g > d4y: claim d4": "c3 > c4g > d4y: верблюд на d4",
    "2 viziers": "2 визиря",
    "3 builders with 1 fakir: 12 GC": "3 строителя + 1 факир: 12 мон.",
    "2 assassins kill y on c2": "2 ассасина убивают визиря на c2",
    "2 assassins kill elder of pink": "2 ассасина убивают старейшину (розовый)",
    "2 assassins kill w on c2 and b on c2 with Iblis for elder": (
        "2 ассасина убивают старейшину на c2 и строителя на c2 + Iblis (старейшина)"
    ),
    "2 assassins kill nobody": "2 ассасина никого не убивают",
    "palm with Lamia for elder onto d4": "пальма на d4 + Lamia (старейшина)",
    "palace": "дворец",
    "buy fish, silk (4)": "куплено — рыба, шёлк (4)",
    "take Utug for 2 elders": "взять Utug (2 старейшины)",
    "take Utug for elder and fakir": "взять Utug (старейшина и факир)",
    "use Enki for fakir on c3": "применить Enki (факир) на c3",
    "use Sibittis for elder and fakir: Utug, Leta, Enki": "применить Sibittis (старейшина и факир): Utug, Leta, Enki",
    "keep Utug": "оставить Utug",
    "sell silk, fish: 3 GC": "продано — шёлк, рыба: 3 мон.",
    "4 merchants: fish, ?, fakir": "4 купца: рыба, ?, факир",
    "pass": "пас",
    "no move": "хода нет",
}


def test_items_in_russian(subtests: pytest.Subtests) -> None:
    for english, russian in ITEMS.items():
        with subtests.test(english=english):
            item = parse_step(english)
            assert translate(step_phrase(item), "ru") == russian


def test_items_are_written_as_they_are_read(subtests: pytest.Subtests) -> None:
    for english in ITEMS:
        with subtests.test(english=english):
            written = format_step(parse_step(english))
            assert parse_step(written) == parse_step(english)
            assert type(written) is str


def test_items_are_said_in_every_language(subtests: pytest.Subtests) -> None:
    for english in [text for text in ITEMS if text != "c3 > c4g > d4y"]:
        for language in [one for one in LANGUAGES if one != "en"]:
            with subtests.test(english=english, language=language):
                said = translate(step_phrase(parse_step(english)), language)
                kept = {"Utug", "Lamia", "Iblis", "Enki", "Sibittis", "Leta", "GC"}
                words = {word.strip("():,;") for word in english.split()} - kept
                english_words = {word for word in words if word.isalpha() and len(word) > 2}
                assert not english_words & {word.strip("():,;") for word in said.split()}, said


def test_bids() -> None:
    assert (bid_phrase(3, 0), bid_phrase(5, 2)) == ("3", "5 with 2 fakirs")
    assert translate(bid_phrase(5, 2), "ru") == "5 + 2 факира"
