"""The language of this run, chosen by `main` and held here alone: phrases are said in it where they leave the program.
The library is given a language where it needs one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.language.choice import VARIABLE, chosen_language, system_locale
from companion.language.glossary import LANGUAGES
from companion.language.phrase import Phrase

OPTION = "--lang"
PSEUDO = "qps"
"""What --lang takes besides, to see what has too little room: `companion.language.catalogue.PSEUDO`."""

_LETTERS = {"ru": "Яё", "uk": "Їґ", "ko": "한글", "it": "è", PSEUDO: "èž"}
"""Letters without which a language cannot be shown."""


_locale: tuple[str, str | None] = ("en", None)
"""The language of the run, and what --lang named word by word."""

_typed: tuple[str, ...] = ()
"""The arguments of the run."""


def run_language() -> str:
    """The language of this run: one of `LANGUAGES`, or `PSEUDO`."""
    return _locale[0]


def print_language() -> str:
    """The language of prints: as `run_language`, or whatever --lang names, which a user's own template may have."""
    return _locale[1] or _locale[0]


def translate(text: str) -> str:
    """A text in the language of this run; what is no phrase comes back as it is."""
    language = _locale[0]
    if language == "en" or not isinstance(text, Phrase):
        return text
    from companion.language import catalogue

    return catalogue.translate(text, language)


def typed_command() -> tuple[str, ...]:
    """The arguments of this run as they were typed, for whoever is told how to go on with it."""
    return _typed


@contextmanager
def speaking(language: str, asked: str | None = None, arguments: Sequence[str] = ()) -> Iterator[None]:
    """Speak a language inside; `asked` is what --lang named among the `arguments`."""
    global _locale, _typed
    before, _locale, _typed = (_locale, _typed), (language, asked), tuple(arguments)
    try:
        yield
    finally:
        _locale, _typed = before


def asked_language(arguments: Sequence[str]) -> str | None:
    """What --lang names among a command's arguments, the last time that it is given; None where it is not."""
    asked = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == OPTION and place + 1 < len(arguments):
            asked = arguments[place + 1]
        elif argument.startswith(f"{OPTION}="):
            asked = argument.partition("=")[2]
    return asked


def language_for(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language of a run; that of the system alone gives way to English where the terminal lacks its letters."""
    asked = asked_language(arguments)
    if PSEUDO in (asked, None if asked else environment.get(VARIABLE)):
        return PSEUDO
    language = chosen_language(asked, environment, system_locale())
    return language if asked in LANGUAGES or _can_be_shown(language) else "en"


def _can_be_shown(language: str) -> bool:
    try:
        for stream in (sys.stdout, sys.stderr):
            _LETTERS.get(language, "").encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
