"""Bots by name: those of the program with their options, and anybody's as `module:Class`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from math import inf
from typing import Any

from companion.arena.bot import Bot, BotBrokenError
from companion.errors import UsageError, quoted
from companion.language.phrase import say, say_as

Option = int | float | str


KNOWN_BOTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "random": ("chance", "RandomBot", ()),
    "greedy": ("greedy", "GreedyBot", ()),
    "one-ply": ("one_ply", "OnePlyBot", ()),
    "best": ("best", "BestBot", ("playouts", "seconds")),
}
"""The program's own bots by name, with their module in `arena.bots`, class and the names of their options."""


def make_bot(spec: str, folder: str | None = None) -> Bot:
    """A new bot by its name on the command line, such as "greedy", "best:playouts=500" or "mine:Careful:nerve=3".

    A module is looked for in `folder` too. Raises UsageError for a name that is none and for options that the bot
    does not have, BotBrokenError for a class that cannot be loaded or made.
    """
    name, _, rest = spec.partition(":")
    if name in KNOWN_BOTS:
        return _known(name, _options(spec, rest))
    class_name, _, options = rest.partition(":")
    if not (name and class_name):
        raise UsageError(
            say(
                "there is no bot {name}; use {known}, or MODULE:CLASS for your own (docs/arena.md)",
                name=quoted(spec),
                known=", ".join(KNOWN_BOTS),
            )
        )
    return _own(spec, name, class_name, _options(spec, options), folder)


def _options(spec: str, text: str) -> dict[str, Option]:
    """Options from text such as "playouts=500,seed=3"."""
    options: dict[str, Option] = {}
    for part in text.split(",") if text else ():
        name, sign, value = part.partition("=")
        if not (name.isidentifier() and sign and value) or name in options:
            raise UsageError(
                say(
                    "the bot {name}: options are written NAME=VALUE, each once, with commas between, such as "
                    "best:playouts=500,seed=3",
                    name=quoted(spec),
                )
            )
        options[name] = _value(value)
    return options


def _value(text: str) -> Option:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _known(name: str, options: Mapping[str, Option]) -> Bot:
    module, class_name, known = KNOWN_BOTS[name]
    for option, value in options.items():
        whole = option != "seconds"
        if option not in known or not isinstance(value, int if whole else (int, float)) or not 0 < value < inf:
            raise UsageError(
                say(
                    "the bot {name} has no option {option}; its options: {known}",
                    name=name,
                    option=quoted(f"{option}={value}"),
                    known=", ".join(known) or say_as("options of a bot", "none"),
                )
            )
    bot: Bot = getattr(importlib.import_module(f"companion.arena.bots.{module}"), class_name)(**options)
    return bot


def _own(spec: str, module: str, class_name: str, options: Mapping[str, Option], folder: str | None) -> Bot:
    if folder is not None and folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        made: Any = getattr(importlib.import_module(module), class_name)(**options)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise BotBrokenError(
            say("the bot {name} cannot be made: {reason}", name=quoted(spec), reason=reason)
        ) from error
    if not isinstance(made, Bot):
        raise BotBrokenError(
            say(
                "the bot {name} cannot be used: it needs a `name` and a method `decide(view, seed)` (docs/arena.md)",
                name=quoted(spec),
            )
        )
    return made
