"""`companion sheet`: a pad of empty score sheets as a PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import Force, InkOptions, PdfFile, reading_option
from companion.cli.output import check_outputs, note
from companion.errors import printable
from companion.rules.model.components import Colour
from companion.storage import write_file


def sheet(
    output: PdfFile = Path("score_sheet.pdf"),
    players: Annotated[int | None, typer.Option(min=2, max=4, help="Columns for players; 4 if not given.")] = None,
    per_page: Annotated[int, typer.Option(help="Sheets on a page, which share it equally: 1, 2 or 4 (A6 on A4).")] = 4,
    names: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Names to print over the columns; pink=Anna,... also says whose camel."),
    ] = None,
    *,
    page: InkOptions,
    force: Force = False,
) -> None:
    """Print a score pad: sheets to fill in by hand.

    Example: companion sheet --players 3 --paper letter -o pad.pdf
    """
    from companion.printing.score.sheet import score_pad

    check_outputs((output, (".pdf",)), force=force, inputs=[page.template])
    names = printable(names or "")
    printed: Sequence[str] | Mapping[Colour, str] = [name.strip() for name in names.split(",")] if names else ()
    if "=" in names:
        # Knows all that can be typed, which takes as long to load as a page to draw.
        from companion.asking.players import read_players

        with reading_option("--names"):
            printed = read_players(names).colours
    columns = players if players is not None else (len(printed) or 4)
    pad = score_pad(players=columns, names=printed, per_page=per_page, **page.how)
    write_file(output, pad, force=force)
    note("score pad written to {output}: {per_page} to the page", output=output, per_page=per_page)
