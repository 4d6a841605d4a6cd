"""`companion kit`: everything to print and keep in the box, as one PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.cutting import Backs, Bleed, Copies, CropMarks, Edge, FlipEdge, Offset
from companion.cli.options import FontFolder, Force, Ink, InkAmount, Paper, PaperSize, Templates


def kit(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The PDF to write.")] = Path("kit.pdf"),
    copies: Copies = 1,
    paper: PaperSize = Paper.A4,
    backs: Backs = True,
    flip: FlipEdge = Edge.LONG,
    offset: Offset = None,
    bleed: Bleed = 2.0,
    cut: CropMarks = True,
    ink: InkAmount = Ink.FULL,
    template: Templates = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Print the kit: player aid, all djinns on a page, bid track, reference cards, corner markers, calibration card.

    Example: companion kit --lang it -o kit.pdf
    """
    from companion.cli.cutting import how_to_print, read_cutting, room_for_copies
    from companion.cli.locale import print_language
    from companion.cli.output import PDF_ENDING, check_outputs, note
    from companion.language.phrase import say
    from companion.printing.cards.kit import kit_pdf
    from companion.storage import write_file

    check_outputs((output, PDF_ENDING), force=force, inputs=template or [])
    content = kit_pdf(
        copies=copies,
        cutting=read_cutting(bleed=bleed, marks=cut, backs=backs, flip=flip, offset=offset),
        paper=paper,
        language=print_language(),
        full_ink=ink is Ink.FULL,
        templates=template or (),
        font_dir=font_dir,
    )
    write_file(output, content, force=force)
    note(say("kit written to {path}; cut out its cards and markers", path=output))
    room_for_copies(None, copies)
    note(how_to_print(backs=backs, flip=flip))
