"""`companion edit`: type a position row by row, with counts of what is still missing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.inputs import open_inputs
from companion.cli.options import PhotoOptions
from companion.cli.output import POSITION_ENDINGS, check_outputs, console
from companion.errors import UsageError
from companion.storage import lock


def edit(
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write: .toml or .json.")],
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE", help="A position file, a code FT1-…, a record or photos to start from."),
    ] = None,
    *,
    photos: PhotoOptions,
    resume: Annotated[bool, typer.Option("--resume", help="Continue where you left off.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE, and drop a draft of it.")] = False,
) -> None:
    """Type a position row by row, or correct one; after every line you see what's still missing.

    Example: companion edit photo.jpg -o table.toml
    """
    from companion.cli.dialogue.edit import edit_position

    if source and "-" in source:
        raise UsageError("standard input is for the lines you type; give a file, a code or a photo to start from")
    if resume and source:
        raise UsageError("--resume continues the draft; leave out SOURCE")
    photos.check_used(source)
    check_outputs((output, POSITION_ENDINGS), force=force)
    opening = partial(open_inputs, source, photos, checked=False) if source else lambda: None
    with lock(output):
        edit_position(output, console(), opening, resume=resume, force=force)
