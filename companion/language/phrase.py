"""Sentences for people: text that is English and knows how it is said in other languages.

    say("no row {row} on this board", row=3)
    say_many("{count} tile is doubtful", "{count} tiles are doubtful", count)
    joined(", ", [term("ivory"), term("silk")])

A `Phrase` is a `str` and its text is the English sentence, filled in: files, JSON and comparisons need to know nothing
of it. It remembers what it was made of, so that `catalogue.translate` can say it in another language at the very edge,
where it reaches a person. What is cut out of a phrase or put into an f-string with other text is a plain `str` again,
and stays English; `joined` and `+` keep what they join.

Only whole sentences can be translated well: what is put together from halves, or has its plural made by an added s,
comes out wrong in most languages. Values that are phrases themselves are said in the same language.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, LiteralString, Protocol

from companion.language.glossary import counted_in, glossary, name_in


class Speaker(Protocol):
    """One language: what phrases ask when they are said in it."""

    def message(self, text: str, context: str) -> str:
        """The sentence of a message, its places still to be filled."""

    def plural(self, one: str, many: str, count: int, context: str) -> str:
        """The same of a message that counts."""

    def name(self, key: str, *, plural: bool) -> str:
        """What a thing of the glossary is called."""

    def counted(self, count: int, key: str) -> str:
        """So many of a thing of the glossary: "3 fakirs"."""

    def fill(self, text: str, values: dict[str, Any]) -> str:
        """A sentence with its places filled, numbers as this language writes them."""


class Phrase(str):
    """A text for people that can be said in other languages; as a `str` it is the English one."""

    __slots__ = ()

    def __str__(self) -> str:
        # `str(error)` and `str(phrase)` are the phrase, not a copy that has forgotten what it was made of.
        return self

    def __add__(self, other: str) -> Phrase:
        return joined("", (self, other))

    def __radd__(self, other: str) -> Phrase:
        return joined("", (other, self))

    def said_by(self, speaker: Speaker) -> str:
        """The text in a speaker's language; a phrase that was made of nothing else is said as it stands."""
        return str.__str__(self)


class _Sentence(Phrase):
    """A message with the values of its places."""

    __slots__ = ("_context", "_count", "_many", "_one", "_values")
    _one: str
    _many: str
    _count: int
    _context: str
    _values: tuple[tuple[str, Any], ...]

    def __new__(cls, one: str, many: str, count: int, context: str, values: tuple[tuple[str, Any], ...]) -> _Sentence:
        message = many if many and count != 1 else one
        made = super().__new__(cls, message.format(**dict(values)) if values else message)
        made._one, made._many, made._count, made._context, made._values = one, many, count, context, values
        return made

    def __reduce__(self) -> tuple[type[_Sentence], tuple[Any, ...]]:
        return _Sentence, (self._one, self._many, self._count, self._context, self._values)

    def said_by(self, speaker: Speaker) -> str:
        if self._many:
            text = speaker.plural(self._one, self._many, self._count, self._context)
        else:
            text = speaker.message(self._one, self._context)
        if not self._values:
            return text
        return speaker.fill(text, {name: _said(value, speaker) for name, value in self._values})


class _Joined(Phrase):
    """Several texts in a row."""

    __slots__ = ("_between", "_parts")
    _between: str
    _parts: tuple[str, ...]

    def __new__(cls, between: str, parts: tuple[str, ...]) -> _Joined:
        made = super().__new__(cls, str.join(between, parts))
        made._between, made._parts = between, parts
        return made

    def __reduce__(self) -> tuple[type[_Joined], tuple[Any, ...]]:
        return _Joined, (self._between, self._parts)

    def said_by(self, speaker: Speaker) -> str:
        between = _said(self._between, speaker)
        return str.join(between, [_said(part, speaker) for part in self._parts])


class _Stripped(Phrase):
    """A phrase without the blanks at its ends."""

    __slots__ = ("_whole",)
    _whole: Phrase

    def __new__(cls, whole: Phrase) -> _Stripped:
        made = super().__new__(cls, whole.strip())
        made._whole = whole
        return made

    def __reduce__(self) -> tuple[type[_Stripped], tuple[Any, ...]]:
        return _Stripped, (self._whole,)

    def said_by(self, speaker: Speaker) -> str:
        return self._whole.said_by(speaker).strip()


class _Capitalised(Phrase):
    """A phrase that begins a sentence."""

    __slots__ = ("_whole",)
    _whole: Phrase

    def __new__(cls, whole: Phrase) -> _Capitalised:
        made = super().__new__(cls, whole[:1].upper() + whole[1:])
        made._whole = whole
        return made

    def __reduce__(self) -> tuple[type[_Capitalised], tuple[Any, ...]]:
        return _Capitalised, (self._whole,)

    def said_by(self, speaker: Speaker) -> str:
        said = self._whole.said_by(speaker)
        return said[:1].upper() + said[1:]


class _Indented(Phrase):
    """A text whose lines begin further to the right."""

    __slots__ = ("_by", "_whole")
    _whole: str
    _by: str

    def __new__(cls, whole: str, by: str) -> _Indented:
        made = super().__new__(cls, textwrap.indent(whole, by))
        made._whole, made._by = whole, by
        return made

    def __reduce__(self) -> tuple[type[_Indented], tuple[Any, ...]]:
        return _Indented, (self._whole, self._by)

    def said_by(self, speaker: Speaker) -> str:
        return textwrap.indent(_said(self._whole, speaker), self._by)


class _Padded(Phrase):
    """A text made as wide as others below it."""

    __slots__ = ("_text", "_width")
    _text: str
    _width: int

    def __new__(cls, text: str, width: int) -> _Padded:
        made = super().__new__(cls, text.ljust(width))
        made._text, made._width = text, width
        return made

    def __reduce__(self) -> tuple[type[_Padded], tuple[Any, ...]]:
        return _Padded, (self._text, self._width)

    def said_by(self, speaker: Speaker) -> str:
        said: str = _said(self._text, speaker)
        # Hangul is two columns wide.
        return said + " " * max(0, self._width - sum(1 + ("ᄀ" <= letter <= "힣") for letter in said))


class _Term(Phrase):
    """A name of the glossary, alone or after a number."""

    __slots__ = ("_count", "_key", "_plural")
    _key: str
    _count: int | None
    _plural: bool

    def __new__(cls, key: str, count: int | None, plural: bool) -> _Term:
        text = name_in("en", key, plural=plural) if count is None else counted_in("en", count, key)
        made = super().__new__(cls, text)
        made._key, made._count, made._plural = key, count, plural
        return made

    def __reduce__(self) -> tuple[type[_Term], tuple[Any, ...]]:
        return _Term, (self._key, self._count, self._plural)

    def said_by(self, speaker: Speaker) -> str:
        if self._count is None:
            return speaker.name(self._key, plural=self._plural)
        return speaker.counted(self._count, self._key)


def _said(value: Any, speaker: Speaker) -> Any:
    """A value of a sentence in a speaker's language: phrases and colours are said, all else is as it is."""
    if isinstance(value, Phrase):
        return value.said_by(speaker)
    if isinstance(value, StrEnum) and value.value in glossary():
        return speaker.name(value.value, plural=False)
    return value


def say(message: LiteralString, /, **values: object) -> Phrase:
    """A sentence: English, with places in braces for values.

    >>> say("no row {row} on this board", row=3)
    'no row 3 on this board'

    The message itself has to stand in the call, for it is gathered from there into the catalogues.
    """
    return _Sentence(message, "", 0, "", _kept(values))


def say_as(context: LiteralString, message: LiteralString, /, **values: object) -> Phrase:
    """The same for a message whose English means several things: the context tells translators which.

    >>> say_as("djinns", "none")
    'none'
    """
    return _Sentence(message, "", 0, context, _kept(values))


def marked(message: str, context: str = "") -> Phrase:
    """A message that is gathered where it stands and not from a call: a help text, a word of a template."""
    return _Sentence(message, "", 0, context, ())


def say_many(one: LiteralString, many: LiteralString, count: int, /, **values: object) -> Phrase:
    """A sentence that counts: `one` for a count of 1, `many` for all others; both have a place {count}.

    >>> say_many("{count} tile is doubtful", "{count} tiles are doubtful", 2)
    '2 tiles are doubtful'
    """
    return _Sentence(one, many, count, "", (("count", count), *_kept(values)))


def joined(between: str, parts: Iterable[str]) -> Phrase:
    """Texts in a row, phrases among them or not, with something between.

    >>> joined(", ", [say("one"), "x"])
    'one, x'
    """
    return _Joined(between, tuple(parts))


def stripped(text: str) -> str:
    """A text without blanks at its ends, still a phrase if it is one."""
    return _Stripped(text) if isinstance(text, Phrase) else text.strip()


def capitalised(phrase: Phrase) -> Phrase:
    """A phrase with a capital at its beginning."""
    return _Capitalised(phrase)


def indented(text: str, by: str) -> Phrase:
    """A text with something before each of its lines."""
    return _Indented(text, by)


def padded(text: str, width: int) -> Phrase:
    """A text with spaces after it, so many columns wide in every language."""
    return _Padded(text, width)


def term(key: str, *, plural: bool = False) -> Phrase:
    """A name of the glossary, as it stands in a sentence: a tribe, a good, a tile, a colour, a djinn.

    >>> term("vizier"), term("vizier", plural=True)
    ('vizier', 'viziers')

    Raises KeyError for what is not in the glossary.
    """
    return _Term(str.__str__(key), None, plural)


def named(name: str) -> str:
    """A card, djinn, tribe or colour by its name in the glossary; what is none of the game's stays as it is.

    >>> named("ivory"), named("toast")
    ('ivory', 'toast')
    """
    return term(name) if name in glossary() else name


def counted(count: int, key: str) -> Phrase:
    """So many of a thing of the glossary, as the language counts it.

    >>> counted(3, "fakir"), counted(1, "fakir")
    ('3 fakirs', '1 fakir')
    """
    return _Term(str.__str__(key), count, False)


def _kept(values: dict[str, object]) -> tuple[tuple[str, Any], ...]:
    """Values as a sentence keeps them: text and numbers as they are, all else as text."""
    return tuple(
        (name, value if isinstance(value, (str, int, float)) else str(value)) for name, value in values.items()
    )
