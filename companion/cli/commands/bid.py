"""`companion bid`: what each free spot of the turn order track is worth, and what it is for."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.colouring import ColourChoice, ColourOption
from companion.cli.options import AsJson, DoubtOptions, Force, PositionFile, Sources, reading_option
from companion.cli.thinking import Playouts, Seed, ThinkingTime
from companion.language.phrase import say, term
from companion.resources import SEARCH_ADDRESS_SPACE_BYTES, check_address_space


def bid(
    position: Sources,
    player: Annotated[
        str | None, typer.Option("--player", metavar="COLOUR", help="Whose bid to look at.", show_default=False)
    ] = None,
    time: ThinkingTime = None,
    playouts: Playouts = None,
    seed: Seed = None,
    *,
    photos: DoubtOptions,
    output: PositionFile = None,
    force: Force = False,
    as_json: AsJson = False,
    colour: ColourOption = ColourChoice.AUTO,
) -> None:
    """Show what each free spot of the turn order track is worth to the player who is to bid, and what it is for.

    Example: companion bid game.toml --player pink
    """
    from companion.advisor.advice import BidAdvice
    from companion.cli.inputs import check_refilled, game_of, open_inputs, tell
    from companion.cli.output import note, print_json
    from companion.cli.thinking import budget_of, leave_if, thinking
    from companion.cli.views.advice_view import bid_document, print_bids
    from companion.cli.views.hint_view import over_line
    from companion.errors import UnusableInputError
    from companion.notation.names import parse_colour
    from companion.rules.engine.scoring import result_of
    from companion.rules.engine.setup import bids_are_placed
    from companion.rules.model.position import Phase

    with reading_option("--player"):
        bidder = None if player is None else parse_colour(player)
    budget = budget_of(time, playouts)
    opened = open_inputs(position, photos, output=output, force=force, quiet=as_json)
    tell(opened)
    known = opened.position
    check_refilled(opened)
    if known.phase is Phase.TURN or (known.phase is not Phase.END and bids_are_placed(known)):
        playing = known.to_move or next((bid.colour for bid in known.turn_order or ()), None)
        raise UnusableInputError(
            say(
                "no bids are open in {position}: {player} is to play a turn; companion hint says which",
                position=opened.name or say("this position"),
                player=say("somebody") if playing is None else term(playing),
            )
        )
    if known.phase is Phase.END:
        found, interrupted = BidAdvice(None, known, result=result_of(known, unseen=opened.unseen_in(known))), False
    else:
        check_address_space(SEARCH_ADDRESS_SPACE_BYTES, say("thinking about a turn"))
        from companion.advisor.search.bids import advise_bid

        with thinking(wanted=not as_json) as watch:
            found = advise_bid(
                game_of(opened, known, bidder),
                player=bidder,
                budget=budget,
                seed=seed or 0,
                progress=watch.progress,
                stop=watch.stop,
            )
        interrupted = watch.interrupted
    for sentence in (*found.assumed, *found.notes):
        note(sentence)
    if as_json:
        if found.result is not None:
            note(over_line(found.result, opened.names))
        print_json(bid_document(found))
    else:
        print_bids(found, colour, opened.names)
    leave_if(interrupted)
