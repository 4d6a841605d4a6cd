"""The catalogues hold what the program says: nothing missing, nothing over, places and plurals as in English."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from pytest import Subtests

from hatch_build import compile_catalogues, compiled
from tests.language import words
from tests.language.words import TRANSLATED, catalogue_path, missing, read_catalogue, translations

FORMS = {"ru": 3, "uk": 3, "ko": 1, "it": 2}
_PLACE = re.compile(r"\{\w*[^{}]*\}")
_LOOSE_PARTICLE = re.compile(r"(?:^|\s)(?:은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로|\(이\)라)")
_BLANK_BEFORE_COMMA = re.compile(r"\s[,;]")


def test_no_message_is_missing_or_over(subtests: Subtests) -> None:
    messages = words.gather()
    assert len({message.text for message in messages}) > 1000
    for language in TRANSLATED:
        with subtests.test(language):
            catalogue = read_catalogue(language)
            assert missing(catalogue) == [] and words.stale(catalogue) == []
            assert catalogue_path(language).read_bytes() == words.as_po(words.up_to_date(messages, catalogue)), (
                "run make words"
            )


def test_the_program_reads_what_people_translated() -> None:
    for language in TRANSLATED:
        compiled = GNUTranslations(io.BytesIO(catalogue_path(language, ".mo").read_bytes()))
        different = []
        for message in read_catalogue(language):
            singular, plural = (message.id, "") if isinstance(message.id, str) else message.id
            key = f"{message.context}\4{singular}" if message.context else singular
            read = compiled.ngettext(key, plural, 1) if plural else compiled.gettext(key)
            if message.id and translations(message)[0] not in ("", read):
                different.append((language, message.id))
        assert different == [], "run make words"


def test_plurals_contexts_and_what_is_not_translated_are_compiled_as_by_others(tmp_path: Path) -> None:
    catalogue = Catalog(locale="ru")
    catalogue.add('a "line"\nand a tab\t', "строка\nи \\ знак")
    catalogue.add(("{count} tile", "{count} tiles"), ("{count} плитка", "{count} плитки", "{count} плиток"))
    catalogue.add("none", "ни одного", context="djinns")
    catalogue.add("none", "нет")
    catalogue.add("waits")
    (file := tmp_path / "ru.po").write_bytes(words.as_po(catalogue))
    compile_catalogues(tmp_path)
    theirs = io.BytesIO()
    write_mo(theirs, catalogue)
    one, other = (GNUTranslations(io.BytesIO(mo)) for mo in (file.with_suffix(".mo").read_bytes(), theirs.getvalue()))
    for text in ('a "line"\nand a tab\t', "none", "waits"):
        assert one.gettext(text) == other.gettext(text)
        assert one.pgettext("djinns", text) == other.pgettext("djinns", text)
    for count in (1, 2, 5):
        assert one.ngettext("{count} tile", "", count) == other.ngettext("{count} tile", "", count) != ""
    assert one.pgettext("djinns", "none") == "ни одного" and one.gettext("waits") == "waits"


def test_a_new_message_is_missing_until_it_is_translated() -> None:
    catalogue = Catalog(locale="it")
    catalogue.add("two tiles", "due tessere")
    catalogue.add("{fault}; step back")
    assert missing(catalogue) == ["{fault}; step back"]


def test_a_changed_sentence_loses_its_translation_and_does_not_get_it_back() -> None:
    old, new = "Print all of this, to keep in the box.", "Print a player aid, the cards and a bid track."
    before = Catalog(locale="it")
    before.add(old, kept := "Stampa tutto questo da tenere nella scatola.")
    before.add(("{count} tile", "{count} tiles"), ("{count} tessera", "{count} tessere"))
    messages = [words.Message(new, "", ""), words.Message(("{count} tile", "{count} tiles left"), "", "")]
    file = io.BytesIO(words.as_po(words.up_to_date(messages, before)))
    after = read_po(file)
    assert missing(after) == [new, str(messages[1].text)] and words.stale(after) == []
    again_translated = after.get(new)
    assert again_translated is not None
    again_translated.string = kept
    assert [fault.partition(" has ")[0] for fault in words.stale(after)] == [new]
    again = read_po(io.BytesIO(words.as_po(words.up_to_date(messages, after))))
    assert words.stale(again) == words.stale(after), "gathering again forgets nothing"
    assert compiled(words.as_po(again).decode()) == compiled(words.as_po(again).decode().partition("#~")[0])


def test_translations_have_the_places_plurals_and_blanks_of_english() -> None:
    wrong = [
        f"{language}: {fault}"
        for language in TRANSLATED
        for message in read_catalogue(language)
        for fault in faults(message, language)
        if message.id
    ]
    assert wrong == []


def faults(message: Message, language: str) -> Iterator[str]:
    english = message.id[1] if message.pluralizable else str(message.id)
    forms = translations(message)
    if len(forms) != (FORMS[language] if message.pluralizable else 1):
        yield f"{len(forms)} forms of {english!r}"
    for form in forms:
        if sorted(_PLACE.findall(form)) != sorted(_PLACE.findall(english)):
            yield f"other places: {form}"
        if (form[:1].isspace(), form[-1:].isspace()) != (english[:1].isspace(), english[-1:].isspace()):
            yield f"other blanks at its ends: {form!r}"
        if _BLANK_BEFORE_COMMA.search(form) or (language == "ko" and _LOOSE_PARTICLE.search(form)):
            yield f"a loose comma or particle: {form}"
