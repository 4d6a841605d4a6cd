"""`companion templates`: the layouts and words of the prints, to start one's own from."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import Force

if TYPE_CHECKING:
    from companion.printing.core.originals import Original


class TemplatesAction(StrEnum):
    """What to do with the project's templates."""

    LIST = "list"
    COPY = "copy"


def templates(
    action: Annotated[TemplatesAction, typer.Argument(help="List them, or copy one.")] = TemplatesAction.LIST,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The template to copy, as it is listed.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where to copy it; NAME.toml if not given.", show_default=False
        ),
    ] = None,
    force: Force = False,
) -> None:
    """List the templates of the prints, or copy one to change and give to --template.

    Example: companion templates copy setup_card -o my_card.toml
    """
    from companion.errors import UsageError
    from companion.language.phrase import say
    from companion.printing.core.originals import original, originals

    if action is TemplatesAction.LIST:
        if name is not None or output is not None:
            raise UsageError(say("templates list takes no name and no --output; templates copy NAME copies one"))
        _print_list(originals())
        return
    if name is None:
        known = ", ".join(one.name for one in originals())
        raise UsageError(say("name the template to copy: {known}", known=known))
    _copy(original(name), output, force=force)


def _print_list(known: tuple[Original, ...]) -> None:
    from rich.table import Table

    from companion.cli.output import console
    from companion.language.phrase import say

    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False)
    table.add_column(say("template"))
    table.add_column(say("printed by"))
    for one in known:
        table.add_row(one.name, ", ".join(one.commands))
    terminal = console()
    terminal.print(table)
    terminal.print("\n" + say("To start your own: companion templates copy NAME. docs/templates.md shows every box."))


def _copy(chosen: Original, output: Path | None, *, force: bool) -> None:
    from companion.cli.output import SHEET_ENDING, check_outputs, note
    from companion.language.phrase import say
    from companion.storage import write_file

    target = output if output is not None else Path(f"{chosen.name}.toml")
    check_outputs((target, SHEET_ENDING), force=force, inputs=[chosen.path])
    write_file(target, chosen.path.read_bytes(), force=force)
    note(
        say(
            "{name} copied to {file}; change it, then print by it with --template {file} ({commands})",
            name=chosen.name,
            file=target,
            commands=", ".join(chosen.commands),
        )
    )
