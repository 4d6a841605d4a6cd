"""Sentences for people: English text that can be translated into other languages.

    say("no row {row} on this board", row=3)
    say_many("{count} tile is doubtful", "{count} tiles are doubtful", count)
    joined(", ", [term("ivory"), term("silk")])

A `Phrase` is a `str` with the English sentence, so files, JSON and comparisons need to know nothing of it. It also
knows what it was made of, so that `catalogue.translate` can translate it at the very edge, where it reaches a person.
A slice of a phrase, or an f-string with one in it, is a plain `str` again and stays English; `joined` and `+` keep
their parts.

Only whole sentences can be translated well, so don't put them together from halves or plurals from an added s. Values
that are phrases themselves are translated too.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, LiteralString, Protocol

from companion.language.glossary import counted_in, glossary, name_in


class Translator(Protocol):
    """One language: what a phrase asks when it's translated."""

    def message(self, text: str, context: str) -> str:
        """The sentence of a message, its places still to be filled."""

    def plural(self, one: str, many: str, count: int, context: str) -> str:
        """The same of a message that counts."""

    def name(self, key: str, *, plural: bool) -> str:
        """What a thing of the glossary is called."""

    def counted(self, count: int, key: str) -> str:
        """A thing of the glossary, counted: "3 fakirs"."""

    def fill(self, text: str, values: Mapping[str, Any]) -> str:
        """A sentence with its places filled, numbers as this language writes them."""


class English:
    """The language that everything is written in."""

    def message(self, text: str, context: str) -> str:
        return text

    def plural(self, one: str, many: str, count: int, context: str) -> str:
        return one if count == 1 else many

    def name(self, key: str, *, plural: bool) -> str:
        return name_in("en", key, plural=plural)

    def counted(self, count: int, key: str) -> str:
        return counted_in("en", count, key)

    def fill(self, text: str, values: Mapping[str, Any]) -> str:
        return text.format(**values)


_ENGLISH = English()


class Phrase(str):
    """A text for people that can be translated; as a `str` it is the English one.

    `make` makes its text of the arguments, in any language.
    """

    __slots__ = ("_arguments", "_make")
    _make: Callable[..., str]
    _arguments: tuple[Any, ...]

    def __new__(cls, make: Callable[..., str], *arguments: Any) -> Phrase:
        phrase = super().__new__(cls, make(_ENGLISH, *arguments))
        phrase._make, phrase._arguments = make, arguments
        return phrase

    def __reduce__(self) -> tuple[type[Phrase], tuple[Any, ...]]:
        return Phrase, (self._make, *self._arguments)

    def __str__(self) -> str:
        # `str(error)` and `str(phrase)` are the phrase, not a copy that has forgotten what it was made of.
        return self

    def __add__(self, other: str) -> Phrase:
        return joined("", (self, other))

    def __radd__(self, other: str) -> Phrase:
        return joined("", (other, self))

    def translated(self, translator: Translator) -> str:
        """The text in a language."""
        return self._make(translator, *self._arguments)


def _translated(value: Any, translator: Translator) -> Any:
    """A value of a sentence in a language: phrases and colours are translated, all else stays as it is."""
    if translator is _ENGLISH:
        return value
    if isinstance(value, Phrase):
        return value.translated(translator)
    if isinstance(value, StrEnum) and value.value in glossary():
        return translator.name(value.value, plural=False)
    return value


def _sentence(
    translator: Translator, one: str, many: str, count: int, context: str, values: Iterable[tuple[str, Any]]
) -> str:
    text = translator.plural(one, many, count, context) if many else translator.message(one, context)
    filled = {name: _translated(value, translator) for name, value in values}
    return translator.fill(text, filled) if filled else text


def _join(translator: Translator, between: str, parts: Iterable[str]) -> str:
    return str.join(_translated(between, translator), [_translated(part, translator) for part in parts])


def _changed(translator: Translator, change: Callable[..., str], text: str, *arguments: Any) -> str:
    return change(_translated(text, translator), *arguments)


def _capitalise(text: str) -> str:
    # A square stays as it is written everywhere: a4.
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]


def _pad(text: str, width: int) -> str:
    # Hangul is two columns wide.
    return text + " " * max(0, width - sum(1 + ("ᄀ" <= letter <= "힣") for letter in text))


def _term(translator: Translator, key: str, count: int | None, plural: bool) -> str:
    return translator.name(key, plural=plural) if count is None else translator.counted(count, key)


def _number(translator: Translator, value: float, form: str) -> str:
    return translator.fill(f"{{value:{form}}}", {"value": value})


def _as_values(values: Mapping[str, object]) -> tuple[tuple[str, Any], ...]:
    """Values as a sentence keeps them: text and numbers as they are, all else as text."""
    return tuple(
        (name, value if isinstance(value, (str, int, float)) else str(value)) for name, value in values.items()
    )


def say(message: LiteralString, /, **values: object) -> Phrase:
    """A sentence: English, with places in braces for values.

    >>> say("no row {row} on this board", row=3)
    'no row 3 on this board'

    The message has to stand in the call itself, where it's gathered into the catalogues.
    """
    return Phrase(_sentence, message, "", 0, "", _as_values(values))


def say_as(context: LiteralString, message: LiteralString, /, **values: object) -> Phrase:
    """The same for a message whose English means several things: the context tells translators which.

    >>> say_as("djinns", "none")
    'none'
    """
    return Phrase(_sentence, message, "", 0, context, _as_values(values))


def say_each(context: LiteralString, words: LiteralString, /) -> dict[str, Phrase]:
    """The words of a table, with | between them, each as `say_as` says it, by its English.

    >>> say_each("head of games", "date|place")
    {'date': 'date', 'place': 'place'}
    """
    return {word: marked(word, context) for word in words.split("|")}


def filled(message: Phrase, /, **values: object) -> Phrase:
    """A message that `say` or `say_as` made without values, such as one of a table, with its places filled.

    >>> filled(say("no row {row} on this board"), row=3)
    'no row 3 on this board'
    """
    return Phrase(_sentence, *message._arguments[:-1], _as_values(values))


def marked(message: str, context: str = "") -> Phrase:
    """A message that is gathered where it stands and not from a call: a help text, a word of a template."""
    return Phrase(_sentence, message, "", 0, context, ())


def say_many(one: LiteralString, many: LiteralString, count: int, /, **values: object) -> Phrase:
    """A sentence that counts: `one` for a count of 1, `many` for all others; both have a place {count}.

    >>> say_many("{count} tile is doubtful", "{count} tiles are doubtful", 2)
    '2 tiles are doubtful'
    """
    return Phrase(_sentence, one, many, count, "", (("count", count), *_as_values(values)))


def joined(between: str, parts: Iterable[str]) -> Phrase:
    """Texts in a row, phrases or not, with something between.

    >>> joined(", ", [say("one"), "x"])
    'one, x'
    """
    return Phrase(_join, between, tuple(parts))


def listed(words: Sequence[str]) -> Phrase:
    """Words as a list of all of them.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    before = joined(", ", words[:-1])
    return joined("", words) if len(words) < 2 else say("{words} and {last}", words=before, last=words[-1])


def listed_or(words: Sequence[str]) -> Phrase:
    """Words as a list to choose from.

    >>> listed_or(["a", "b", "c"])
    'a, b or c'
    """
    before = joined(", ", words[:-1])
    return joined("", words) if len(words) < 2 else say("{words} or {last}", words=before, last=words[-1])


def stripped(text: str) -> str:
    """A text without spaces at its ends, still a phrase if it is one."""
    return Phrase(_changed, str.strip, text) if isinstance(text, Phrase) else text.strip()


def capitalised(phrase: str) -> Phrase:
    """A text with a capital at its beginning, still a phrase if it is one."""
    return Phrase(_changed, _capitalise, phrase)


def indented(text: str, by: str) -> Phrase:
    """A text with something before each of its lines."""
    return Phrase(_changed, textwrap.indent, text, by)


def padded(text: str, width: int) -> Phrase:
    """A text with spaces after it, that many columns wide in every language."""
    return Phrase(_changed, _pad, text, width)


def term(key: str, *, plural: bool = False) -> Phrase:
    """A name of the glossary, as it stands in a sentence: a tribe, a good, a tile, a colour, a djinn.

    >>> term("vizier"), term("vizier", plural=True)
    ('vizier', 'viziers')

    Raises KeyError for anything else.
    """
    return Phrase(_term, str.__str__(key), None, plural)


def named(name: str) -> str:
    """A card, djinn, tribe or colour by its name in the glossary; any other name stays as it is.

    >>> named("ivory"), named("toast")
    ('ivory', 'toast')
    """
    return term(name) if name in glossary() else name


def counted(count: int, key: str) -> Phrase:
    """A thing of the glossary, counted as the language does.

    >>> counted(3, "fakir"), counted(1, "fakir")
    ('3 fakirs', '1 fakir')
    """
    return Phrase(_term, str.__str__(key), count, False)


def with_names(text: Any, names: Mapping[str, str]) -> Any:
    """A text with names in place of the glossary's terms that have one, such as those of players for their colours.

    >>> with_names(say("{player} has {number}", player=term("blue"), number=3), {"blue": "Anna"})
    'Anna has 3'
    """
    if isinstance(text, Phrase):
        key, count = text._arguments[:2] if text._make is _term else (None, None)
        if key in names and count is None:
            return names[key]
        return Phrase(text._make, *with_names(text._arguments, names))
    if isinstance(text, tuple):
        return tuple(with_names(part, names) for part in text)
    return names.get(text.value, text) if isinstance(text, StrEnum) else text


def decimal(value: float, digits: int = 1, *, signed: bool = False) -> Phrase:
    """A number with that many digits after the point; `signed` ones have their plus as well.

    In a sentence a place does the same: `say("{size:.1f} better", size=2.1)`.

    >>> decimal(2.14), decimal(2.14, 2, signed=True)
    ('2.1', '+2.14')
    """
    return Phrase(_number, value, f"{'+' if signed else ''}.{digits}f")


def thousands(number: int) -> Phrase:
    """A whole number with its thousands apart.

    >>> thousands(24000)
    '24,000'
    """
    return Phrase(_number, number, ",")


def percentage(share: float) -> Phrase:
    """A share as a percentage.

    >>> percentage(0.413)
    '41%'
    """
    return Phrase(_number, share, ".0%")


def clock_time(seconds: float) -> str:
    """A time as clocks show it.

    >>> clock_time(59.9), clock_time(125), clock_time(3661)
    ('0:59', '2:05', '1:01:01')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
