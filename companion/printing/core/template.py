"""Templates of print-outs: TOML with lengths, colours and words, checked key by key while reading.

A template's shape is a frozen dataclass; each key of the file is a field of it. `checked` says in a
field's metadata what a value must keep to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from companion.errors import NotationError, UnusableInputError, UsageError
from companion.inputs import LIMITS, read_file
from companion.notation.toml_text import parse_toml
from companion.resources import template_path

FORMAT = 1
"""The version of the template format that this program reads."""

LANGUAGES: tuple[str, ...] = ("en", "ru", "uk", "ko", "it")
"""The languages that the project's own templates speak."""

_Shape = TypeVar("_Shape")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_BRACES = re.compile(r"\{(\w+)\}")


def checked(*, low: float | None = None, high: float | None = None, colour: bool = False) -> Any:
    """A dataclass field with bounds of its number (inclusive), or one that holds a colour as #RRGGBB."""
    return field(metadata={"low": low, "high": high, "colour": colour})


def load_template(name: str, own: Path | None, shape: type[_Shape], *, version: int = FORMAT) -> _Shape:
    """The template of the user's own, or the project's `templates/<name>` if `own` is None.

    Raises UnusableInputError that names the file and the key if it cannot be read or does not fit `shape`.
    """
    path = own if own is not None else template_path(name)
    content = read_file(path, LIMITS.text_bytes, "name a template")
    return _parsed(content, path, name, shape, version)


def _parsed(content: bytes, path: Path, name: str, shape: type[_Shape], version: int) -> _Shape:
    try:
        document = parse_toml(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise UnusableInputError(
            f"the template {path} is not text in UTF-8; compare with the original, {name}"
        ) from None
    except NotationError as error:
        raise UnusableInputError(f"the template {path} is not TOML: {error}") from None
    try:
        if document.pop("format", None) != version:
            raise _Fault("format", f"must be {version}")
        if document.pop("kind", None) != name.removesuffix(".toml"):
            raise _Fault("kind", f'must be "{name.removesuffix(".toml")}": this is the template of another print-out')
        return _build(shape, document, "")
    except _Fault as fault:
        raise UnusableInputError(
            f"the template {path}: {fault.key} {fault.message}; compare with the original, {name}"
        ) from None


def pick_words(words: Mapping[str, _Shape], language: str) -> _Shape:
    """A template's words in that language. Raises UsageError if it does not speak it."""
    if language not in words:
        raise UsageError(f"the template has no language {language!r}; it has {', '.join(words)}")
    return words[language]


def filled(text: str, **values: object) -> str:
    """A template's text with its words in braces filled in; braces that mean nothing here stay as they are."""
    return _BRACES.sub(lambda found: str(values.get(found[1], found[0])), text)


class _Fault(Exception):
    def __init__(self, key: str, message: str) -> None:
        self.key = key
        self.message = message
        super().__init__(f"{key} {message}")


def _build(shape: type[_Shape], table: object, where: str) -> _Shape:
    if not isinstance(table, dict):
        raise _Fault(where or "the file", "must be a table")
    assert is_dataclass(shape)
    hints = get_type_hints(shape)
    known = {field.name: field for field in fields(shape)}
    for key in table:
        if key not in known:
            raise _Fault(_join(where, key), "is no key of this template")
    values = {}
    for key, described in known.items():
        if key in table:
            values[key] = _value(hints[key], table[key], _join(where, key), described)
        elif described.default is MISSING:
            raise _Fault(_join(where, key), "is missing")
    return shape(**values)


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _value(hint: Any, value: object, where: str, described: Field[Any]) -> Any:
    if is_dataclass(hint):
        return _build(hint, value, where)  # type: ignore[arg-type]
    if get_origin(hint) is tuple:
        if not isinstance(value, list) or not value:
            raise _Fault(where, "must be a list with something in it")
        return tuple(_value(get_args(hint)[0], item, where, described) for item in value)
    if get_origin(hint) in (dict, Mapping):
        if not isinstance(value, dict):
            raise _Fault(where, "must be a table")
        return {key: _value(get_args(hint)[1], item, _join(where, key), described) for key, item in value.items()}
    if hint is float or hint is int:
        return _number(hint, value, where, described)
    if not isinstance(value, hint):
        raise _Fault(where, {str: "must be text", bool: "must be true or false"}[hint])
    if described.metadata.get("colour") and not _COLOUR.fullmatch(str(value)):
        raise _Fault(where, f"must be a colour such as #B4532A, not {value!r}")
    return value


def _number(hint: type, value: object, where: str, described: Field[Any]) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int if hint is int else (int, float)):
        raise _Fault(where, "must be a whole number" if hint is int else "must be a number")
    low, high = described.metadata.get("low"), described.metadata.get("high")
    # Written so that nan, which TOML allows, fails too.
    if not ((low is None or value >= low) and (high is None or value <= high)):
        raise _Fault(where, f"must be from {low} to {high}, not {value}")
    return hint(value)  # type: ignore[no-any-return]


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
