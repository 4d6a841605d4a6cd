"""`companion markers`: corner markers and the calibration card as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import FontFolder, Force, Paper, PaperSize, Template
from companion.language.phrase import say


def markers(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The PDF to write.")] = Path(
        "markers.pdf"
    ),
    paper: PaperSize = Paper.A4,
    template: Template = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Print corner markers and the calibration card; photos are read without them too.

    Example: companion markers --paper letter -o markers.pdf
    """
    from companion.cli.locale import print_language
    from companion.cli.output import PDF_ENDING, check_outputs, note
    from companion.printing.markers.pages import markers_pdf
    from companion.storage import write_file

    check_outputs((output, PDF_ENDING), force=force, inputs=[template])
    write_file(
        output, markers_pdf(paper=paper, language=print_language(), template=template, font_dir=font_dir), force=force
    )
    note(say("corner markers and calibration card written to {output}: 2 pages", output=output))
