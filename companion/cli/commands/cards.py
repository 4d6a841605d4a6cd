"""`companion cards`: reference cards to cut out, as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import CutOptions, Force, InkOptions, PdfFile, reading_option
from companion.cli.output import check_outputs, note_many
from companion.errors import UsageError
from companion.language.phrase import say
from companion.notation.names import parse_djinn
from companion.rules.engine.djinns import EVERY_DJINN
from companion.storage import write_file


def cards(
    output: PdfFile = Path("cards.pdf"),
    only: Annotated[
        str | None,
        typer.Option(
            metavar="LIST", help="djinns, aids, or cards by name: round, turn, tribes, tiles, goods, end, Utug, ..."
        ),
    ] = None,
    *,
    cut: CutOptions,
    page: InkOptions,
    force: Force = False,
) -> None:
    """Print reference cards, nine to a page: all djinns, the round, the turn, tribes, tiles, goods, scoring.

    Example: companion cards --paper letter --flip short -o cards.pdf, or companion cards --only aids --copies 4
    """
    from companion.printing.cards.sheet import all_cards, cards_pdf

    check_outputs((output, (".pdf",)), force=force, inputs=[page.template])
    names = _read_names(only)
    content = cards_pdf(names=names, copies=cut.copies, cutting=cut.cutting(), **page.how)
    write_file(output, content, force=force)
    count = len(all_cards(names, cut.copies))
    note_many(
        "{count} reference card written to {path}", "{count} reference cards written to {path}", count, path=output
    )
    cut.tell()


def _read_names(only: str | None) -> list[str] | None:
    """The cards that --only names, each once, in the order in which they are printed. Raises UsageError."""
    from companion.printing.cards.aids import AIDS

    if only is None:
        return None
    wanted: set[str] = set()
    groups = {"djinns": tuple(EVERY_DJINN), "aids": tuple(AIDS), **{name: (name,) for name in AIDS}}
    names = ", ".join(groups)
    for word in filter(None, (word.strip() for word in only.split(","))):
        if word.lower() in groups:
            wanted.update(groups[word.lower()])
        else:
            with reading_option(say("--only: {names}, or a djinn", names=names)):
                wanted.add(parse_djinn(word))
    if not wanted:
        raise UsageError("--only names nothing; it takes {names} and djinns by name", names=names)
    return [name for name in (*EVERY_DJINN, *AIDS) if name in wanted]
