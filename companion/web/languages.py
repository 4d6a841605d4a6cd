"""The language of a page: what was chosen on the phone, or else what its browser asks for."""

from __future__ import annotations

from companion.language.choice import known_language

LANGUAGE_COOKIE = "language"
_MAX_HEADER = 400


def asked_language(chosen: str | None, header: str) -> str:
    """The language of `LANGUAGES` for a page; `chosen` on the phone, `header` is its Accept-Language.

    >>> asked_language(None, "fr;q=0.9, uk-UA;q=0.8, en;q=0.3"), asked_language("it", "ru"), asked_language("xx", "")
    ('uk', 'it', 'en')
    """
    if chosen and (language := known_language(chosen)) is not None:
        return language
    wishes = []
    for place, wish in enumerate(header[:_MAX_HEADER].split(",")):
        name, _, weight = wish.partition(";")
        language = known_language(name)
        if language is not None:
            wishes.append((-_weight(weight), place, language))
    return min(wishes)[2] if wishes else "en"


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q="))
    except ValueError:
        return 1.0
