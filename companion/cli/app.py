"""The Typer application: every command registered by name, in the order that help shows."""

from __future__ import annotations

from typing import Annotated

import typer

from companion import __version__
from companion.cli.commands.accuracy import accuracy
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
from companion.cli.commands.score import score
from companion.cli.commands.setup import setup
from companion.cli.commands.sheet import sheet
from companion.cli.commands.show import show

app = typer.Typer(
    name="companion",
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


app.command()(read)
app.command()(hint)
app.command()(score)
app.command()(show)
app.command()(check)
app.command()(edit)
app.command()(moves)
app.command()(play)
app.command()(replay)
app.command()(doctor)
app.command()(setup)
app.command()(sheet)
app.command()(markers)
app.command()(calibrate)
app.command()(examples)
app.command()(render)
app.command()(accuracy)
