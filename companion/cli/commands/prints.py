"""`companion sheet`, `cards`, `kit` and `templates`: what is printed for the box, and the layouts of all prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from companion.cli.options import CutOptions, Force, InkOptions, PdfFile, reading_option
from companion.cli.output import check_outputs, console, note, note_many
from companion.errors import UsageError, printable
from companion.language.phrase import say
from companion.notation.names import parse_djinn
from companion.rules.engine.djinns import EVERY_DJINN
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


def templates(
    action: Annotated[
        Literal["list", "copy"], typer.Argument(metavar="ACTION", help="List them, or copy one.")
    ] = "list",
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The template to copy, as listed.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to copy it; NAME.toml if not given.")
    ] = None,
    force: Force = False,
) -> None:
    """List the templates of the prints, or copy one to change and give to --template.

    Example: companion templates copy setup_card -o my_card.toml
    """
    from companion.printing.core.template import original, originals

    if action == "list":
        if name is not None or output is not None:
            raise UsageError("templates list takes no name and no --output; templates copy NAME copies one")
        from companion.cli.views.tables import listing

        rows = [(known.name, ", ".join(known.commands)) for known in originals()]
        terminal = console()
        terminal.print(listing([say("template"), say("printed by")], rows))
        words = say("To start your own: companion templates copy NAME. docs/templates.md shows every box.")
        terminal.print("\n" + words)
        return
    if name is None:
        names = ", ".join(known.name for known in originals())
        raise UsageError("give the template to copy: {known}", known=names)
    chosen = original(name)
    target = output if output is not None else Path(f"{chosen.name}.toml")
    check_outputs((target, (".toml",)), force=force, inputs=[chosen.path])
    write_file(target, chosen.path.read_bytes(), force=force)
    note(
        "{name} copied to {file}; change it, then print with --template {file} ({commands})",
        name=chosen.name,
        file=target,
        commands=", ".join(chosen.commands),
    )
