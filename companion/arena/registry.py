"""Bots by name: those of the program with their options, and anybody's as `module:Class`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from companion.arena.bot import Bot, BotBrokenError
from companion.errors import UsageError, quoted
from companion.language.phrase import joined, say, say_as

Option = int | float | str


def _random() -> Bot:
    from companion.arena.bots.chance import RandomBot

    return RandomBot()


def _greedy() -> Bot:
    from companion.arena.bots.greedy import GreedyBot

    return GreedyBot()


def _one_ply() -> Bot:
    from companion.arena.bots.one_ply import OnePlyBot

    return OnePlyBot()


def _best(**options: Any) -> Bot:
    from companion.arena.bots.best import BestBot

    return BestBot(**options)


@dataclass(frozen=True, slots=True)
class BotOption:
    """An option of a bot: what it is, the least that it takes, and whether it is a whole number."""

    meaning: str
    least: float = 1
    whole: bool = True

    def takes(self, value: Option) -> bool:
        """Whether it can have this value."""
        return isinstance(value, int if self.whole else (int, float)) and self.least <= value < inf


@dataclass(frozen=True, slots=True)
class KnownBot:
    """A bot of the program: what makes it, and its options by name."""

    make: Callable[..., Bot]
    options: Mapping[str, BotOption]


KNOWN_BOTS: dict[str, KnownBot] = {
    "random": KnownBot(_random, {}),
    "greedy": KnownBot(_greedy, {}),
    "one-ply": KnownBot(_one_ply, {}),
    "best": KnownBot(
        _best,
        {
            "playouts": BotOption(say("best replies a turn")),
            "bid_playouts": BotOption(say("best replies a bid, if not as many")),
            "seconds": BotOption(say("seconds a decision, whatever the replies"), least=0.1, whole=False),
            "rounds": BotOption(say("rounds played on")),
            "turns": BotOption(say("turns after the first look")),
            "sowings": BotOption(say("sowings of each")),
            "finalists": BotOption(say("turns that are halved")),
            "worths": BotOption(say("0 for points alone, without the fitted worths"), least=0),
        },
    ),
}
"""The program's own bots by name."""


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
                "there is no bot {name}; there are {known}, and MODULE:CLASS names one of your own (docs/arena.md)",
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
    known = KNOWN_BOTS[name]
    there = joined(", ", [joined("", (option, " (", what.meaning, ")")) for option, what in known.options.items()])
    for option, value in options.items():
        if option not in known.options or not known.options[option].takes(value):
            raise UsageError(
                say(
                    "the bot {name} has no option {option}; its options: {known}",
                    name=name,
                    option=quoted(f"{option}={value}"),
                    known=there or say_as("options of a bot", "none"),
                )
            )
    return known.make(**options)


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
