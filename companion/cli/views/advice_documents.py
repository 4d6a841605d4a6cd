"""Advice as JSON documents: turns and bids."""

from __future__ import annotations

from collections.abc import Sequence

from companion.advisor.advice import AdvisedBid, AdvisedTurn, BidAdvice, TurnAdvice
from companion.advisor.bid_wording import bid_turns, purpose
from companion.advisor.turn_wording import reasons, record_line
from companion.cli.views.advice_view import NO_DOUBTS, Doubts, read_with, resting_on
from companion.language.phrase import say
from companion.notation.tokens import sowing_document
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe

_VP_DIGITS = 2
"""Decimals of values in JSON: more would be noise."""


def advice_document(advice: TurnAdvice, doubts: Doubts = NO_DOUBTS) -> dict[str, object]:
    """Turns for JSON; `assumed` is there when something was not known, or a turn rests on a tile in doubt."""
    document = _turns_document(advice.to_move, advice.turns, advice.assumed, doubts)
    if any(one.holds is not None for one in advice.turns):
        document["decides"] = [
            {
                "tile": SQUARE_NAMES[tile.square],
                "worth": _rounded(tile.worth),
                "readings": [[str(reading.tile), _rounded(reading.chance)] for reading in tile.readings],
            }
            for tile in advice.decides
        ]
    return document


def _turns_document(
    mover: Colour | None, turns: Sequence[AdvisedTurn], assumed: Sequence[str], doubts: Doubts = NO_DOUBTS
) -> dict[str, object]:
    moves = [_turn_document(one) for one in turns]
    document: dict[str, object] = {"to_move": None if mover is None else str(mover), "moves": moves}
    if resting := {square for one in turns for square in resting_on(one, doubts)}:
        tiles = read_with(sorted(resting, key=doubts.__getitem__), doubts)
        assumed = [*assumed, say("turns depend on {tiles}.", tiles=tiles)]
    return {**document, "assumed": [*assumed]} if assumed else document


def _turn_document(turn: AdvisedTurn) -> dict[str, object]:
    explained, taken = turn.explained, turn.explained.taken
    document: dict[str, object] = {
        **({"from": None, "path": [], "drops": ""} if turn.sowing is None else sowing_document(turn.sowing)),
        "take": None if taken is None else {"colour": taken.tribe.letter, "count": taken.count},
        "claims": [SQUARE_NAMES[square] for square in explained.claims],
        "actions": [effect.text for effect in explained.effects],
        "gain": explained.gain,
        "value": _rounded(turn.estimate.value),
    }
    if turn.estimate.error is not None:
        document["error"] = _rounded(turn.estimate.error)
    if turn.win is not None:
        document["win"] = round(turn.win, 3)
    document["why"] = "; ".join(reasons(turn))
    document["line"] = record_line(turn)
    document["idea"] = turn.idea
    if turn.holds is not None:
        document["holds"] = round(turn.holds, 3)
    document["equal"] = turn.equal
    document["behind"] = {"value": _rounded(turn.behind.value), "error": _rounded(turn.behind.error)}
    if turn.categories:
        document["categories"] = {name: _rounded(points) for name, points in turn.categories.items()}
    if turn.best_capture_left is not None:
        document["leaves"] = _rounded(turn.best_capture_left)
    if turn.reply is not None:
        document["reply"] = {
            "player": None if turn.reply.colour is None else str(turn.reply.colour),
            "to": SQUARE_NAMES[turn.reply.end],
            "colour": Tribe(turn.reply.tribe).letter,
            "gain": _rounded(turn.reply.gain),
            "share": _rounded(turn.reply.share),
        }
    return document


def bid_document(advice: BidAdvice) -> dict[str, object]:
    """Bids for JSON, best first; `best` is null when nobody is to bid."""
    document: dict[str, object] = {
        "player": None if advice.player is None else str(advice.player),
        "bids": [_bid_document(advice, one) for one in advice.bids],
        "best": advice.bids[0].bid.price if advice.bids else None,
    }
    if advice.assumed:
        document["assumed"] = [*advice.assumed]
    return document


def bidding_document(advice: BidAdvice, most: int | None) -> dict[str, object]:
    """What `hint` prints as JSON while bids are open: the bids, and the turns that they are for, see `bid_turns`."""
    bids = bid_document(advice)
    turns = _turns_document(advice.player, bid_turns(advice)[:most], advice.assumed)
    return {**turns, "bids": bids["bids"], "best": bids["best"]}


def _bid_document(advice: BidAdvice, one: AdvisedBid) -> dict[str, object]:
    document: dict[str, object] = {
        "price": one.bid.price,
        "fakirs": one.bid.fakirs,
        "value": _rounded(one.estimate.value),
        "error": _rounded(one.estimate.error),
        "win": None if one.win is None else round(one.win, 3),
        "place": one.place,
        "equal": one.equal,
        "behind": {"value": _rounded(one.behind.value), "error": _rounded(one.behind.error)},
    }
    if one.plays is not None:
        document["plays"] = {"place": one.plays[0], "share": _rounded(one.plays[1])}
    if one.turn is not None:
        document["for"] = purpose(advice, one)
    return document


def _rounded(points: float | None) -> float | None:
    # Adding 0 turns a minus nothing into nothing.
    return None if points is None else round(float(points), _VP_DIGITS) + 0.0
