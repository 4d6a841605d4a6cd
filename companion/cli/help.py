"""Help and wrong usage, in the language of the run; its texts are gathered where they are declared. Typer keeps its
types to itself, hence Any.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.cli.locale import translate
from companion.cli.output import text_width, wrapped
from companion.language.phrase import Phrase, joined, marked, say

_MAX_NAMES = 26
"""Columns of names beside which their explanations begin; a longer name has a line to itself."""

TYPERS_HELP = (say("Show this message and exit."), say("Install completion for the current shell."))
"""Help of the options that Typer brings, here to be gathered."""

_REASONS: Mapping[str, Callable[..., Phrase]] = {
    "less_than_equal": lambda le, **_: say("{most} is the most", most=le),
    "greater_than_equal": lambda ge, **_: say("{least} is the least", least=ge),
    "int_parsing": lambda **_: say("it should be a whole number"),
    "int_from_float": lambda **_: say("it should be a whole number"),
    "float_parsing": lambda **_: say("it should be a number"),
}
"""Why a value doesn't fit, by pydantic's type of the error."""


def usage_words(error: Any) -> str:
    """What was typed wrongly, of an error that Typer raises."""
    match type(error).__name__:
        case "NoSuchOption" if error.possibilities:
            likely = joined(", ", sorted(error.possibilities))
            return say("no such option: {option}; did you mean {like}?", option=error.option_name, like=likely)
        case "NoSuchOption":
            return say("no such option: {option}", option=error.option_name)
        case "BadOptionUsage":
            return say("option '{option}' requires an argument", option=error.option_name)
        case "MissingParameter" if error.param.param_type_name == "argument":
            return say("missing argument '{argument}'", argument=error.param.display_name_raw)
        case "MissingParameter":
            return say("missing option '{option}'", option=" / ".join(error.param.opts))
        case "BadParameter" if error.param is not None:
            return _bad_value(error)
    return str(error.format_message())


def with_help(what: str, path: str) -> str:
    """A fault, and where to look unless it asks what was meant."""
    return what if what.endswith("?") else say("{what}; {path} --help shows what can be given", what=what, path=path)


def _bad_value(error: Any) -> Phrase:
    parameter, cause = error.param, error.__cause__
    option = parameter.get_error_hint()
    kinds = parameter.type_descriptor
    fault: Mapping[str, Any] = cause.errors()[0] if hasattr(cause, "errors") else {"type": ""}
    if kinds.is_choice:
        choices = ", ".join(repr(str(choice)) for choice in kinds.choices)
        value = repr(fault.get("input"))
        return say(
            "invalid value for {option}: {value} is not one of {choices}", option=option, value=value, choices=choices
        )
    reason = _REASONS.get(fault["type"])
    why = error.message if reason is None else reason(**fault.get("ctx", {}))
    return say("invalid value for {option}: {why}", option=option, why=why)


def program_help(usage: str, parameters: Iterable[Any], commands: Mapping[str, Mapping[str, Phrase]]) -> str:
    """The help of the program: its options, and all commands by what they're for, a line each."""
    lines = [usage, "", translate(say("Reads the table of a Five Tribes game, advises, scores and prints.")), ""]
    names = max(len(name) for group in commands.values() for name in group)
    for heading, group in commands.items():
        lines.append(translate(marked(heading)))
        for name, purpose in group.items():
            lines += wrapped(translate(purpose), text_width(), f"  {name:<{names}}  ", " " * (names + 4))
    lines += ["", *_listed(say("Options"), [_option(one) for one in parameters if one.name != "show_completion"])]
    return "\n".join(lines)


def command_help(usage: str, text: str, parameters: Iterable[Any]) -> str:
    """The help of a command: what it does, with an example, then its arguments and options."""
    lines = [usage]
    for paragraph in paragraphs(text):
        lines += ["", *wrapped(translate(marked(paragraph)), text_width())]
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    options = [one for one in parameters if one.param_type_name == "option" and not one.hidden]
    if arguments:
        lines += ["", *_listed(say("Arguments"), ((one.display_name_raw, _explanation(one)) for one in arguments))]
    return "\n".join([*lines, "", *_listed(say("Options"), map(_option, options))])


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each on one line, as they are gathered and translated."""
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n")]


def _listed(heading: Phrase, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Names, each with its explanation beside it or, where it's too long, below."""
    known = list(rows)
    column = min(_MAX_NAMES, max(len(name) for name, _ in known))
    lines = [translate(heading)]
    for name, explanation in known:
        head = f"  {name:<{column}}  "
        if len(name) > column:
            lines.append(f"  {name}")
            head = " " * (column + 4)
        lines += wrapped(explanation, text_width(), head, " " * (column + 4))
    return lines


def _option(parameter: Any) -> tuple[str, str]:
    names = sorted((*parameter.opts, *parameter.secondary_opts), key=lambda name: name.startswith("--"))
    indent = "" if len(names[0]) == 2 else "    "
    return f"{indent}{', '.join(names)} {_value_name(parameter)}".rstrip(), _explanation(parameter)


def _value_name(parameter: Any) -> str:
    """What a value is called: as declared, or the choices, a file or a number; nothing for a flag."""
    if getattr(parameter, "is_flag", False):
        return ""
    kinds = parameter.type_descriptor
    if parameter.metavar is None and kinds.is_choice:
        return "|".join(str(choice) for choice in kinds.choices)
    return parameter.metavar or ("FILE" if "Path" in str(kinds.annotation) else "N")


def _explanation(parameter: Any) -> str:
    parts = [translate(marked(" ".join((parameter.help or "").split())))]
    default = parameter.default
    if parameter.show_default and default not in (None, "", True, False):
        parts.append(translate(say("[default: {}]")).format(getattr(default, "value", default)))
    if parameter.required:
        parts.append(translate(say("[required]")))
    return " ".join(parts)
