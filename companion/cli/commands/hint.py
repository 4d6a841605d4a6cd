"""`companion hint`: the best turns of the player to move, with reasons."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.options import AsJson, Cards, Force, Goods, Overlay, PositionFile, Resume, Sources, reading_option


def hint(
    position: Sources,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="How many turns to show.")] = 5,
    player: Annotated[
        str | None, typer.Option("--player", metavar="COLOUR", help="Whose turn to look at.", show_default=False)
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask what lies in front of each player, as far as it is not known.")
    ] = False,
    resume: Resume = False,
    goods: Goods = None,
    cards: Cards = None,
    overlay: Overlay = None,
    output: PositionFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show the turns that gain the most points at once, and why; what is not known is reckoned with as likely.

    Example: companion hint game.toml --top 3, or companion hint table.jpg --player pink --ask
    """
    from companion.advisor.hint import hints
    from companion.cli.inputs import input_files, open_inputs, tell
    from companion.cli.output import POSITION_ENDINGS, check_outputs, note, print_json, say
    from companion.cli.views.hint_view import hint_document, hint_lines, over_line
    from companion.errors import UsageError
    from companion.notation.files import format_position
    from companion.notation.names import parse_colour
    from companion.rules.model.state import Stage
    from companion.storage import write_file

    with reading_option("--player"):
        mover = None if player is None else parse_colour(player)
    ask = ask or resume
    if ask and "-" in position:
        raise UsageError("--ask reads the answers from standard input, so the position must come from a file")
    check_outputs((output, POSITION_ENDINGS), force=force, inputs=input_files(position, goods, cards))
    opened = open_inputs(position, goods=goods, cards=cards, overlay=overlay, force=force, quiet=as_json)
    tell(opened)
    known = opened.position
    if ask:
        from companion.cli.dialogue.hint_conversation import ask_holdings

        known = ask_holdings(known, mover, position, resume=resume)
    if output is not None:
        write_file(output, format_position(known, output.suffix).encode(), force=force)
        note(f"written: {output}")
    found = hints(known, top, mover, merge_starts=not as_json)
    for sentence in (*found.assumed, *found.notes):
        note(sentence)
    if opened.record is not None and opened.record.state.stage not in (Stage.BID, Stage.MOVE, Stage.END):
        note("Hints are about whole turns, on the board as it stands.")
    if found.result is None and mover is None and opened.position.to_move is None:
        note("--player COLOUR looks at the turn of somebody else.")
    doubts = {} if opened.reading is None else opened.reading.reading.doubts
    if as_json:
        if found.result is not None:
            note(over_line(found.result, opened.names))
        print_json(hint_document(found, doubts))
    else:
        for line in hint_lines(found, opened.names, doubts):
            say(line)
