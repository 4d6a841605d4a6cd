"""What several commands of the lab share: options, and how they tell how far they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.storage import check_free

Art = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="Tile art cut by the `art` command; the project's own without."),
]
Folder = Annotated[Path, typer.Argument(help="Folder of the rendered examples.")]
Workers = Annotated[int, typer.Option(min=1, metavar="N", help="Processes on this machine that share the work.")]


Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A dask scheduler whose workers share it, tcp://HOST:PORT (docs/scaling.md)."),
]


def writable(path: Path | None) -> Path | None:
    """A path that a command is given to write to, before anything is done for it. Raises what `check_free` raises."""
    if path is not None:
        check_free(path, force=True)
    return path


def say(text: str) -> None:
    """Tell how far the work is, on standard error."""
    typer.echo(text, err=True)
