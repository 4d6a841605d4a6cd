"""`companion markers`: corner markers and the calibration card as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import Force, PrintOptions
from companion.language.phrase import say


def markers(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The PDF to write.")] = Path(
        "markers.pdf"
    ),
    *,
    page: PrintOptions,
    force: Force = False,
) -> None:
    """Print corner markers and the calibration card; photos are read without them too.

    Example: companion markers --paper letter -o markers.pdf
    """
    from companion.cli.output import PDF_ENDING, check_outputs, note
    from companion.printing.markers.pages import markers_pdf
    from companion.storage import write_file

    check_outputs((output, PDF_ENDING), force=force, inputs=[page.template])
    write_file(output, markers_pdf(**page.how), force=force)
    note(say("corner markers and calibration card written to {output}: 2 pages", output=output))
