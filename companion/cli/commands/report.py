"""`companion report`: a recorded game as a PDF to print and to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from companion.cli.options import Force, PdfFile, PrintOptions, ReviewPlayouts
from companion.cli.output import check_outputs, note, write_and_tell
from companion.errors import UsageError


def report(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game record, or - for standard input.")],
    output: PdfFile = Path("report.pdf"),
    boards: Annotated[
        Literal["round", "turn", "none"],
        typer.Option(case_sensitive=False, help="A board for each round, for each turn, or none."),
    ] = "round",
    advice: Annotated[
        bool, typer.Option("--advice/--no-advice", help="Show what would have been better; --no-advice is faster.")
    ] = True,
    playouts: ReviewPlayouts = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same advice.")] = None,
    *,
    page: PrintOptions,
    force: Force = False,
) -> None:
    """Print a recorded game: result, curves, boards with arrows, what each turn brought and what was better.

    Example: companion report game.txt -o report.pdf
    """
    from companion.advisor.account import summarise_game
    from companion.cli.searching import looking_back
    from companion.opening.text import open_broken_record
    from companion.printing.report.report import begin_report, game_report
    from companion.printing.report.rounds import BoardsOf

    if not advice and (playouts is not None or seed is not None):
        option = "--playouts" if playouts is not None else "--seed"
        raise UsageError("{option} is about the advice; leave it out, or --no-advice", option=option)
    check_outputs((output, (".pdf",)), force=force, inputs=[game, page.template])
    begin_report(**page.how)
    played, torn = open_broken_record(game)
    account = summarise_game(played, torn=torn)
    review = looking_back(played, playouts, seed or 0) if advice and account.rounds else None
    content = game_report(account, review, boards=BoardsOf(boards), **page.how)
    for sentence in account.notes:
        note(sentence)
    write_and_tell({output: content}, force=force)
