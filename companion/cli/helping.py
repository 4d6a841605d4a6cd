"""Help and wrong usage in the language of the run: what Typer says, and the texts that commands give it.

Help texts stay plain English where they are declared, as `help=` and as docstrings of commands; `make words` gathers
them there.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from companion.cli.locale import run_language, translate
from companion.cli.wrapping import measure_line_ends
from companion.language.phrase import Phrase, marked, say

_WORDS = {
    "ARGUMENTS_PANEL_TITLE": say("Arguments"),
    "OPTIONS_PANEL_TITLE": say("Options"),
    "COMMANDS_PANEL_TITLE": say("Commands"),
    "DEFAULT_STRING": say("[default: {}]"),
    "REQUIRED_LONG_STRING": say("[required]"),
}
"""Words of Typer's own help, by where it keeps them."""

OWN_HELP = (
    say("Show this message and exit."),
    say("Install completion for the current shell."),
    say("Show completion for the current shell, to copy it or customize the installation."),
)
"""Help texts of options that Typer brings."""

_REASONS: tuple[tuple[str, Callable[..., Phrase]], ...] = (
    (r"it should be less than or equal to (?P<most>\S+)", lambda most: say("{most} is the most", most=most)),
    (r"it should be greater than or equal to (?P<least>\S+)", lambda least: say("{least} is the least", least=least)),
    (r"it should be a valid integer", lambda: say("it should be a whole number")),
    (r"it should be a valid number", lambda: say("it should be a number")),
)
"""Why a value does not fit, as Typer words it, and the same for people."""


def _reason(why: str) -> str:
    for pattern, message in _REASONS:
        if found := re.fullmatch(pattern, why):
            return message(**found.groupdict())
    return why


_FAULTS: tuple[tuple[str, Callable[..., Phrase]], ...] = (
    (r"no such option: (?P<option>\S+)", lambda option: say("no such option: {option}", option=option)),
    (
        r"no such option: (?P<option>\S+) \(?did you mean (?P<like>.*?)\?\)?",
        lambda option, like: say("no such option: {option}; did you mean {like}?", option=option, like=like),
    ),
    (
        r"no such option: (?P<option>\S+) \(possible options?: (?P<likes>.*?)\)",
        lambda option, likes: say("no such option: {option}; did you mean {like}?", option=option, like=likes),
    ),
    (r"no such command (?P<name>'.*?')", lambda name: say("no such command {name}", name=name)),
    (
        r"no such command (?P<name>'.*?')\. did you mean (?P<like>.*?)\?",
        lambda name, like: say("no such command {name}; did you mean {like}?", name=name, like=like),
    ),
    (r"missing command", lambda: say("missing command")),
    (r"missing argument '(?P<argument>.*)'", lambda argument: say("missing argument '{argument}'", argument=argument)),
    # Typer quotes each form of an option for itself.
    (
        r"missing option '(?P<option>.*)'",
        lambda option: say("missing option '{option}'", option=option.replace("' / '", " / ")),
    ),
    (
        r"option '(?P<option>.*)' requires an argument",
        lambda option: say("option '{option}' requires an argument", option=option),
    ),
    (
        r"got unexpected extra arguments? \((?P<words>.*)\)",
        lambda words: say("got unexpected extra arguments ({words})", words=words),
    ),
    (
        r"invalid value for (?P<option>'.*?'): (?P<value>'.*') is not one of (?P<choices>.*)",
        lambda option, value, choices: say(
            "invalid value for {option}: {value} is not one of {choices}", option=option, value=value, choices=choices
        ),
    ),
    (
        r"invalid value for (?P<option>'.*?'): (?P<why>.*)",
        lambda option, why: say("invalid value for {option}: {why}", option=option, why=_reason(why)),
    ),
)
"""How Typer words wrong usage, and the same as a message, word by word."""


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each on one line, as they are gathered and as they are said."""
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n")]


def translate_help_text(text: str) -> str:
    """A help text in the language of the run, paragraph by paragraph."""
    return "\n\n".join(translate(marked(paragraph)) for paragraph in paragraphs(text))


def translate_help(command: Any, parameters: list[Any]) -> None:
    """Put the help of a command, its parameters and its commands' panels into the language of the run.

    Typer keeps the types of commands and parameters to itself, hence Any.
    """
    from typer import rich_utils

    measure_line_ends()
    for name, word in _WORDS.items():
        setattr(rich_utils, name, translate(word))
    for parameter in parameters:
        if parameter.param_type_name == "argument" and parameter.metavar is not None:
            # Its name says what it is; Typer would add the type in Python's words.
            parameter.display_type_rich = lambda ctx: None
    if run_language() == "en":
        return
    inside = getattr(command, "commands", {}).values()
    for described in (command, *parameters, *inside):
        if getattr(described, "help", None):
            described.help = translate_help_text(described.help)
        if isinstance(panel := getattr(described, "rich_help_panel", None), str):
            described.rich_help_panel = translate(marked(panel))


def usage_message(said: str) -> str:
    """Wrong usage as Typer words it, begun in lower case, as a message that can be said in other languages."""
    for pattern, message in _FAULTS:
        if found := re.fullmatch(pattern, said, re.DOTALL | re.IGNORECASE):
            return message(**found.groupdict())
    return said
