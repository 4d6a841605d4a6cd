"""`companion edit`: type a position row by row, with counts of what is still missing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.colouring import ColourChoice, ColourOption
from companion.cli.options import Cards, Goods, Overlay


def edit(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write: .toml or .json.")],
    source: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE...",
            help="A position file, a code FT1-…, a record or photos to start from.",
            show_default=False,
        ),
    ] = None,
    goods: Goods = None,
    cards: Cards = None,
    overlay: Overlay = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where typing broke off.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE, and drop a draft of it.")] = False,
    colour: ColourOption = ColourChoice.AUTO,
) -> None:
    """Type a position row by row, or correct one: counts of what is missing follow every line.

    Example: companion edit photo.jpg -o table.toml
    """
    from companion.cli.colouring import coloured_console
    from companion.cli.dialogue.drafts import Draft, draft_path, load_draft
    from companion.cli.dialogue.edit_session import Session
    from companion.cli.inputs import open_inputs
    from companion.cli.output import POSITION_ENDINGS, check_outputs
    from companion.errors import OutputExistsError, UsageError
    from companion.notation.files import to_document

    if source and "-" in source:
        raise UsageError(
            "the lines that you type come from standard input; give a file, a code or a photo to start from"
        )
    check_outputs((output, POSITION_ENDINGS), force=force)
    path = draft_path(output)
    draft = Draft()
    if resume:
        if source:
            raise UsageError("--resume goes on with the draft; leave out SOURCE")
        draft = load_draft(path)
    elif path.exists() and not force:
        raise OutputExistsError(
            f"an unfinished draft of {output} is kept in {path}: go on with --resume, or drop it with --force"
        )
    elif source:
        opened = open_inputs(source, goods=goods, cards=cards, overlay=overlay, force=force, checked=False)
        doubtful = opened.reading.reading.doubtful if opened.reading else ()
        draft = Draft(to_document(opened.position), tuple(doubtful))
    status = Session(coloured_console(colour), output, path, draft, force=force).run()
    raise typer.Exit(int(status))
