"""`companion review`: a recorded game looked back on, decision by decision."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.options import AsJson, ReviewPlayouts
from companion.cli.output import note, print_json


def review(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game record, or - for standard input.")],
    playouts: ReviewPlayouts = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same review.")] = 0,
    everything: Annotated[bool, typer.Option("--all", help="Show every bid and turn, and sums.")] = False,
    as_json: AsJson = False,
) -> None:
    """Review a recorded game: what each bid and turn lost, what was luck, which turns decided it.

    Example: companion review game.txt, or as a PDF: companion report game.txt
    """
    from companion.cli.searching import looking_back
    from companion.cli.views.review_view import print_review, review_document
    from companion.cli.views.score_table import record_title
    from companion.opening.text import open_record

    played = open_record(game)
    found = looking_back(played, playouts, seed)
    if as_json:
        print_json(review_document(found))
    else:
        header = played.record.header
        title = record_title(header.tag("date"), header.tag("place"))
        print_review(found, title, game=game, everything=everything)
    for sentence in (*found.assumed, *found.notes):
        note(sentence)
