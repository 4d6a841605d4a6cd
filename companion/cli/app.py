"""The Typer application: every command registered by name, in the order that help shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from companion import __version__
from companion.cli.commands.accuracy import accuracy
from companion.cli.commands.arena import arena
from companion.cli.commands.bid import bid
from companion.cli.commands.calibrate import calibrate
from companion.cli.commands.check import check
from companion.cli.commands.doctor import doctor
from companion.cli.commands.edit import edit
from companion.cli.commands.examples import examples
from companion.cli.commands.hint import hint
from companion.cli.commands.markers import markers
from companion.cli.commands.moves import moves
from companion.cli.commands.play import play
from companion.cli.commands.read import read
from companion.cli.commands.render import render
from companion.cli.commands.replay import replay
from companion.cli.commands.review import review
from companion.cli.commands.score import score
from companion.cli.commands.setup import setup
from companion.cli.commands.sheet import sheet
from companion.cli.commands.show import show


class _PlainFlags:
    """Help that shows an option without a value as it is typed: `--json`, not `--json <bool>`.

    Typer keeps the types of parameters and contexts to itself, hence Any.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters that help shows, `--help` among them."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
        return parameters


class _Command(_PlainFlags, TyperCommand):
    """One command."""


class _Program(_PlainFlags, TyperGroup):
    """All commands, and the options before a command's name."""


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


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an unforeseen fault.")] = False,
) -> None:
    """Companion for a Five Tribes table: read the board from a photo, get hints, score, print."""


COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Read the table": (read, show, check, edit),
    "Get advice": (hint, bid, moves),
    "Score": (score,),
    "Play and record": (play, replay, review, arena),
    "Print": (sheet, setup, markers),
    "Set up and look after": (doctor, calibrate, examples, render, accuracy),
}
"""The commands by what people want to do, in the order that help shows."""

for purpose, commands in COMMANDS.items():
    for command in commands:
        app.command(cls=_Command, rich_help_panel=purpose)(command)
