"""Bids in words: which is best, when its player plays, and which turn it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.advisor.advice import AdvisedBid, AdvisedTurn, BidAdvice
from companion.advisor.explanation import ExplainedTurn
from companion.advisor.turn_wording import SURE, outlook
from companion.language.phrase import Phrase, counted, joined, listed, percentage, say, say_as, term
from companion.notation.wording import bid_words as bid_in_record
from companion.notation.wording import claim_words, taking
from companion.rules.engine.rounds import lowered
from companion.rules.model.actions import Action, PlaceBid
from companion.rules.model.components import Tribe

_PLACES = (
    say_as("place in the round", "first"),
    say_as("place in the round", "second"),
    say_as("place in the round", "third"),
    say_as("place in the round", "fourth"),
)


def place_words(place: int) -> Phrase:
    """The place of a turn in its round: "first"."""
    return _PLACES[place - 1] if 1 <= place <= len(_PLACES) else say("{place}th", place=place)


def plays_words(one: AdvisedBid) -> Phrase:
    """When a bid lets its player play: "first", or "third (82%)" where that hangs on what others bid."""
    if one.plays is None:
        return say("{place} so far", place=place_words(one.place))
    place, share = one.plays
    return place_words(place) if share > SURE else joined("", (place_words(place), " (", percentage(share), ")"))


def bid_words(bid: PlaceBid) -> str:
    """A bid in words: "5", or "8 with 1 fakir (pays 5)" where a djinn lowers the price (rules 11.8)."""
    if not bid.fakirs:
        return bid_in_record(bid)
    return say("{bid} (pays {paid})", bid=bid_in_record(bid), paid=lowered(bid.price, bid.fakirs))


def bid_headline(advice: BidAdvice, player: str | None = None) -> Phrase:
    """What the table of bids is about, and the best of them; `player` is the bidder's name where there is one."""
    assert advice.player is not None, "somebody bids"
    best = advice.bids[0]
    return say(
        "Best bid for {player}: {bid}, to play {place}; {outlook}",
        player=player or term(advice.player),
        bid=bid_words(best.bid),
        place=plays_words(best),
        outlook=outlook(best, len(advice.position.players)),
    )


def bid_equals(advice: BidAdvice) -> str:
    """Which bids are as good as the best, in words; "" if none."""
    alike = [bid_words(one.bid) for place, one in enumerate(advice.bids) if place == 0 or one.equal]
    if len(alike) < 2:
        return ""
    return say("Less than a point apart: {bids}.", bids=listed(alike))


def bid_look_words(advice: BidAdvice) -> Phrase:
    """A nudge: the place to bid for, and no price."""
    return say("Look at what makes playing {place} worthwhile.", place=place_words(advice.bids[0].likely_place))


def no_bid_words(advice: BidAdvice) -> Phrase:
    """What is said where there is nothing to bid for."""
    who = say("nobody") if advice.player is None else term(advice.player)
    return say("No bid to suggest for {player}.", player=who)


def bid_turns(advice: BidAdvice) -> list[AdvisedTurn]:
    """The turns that bids are for, the best bid's first; each is worth what the best bid for it is."""
    turns: dict[tuple[Action, ...], AdvisedTurn] = {}
    for bid in advice.bids:
        if bid.turn is not None and bid.turn.actions not in turns:
            turns[bid.turn.actions] = replace(
                bid.turn,
                estimate=bid.estimate,
                win=bid.win,
                idea=len(turns) + 1,
                behind=bid.behind,
                equal=bid.equal,
            )
    return list(turns.values())


def purpose(advice: BidAdvice, one: AdvisedBid) -> str:
    """What a bid is for: the turn that it most often buys, and whether only the first of the round gets that."""
    if one.turn is None:
        return ""
    aim = _aim(one.turn.explained)
    return say("only as first: {turn}", turn=aim) if _needs_the_lead(one, advice.bids) else aim


def _aim(explained: ExplainedTurn) -> Phrase:
    taken, board = explained.taken, explained.begins.position.board
    if taken is None:
        return explained.headline
    claims = [claim_words(board, square) for square in explained.claims]
    doing = joined(", ", (taking(counted(taken.count, taken.tribe.noun), taken.square), *claims))
    return say("{doing} ({points} now)", doing=doing, points=f"{explained.gain:+d}")


def _needs_the_lead(one: AdvisedBid, others: Sequence[AdvisedBid]) -> bool:
    """Whether a bid that plays first is for an end tile and a tribe that later places do not get."""
    later = [other for other in others if other.likely_place > one.likely_place]
    return one.likely_place == 1 and bool(later) and all(_target(other.turn) != _target(one.turn) for other in later)


def _target(turn: AdvisedTurn | None) -> tuple[int, Tribe] | None:
    return None if turn is None or turn.sowing is None else (turn.sowing.end, turn.sowing.tribe)
