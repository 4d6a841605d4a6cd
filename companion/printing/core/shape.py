"""Tables of a template made into dataclasses, key by key, with the fault of a key that does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from companion.language.catalogue import translate
from companion.language.phrase import joined, say, term
from companion.notation.names import nearest_names

MAX_LETTERS = 1000
"""Letters of one text; the longest of the project's own has some 400."""

_MAX_DIGITS = 20
"""Letters of a number that messages repeat."""

_Shape = TypeVar("_Shape")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_HEADER = re.compile(r"\s*\[([\w. -]{1,200})\]")
_KEY = re.compile(r"\s*([\w.-]{1,200})\s*=")


class TemplateFault(Exception):
    """What does not fit, and at which key."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        self.message = message
        super().__init__(joined(" ", (key, message)))


def build(shape: type[_Shape], table: object, where: str, *, language: str = "en") -> _Shape:
    """A table as a dataclass; names out of the glossary that it lacks are in that language.

    `where` is the table's own place, such as "words.labels". Raises TemplateFault.
    """
    if not isinstance(table, dict):
        raise TemplateFault(where or say("the file"), say("must be a table"))
    assert is_dataclass(shape)
    hints = type_hints(shape)
    known = {field.name: field for field in fields(shape)}
    for key in table:
        if key not in known:
            raise _no_key(where, key, known)
    missing = []
    values = {}
    for key, described in known.items():
        if named := described.metadata.get("names"):
            own = as_table(table.get(key, {}), joined_key(where, key))
            values[key] = build(hints[key], {**_names(hints[key], language, **named), **own}, joined_key(where, key))
        elif key in table:
            values[key] = _value(hints[key], table[key], joined_key(where, key), described, language)
        elif described.default is MISSING and described.default_factory is MISSING:
            missing.append(joined_key(where, key))
    if missing:
        raise TemplateFault(", ".join(missing), say("is missing") if len(missing) == 1 else say("are missing"))
    return shape(**values)


def missing_keys(shape: type[Any], table: Mapping[str, object]) -> dict[str, list[str]]:
    """The keys that a file has to have and has not, words aside, by the table that lacks them, "" the file itself.

    Tables are told once each, in the order of the shape; a table that is missing as a whole is a key of the one around.
    """
    found: dict[str, list[str]] = {}
    _find_missing(shape, table, "", found)
    return found


def _find_missing(shape: type[Any], table: Mapping[str, object], where: str, found: dict[str, list[str]]) -> None:
    hints = type_hints(shape)  # type: ignore[arg-type]
    for one in fields(shape):
        place, value, hint = joined_key(where, one.name), table.get(one.name), hints[one.name]
        if one.name == "words":
            continue
        if isinstance(value, dict) and is_dataclass(hint):
            _find_missing(hint, value, place, found)  # type: ignore[arg-type]
        elif isinstance(value, dict) and get_origin(hint) in (dict, Mapping) and is_dataclass(get_args(hint)[1]):
            for key, inner in value.items():
                if isinstance(inner, dict):
                    _find_missing(get_args(hint)[1], inner, joined_key(place, key), found)
        elif value is None and one.default is MISSING and one.default_factory is MISSING:
            found.setdefault(where, []).append(one.name)


def listed_keys(by_table: Mapping[str, Sequence[str]]) -> str:
    """Keys by table as a message lists them, tables that have the same ones together.

    >>> listed_keys({"": ["marks"], "layouts.1": ["sets", "good"], "layouts.2": ["sets", "good"]})
    'marks; layouts.1, layouts.2: sets, good'
    """
    tables: dict[tuple[str, ...], list[str]] = {}
    for table, keys in by_table.items():
        tables.setdefault(tuple(keys), []).append(table)
    parts = [": ".join(part for part in (", ".join(named), ", ".join(keys)) if part) for keys, named in tables.items()]
    return "; ".join(parts)


def _names(shape: type[Any], language: str, *, plural: bool, capital: bool) -> dict[str, str]:
    """The glossary's names for the fields of a table."""
    said = {}
    for one in fields(shape):
        name = translate(term(one.name.replace("_", " "), plural=plural), language)
        said[one.name] = name[:1].upper() + name[1:] if capital else name
    return said


@cache
def type_hints(shape: type[Any]) -> dict[str, Any]:
    """The types of a dataclass's fields by their names; to work them out takes longer than to read a table."""
    return get_type_hints(shape)


def joined_key(where: str, key: str) -> str:
    """The place of a key inside a table."""
    return f"{where}.{key}" if where else key


def _no_key(where: str, key: str, known: Iterable[str]) -> TemplateFault:
    """The fault of a key that a table does not have, with the one of its keys that is most like it."""
    place, near = joined_key(where, key), nearest_names(key, known)
    if not near:
        return TemplateFault(place, say("is no key of this template"))
    return TemplateFault(place, say("is no key of this template; the nearest is {key!r}", key=near[0]))


def _value(hint: Any, value: object, where: str, described: Field[Any], language: str) -> Any:
    if isinstance(value, Mapping) and not isinstance(value, dict):
        # Words by language, which are checked already.
        return value
    if is_dataclass(hint):
        return build(hint, value, where, language=language)  # type: ignore[arg-type]
    if get_origin(hint) is tuple:
        if not isinstance(value, list) or not value:
            raise TemplateFault(where, say("must be a list with something in it"))
        return tuple(_value(get_args(hint)[0], item, where, described, language) for item in value)
    if get_origin(hint) in (dict, Mapping):
        if not isinstance(value, dict):
            raise TemplateFault(where, say("must be a table"))
        inner, keys = get_args(hint)[1], described.metadata.get("keys")
        for key in value:
            if keys is not None and key not in keys:
                raise _no_key(where, key, keys)
        return {key: _value(inner, item, joined_key(where, key), described, language) for key, item in value.items()}
    if hint is float or hint is int:
        return _number(hint, value, where, described)
    if not isinstance(value, hint):
        raise TemplateFault(where, {str: say("must be text"), bool: say("must be true or false")}[hint])
    if isinstance(value, str) and len(value) > MAX_LETTERS:
        raise TemplateFault(
            where, say("has {number:,} letters; {most} are the most", number=len(value), most=MAX_LETTERS)
        )
    if described.metadata.get("colour") and not _COLOUR.fullmatch(str(value)):
        raise TemplateFault(where, say("must be a colour such as #B4532A, not {value!r}", value=value))
    return value


def _number(hint: type, value: object, where: str, described: Field[Any]) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int if hint is int else (int, float)):
        raise TemplateFault(where, say("must be a whole number") if hint is int else say("must be a number"))
    low, high = described.metadata.get("low"), described.metadata.get("high")
    # Written so that nan, which TOML allows, fails too.
    if not ((low is None or value >= low) and (high is None or value <= high)):
        box = described.metadata.get("box")
        sized = say(" (it sizes the box {box!r})", box=box) if box else ""
        given = str(value)
        given = given if len(given) <= _MAX_DIGITS else f"{given[:_MAX_DIGITS]}…"
        raise TemplateFault(
            where, say("must be from {low} to {high}, not {value}{sized}", low=low, high=high, value=given, sized=sized)
        )
    return hint(value)  # type: ignore[no-any-return]


def as_table(value: object, where: str) -> dict[str, Any]:
    """A table of a file. Raises TemplateFault for what is none."""
    if value is None:
        raise TemplateFault(where, say("is missing"))
    if not isinstance(value, dict):
        raise TemplateFault(where, say("must be a table"))
    return value


def line_of(text: str, key: str) -> int | None:
    """The line on which a key of a file stands, or else the table around it; None if there is neither."""
    parts = key.partition(",")[0].split(".")
    table: list[str] = []
    nearest = None
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = [part.strip() for part in header[1].split(".")]
            if parts[: len(table)] == table:
                nearest = number
        elif found := _KEY.match(line):
            place = [*table, *found[1].split(".")]
            if parts[: len(place)] == place:
                return number
    return nearest
