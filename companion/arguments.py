"""Arguments of the library's calls, held against the types that each call declares."""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import cache, wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from companion.errors import ArgumentError, printable

_MOST_SHOWN = 60
_STATE = "GameState"
"""The type that isn't looked into."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


def checked(call: Callable[Given, Result]) -> Callable[Given, Result]:
    """The call, which raises ArgumentError for an argument of another type than it declares, before anything is done.

    Values are looked into, but for the position of a game's state: the rules make that, thousands of times a second.
    """
    wanted = signature(call)

    @wraps(call)
    def guarded(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            bound = wanted.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentError("{what}: {value}", what=call.__name__, value=error) from None
        for name, value in bound.arguments.items():
            parameter, hint = wanted.parameters[name], _hints(call).get(name, object)
            if parameter.kind is Parameter.VAR_KEYWORD:
                keys = _hints(typing.get_args(hint)[0])
                given = [(key, one, keys.get(key, typing.Never)) for key, one in value.items()]
            else:
                values = value if parameter.kind is Parameter.VAR_POSITIONAL else (value,)
                given = [(name, one, hint) for one in values if one is not parameter.default]
            for key, one, kind in given:
                if fits(one, kind):
                    continue
                if fits(getattr(one, "position", object), kind):
                    raise ArgumentError(
                        "give a position or a game, such as opened.position, not {what}", what=type(one).__name__
                    )
                raise ArgumentError(
                    "{call}: {name} can't be {value}",
                    call=call.__name__,
                    name=key,
                    value=printable(repr(one))[:_MOST_SHOWN],
                )
        return call(*args, **kwargs)

    return guarded


def fits(value: object, hint: object) -> bool:
    """Whether a value is of an annotated type; what an iterator brings is not looked at."""
    if hint is typing.Never:
        return False
    origin, of = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in of)
    if origin is tuple:
        each = of[:1] * len(value) if of[1:] == (...,) and isinstance(value, tuple) else of
        return isinstance(value, tuple) and len(value) == len(each) and all(map(fits, value, each))
    if origin is not None and issubclass(origin, collections.abc.Mapping):
        return isinstance(value, origin) and all(fits(key, of[0]) and fits(one, of[1]) for key, one in value.items())
    if origin is collections.abc.Callable:
        return callable(value)
    if origin is not None:
        # Letters are no list of texts, nor bytes of numbers.
        inside = value if isinstance(value, collections.abc.Collection) else ()
        return (
            isinstance(value, origin)
            and not isinstance(value, (str, bytes))
            and all(fits(one, of[0]) for one in inside)
        )
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool)
    if hint is object or not isinstance(hint, type):
        return True
    if not isinstance(value, hint):
        return False
    fields = ((getattr(value, name), one) for name, one in _fields(type(value)))  # type: ignore[arg-type]
    if hint.__name__ == _STATE:
        return all(isinstance(inside, one) for inside, one in fields if isinstance(one, type))
    return all(fits(inside, one) for inside, one in fields)


@cache
def _fields(kind: Hashable) -> tuple[tuple[str, object], ...]:
    """The fields of a value that are looked into, with their types."""
    if not dataclasses.is_dataclass(kind) or not isinstance(kind, type):
        return ()
    hints = _hints(kind)
    return tuple((field.name, hints.get(field.name, object)) for field in dataclasses.fields(kind))


@cache
def _hints(of: Callable[..., object]) -> dict[str, object]:
    """The types that a call or a class declares; those that only type checkers can see are left out."""
    names = vars(sys.modules[of.__module__])
    found = {}
    for name, hint in inspect.get_annotations(of).items():
        text = getattr(hint, "__forward_arg__", hint)
        with suppress(NameError):
            found[name] = eval(text, names) if isinstance(text, str) else hint
    return found
