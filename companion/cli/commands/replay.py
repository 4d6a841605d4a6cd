"""`companion replay`: a game record played back by the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import AsJson, Force
from companion.cli.output import POSITION_ENDINGS, check_outputs, note, print_json
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
