"""`companion read`: photos of the table to a position."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.inputs import open_inputs
from companion.cli.options import AsJson, DoubtOptions, Force, PositionFile
from companion.cli.output import print_json
from companion.notation.outcome import ResultAloneError


def read(
    photos: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO",
            help="One or several photos of a table, a photo or picture of a score sheet, or - for standard input.",
        ),
    ],
    options: DoubtOptions,
    output: PositionFile = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Read the board, and the cards beside it, from photos.

    Example: companion read table.jpg --overlay seen.jpg -o table.toml

    A photo or picture of a score sheet gives its position back, and tells its result.

    Several make one position: companion read above.jpg side.jpg cards.jpg
    """
    from companion.cli.views.reading_view import print_reading, table_document

    try:
        opened = open_inputs(
            photos, options, output=output, force=force, quiet=as_json, checked=False, photos_only=True
        )
    except ResultAloneError as alone:
        if options.given or output:
            raise
        from companion.cli.views.score_table import print_outcome

        print_outcome(alone.outcome, as_json=as_json)
        return
    assert opened.reading is not None, "photos were read"
    if as_json:
        print_json(table_document(opened.reading))
    else:
        print_reading(opened.reading)
