"""Templates of print-outs: TOML with lengths, colours and words.

The project's own file is the shape of all others: a file of the user's own may say anything that it says, in values of
the same kind, and what it leaves out stays as it is. Numbers keep to the bounds of their `TemplateKind`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, reduce
from pathlib import Path
from typing import Any

from companion.drawing import palette
from companion.errors import NotationError, UnusableInputError, UsageError
from companion.inputs import LIMITS, read_file, shown
from companion.language.catalogue import PSEUDO, catalogued, translate
from companion.language.glossary import LANGUAGES
from companion.language.phrase import joined, marked, say, term
from companion.notation.files import parse_toml
from companion.notation.names import nearest_names
from companion.printing.core.geometry import Named
from companion.system.installation import template_path

FORMAT = 2
"""The version of the template format: `[words]` in English, all other languages from the catalogues."""

SHARED = {"tribes": palette.TRIBES, "camels": palette.CAMELS, "curves": palette.CURVES, "grounds": palette.GROUNDS}
"""Tables of colours that every template has, whether they stand in its file or not."""

_BRACES = re.compile(r"\{(\w+)\}")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_HEADER = re.compile(r"\s*\[([\w. -]{1,200})\]")
_KEY = re.compile(r"\s*([\w.-]{1,200})\s*=")


class TemplateFault(Exception):
    """What does not fit, and at which key."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        self.message = message
        super().__init__(joined(" ", (key, message)))


class Table(Named):
    """A table of a template; its keys are attributes too: `template.parts.row`."""


class _Open(Table):
    """A table that may have keys which the project's own lacks: those of `allowed`, or any if that is None."""

    allowed: frozenset[str] | None = None
    example: object = ""


@dataclass(frozen=True, slots=True)
class Names:
    """Words that the glossary has for these keys, unless a file says otherwise."""

    keys: Iterable[str]
    plural: bool = False
    capital: bool = False

    def table(self, language: str) -> Table:
        names = {key: translate(term(key.replace("_", " "), plural=self.plural), language) for key in self.keys}
        return Table({key: name[:1].upper() + name[1:] if self.capital else name for key, name in names.items()})


@dataclass(frozen=True)
class TemplateKind:
    """A kind of template; its own file is `templates/<name>.toml`.

    `bounds` are lines such as "page: side 5-40, top 5-40". `names` are tables of words from the glossary, and `more`
    what tables may hold besides what the project's own say, by their place: the keys, None for any, and a value as each
    has, None for one as the table's first. `check` looks at keys together, and raises TemplateFault.
    """

    name: str
    bounds: str
    names: Mapping[str, Names] = field(default_factory=dict)
    more: Mapping[str, tuple[Iterable[str] | None, object]] = field(default_factory=dict)
    check: Callable[[Table], object] = bool
    _spoken: dict[str, Table] = field(default_factory=dict, init=False, repr=False, compare=False)

    def load(self, own: Path | None = None) -> Table:
        """The template of a file of the user's own, or the project's; its `words` are by language, see `pick_words`.

        Raises UnusableInputError that names the file, line and key if it cannot be read or does not fit.
        """
        if own is None:
            return Table({**self._original, "words": Words(self, {})})
        text, document = _read(own, f"{self.name}.toml")
        try:
            self._check_head(document)
            words = Words(self, document)
            template = Table({**self.merged(self._original, document, "", ""), "words": words})
            self.check(template)
        except TemplateFault as fault:
            line = _line_of(text, fault.key)
            raise UnusableInputError(
                "the template {path}{where}: {key} {message}; compare with the original, {name}",
                path=own,
                where="" if line is None else say(", line {line}", line=line),
                key=shown(" ".join(fault.key.split())),
                message=fault.message,
                name=f"{self.name}.toml",
            ) from None
        return template

    @cached_property
    def _document(self) -> Table:
        path = template_path(f"{self.name}.toml")
        tables: Table = _tables({**SHARED, **parse_toml(path.read_text(encoding="utf-8"))})
        for place, (keys, example) in self.more.items():
            around, key = _around(tables, place)
            example = example or next(iter(around[key].values()))
            around[key] = _Open(around.get(key, {}))
            around[key].allowed, around[key].example = None if keys is None else frozenset(keys), example
        return tables

    @cached_property
    def _original(self) -> Table:
        return Table({key: self._document[key] for key in self._document if key not in ("format", "kind", "words")})

    def words(self, language: str) -> Table:
        """The project's words in a language of the catalogues, names included; put together once."""
        if language not in self._spoken:
            words: Table = _translated(self._document["words"], language, self.name)
            for place, names in self.names.items():
                around, key = _around(words, place)
                around[key] = names.table(language)
            self._spoken[language] = words
        return self._spoken[language]

    def _check_head(self, document: dict[str, Any]) -> None:
        version, kind = document.pop("format", None), document.pop("kind", None)
        if type(version) is not int or version != FORMAT:
            raise TemplateFault("format", say("must be {format}", format=FORMAT))
        if kind is None:
            raise TemplateFault("kind", say('is missing; templates of this print have kind = "{kind}"', kind=self.name))
        if kind != self.name:
            raise TemplateFault("kind", say('must be "{kind}"; this template is for another print', kind=self.name))

    @cached_property
    def _bounds(self) -> dict[str, tuple[float, float]]:
        bounds = {}
        for table, _, keys in (line.partition(": ") for line in self.bounds.strip().splitlines()):
            for key, span in (entry.split() for entry in keys.split(",")):
                low, high = span.split("-")
                bounds[f"{table.strip()}.{key}"] = float(low), float(high)
        return bounds

    def merged(self, original: Table, own: object, where: str, rule: str) -> Table:
        """A table with what a user's says in its place; `where` is its place, and `rule` that of its bounds.

        Raises TemplateFault.
        """
        if not isinstance(own, dict):
            raise TemplateFault(where or say("the file"), say("must be a table"))
        merged = copy(original)
        for key, value in own.items():
            place = _place(where, key)
            if key in original:
                example = original[key]
            elif isinstance(original, _Open) and (original.allowed is None or key in original.allowed):
                example = original.example
            else:
                known = {*original, *(original.allowed or ())} if isinstance(original, _Open) else original
                if near := nearest_names(key, known):
                    raise TemplateFault(place, say("isn't a key of this template; the nearest is {key!r}", key=near[0]))
                raise TemplateFault(place, say("isn't a key of this template"))
            free = isinstance(original, _Open) and original.allowed is None
            merged[key] = self._value(example, value, place, _place(rule, "*" if free else key))
        return merged

    def _value(self, example: object, value: object, where: str, rule: str) -> object:
        match example:
            case Table():
                return self.merged(example, value, where, rule)
            case tuple():
                if not isinstance(value, list) or not value:
                    raise TemplateFault(where, say("must be a list with at least one entry"))
                return tuple(self._value("", text, where, rule) for text in value)
            case bool():
                if not isinstance(value, bool):
                    raise TemplateFault(where, say("must be true or false"))
            case int() | float():
                if isinstance(value, bool) or not isinstance(value, int | float):
                    raise TemplateFault(where, say("must be a number"))
                low, high = self._bounds[rule]
                # nan, which TOML allows, is out of all bounds.
                if not low <= value <= high:
                    given = f"{value:g}" if isinstance(value, float) or abs(value) < 10**9 else f"{float(value):g}"
                    raise TemplateFault(
                        where, say("must be from {low} to {high}, not {value}", low=low, high=high, value=given)
                    )
            case str():
                if not isinstance(value, str):
                    raise TemplateFault(where, say("must be text"))
                if _COLOUR.fullmatch(example) and not _COLOUR.fullmatch(value):
                    raise TemplateFault(where, say("must be a colour such as #B4532A, not {value!r}", value=value))
        return value


class Words(dict[str, Table]):
    """A template's words by language, each put together when it is first asked for.

    `document` has them under `words`, and under `words_in` what a user says otherwise, by language; both are taken out
    of it. Raises TemplateFault for what does not fit.
    """

    def __init__(self, kind: TemplateKind, document: dict[str, Any]) -> None:
        super().__init__()
        self._kind = kind
        self._own, self._otherwise = document.pop("words", {}), document.pop("words_in", {})
        for place, table in (("words", self._own), ("words_in", self._otherwise)):
            if not isinstance(table, dict):
                raise TemplateFault(place, say("must be a table"))
        self.languages = tuple(dict.fromkeys((*LANGUAGES, *self._otherwise)))
        for language in ("en", *self._otherwise) if document else ():
            self._put_together(language)

    def __missing__(self, language: str) -> Table:
        if language not in (*self.languages, PSEUDO):
            raise KeyError(language)
        self[language] = self._put_together(language)
        return self[language]

    def _put_together(self, language: str) -> Table:
        # A template of the user's own may speak a language that the program does not.
        known = catalogued(language)
        words = self._kind.words(known)
        if self._own:
            words = self._kind.merged(words, _translated(self._own, known, self._kind.name), "words", "")
        if language in self._otherwise:
            words = self._kind.merged(words, self._otherwise[language], f"words_in.{language}", "")
        return words


def pick_words(template: Table, language: str) -> Table:
    """A template's words in that language. Raises UsageError if it does not speak it."""
    try:
        words: Table = template["words"][language]
    except KeyError:
        raise UsageError(
            "the template has no language {language!r}; it has {words}",
            language=language,
            words=joined(", ", template["words"].languages),
        ) from None
    return words


def filled(text: str, **values: object) -> str:
    """A template's text with its words in braces filled in; braces that mean nothing here stay as they are."""
    return _BRACES.sub(lambda match: str(values.get(match[1], match[0])), text)


def template_kind(path: Path) -> str:
    """Which print a user's own template is for, by its key `kind`; "" if it doesn't say.

    Raises UnusableInputError if it cannot be read.
    """
    return str(_read(path, "companion templates list")[1].get("kind", ""))


def _read(path: Path, name: str) -> tuple[str, dict[str, Any]]:
    content = read_file(path, LIMITS.template_bytes, say("name a template"))
    try:
        # Some editors begin a file with a mark of its encoding.
        text = content.decode("utf-8-sig")
        return text, parse_toml(text)
    except UnicodeDecodeError:
        raise UnusableInputError(
            "the template {path} is not text in UTF-8; compare with the original, {name}", path=path, name=name
        ) from None
    except NotationError as error:
        raise UnusableInputError("the template {path} is not TOML: {error}", path=path, error=error) from None


def _tables(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Table({key: _tables(inner) for key, inner in value.items()})
    return tuple(value) if isinstance(value, list) else value


def _translated(value: Any, language: str, place: str) -> Any:
    """Words in English put into a language, each by its place: "score_sheet.labels.gold"."""
    if isinstance(value, dict):
        words = copy(value)
        words.update({key: _translated(inner, language, _place(place, key)) for key, inner in value.items()})
        return words
    if isinstance(value, list | tuple):
        return type(value)(_translated(text, language, f"{place}.{number}") for number, text in enumerate(value))
    return translate(marked(value, place), language) if isinstance(value, str) else value


def _around(table: Table, place: str) -> tuple[Table, str]:
    """The table that a place such as "words.arithmetic" lies in, and its key there."""
    *outer, key = place.split(".")
    return reduce(Table.__getitem__, outer, table), key


def _place(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _line_of(text: str, key: str) -> int | None:
    """The line on which a key of a file stands, or else the table around it; None if there is neither."""
    parts = key.split(".")
    table: list[str] = []
    nearest = None
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = [part.strip() for part in header[1].split(".")]
            if parts[: len(table)] == table:
                nearest = number
        elif entry := _KEY.match(line):
            place = [*table, *entry[1].split(".")]
            if parts[: len(place)] == place:
                return number
    return nearest


@dataclass(frozen=True, slots=True)
class Original:
    """A template of the project's: its name, which is its kind, its file, and the commands in its first line."""

    name: str
    path: Path
    commands: tuple[str, ...]


def originals() -> Iterator[Original]:
    """All templates of this installation, by name: people make copies of them."""
    for path in sorted(template_path("setup_card.toml").parent.glob("*.toml")):
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        yield Original(path.stem, path, tuple(re.findall(r"`(companion [^`]+)`", first)))


def original(name: str) -> Original:
    """The template of that name, with or without its ending. Raises UsageError if there is none."""
    known = {template.name: template for template in originals()}
    try:
        return known[name.removesuffix(".toml")]
    except KeyError:
        raise UsageError(
            "there is no template {name}; there are {known}", name=repr(name), known=", ".join(known)
        ) from None
