"""Phrases in other languages: gettext catalogues in `templates/locales`, one a language, made by `make words`.

What a catalogue lacks stays English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from string import Formatter
from typing import Any

from companion.language.glossary import LANGUAGES, counted_in, name_in
from companion.language.phrase import English, Phrase, Translator
from companion.system.installation import template_path

PSEUDO = "qps"
"""A language made on the fly from the English, to find text that has too little room."""

_NUMBERS: dict[str, dict[int, int]] = {
    "ru": str.maketrans(",.", "\xa0,"),
    "uk": str.maketrans(",.", "\xa0,"),
    "it": str.maketrans(",.", ".,"),
}
"""What a language writes in place of English commas of thousands and decimal points."""

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
    """The decimal mark of a language.

    >>> decimal_mark("en"), decimal_mark("ru")
    ('.', ',')
    """
    return ".".translate(_NUMBERS.get(language, {}))


def catalogued(language: str) -> str:
    """The language itself if the program speaks it, English if only a template does.

    >>> catalogued("ru"), catalogued("qps"), catalogued("fr")
    ('ru', 'qps', 'en')
    """
    return language if language in (*LANGUAGES, PSEUDO) else "en"


def translate(text: str, language: str) -> str:
    """A phrase in a language of `LANGUAGES` or in the pseudo-language; any other text comes back unchanged.

    >>> translate("as it is", "ru")
    'as it is'
    """
    if not isinstance(text, Phrase):
        return text
    if language == "en":
        return str.__str__(text)
    translated = text.translated(_translator(language))
    return with_particles(translated) if language == "ko" else translated


def with_particles(text: str) -> str:
    """Korean with the particles that fit the sound before them: "분홍색이(가)" becomes "분홍색이".

    After letters whose sound isn't known both stay.

    >>> with_particles("타일을(를) 3이(가) 재상과(와) O8을(를) Anna은(는)")
    '타일을 3이 재상과 O8을 Anna은(는)'
    """

    def fitting(match: re.Match[str]) -> str:
        before, closing, particle = match.groups()
        if "가" <= before <= "힣":
            final = (ord(before) - ord("가")) % 28
        elif before.isdecimal():
            final = 8 if before in "178" else int(before in _DIGITS_WITH_END)
        else:
            return match[0]
        # After the final consonant ㄹ (8) it is 로, as after a vowel.
        vowel = final == 0 or (particle == "(으)로" and final == 8)
        return before + closing + _PARTICLES[particle][vowel]

    return _PARTICLE.sub(fitting, text)


class _Catalogue:
    """A language of the catalogues."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._filler = _Filler(_NUMBERS.get(language, {}))
        with template_path(f"locales/{language}/LC_MESSAGES/companion.mo").open("rb") as file:
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

    def fill(self, text: str, values: Mapping[str, Any]) -> str:
        return self._filler.vformat(text, (), values)


class _Pseudo(English):
    """The pseudo-language: English that takes more room."""

    def message(self, text: str, context: str) -> str:
        return "".join(part if part.startswith("{") else lengthened(part) for part in _PLACES.split(text))

    def plural(self, one: str, many: str, count: int, context: str) -> str:
        return self.message(super().plural(one, many, count, context), context)

    def name(self, key: str, *, plural: bool) -> str:
        return lengthened(super().name(key, plural=plural))

    def counted(self, count: int, key: str) -> str:
        return lengthened(super().counted(count, key))


def lengthened(text: str) -> str:
    """Text with accents and with each word longer by 40%, as in a wordier language.

    >>> lengthened("palace")
    'pàlàçèèè'
    """

    def longer(word: str) -> str:
        return word + next((letter for letter in reversed(word) if letter in "aeiou"), "e") * round(len(word) * 0.4)

    return _WORD.sub(lambda word: longer(word[0]).translate(_LETTERS), text)


class _Filler(Formatter):
    """Fills a sentence's places; numbers as the language writes them."""

    def __init__(self, signs: Mapping[int, int]) -> None:
        self._signs = signs

    def format_field(self, value: Any, format_spec: str) -> str:
        formatted: str = format(value, format_spec)
        return formatted.translate(self._signs) if isinstance(value, (int, float)) else formatted


@cache
def _translator(language: str) -> Translator:
    if language == PSEUDO:
        return _Pseudo()
    if language not in LANGUAGES:
        raise KeyError(language)
    return _Catalogue(language)
