"""`companion replay`, `review` and `report`: a game record played back, looked back on, or printed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from companion.cli.options import AsJson, Force, PdfFile, PrintOptions, ReviewPlayouts
from companion.cli.output import POSITION_ENDINGS, check_outputs, note, print_json, write_and_tell
from companion.errors import UsageError
from companion.language.phrase import say
from companion.notation.files import format_position
from companion.rules.engine.scoring import result_of_game
from companion.storage import write_file


def replay(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A game record, or - for standard input.")],
    to: Annotated[int | None, typer.Option(min=1, metavar="LINE", help="Stop after this line of the file.")] = None,
    as_json: AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="POSITION", help="Also write the position reached, .toml or .json."),
    ] = None,
    force: Force = False,
) -> None:
    """Play a game record back, checking every line against the rules, and show the game and the scores.

    Example: companion replay game.txt --to 20 -o table.toml
    """
    from companion.cli.views.replay_view import decision_words, print_game, replay_document
    from companion.opening.text import open_record

    check_outputs((output, POSITION_ENDINGS), force=force, inputs=[record])
    played = open_record(record, last=to)
    if as_json:
        print_json(replay_document(played))
    else:
        print_game(played)
    if not played.state.is_over:
        words = decision_words(played)
        note(say("The game isn't over: {next}.", next=words) if to is None else say("So far: {next}.", next=words))
    for sentence in result_of_game(played.state).unknown:
        note(sentence)
    if output is not None:
        write_file(output, format_position(played.state.position, output.suffix).encode(), force=force)
        note("position written to {path}", path=output)


def review(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game record, or - for standard input.")],
    playouts: ReviewPlayouts = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same advice.")] = 0,
    everything: Annotated[bool, typer.Option("--all", help="Show every bid and turn, and sums.")] = False,
    as_json: AsJson = False,
) -> None:
    """Review a recorded game: what each bid and turn lost, what was luck, which turns decided it.

    Example: companion review game.txt, or as a PDF: companion report game.txt
    """
    from companion.cli.searching import reviewed
    from companion.cli.views.review_view import print_review, review_document
    from companion.cli.views.score_table import record_title
    from companion.opening.text import open_record

    played = open_record(game)
    found = reviewed(played, playouts, seed)
    if as_json:
        print_json(review_document(found))
    else:
        header = played.record.header
        title = record_title(header.tag("date"), header.tag("place"))
        print_review(found, title, game=game, everything=everything)
    for sentence in (*found.assumed, *found.notes):
        note(sentence)


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
    from companion.cli.searching import reviewed
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
    review = reviewed(played, playouts, seed or 0) if advice and account.rounds else None
    content = game_report(account, review, boards=BoardsOf(boards), **page.how)
    for sentence in account.notes:
        note(sentence)
    write_and_tell({output: content}, force=force)
