"""The `--color` option and the console that follows it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console


class ColourChoice(StrEnum):
    """When to print in colour; `auto` is on a terminal that does not say NO_COLOR or TERM=dumb."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


ColourOption = Annotated[ColourChoice, typer.Option("--color", help="When to use colour.")]


def coloured_console(choice: ColourChoice) -> Console:
    """A rich console on standard output in the colours chosen, 80 columns wide where there is no terminal."""
    from rich.console import Console

    if choice is ColourChoice.ALWAYS:
        return Console(highlight=False, force_terminal=True, color_system="truecolor", no_color=False)
    if choice is ColourChoice.NEVER:
        return Console(highlight=False, color_system=None)
    return Console(highlight=False)
