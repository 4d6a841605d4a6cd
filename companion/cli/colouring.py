"""The `--color` option and the console that follows it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.locale import translate
from companion.cli.wrapping import measure_line_ends
from companion.errors import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderHook, RenderResult


class ColourChoice(StrEnum):
    """When to print in colour; `auto` is on a terminal that does not say NO_COLOR or TERM=dumb."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


ColourOption = Annotated[ColourChoice, typer.Option("--color", help="When to use colour.")]


def coloured_console(choice: ColourChoice = ColourChoice.AUTO) -> Console:
    """A rich console on standard output in the colours chosen, 80 columns wide where there is no terminal.

    Whatever is printed on it goes through `printable`: text from files, codes and photos moves no cursor and sets no
    title, and square brackets and colons in it are just that. Phrases in it are said in the language of the run.
    """
    from rich.console import Console
    from rich.text import Text

    class Speaking(Console):
        """A console that says phrases in the language of the run, wherever text is given as it is."""

        def render_str(self, text: str, *args: Any, **kwargs: Any) -> Text:
            return super().render_str(translate(text), *args, **kwargs)

    measure_line_ends()
    always = choice is ColourChoice.ALWAYS
    console = Speaking(
        highlight=False,
        markup=False,
        emoji=False,
        force_terminal=True if always else None,
        color_system="truecolor" if always else None if choice is ColourChoice.NEVER else "auto",
        no_color=False if always else None,
    )
    console.push_render_hook(_without_controls())
    return console


def _without_controls() -> RenderHook:
    """What takes control characters out of all that a console prints; rich's own colours come after it."""
    from rich.console import ConsoleRenderable, RenderHook
    from rich.segment import Segment

    class Cleaned:
        """Something to print, with its text cleaned."""

        def __init__(self, renderable: ConsoleRenderable) -> None:
            self._renderable = renderable

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for segment in console.render(self._renderable, options):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

    class Cleaning(RenderHook):
        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
            return [Cleaned(renderable) for renderable in renderables]

    return Cleaning()
