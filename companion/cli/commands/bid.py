"""`companion bid`: what each free spot of the turn order track is worth, and what it is for."""

from __future__ import annotations

from companion.cli.inputs import check_plays, check_refilled, opened_position, tell
from companion.cli.options import Assumed, PlayerColour, PositionInput, SearchOptions, reading_option
from companion.cli.output import note, print_json
from companion.errors import UnusableInputError
from companion.language.phrase import say, term
from companion.notation.names import parse_colour
from companion.rules.engine.resuming import bids_are_placed
from companion.rules.engine.scoring import result_of
from companion.rules.model.position import Phase


def bid(
    player: PlayerColour = None,
    assumed: Assumed = False,
    *,
    search: SearchOptions,
    given: PositionInput,
) -> None:
    """Show what each free spot on the turn order track is worth to the player bidding, and what it's good for.

    Example: companion bid game.toml --player pink
    """
    from companion.advisor.advice import BidAdvice
    from companion.cli.searching import leave_if, search_bids, tell_assumed, tell_last
    from companion.cli.views.advice_documents import bid_document
    from companion.cli.views.advice_view import over_line, print_bids

    with reading_option("--player"):
        bidder = None if player is None else parse_colour(player)
    budget = search.budget()
    opened = opened_position(given)
    check_plays(opened, bidder)
    tell(opened)
    known = opened.position
    check_refilled(opened)
    if known.phase is Phase.TURN or (not known.is_over and bids_are_placed(known)):
        playing = known.to_move or next((bid.colour for bid in known.turn_order or ()), None)
        raise UnusableInputError(
            "no bids are open in {position}: it's {player}'s turn to play; companion hint advises on it",
            position=opened.name or say("this position"),
            player=say("somebody") if playing is None else term(playing),
        )
    if known.is_over:
        advice, interrupted = BidAdvice(None, known, result=result_of(known, unseen=opened.unseen_in(known))), False
    else:
        advice, interrupted = search_bids(opened, known, bidder, budget, search.seed, quiet=given.as_json)
    last = tell_assumed(advice.assumed, known, bidder, listed=assumed)
    for sentence in advice.notes:
        note(sentence)
    if given.as_json:
        if advice.result is not None:
            note(over_line(advice.result, opened.names))
        print_json(bid_document(advice))
    else:
        print_bids(advice, opened.names)
    tell_last(last)
    leave_if(interrupted)
