"""`companion edit`: type a position row by row, with counts of what is still missing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.inputs import open_inputs
from companion.cli.options import PhotoOptions
from companion.cli.output import POSITION_ENDINGS, check_outputs, console
from companion.errors import UsageError
from companion.language.phrase import say
from companion.storage import lock


def edit(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write: .toml or .json.")],
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE", help="A position file, a code FT1-…, a record or photos to start from."),
    ] = None,
    *,
    photos: PhotoOptions,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where typing broke off.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE, and drop a draft of it.")] = False,
) -> None:
    """Type a position row by row, or correct one: counts of what is missing follow every line.

    Example: companion edit photo.jpg -o table.toml
    """
    from companion.cli.dialogue.edit import EditSession

    if source and "-" in source:
        raise UsageError(
            say("the lines that you type come from standard input; give a file, a code or a photo to start from")
        )
    if resume and source:
        raise UsageError(say("--resume goes on with the draft; leave out SOURCE"))
    photos.check_used(source)
    check_outputs((output, POSITION_ENDINGS), force=force)
    with lock(output):
        session = EditSession(output, force=force)
        if resume:
            session.resume()
        else:
            session.check_new()
            opened = None
            if source:
                opened = open_inputs(source, photos, force=force, checked=False)
            session.begin(opened)
        session.run(console())
