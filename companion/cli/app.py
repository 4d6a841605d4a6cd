"""The Typer application: every command by name, in the order that help shows, each loaded when it is asked for."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, cast

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from companion import __version__
from companion.cli.locale import OPTION, PSEUDO, print_language, translate
from companion.errors import UsageError
from companion.language.glossary import LANGUAGES
from companion.language.phrase import say


class _Spoken:
    """Help in the language of the run, with options without a value as they are typed: `--json`, not `--json <bool>`.

    Typer keeps the types of parameters, contexts and formatters to itself, hence Any.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        from companion.cli.helping import translate_help

        translate_help(self, self.get_params(ctx))
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def get_usage(self, ctx: Any) -> str:
        """The line on how the command is called."""
        usage: str = super().get_usage(ctx)  # type: ignore[misc]
        return translate(say("Usage: {usage}", usage=usage.removeprefix("Usage: ")))

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters that help shows, `--help` among them."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
        return parameters


class _Command(_Spoken, TyperCommand):
    """One command, with --lang among its options: people type it after the command's name as well as before."""

    def get_params(self, ctx: Any) -> list[Any]:
        """See `_Spoken.get_params`."""
        parameters = super().get_params(ctx)
        if not hasattr(self, "_lang"):
            given = next(option for option in ctx.find_root().command.params if OPTION in option.opts)
            self._lang = copy.copy(given)
            self._lang.expose_value = False
        return [*parameters[:-1], self._lang, *parameters[-1:]]

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises UsageError for a language that nothing speaks.

        What --lang names is in force long before (`companion.cli.locale`): help and faults are said in it too. A
        template of the user's own may have further languages, and is asked when it is read.
        """
        asked = print_language()
        if asked not in (*LANGUAGES, PSEUDO) and not ctx.params.get("template"):
            known = ", ".join(LANGUAGES)
            raise UsageError(say("there is no language {name}; choose one of {known}", name=repr(asked), known=known))
        return super().invoke(ctx)


class _Program(_Spoken, TyperGroup):
    """All commands, and the options before a command's name.

    To load every command takes as long as a small one works; so only help, and a name that is none, wait for all.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help, for which every command must be there to be put into the language of the run."""
        for name in NAMES:
            self.get_command(ctx, name)
        super().format_help(ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(NAMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; for a name that is none, None, and all commands are there to be suggested."""
        for name in (cmd_name,) if cmd_name in NAMES else NAMES:
            if name not in self.commands:
                self.commands[name] = _loaded(name)
        return self.commands.get(cmd_name)


def _spread(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with each option of the sets that it takes, which are dataclasses, as a parameter of its own."""
    signature = inspect.signature(command, eval_str=True)
    sets: dict[str, Any] = {
        name: one.annotation for name, one in signature.parameters.items() if is_dataclass(one.annotation)
    }

    def gathered(**given: Any) -> Any:
        for name, options in sets.items():
            given[name] = options(**{one.name: given.pop(one.name) for one in fields(options)})
        return command(**given)

    each: list[inspect.Parameter] = []
    for name, one in signature.parameters.items():
        each += inspect.signature(sets[name], eval_str=True).parameters.values() if name in sets else [one]
    spread: Any = wraps(command)(gathered)
    spread.__signature__ = signature.replace(
        parameters=[one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in each]
    )
    return cast(Callable[..., Any], spread)


def _loaded(name: str) -> Any:
    """A command as Typer makes it of its function."""
    purpose = next(purpose for purpose, names in COMMANDS.items() if name in names)
    alone = typer.Typer(add_completion=False)
    module = import_module(f"companion.cli.commands.{name}")
    function = _spread(getattr(module, name))
    alone.command(name, help=_help_of(module, name), cls=_Command, rich_help_panel=purpose)(function)
    return typer.main.get_command(alone)


def _help_of(module: ModuleType, name: str) -> str | None:
    """A command's help: its docstring, which the source still has where Python drops those (PYTHONOPTIMIZE=2)."""
    if told := getattr(module, name).__doc__:
        return str(told)
    import ast
    import inspect

    functions = [node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.FunctionDef)]
    return next(ast.get_docstring(node) for node in functions if node.name == name)


app = typer.Typer(
    name="companion",
    cls=_Program,
    help="Companion for a Five Tribes table: read the board from a photo, get hints, score, print.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"companion {__version__}")
        raise typer.Exit()


_Lang = Annotated[
    str | None,
    typer.Option(
        OPTION,
        metavar="LANGUAGE",
        help="Language of everything that people read: en, ru, uk, ko or it.",
        show_default=False,
    ),
]


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an unforeseen fault.")] = False,
    lang: _Lang = None,
) -> None:
    """Companion for a Five Tribes table: read the board from a photo, get hints, score, print."""


COMMANDS: dict[str, tuple[str, ...]] = {
    "Read the table": ("read", "show", "check", "edit"),
    "Get advice": ("hint", "bid", "moves"),
    "Score": ("score",),
    "Play and record": ("play", "serve", "replay", "review", "history", "arena"),
    "Print": ("report", "sheet", "setup", "cards", "kit", "markers", "templates"),
    "Set up and look after": ("doctor", "learn", "calibrate", "examples", "render", "accuracy"),
}
"""The commands by what people want to do, in the order that help shows.

Each is the function of its own name in the module of that name in `companion.cli.commands`.
"""

NAMES = tuple(name for names in COMMANDS.values() for name in names)
