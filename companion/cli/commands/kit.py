"""`companion kit`: everything to print and keep in the box, as one PDF."""

from __future__ import annotations

from pathlib import Path

from companion.cli.options import CutOptions, Force, InkOptions, PdfFile
from companion.cli.output import check_outputs, note
from companion.storage import write_file


def kit(
    output: PdfFile = Path("kit.pdf"),
    *,
    cut: CutOptions,
    page: InkOptions,
    force: Force = False,
) -> None:
    """Print the kit: player aid, all djinns on a page, reference cards, bid track.

    Example: companion kit --lang it -o kit.pdf
    """
    from companion.printing.cards.sheet import kit_pdf

    check_outputs((output, (".pdf",)), force=force, inputs=[page.template])
    content = kit_pdf(copies=cut.copies, cutting=cut.cutting(), **page.how)
    write_file(output, content, force=force)
    note("kit written to {path}; cut out its cards", path=output)
    cut.tell()
