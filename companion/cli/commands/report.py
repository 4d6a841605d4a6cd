"""`companion report`: a recorded game as a PDF to print and to keep."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import FontFolder, Force, Paper, PaperSize, Template
from companion.language.phrase import say


class ReportBoards(StrEnum):
    """What a report has a board for."""

    ROUND = "round"
    TURN = "turn"
    NONE = "none"


def report(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game record, or - for standard input.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="REPORT.pdf", help="The PDF to write.")] = Path(
        "report.pdf"
    ),
    boards: Annotated[
        ReportBoards,
        typer.Option("--boards", case_sensitive=False, help="A board for each round, for each turn, or none."),
    ] = ReportBoards.ROUND,
    advice: Annotated[
        bool,
        typer.Option(
            "--advice/--no-advice", help="With what would have been better, or without: that takes no thinking."
        ),
    ] = True,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", min=50, max=1_000_000, metavar="N", help="Replies played a decision.", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, metavar="N", help="The same seed gives the same advice.", show_default=False),
    ] = None,
    paper: PaperSize = Paper.A4,
    template: Template = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Print a recorded game: result, curves, boards with arrows, what each turn brought and what was better.

    Example: companion report game.txt -o report.pdf
    """
    from companion.advisor.account import game_told
    from companion.cli.locale import print_language
    from companion.cli.output import PDF_ENDING, check_outputs, note, written_words
    from companion.errors import UsageError
    from companion.opening.text import open_broken_record
    from companion.printing.report.report import BoardsOf, check_game_report, game_report
    from companion.storage import write_file

    if not advice and (playouts is not None or seed is not None):
        given = "--playouts" if playouts is not None else "--seed"
        raise UsageError(say("{option} is about the advice; leave it out, or --no-advice", option=given))
    language = print_language()
    check_outputs((output, PDF_ENDING), force=force, inputs=[game, template])
    check_game_report(language, template, font_dir)
    played, torn = open_broken_record(game)
    told = game_told(played, torn=torn)
    review = None
    if advice and told.rounds:
        from companion.advisor.search.judging import REVIEW_PLAYOUTS, review_record
        from companion.cli.progress import progress

        with progress(say("looking back")) as line:
            review = review_record(
                played,
                playouts=REVIEW_PLAYOUTS if playouts is None else playouts,
                seed=seed or 0,
                progress=lambda text, share: line.say(say("looking back: {share:.0%}, {what}", share=share, what=text)),
            )
    content = game_report(
        told,
        review,
        boards=BoardsOf(boards.value),
        paper=paper,
        language=language,
        template=template,
        font_dir=font_dir,
    )
    write_file(output, content, force=force)
    for sentence in told.notes:
        note(sentence)
    note(written_words(output))
