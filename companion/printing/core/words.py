"""The words of a template by language: English stands in the file, the others in the catalogues."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from companion.installation import template_path
from companion.language.catalogue import PSEUDO, catalogued, translate
from companion.language.glossary import LANGUAGES
from companion.language.phrase import Phrase, marked, say, say_as
from companion.printing.core.shape import TemplateFault, as_table, build, joined_key
from companion.rules.model.components import Tribe

MEEPLE_COLOURS: Mapping[Tribe, Phrase] = {
    Tribe.VIZIER: say_as("meeples of a tribe", "yellow"),
    Tribe.ELDER: say_as("meeples of a tribe", "white"),
    Tribe.BUILDER: say_as("meeples of a tribe", "blue"),
    Tribe.MERCHANT: say_as("meeples of a tribe", "green"),
    Tribe.ASSASSIN: say_as("meeples of a tribe", "red"),
}
"""What colour a tribe's meeples are: those of the game have one shape, and a print in grey has no colours."""

MAX_LANGUAGES = 40
"""Languages that a template of a user's own may have words in."""


def with_colour(name: str, tribe: Tribe, language: str) -> str:
    """A tribe's name in the plural, and the colour of its meeples in words: "Viziers (yellow)"."""
    return f"{name} ({translate(MEEPLE_COLOURS[tribe], catalogued(language))})"


class WordsByLanguage(Mapping[str, Any]):
    """A template's words by language, each put together when it is asked for.

    `document` has its words under `words`, and under `words_in` what a user says otherwise, by language; both are taken
    out of it. In the format before, `by_language`, each language has a table of its own under `words`; what has come
    into the template since is said in the project's words then. Raises TemplateFault for words that do not fit.
    """

    def __init__(self, shape: type[Any], document: dict[str, object], name: str, *, by_language: bool) -> None:
        self._shape = shape
        self._kind = name.removesuffix(".toml")
        self._made: dict[str, Any] = {}
        self._english: dict[str, Any] = {}
        self._otherwise: dict[str, Any] = {}
        table = as_table(document.pop("words", None), "words")
        if by_language:
            _check_languages(table, "words")
            original = tomllib.loads(template_path(name).read_text(encoding="utf-8"))["words"]
            for language, own in table.items():
                known = catalogued(language)
                whole = _overlaid(_translated(original, known, self._kind), as_table(own, f"words.{language}"))
                self._made[language] = build(shape, whole, f"words.{language}", language=known)
            return
        self._english = table
        self._otherwise = as_table(document.pop("words_in", {}), "words_in")
        _check_languages(self._otherwise, "words_in")
        self._made["en"] = self._put_together("en")
        for language, own in self._otherwise.items():
            as_table(own, f"words_in.{language}")
            self._made[language] = self._put_together(language)

    def _put_together(self, language: str) -> Any:
        where = f"words_in.{language}" if language in self._otherwise else "words"
        known = catalogued(language)
        whole = _overlaid(_translated(self._english, known, self._kind), self._otherwise.get(language, {}))
        return build(self._shape, whole, where, language=known)

    def __getitem__(self, language: str) -> Any:
        if language not in self._made:
            if not self._english or language not in (*LANGUAGES, PSEUDO):
                raise KeyError(language)
            self._made[language] = self._put_together(language)
        return self._made[language]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*(LANGUAGES if self._english else ()), *self._made)))

    def __len__(self) -> int:
        return len(tuple(iter(self)))


def _check_languages(table: Mapping[str, Any], where: str) -> None:
    """Refuse more languages than anybody speaks, before their words are put together."""
    if len(table) > MAX_LANGUAGES:
        raise TemplateFault(
            where, say("has {number:,} languages; {most} are the most", number=len(table), most=MAX_LANGUAGES)
        )


def _translated(table: Mapping[str, Any], language: str, where: str) -> dict[str, Any]:
    """Words in English put into a language, each by its place: "score_sheet.labels.gold"."""
    said: dict[str, Any] = {}
    for key, value in table.items():
        place = joined_key(where, key)
        if isinstance(value, dict):
            said[key] = _translated(value, language, place)
        elif isinstance(value, list):
            said[key] = [_word(text, language, f"{place}.{number}") for number, text in enumerate(value)]
        else:
            said[key] = _word(value, language, place)
    return said


def _word(value: object, language: str, place: str) -> object:
    return translate(marked(value, place), language) if isinstance(value, str) else value


def _overlaid(table: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """A table with what another says in place of its own."""
    both = dict(table)
    for key, value in over.items():
        known = both.get(key)
        both[key] = _overlaid(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return both
