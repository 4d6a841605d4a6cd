"""Advice in words that people can follow and add up: what to do, what it brings now, what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.advisor.advice import AdvisedBid, AdvisedTurn, Estimate
from companion.advisor.completion import Completion
from companion.advisor.effects import cards_words, listed, plural, victim_words
from companion.advisor.explanation import ExplainedTurn, explain_turn
from companion.errors import IllegalMoveError
from companion.rules.engine.rounds import lowered
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    KeepDjinn,
    PlaceBid,
    Sell,
    Sow,
    Sowing,
    UsePower,
)
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import CardsTaken, Event, MeeplesTaken, TileClaimed

OPPONENTS = "opponents"
"""The key of `AdvisedTurn.categories` for what the best opponent's points add to the margin."""

SMALLEST_TOLD = 0.5
"""A difference of a category that is worth telling, in VP; smaller ones are told together."""

_MOST_CATEGORIES = 6
_SURE = 0.995
"""A share of playouts that is told as all of them."""

_ERRORS_APART = 2.0
"""Differences of fewer standard errors than this are noise."""

_PLACES = ("first", "second", "third", "fourth")
_DRAWN = {
    "card": "the card that is drawn",
    "djinn": "the djinns that are drawn",
    "meeple": "the meeples that are drawn",
}


@dataclass(frozen=True, slots=True)
class TurnWords:
    """A turn in words.

    `start` is what to lift ("c3: lift its 4 meeples"), `path` how it goes ("c3 > c4b > d4y"), `headline` the whole
    turn in short, `reasons` a sentence each on what it is worth. `explained` is what they rest on.
    """

    turn: AdvisedTurn
    explained: ExplainedTurn
    start: str
    path: str
    headline: str
    reasons: tuple[str, ...]


def turn_words(completion: Completion, turn: AdvisedTurn, *, first: bool = False) -> TurnWords:
    """A turn of the player who is to move in words; the `first` is compared with the next, others with the first.

    Raises what playing the turn raises.
    """
    explained = explain_turn(completion, turn.actions)
    board = completion.position.board
    reasons = [now(explained), outlook(turn.estimate), *_leaving(turn, completion.expectation.mover)]
    reasons += filter(None, [better_than_next(turn) if first else behind_first(turn)])
    path = "" if turn.sowing is None else path_words(turn.sowing)
    return TurnWords(turn, explained, _start(board, turn), path, _headline(board, explained), tuple(reasons))


def path_words(sowing: Sowing) -> str:
    """A sowing step by step: "c3 > c4b > d4y"."""
    return str(sowing).replace(">", " > ")


def _start(board: Board, turn: AdvisedTurn) -> str:
    if turn.sowing is None:
        return "no meeples can be moved: look at djinns and goods"
    number = sum(board[turn.sowing.start].meeples)
    lifted = "its only meeple" if number == 1 else f"its {number} meeples"
    return f"{SQUARE_NAMES[turn.sowing.start]}: lift {lifted}"


def _headline(board: Board, explained: ExplainedTurn) -> str:
    """The whole turn in one line: powers before the move, the path, then everything else in its order."""
    before: list[str] = []
    after: list[str] = []
    path = ""
    for action, events in explained.steps:
        if isinstance(action, Sow):
            path = path_words(action.sowing)
        (after if path else before).extend(_doing(action, events))
        claims = [event.square for event in events if isinstance(event, TileClaimed)]
        (after if path else before).extend(f"claim {_with_kind(board, square)}" for square in claims)
    if explained.open_before:
        (after if path else before).append(f"go on with {_DRAWN[explained.open_before]}")
    if not path:
        return ", ".join(before) or "no meeples can be moved, and nothing else is worth doing"
    first = f"{', '.join(before)}, then " if before else ""
    return f"{first}{path}: {', '.join(after)}"


def _with_kind(board: Board, square: int) -> str:
    return f"{SQUARE_NAMES[square]} ({board[square].kind.code})"


def _doing(action: Action, events: Sequence[Event]) -> Iterator[str]:
    """What a decision is called, as far as it is a choice worth naming."""
    match action:
        case Sow():
            taken = [event for event in events if isinstance(event, MeeplesTaken)]
            yield from (f"take {plural(event.count, event.tribe.noun)}" for event in taken)
        case ActTribe(choice):
            if choice.fakirs:
                yield f"spend {plural(choice.fakirs, 'fakir')}"
            if choice.victims:
                helper = f" with {choice.helper.djinn}" if choice.helper is not None else ""
                yield f"kill {' and '.join(map(victim_words, choice.victims))}{helper}"
        case ActTile(choice):
            bought = [event for event in events if isinstance(event, CardsTaken)]
            yield from (f"buy {cards_words(event.cards)}" for event in bought)
            if choice.djinn is not None:
                yield f"take {choice.djinn}"
            if choice.helper is not None and choice.onto is not None:
                yield f"use {choice.helper.djinn} to build on {SQUARE_NAMES[choice.onto]}"
        case UsePower():
            words = f"use {action.paid.djinn}"
            if action.square is not None:
                words += f" on {SQUARE_NAMES[action.square]}"
            if action.helper is not None and action.onto is not None:
                words += f" and {action.helper.djinn} to build on {SQUARE_NAMES[action.onto]}"
            yield words
        case KeepDjinn(djinn):
            yield f"keep {djinn}"
        case Sell(goods):
            yield f"sell {listed(goods)}"


def now(explained: ExplainedTurn) -> str:
    """What the turn brings at once, part by part, so that the parts add up to the sum before them."""
    told = explained.explanation
    parts = [str(effect) if effect.points else effect.text for effect in told.effects]
    sum_ = f"~{round(told.expected):+d}" if told.possible else f"{told.gain:+d}"
    text = f"now {sum_}: {', '.join(parts)}" if parts else f"now {sum_}"
    more = [*(one.text for one in told.possible), *(f"only {condition}" for condition in told.conditions)]
    if explained.open_before:
        more.append(f"then it goes on with {_DRAWN[explained.open_before]}")
    return "; ".join([text, *more])


def outlook(estimate: Estimate) -> str:
    """How far ahead of the best opponent, or behind him, the game is expected to end."""
    value = round(estimate.value, 1)
    where = "level" if not value else f"{value:.1f} ahead" if value > 0 else f"{-value:.1f} behind"
    error = "" if estimate.error is None else f", ± {estimate.error:.1f}"
    return f"expected to end {where}{error}"


def _leaving(turn: AdvisedTurn, mover: Colour) -> Iterator[str]:
    """What the next player can make of the board that is left, and most likely does."""
    follower = None if turn.reply is None else turn.reply.colour
    who = "the next player" if follower is None else str(follower)
    # In a game of two the next turn may be the mover's own, with the other marker (rules 2.1).
    again = follower is mover
    if turn.best_capture_left is not None:
        most = round(turn.best_capture_left)
        brings = f"no turn that brings {f'more than {most}' if most > 0 else 'points'} at once"
        yield f"leaves {who}{', who plays again,' if again else ''} {brings}"
    if turn.reply is not None:
        doing = f"takes {Tribe(turn.reply.tribe).noun}s on {SQUARE_NAMES[turn.reply.end]}"
        share = f"({round(turn.reply.gain):+d}), {_share(turn.reply.share)} of the time"
        yield f"most likely {'next' if again else 'reply'}: {who} {doing} {share}"


def _share(share: float) -> str:
    return "all" if share > _SURE else f"{max(share, 0.01):.0%}"


def better_than_next(turn: AdvisedTurn) -> str:
    """How much better the turn is than the next of the list, with the noise of that, by category; "" if unknown."""
    if turn.next_best is None:
        return ""
    if turn.next_best.error is not None and abs(turn.next_best.value) <= _ERRORS_APART * turn.next_best.error:
        return f"as good as the next: {_size(turn.next_best)} apart"
    size = f"{signed(turn.next_best)} than the next"
    return f"{size}: {parts}" if (parts := category_words(turn)) else size


def behind_first(turn: AdvisedTurn) -> str:
    """How much less the turn is worth than the first of the list, with the noise of that."""
    if turn.equal:
        return f"as good as the first: {_size(turn.behind)} less, within the noise"
    return f"{_size(turn.behind)} less than the first"


def signed(difference: Estimate) -> str:
    """A difference in points in words: "2.1 ± 0.4 better"."""
    return f"{_size(difference)} {'better' if difference.value >= 0 else 'worse'}"


def _size(difference: Estimate) -> str:
    error = "" if difference.error is None else f" ± {difference.error:.1f}"
    return f"{abs(difference.value):.1f}{error}"


def category_words(turn: AdvisedTurn) -> str:
    """The categories in which the turn differs most from the next of the list: "+3.0 goods, -1.0 tiles"."""
    large = [(name, points) for name, points in turn.categories.items() if abs(points) >= SMALLEST_TOLD]
    large.sort(key=lambda one: -abs(one[1]))
    shown = large[:_MOST_CATEGORIES]
    parts = [f"{points:+.1f} {_category(name, points)}" for name, points in shown]
    rest = sum(turn.categories.values()) - sum(points for _, points in shown)
    if parts and abs(rest) >= SMALLEST_TOLD:
        parts.append(f"{rest:+.1f} other")
    return ", ".join(parts)


def _category(name: str, points: float) -> str:
    if name != OPPONENTS:
        return name
    return "as the best opponent gets less" if points > 0 else "as the best opponent gets more"


def equals(alike: Sequence[bool], what: str = "turns") -> str:
    """Which entries of a list cannot be told from its first, in words; "" if none.

    `alike` says so for each entry; the first's own is not looked at.
    """
    numbers = [1, *(number for number, equal in enumerate(alike[1:], 2) if equal)]
    if len(numbers) < 2:
        return ""
    in_a_row = len(numbers) > 2 and all(later - one == 1 for one, later in pairwise(numbers))
    told = f"{numbers[0]} to {numbers[-1]}" if in_a_row else listed([str(number) for number in numbers])
    return f"{what.capitalize()} {told} are as good as one another: the differences are within the noise."


def place_words(place: int) -> str:
    """The place of a turn in its round: "first"."""
    return _PLACES[place - 1] if 1 <= place <= len(_PLACES) else f"{place}th"


def plays_words(one: AdvisedBid) -> str:
    """When a bid lets its player play: "first", or "third (82%)" where that hangs on what others bid."""
    if one.plays is None:
        return f"{place_words(one.place)} so far"
    place, share = one.plays
    return place_words(place) if share > _SURE else f"{place_words(place)} ({share:.0%})"


def bid_words(bid: PlaceBid) -> str:
    """A bid in words: "5", or "8 with 1 fakir (pays 5)" where a djinn lowers the price (rules 11.8)."""
    if not bid.fakirs:
        return str(bid.price)
    return f"{bid.price} with {plural(bid.fakirs, 'fakir')} (pays {lowered(bid.price, bid.fakirs)})"


def purpose(completion: Completion, one: AdvisedBid, others: Sequence[AdvisedBid]) -> str:
    """What a bid is for: the turn that it most often buys, and whether only the first of the round gets that."""
    if one.turn is None:
        return ""
    try:
        aim = _aim(completion, one.turn)
    except IllegalMoveError:
        # Others play before it, and it is a turn on the board that they leave.
        aim = _target_words(one.turn)
    return f"only as first: {aim}" if _needs_the_lead(one, others) else aim


def _aim(completion: Completion, turn: AdvisedTurn) -> str:
    board, explained = completion.position.board, explain_turn(completion, turn.actions)
    taken = explained.taken
    if taken is None:
        return _headline(board, explained)
    words = [f"take {plural(taken.count, taken.tribe.noun)} on {SQUARE_NAMES[taken.end]}"]
    words += [f"claim {_with_kind(board, square)}" for square in explained.explanation.claims]
    return f"{', '.join(words)} ({explained.explanation.gain:+d} now)"


def _target_words(turn: AdvisedTurn) -> str:
    if turn.sowing is None:
        return "powers and sales"
    return f"take {turn.sowing.tribe.noun}s on {SQUARE_NAMES[turn.sowing.end]}"


def _needs_the_lead(one: AdvisedBid, others: Sequence[AdvisedBid]) -> bool:
    """Whether a bid that plays first is for an end tile and a tribe that later places do not get."""
    later = [other for other in others if other.likely_place > one.likely_place]
    return one.likely_place == 1 and bool(later) and all(_target(other.turn) != _target(one.turn) for other in later)


def _target(turn: AdvisedTurn | None) -> tuple[int, Tribe] | None:
    return None if turn is None or turn.sowing is None else (turn.sowing.end, turn.sowing.tribe)
