"""`companion setup`: a random set-up of the table, in words, as JSON or as a card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import FontFolder, Force, Language, Paper, PaperSize, Template, reading_option

if TYPE_CHECKING:
    from rich.table import Table

    from companion.rules.model.components import Colour
    from companion.rules.model.position import Position

DRAWN_SEEDS = 1_000_000
"""A seed that nobody chose is below this: short enough to be said across a table."""


def setup(
    players: Annotated[int, typer.Option("--players", min=2, max=4, help="How many play.")] = 2,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, help="The same seed gives the same set-up; drawn if not given.", show_default=False
        ),
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option("--colours", metavar="A,B,...", help="Colours of 3 or 4 players.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="CARD.pdf", help="Write a set-up card to print.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the position and its seed as one JSON document.")
    ] = False,
    paper: PaperSize = Paper.A4,
    lang: Language = "en",
    template: Template = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Set up a table at random: board, meeples, cards, djinns and bid order.

    Example: companion setup --players 3 --seed 42 -o card.pdf
    """
    from companion.cli.output import PDF_ENDING, check_outputs, note, print_json
    from companion.errors import UsageError
    from companion.rules.engine.setup import random_setup
    from companion.storage import write_file

    check_outputs((output, PDF_ENDING), force=force, inputs=[template])
    chosen = _read_colours(colours)
    used = seed if seed is not None else _draw_seed()
    try:
        position = random_setup(players, used, colours=chosen)
    except ValueError as error:
        raise UsageError(f"--colours: {error}") from None
    if output is not None:
        from companion.printing.setup.card import setup_card

        card = setup_card(position, seed=used, paper=paper, language=lang, template=template, font_dir=font_dir)
        write_file(output, card, force=force)
        note(f"set-up card written to {output}; --players {players} --seed {used} gives the same again")
    if as_json:
        from companion.notation.files import to_document

        print_json({**to_document(position), "seed": used})
    elif output is None:
        _print(position, used)


def _draw_seed() -> int:
    import secrets

    return secrets.randbelow(DRAWN_SEEDS)


def _read_colours(text: str | None) -> tuple[Colour, ...] | None:
    from companion.notation.names import parse_colour

    if text is None:
        return None
    with reading_option("--colours"):
        return tuple(parse_colour(word.strip()) for word in text.split(","))


def _print(position: Position, seed: int) -> None:
    """Show the table as it is laid, in the order in which it is laid (rules 2)."""
    from companion.cli.output import console
    from companion.cli.views.board_view import board_view
    from companion.cli.views.position_view import djinns_in_words
    from companion.notation.codes import encode

    terminal = console()
    terminal.print(f"Set-up for {len(position.colours)} players, seed {seed}\n", style="bold")
    terminal.print(board_view(position.board))
    terminal.print()
    terminal.print(_facts(position, djinns_in_words(position.djinns), encode(position)))


def _facts(position: Position, djinns: str, code: str) -> Table:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_row("Each player", _for_each(position))
    table.add_row("Bid order", _numbered(position.bid_order or ()))
    table.add_row("Card row", _numbered(position.row or ()))
    table.add_row("Djinns", djinns)
    table.add_row("Code", code)
    return table


def _for_each(position: Position) -> str:
    from companion.rules.model.components import START_GOLD_GC

    colour = position.colours[0]
    markers = (position.bid_order or ()).count(colour)
    plural = "" if markers == 1 else "s"
    return f"{position.camels_left(colour)} camels, {markers} turn marker{plural}, {START_GOLD_GC} GC kept secret"


def _numbered(words: Sequence[str]) -> str:
    """Words with their places in front, five to the line."""
    numbered = [f"{place} {word}" for place, word in enumerate(words, 1)]
    return "\n".join("  ".join(numbered[start : start + 5]) for start in range(0, len(numbered), 5))
