"""The catalogues hold what the program says: nothing missing, nothing over, places and plurals as in English."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog, Message

from tests.language.words import (
    LOCALES,
    TRANSLATED,
    Gathered,
    as_mo,
    as_po,
    catalogue_path,
    gather,
    missing,
    read_catalogue,
    up_to_date,
)

FORMS = {"ru": 3, "uk": 3, "ko": 1, "it": 2}
_PLACE = re.compile(r"\{\w*[^{}]*\}")


_LOOSE_PARTICLE = re.compile(r"(?:^|\s)(?:은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로|\(이\)라)")
_BLANK_BEFORE_COMMA = re.compile(r"\s[,;]")


def _texts(message: Message) -> tuple[str, ...]:
    """The translation of a message, form by form."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


@pytest.fixture(scope="module")
def messages() -> list[Gathered]:
    return gather()


# As they stand on disk: to gather what the program says takes seconds, which tests of other things need not wait for.
AREAS = sorted(path.stem for path in (LOCALES / TRANSLATED[0] / "LC_MESSAGES").glob("*.po"))


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("area", AREAS)
def test_no_string_is_missing_or_over(messages: list[Gathered], language: str, area: str) -> None:
    po = catalogue_path(language, area).read_bytes()
    assert po == as_po(up_to_date(messages, language, area)), "run make words"
    assert catalogue_path(language, area, ".mo").read_bytes() == as_mo(po), "run make words"
    assert missing(read_catalogue(catalogue_path(language, area))) == []


def test_a_new_message_is_missing_until_it_is_translated() -> None:
    catalogue = Catalog(locale="it")
    catalogue.add("two tiles", "due tessere")
    catalogue.add("{fault}; step back")
    assert missing(catalogue) == ["{fault}; step back"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_area_and_none_besides_has_a_catalogue(messages: list[Gathered], language: str) -> None:
    assert {path.name for path in (LOCALES / language / "LC_MESSAGES").iterdir()} == {
        f"{area}{suffix}" for area in {message.area for message in messages} for suffix in (".po", ".mo")
    }


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("area", AREAS)
def test_places_and_plurals_are_those_of_english(language: str, area: str) -> None:
    for message in read_catalogue(catalogue_path(language, area)):
        if not message.id or not message.string:
            continue
        english = message.id if isinstance(message.id, str) else message.id[1]
        forms = _texts(message)
        if not any(forms):
            continue
        assert len(forms) == (1 if isinstance(message.id, str) else FORMS[language]), message.id
        for form in forms:
            assert sorted(_PLACE.findall(form)) == sorted(_PLACE.findall(english)), form
            assert form[:1].isspace() == english[:1].isspace(), form
            assert form[-1:].isspace() == english[-1:].isspace(), form


def test_one_sentence_is_said_in_one_way(messages: list[Gathered]) -> None:
    for language in TRANSLATED:
        said: dict[tuple[object, object], set[str]] = {}
        for area in AREAS:
            for message in read_catalogue(catalogue_path(language, area)):
                if message.id and message.string:
                    said.setdefault((message.id, message.context), set()).add(str(message.string))
        assert {key: ways for key, ways in said.items() if len(ways) > 1} == {}


@pytest.mark.parametrize("area", AREAS)
def test_no_korean_particle_stands_apart_from_what_it_follows(area: str) -> None:
    said = [text for message in read_catalogue(catalogue_path("ko", area)) for text in _texts(message)]
    assert [text for text in said if _LOOSE_PARTICLE.search(text)] == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("area", AREAS)
def test_no_blank_stands_before_a_comma(language: str, area: str) -> None:
    said = [text for message in read_catalogue(catalogue_path(language, area)) for text in _texts(message)]
    assert [text for text in said if _BLANK_BEFORE_COMMA.search(text)] == []
