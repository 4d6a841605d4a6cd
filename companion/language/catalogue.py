"""Phrases in another language: gettext catalogues in `templates/locales`, one a language.

`make words` gathers the messages and makes the catalogues. What a catalogue lacks is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from typing import Any

from companion.installation import template_path
from companion.language.glossary import LANGUAGES, NAME, counted_in, name_in
from companion.language.phrase import Phrase, Speaker

PSEUDO = "qps"
"""A language made on the fly from the English: accents, and words longer by 40 %. It shows what has no room."""

_NUMBERS: dict[str, dict[int, int]] = {
    "ru": str.maketrans(",.", "\xa0,"),
    "uk": str.maketrans(",.", "\xa0,"),
    "it": str.maketrans(",.", ".,"),
}
"""How a language writes the comma of thousands and the decimal point of English, where it is otherwise."""

_LETTERS = str.maketrans("AEIOUaeiouCNSYZcnsyz", "ÀÈÌÖÙàèìöùÇÑŠÝŽçñšýž")
_PLACES = re.compile(r"(\{[^{}]*\})")
_WORD = re.compile(r"[^\W\d_]+")
_PARTICLE = re.compile(r"([^\s\"'“”‘’()\[\]])([\"'“”‘’)\]]*)(은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로|\(이\)라)")
_PARTICLES = {
    "은(는)": "은는",
    "이(가)": "이가",
    "을(를)": "을를",
    "과(와)": "과와",
    "(으)로": ("으로", "로"),
    "(이)라": ("이라", "라"),
}
_DIGITS_WITH_END = frozenset("013678")
"""Digits that end in a consonant when they are read aloud in Korean: 영, 일, 삼, 육, 칠, 팔."""


def decimal_mark(language: str) -> str:
    """What stands before the decimals of a number in that language.

    >>> decimal_mark("en"), decimal_mark("ru")
    ('.', ',')
    """
    return ".".translate(_NUMBERS.get(language, {}))


def catalogued(language: str) -> str:
    """The language itself where the program speaks it, English where a template alone does.

    >>> catalogued("ru"), catalogued("qps"), catalogued("fr")
    ('ru', 'qps', 'en')
    """
    return language if language in (*LANGUAGES, PSEUDO) else "en"


def translate(text: str, language: str) -> str:
    """A text in a language of `LANGUAGES`, or in the pseudo-language; what is no phrase comes back as it is.

    >>> translate("as it is", "ru")
    'as it is'
    """
    if not isinstance(text, Phrase):
        return text
    if language == "en":
        return str.__str__(text)
    said = text.said_by(_speaker(language))
    return with_particles(said) if language == "ko" else said


def with_particles(text: str) -> str:
    """Korean with the particles that follow from the sound before them: "분홍색이(가)" becomes "분홍색이".

    After letters whose sound is not known both stay.

    >>> with_particles("타일을(를) 3이(가) 재상과(와) O8을(를) Anna은(는)")
    '타일을 3이 재상과 O8을 Anna은(는)'
    """

    def chosen(found: re.Match[str]) -> str:
        before, closing, particle = found.groups()
        if "가" <= before <= "힣":
            final = (ord(before) - ord("가")) % 28
        elif before.isdecimal():
            final = 8 if before in "178" else int(before in _DIGITS_WITH_END)
        else:
            return found[0]
        # After the final consonant ㄹ (8) it is 로, as after a vowel.
        vowel = final == 0 or (particle == "(으)로" and final == 8)
        return before + closing + _PARTICLES[particle][vowel]

    return _PARTICLE.sub(chosen, text)


def locales_folder() -> Path:
    """The folder of the catalogues, in a checkout and in an installed wheel alike."""
    return template_path(NAME).with_name("locales")


class _Catalogue:
    """A language of the catalogues."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._filler = _Filler(_NUMBERS.get(language, {}))
        with (locales_folder() / language / "LC_MESSAGES" / "companion.mo").open("rb") as file:
            self._messages = GNUTranslations(file)

    def message(self, text: str, context: str) -> str:
        return self._messages.pgettext(context, text) if context else self._messages.gettext(text)

    def plural(self, one: str, many: str, count: int, context: str) -> str:
        if context:
            return self._messages.npgettext(context, one, many, count)
        return self._messages.ngettext(one, many, count)

    def name(self, key: str, *, plural: bool) -> str:
        return name_in(self._language, key, plural=plural)

    def counted(self, count: int, key: str) -> str:
        return counted_in(self._language, count, key)

    def fill(self, text: str, values: dict[str, Any]) -> str:
        return self._filler.vformat(text, (), values)


class _Pseudo:
    """The pseudo-language: English that takes more room."""

    def message(self, text: str, context: str) -> str:
        return "".join(part if part.startswith("{") else lengthened(part) for part in _PLACES.split(text))

    def plural(self, one: str, many: str, count: int, context: str) -> str:
        return self.message(one if count == 1 else many, context)

    def name(self, key: str, *, plural: bool) -> str:
        return lengthened(name_in("en", key, plural=plural))

    def counted(self, count: int, key: str) -> str:
        return lengthened(counted_in("en", count, key))

    def fill(self, text: str, values: dict[str, Any]) -> str:
        return text.format(**values)


def lengthened(text: str) -> str:
    """Text with accents, each word longer by 40 %: what a wordier language would make of it.

    >>> lengthened("palace")
    'pàlàçèèè'
    """
    return _WORD.sub(lambda word: _lengthened(word[0]), text)


def _lengthened(word: str) -> str:
    vowel = next((letter for letter in reversed(word) if letter in "aeiou"), "e")
    longer = word + vowel * round(len(word) * 0.4)
    return longer.translate(_LETTERS)


class _Filler(Formatter):
    """Fills a sentence's places; numbers as the language writes them."""

    def __init__(self, signs: Mapping[int, int]) -> None:
        self._signs = signs

    def format_field(self, value: Any, format_spec: str) -> str:
        said: str = format(value, format_spec)
        return said.translate(self._signs) if isinstance(value, (int, float)) else said


@cache
def _speaker(language: str) -> Speaker:
    if language == PSEUDO:
        return _Pseudo()
    if language not in LANGUAGES:
        raise KeyError(language)
    return _Catalogue(language)
