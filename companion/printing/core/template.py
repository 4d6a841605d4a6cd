"""Templates of print-outs: TOML with lengths, colours and words, checked key by key while reading.

A template's shape is a frozen dataclass; each key of the file is a field of it. `checked` says in a
field's metadata what a value must keep to, `names` that the glossary fills it, `keyed` which keys its table may have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_args

from companion.errors import NotationError, UnusableInputError, UsageError
from companion.inputs import LIMITS, read_file, shown
from companion.installation import template_path
from companion.language.glossary import LANGUAGES as LANGUAGES
from companion.language.phrase import joined, say, say_many
from companion.notation.files import parse_toml
from companion.printing.core.shape import TemplateFault, build, line_of, listed_keys, missing_keys, type_hints
from companion.printing.core.words import WordsByLanguage
from companion.rules.model.components import Colour, Tribe

FORMAT = 2
"""The version of the template format: `[words]` in English, all other languages from the catalogues."""

OLD_FORMAT = 1
"""The version before, still read: a table of words for each language, `[words.ru]`."""

_MAX_KEYS = 8
"""Keys that a message names."""

_Shape = TypeVar("_Shape")
_BRACES = re.compile(r"\{(\w+)\}")


def checked(
    *, low: float | None = None, high: float | None = None, colour: bool = False, box: str | None = None
) -> Any:
    """A dataclass field with bounds of its number (inclusive), or one that holds a colour as #RRGGBB.

    `box` is the box that a length sizes, by its name in docs/templates.md; faults name it.
    """
    return field(metadata={"low": low, "high": high, "colour": colour, "box": box})


def names(*, plural: bool = False, capital: bool = False) -> Any:
    """A dataclass field of names out of the glossary, by its own fields' names, where a file gives no others."""
    return field(metadata={"names": {"plural": plural, "capital": capital}})


def keyed(keys: Iterable[str]) -> Any:
    """A dataclass field that is a table with some of these keys and no others, empty where a file does not give it."""
    return field(default_factory=dict, metadata={"keys": tuple(keys)})


def load_template(
    name: str, own: Path | None, shape: type[_Shape], check: Callable[[_Shape], None] | None = None
) -> _Shape:
    """The template of the user's own, or the project's `templates/<name>` if `own` is None.

    Its words come by language, as `pick_words` wants them: the field `words` of a shape is a Mapping of dataclasses.
    `check` looks at what keys have to do with one another, and raises TemplateFault.
    Raises UnusableInputError that names the file, line and key if it cannot be read or does not fit `shape`.
    """
    path = own if own is not None else template_path(name)
    content = read_file(path, LIMITS.template_bytes, say("name a template"))
    return _parsed(content, path, name, shape, check)


def template_kind(path: Path) -> str:
    """Which print-out a template of the user's own is of, by its key `kind`; "" if it does not say.

    Raises UnusableInputError if it cannot be read.
    """
    _, document = _read(
        read_file(path, LIMITS.template_bytes, say("name a template")), path, "companion templates list"
    )
    return str(document.get("kind", ""))


def _read(content: bytes, path: Path, name: str) -> tuple[str, dict[str, object]]:
    """A template's text and its tables and keys."""
    try:
        # Some editors begin a file with a mark of its encoding.
        text = content.decode("utf-8-sig")
        return text, parse_toml(text)
    except UnicodeDecodeError:
        raise UnusableInputError(
            say("the template {path} is not text in UTF-8; compare with the original, {name}", path=path, name=name)
        ) from None
    except NotationError as error:
        raise UnusableInputError(say("the template {path} is not TOML: {error}", path=path, error=error)) from None


def _parsed(
    content: bytes, path: Path, name: str, shape: type[_Shape], check: Callable[[_Shape], None] | None
) -> _Shape:
    text, document = _read(content, path, name)
    try:
        version = document.pop("format", None)
        if type(version) is not int or version not in (OLD_FORMAT, FORMAT):
            raise TemplateFault("format", say("must be {format}", format=FORMAT))
        known, kind = name.removesuffix(".toml"), document.pop("kind", None)
        if kind is None:
            raise TemplateFault("kind", say('is missing: templates of this print-out have kind = "{kind}"', kind=known))
        if kind != known:
            raise TemplateFault("kind", say('must be "{kind}": this is the template of another print-out', kind=known))
        if version == OLD_FORMAT and (new := missing_keys(shape, document)):
            raise TemplateFault(
                "format",
                say_many(
                    "is {format}, and {count} box has come since then: {keys}. Start from a copy of today's template, "
                    "companion templates copy {kind}, and change in it what you had changed",
                    "is {format}, and {count} boxes have come since then: {keys}. Start from a copy of today's "
                    "template, companion templates copy {kind}, and change in it what you had changed",
                    sum(map(len, new.values())),
                    format=OLD_FORMAT,
                    keys=listed_keys(new),
                    kind=known,
                ),
            )
        _, words_shape = get_args(type_hints(shape)["words"])  # type: ignore[arg-type]
        words = WordsByLanguage(words_shape, document, name, by_language=version == OLD_FORMAT)
        built = build(shape, {**document, "words": words}, "")
        if check is not None:
            check(built)
        return built
    except TemplateFault as fault:
        line = line_of(text, fault.key)
        where = "" if line is None else say(", line {line}", line=line)
        raise UnusableInputError(
            say(
                "the template {path}{where}: {key} {message}; compare with the original, {name}",
                path=path,
                where=where,
                key=_shown_keys(fault.key),
                message=fault.message,
                name=name,
            )
        ) from None


def _shown_keys(keys: str) -> str:
    """The keys that a fault is about, as the message names them: a few, and none of them without end."""
    each = [shown(" ".join(key.split())) for key in keys.split(", ")]
    return ", ".join(each if len(each) <= _MAX_KEYS else [*each[:_MAX_KEYS], "…"])


def pick_words(words: Mapping[str, _Shape], language: str) -> _Shape:
    """A template's words in that language. Raises UsageError if it does not speak it."""
    if language not in words:
        raise UsageError(
            say(
                "the template has no language {language!r}; it has {words}",
                language=language,
                words=joined(", ", words),
            )
        )
    return words[language]


def filled(text: str, **values: object) -> str:
    """A template's text with its words in braces filled in; braces that mean nothing here stay as they are."""
    return _BRACES.sub(lambda found: str(values.get(found[1], found[0])), text)


@dataclass(frozen=True, slots=True)
class PerColour:
    """A text for each player's colour."""

    black: str
    orange: str
    blue: str
    pink: str


@dataclass(frozen=True, slots=True)
class CamelTints:
    """The colour in which each player's camel, or the curve of his points, is drawn."""

    black: str = checked(colour=True)
    orange: str = checked(colour=True)
    blue: str = checked(colour=True)
    pink: str = checked(colour=True)

    def of(self, colour: Colour) -> str:
        """The colour in which a player's is drawn."""
        tint: str = getattr(self, colour.value)
        return tint


@dataclass(frozen=True, slots=True)
class PerTribe:
    """A text for each tribe."""

    vizier: str
    elder: str
    builder: str
    merchant: str
    assassin: str


@dataclass(frozen=True, slots=True)
class TribeTints:
    """The colour in which each tribe's meeples are drawn."""

    vizier: str = checked(colour=True)
    elder: str = checked(colour=True)
    builder: str = checked(colour=True)
    merchant: str = checked(colour=True)
    assassin: str = checked(colour=True)

    def of(self, tribe: Tribe) -> str:
        """The colour of a tribe."""
        tint: str = getattr(self, tribe.noun)
        return tint


@dataclass(frozen=True, slots=True)
class PerAction:
    """A text for each kind of tile."""

    oasis: str
    village: str
    small_market: str
    large_market: str
    sacred_place: str


@dataclass(frozen=True, slots=True)
class ActionTints:
    """The ground colour of each kind of tile."""

    oasis: str = checked(colour=True)
    village: str = checked(colour=True)
    small_market: str = checked(colour=True)
    large_market: str = checked(colour=True)
    sacred_place: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class PerCard:
    """A text for each resource card."""

    fakir: str
    ivory: str
    jewels: str
    gold: str
    papyrus: str
    silk: str
    spice: str
    fish: str
    wheat: str
    pottery: str


@dataclass(frozen=True, slots=True)
class PerCost:
    """A text for each cost of a djinn's power (rules 11)."""

    none: str
    elder_or_fakir: str
    elder_and_elder_or_fakir: str
    fakir: str
    fakirs: str
