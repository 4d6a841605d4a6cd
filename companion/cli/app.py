"""The Typer application: every command by name, in the order that help shows, each loaded when it is asked for."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from functools import cache, wraps
from importlib import import_module
from typing import Annotated, Any, cast

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from companion import __version__
from companion.cli.locale import OPTION, PSEUDO, print_language, translate
from companion.errors import ExitStatus, UsageError
from companion.language.glossary import LANGUAGES
from companion.language.phrase import Phrase, joined, say

COMMANDS: dict[str, dict[str, Phrase]] = {
    "At the table": {
        "serve": say("Open a page for the phones at the table: photos, hints, scores."),
        "read": say("Read the board, and the cards beside it, from photos."),
        "hint": say("Show the best turns, or bids, and why."),
        "score": say("Count everybody's points."),
        "play": say("Record a game as it is played."),
        "setup": say("Set up a random table, on a card to print if you like."),
        "rules": say("Explain a djinn, tribe, tile, card or clause of the rules."),
    },
    "Positions": {
        "show": say("Show a position, or convert it to a file or a code."),
        "check": say("Check a position against what's in the box."),
        "edit": say("Type a position row by row, or correct one."),
        "moves": say("Count the legal moves of the meeples."),
        "bid": say("Show what each place in the turn order is worth."),
    },
    "Recorded games": {
        "record": say("Record a game from photos taken after each turn."),
        "replay": say("Play a record back, checking every line against the rules."),
        "review": say("Show what each bid and turn lost, and what was luck."),
        "report": say("Print a recorded game, with a review."),
        "history": say("Show saved games and statistics."),
    },
    "Prints": {
        "sheet": say("Print score sheets to fill in."),
        "cards": say("Print reference cards."),
        "kit": say("Print a player aid, the cards and a bid track."),
        "templates": say("List the layouts of the prints, or copy one to change."),
    },
    "This computer": {
        "doctor": say("Check what's installed and what's missing."),
        "learn": say("Learn what your own tiles look like."),
    },
}
"""The commands by what people want to do, in the order that help shows.

Each is the function of its own name in `companion.cli.commands`, in the module of that name or of its kind.
"""

_MODULES = {
    **dict.fromkeys(("show", "check", "moves", "edit"), "positions"),
    **dict.fromkeys(("replay", "review", "report"), "records"),
    **dict.fromkeys(("sheet", "cards", "kit", "templates"), "prints"),
    **{"bid": "hint", "learn": "doctor"},
}
"""The modules that several commands stand in."""

NAMES = tuple(name for group in COMMANDS.values() for name in group)


class _Speaking:
    """Help and usage in the language of the run."""

    def get_usage(self, ctx: Any) -> str:
        words = [ctx.command_path, *self.collect_usage_pieces(ctx)]  # type: ignore[attr-defined]
        return translate(say("Usage: {usage}", usage=" ".join(words)))


class _Command(_Speaking, TyperCommand):
    """One command, with --lang among its options: people type it after the command's name as well as before."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from companion.cli.help import command_help

        formatter.write(command_help(self.get_usage(ctx), self.help or "", self.get_params(ctx)))

    def get_params(self, ctx: Any) -> list[Any]:
        # Its own, --lang, and --help at the end.
        parameters = super().get_params(ctx)
        if not hasattr(self, "_lang"):
            self._lang = copy.copy(next(one for one in ctx.find_root().command.params if OPTION in one.opts))
            self._lang.expose_value = False
        return [*parameters[:-1], self._lang, *parameters[-1:]]

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises UsageError for words too many, and for a language that nothing speaks."""
        if ctx.args:
            raise _usage_error(say("got unexpected extra arguments ({words})", words=" ".join(ctx.args)), ctx)
        asked = print_language()
        if asked not in (*LANGUAGES, PSEUDO) and not ctx.params.get("template"):
            known = ", ".join(LANGUAGES)
            raise UsageError("there is no language {name}; choose one of {known}", name=repr(asked), known=known)
        return super().invoke(ctx)


class _Program(_Speaking, TyperGroup):
    """All commands, and the options before a command's name. A command is loaded when it is called."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from companion.cli.help import program_help

        formatter.write(program_help(self.get_usage(ctx), self.get_params(ctx), COMMANDS))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(NAMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in NAMES and cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names. Raises UsageError for any other word, with names like it."""
        name = args[0]
        if command := self.get_command(ctx, name):
            return name, command, args[1:]
        what = say("no such command {name}", name=repr(name))
        if similar := joined(", ", map(repr, get_close_matches(name, NAMES))):
            what = say("no such command {name}; did you mean {like}?", name=repr(name), like=similar)
        raise _usage_error(what, ctx)


def _usage_error(what: Phrase, ctx: Any) -> UsageError:
    from companion.cli.help import with_help

    return UsageError(with_help(what, ctx.command_path))


def _with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with each option of the sets that it takes, which are dataclasses, as a parameter of its own."""
    signature = inspect.signature(command, eval_str=True)
    parameters = signature.parameters.values()
    sets: dict[str, Any] = {one.name: one.annotation for one in parameters if is_dataclass(one.annotation)}

    def gathered(**given: Any) -> Any:
        for name, options in sets.items():
            given[name] = options(**{field.name: given.pop(field.name) for field in fields(options)})
        return command(**given)

    each: list[inspect.Parameter] = []
    for one in parameters:
        each += inspect.signature(sets[one.name], eval_str=True).parameters.values() if one.name in sets else [one]
    flat: Any = wraps(command)(gathered)
    keyword = inspect.Parameter.KEYWORD_ONLY
    flat.__signature__ = signature.replace(parameters=[one.replace(kind=keyword) for one in each])
    return cast(Callable[..., Any], flat)


@cache
def _loaded(name: str) -> Any:
    """A command as Typer makes it of its function, once for whoever runs several."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    function = getattr(import_module(f"companion.cli.commands.{_MODULES.get(name, name)}"), name)
    alone.command(name, cls=_Command, context_settings={"allow_extra_args": True})(_with_options(function))
    return typer.main.get_command(alone)


app = typer.Typer(
    name="companion",
    cls=_Program,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"companion {__version__}")
        raise typer.Exit()


_Lang = Annotated[str | None, typer.Option(OPTION, metavar="LANGUAGE", help="Language: en, ru, uk, ko or it.")]


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")] = False,
    lang: _Lang = None,
) -> None:
    """Companion for a Five Tribes table: read the board from a photo, get hints, score, print."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(int(ExitStatus.USAGE))
