"""`companion cards`: reference cards to cut out, as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.cutting import Backs, Bleed, Copies, CropMarks, Edge, FlipEdge, Offset
from companion.cli.options import (
    FontFolder,
    Force,
    Ink,
    InkAmount,
    Paper,
    PaperSize,
    Template,
    reading_option,
)
from companion.language.phrase import say


def cards(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The PDF to write.")] = Path(
        "cards.pdf"
    ),
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="LIST",
            help="djinns, aids, or cards by name: round, turn, tribes, tiles, goods, end, Utug, ...",
            show_default=False,
        ),
    ] = None,
    copies: Copies = 1,
    paper: PaperSize = Paper.A4,
    backs: Backs = True,
    flip: FlipEdge = Edge.LONG,
    offset: Offset = None,
    bleed: Bleed = 2.0,
    cut: CropMarks = True,
    ink: InkAmount = Ink.FULL,
    template: Template = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Print reference cards, nine to a page: all djinns, the round, the turn, tribes, tiles, goods, scoring.

    Example: companion cards --paper letter --flip short -o cards.pdf, or companion cards --only aids --copies 4
    """
    from companion.cli.cutting import how_to_print, read_cutting, room_for_copies
    from companion.cli.locale import print_language
    from companion.cli.output import PDF_ENDING, check_outputs, note
    from companion.language.phrase import say_many
    from companion.printing.cards.sheet import all_cards, cards_pdf
    from companion.storage import write_file

    check_outputs((output, PDF_ENDING), force=force, inputs=[template])
    names = _read_names(only)
    content = cards_pdf(
        names=names,
        copies=copies,
        cutting=read_cutting(bleed=bleed, marks=cut, backs=backs, flip=flip, offset=offset),
        paper=paper,
        language=print_language(),
        full_ink=ink is Ink.FULL,
        template=template,
        font_dir=font_dir,
    )
    write_file(output, content, force=force)
    count = len(all_cards(names, copies))
    note(
        say_many(
            "{count} reference card written to {path}",
            "{count} reference cards written to {path}",
            count,
            path=output,
        )
    )
    room_for_copies(names, copies)
    note(how_to_print(backs=backs, flip=flip))


def _read_names(only: str | None) -> list[str] | None:
    """The cards that --only names, each once, in the order in which they are printed. Raises UsageError."""
    from companion.errors import UsageError
    from companion.notation.names import parse_djinn
    from companion.printing.cards.aids import AIDS
    from companion.rules.engine.djinns import EVERY_DJINN

    if only is None:
        return None
    wanted: set[str] = set()
    groups = {"djinns": tuple(EVERY_DJINN), "aids": tuple(AIDS)}
    for word in filter(None, (word.strip() for word in only.split(","))):
        if word.lower() in groups:
            wanted.update(groups[word.lower()])
        elif word.lower() in AIDS:
            wanted.add(word.lower())
        else:
            with reading_option(say("--only: {names}, or a djinn", names=", ".join((*groups, *AIDS)))):
                wanted.add(parse_djinn(word))
    if not wanted:
        names = ", ".join((*groups, *AIDS))
        raise UsageError(say("--only names nothing; it takes {names} and djinns by name", names=names))
    return [name for name in (*EVERY_DJINN, *AIDS) if name in wanted]
