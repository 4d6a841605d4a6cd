"""`companion kit`: everything to print and keep in the box, as one PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.locale import print_language
from companion.cli.options import CutOptions, FontFolder, Force, Ink, InkAmount, Paper, PaperSize
from companion.cli.output import PDF_ENDING, check_outputs, note
from companion.language.phrase import say
from companion.storage import write_file


def kit(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The PDF to write.")] = Path("kit.pdf"),
    *,
    cut: CutOptions,
    paper: PaperSize = Paper.A4,
    template: Annotated[
        Path | None, typer.Option("--template", metavar="FILE", help="A layout and words of your own.")
    ] = None,
    font_dir: FontFolder = None,
    ink: InkAmount = Ink.FULL,
    force: Force = False,
) -> None:
    """Print the kit: player aid, all djinns on a page, reference cards, bid track.

    Example: companion kit --lang it -o kit.pdf
    """
    from companion.printing.cards.sheet import kit_pdf

    check_outputs((output, PDF_ENDING), force=force, inputs=[template])
    content = kit_pdf(
        copies=cut.copies,
        cutting=cut.cutting(),
        paper=paper,
        language=print_language(),
        full_ink=ink is Ink.FULL,
        template=template,
        font_dir=font_dir,
    )
    write_file(output, content, force=force)
    note(say("kit written to {path}; cut out its cards", path=output))
    cut.tell(None)
