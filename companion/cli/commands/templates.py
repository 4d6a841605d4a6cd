"""`companion templates`: the layouts and words of the prints, to start one's own from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from companion.cli.options import Force
from companion.cli.output import check_outputs, console, note
from companion.errors import UsageError
from companion.language.phrase import say
from companion.storage import write_file


def templates(
    action: Annotated[Literal["list", "copy"], typer.Argument(help="List them, or copy one.")] = "list",
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The template to copy, as listed.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to copy it; NAME.toml if not given.")
    ] = None,
    force: Force = False,
) -> None:
    """List the templates of the prints, or copy one to change and give to --template.

    Example: companion templates copy setup_card -o my_card.toml
    """
    from companion.printing.core.template import original, originals

    if action == "list":
        if name is not None or output is not None:
            raise UsageError("templates list takes no name and no --output; templates copy NAME copies one")
        from companion.cli.views.tables import listing

        rows = [(known.name, ", ".join(known.commands)) for known in originals()]
        terminal = console()
        terminal.print(listing([say("template"), say("printed by")], rows))
        words = say("To start your own: companion templates copy NAME. docs/templates.md shows every box.")
        terminal.print("\n" + words)
        return
    if name is None:
        names = ", ".join(known.name for known in originals())
        raise UsageError("give the template to copy: {known}", known=names)
    chosen = original(name)
    target = output if output is not None else Path(f"{chosen.name}.toml")
    check_outputs((target, (".toml",)), force=force, inputs=[chosen.path])
    write_file(target, chosen.path.read_bytes(), force=force)
    note(
        "{name} copied to {file}; change it, then print with --template {file} ({commands})",
        name=chosen.name,
        file=target,
        commands=", ".join(chosen.commands),
    )
