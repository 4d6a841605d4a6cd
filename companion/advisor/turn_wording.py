"""Turns in words that people can follow and add up: what to do, what it brings now, what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from companion.advisor.advice import (
    MOST_CHOICES,
    OPPONENTS,
    TO_COME,
    AdvisedBid,
    AdvisedTurn,
    DecidingReading,
    DecidingTile,
    Estimate,
)
from companion.advisor.explanation import ExplainedTurn
from companion.language.phrase import Phrase, capitalised, decimal, joined, listed, percentage, say, say_as, term
from companion.notation.records.recording import actions_line
from companion.rules.engine.scoring import category_name
from companion.rules.model.board import SQUARE_NAMES, Tile
from companion.rules.model.components import Colour, Tribe

MIN_DIFFERENCE = 0.5
"""A difference of a category that is worth naming, in VP; smaller ones are added up."""

_MAX_CATEGORIES = 6
SURE = 0.995
"""A share of playouts that counts as all of them."""


def reasons(turn: AdvisedTurn, *, with_outlook: bool = True) -> list[Phrase]:
    """What a turn is worth, a sentence each, against the next or the first; `with_outlook` adds the margin."""
    begins, compared = turn.explained.begins, better_than_next(turn) if turn.is_best else behind_first(turn)
    expected = [outlook(turn, len(begins.position.players))] if with_outlook else []
    return [now(turn.explained), *expected, *_leaving(turn, begins.mover), *([compared] if compared else [])]


def best_ways(turns: Iterable[AdvisedTurn]) -> list[AdvisedTurn]:
    """Of each idea the best way, in the same order."""
    best: dict[int, AdvisedTurn] = {}
    for one in turns:
        best.setdefault(one.idea, one)
    return list(best.values())


def record_line(turn: AdvisedTurn) -> str:
    return actions_line(turn.explained.begins, turn.actions, open_ended=turn.open_ended)


def no_move_words(player: Colour) -> Phrase:
    """That a player has no legal move, and what remains."""
    return say(
        "{player} has no legal move, so the game ends with this round (rules 9.2); powers and sales are still "
        "possible.",
        player=term(player),
    )


def look_words(start: str) -> Phrase:
    return say("Look at {start}.", start=start)


def points_now(explained: ExplainedTurn) -> str:
    """What a turn brings at once, in points: "+14", or "~+14" where that hangs on what isn't known."""
    return f"~{round(explained.expected):+d}" if explained.possible else f"{explained.gain:+d}"


def best_sentence(turn: AdvisedTurn, mover: Colour | None, name: Callable[[Colour], str]) -> Phrase:
    """The best turn: what to do, what it brings now and what the best answer is worth; `name` names players."""
    doing, points = capitalised(turn.explained.doing), points_now(turn.explained)
    if turn.best_capture_left is None:
        return say("{doing}. {points} now.", doing=doing, points=points)
    follower, most = None if turn.reply is None else turn.reply.colour, round(turn.best_capture_left)
    who = say("the next player") if follower is None else name(follower)
    best = say("about {points}", points=f"{most:+d}") if turn.about else f"{most:+d}"
    if follower is mover and follower is not None:
        return say(
            "{doing}. {points} now; {player} plays again, and the best turn then is worth {most}.",
            doing=doing,
            points=points,
            player=who,
            most=best if most > 0 else "+0",
        )
    if most <= 0:
        return say(
            "{doing}. {points} now; {player} has no answer that brings points.", doing=doing, points=points, player=who
        )
    return say(
        "{doing}. {points} now; {player}'s best answer is {most}.",
        doing=doing,
        points=points,
        player=who,
        most=best,
    )


def turns_then(tile: DecidingTile) -> list[tuple[list[Tile], str]]:
    """What to play instead of the first turn if a tile in doubt holds something else: the likeliest cases first."""
    cases: dict[str, list[DecidingReading]] = {}
    for reading in tile.readings[:MOST_CHOICES]:
        if not reading.is_first:
            cases.setdefault(reading.aim, []).append(reading)
    return [([reading.tile for reading in readings], _instead(readings[0])) for readings in cases.values()]


def _instead(reading: DecidingReading) -> str:
    if reading.idea is None or reading.idea == 1:
        return reading.aim
    return say("take turn {number}", number=reading.idea)


def sure_words(turn: AdvisedTurn) -> str:
    """How likely a turn can be played and claims what it says, in words; "" where that's certain enough."""
    if turn.holds is None or turn.holds > SURE:
        return ""
    return percentage(max(turn.holds, 0.01))


def now(explained: ExplainedTurn) -> Phrase:
    """What the turn brings at once, part by part, so that the parts add up to the sum before them."""
    parts = [str(effect) if effect.points else effect.text for effect in explained.effects]
    sum_ = points_now(explained)
    text = say("now {points}", points=sum_)
    if parts:
        text = say("now {points}: {parts}", points=sum_, parts=joined(", ", parts))
    more = [*(possible.text for possible in explained.possible), *explained.conditions]
    if explained.open_before:
        more.append(say("then the turn carries on with what is drawn"))
    return joined("; ", [text, *more])


def outlook(one: AdvisedTurn | AdvisedBid, players: int, *, brief: bool = False) -> Phrase:
    """How likely a game of that many players is won, and how far ahead it ends; if `brief`, with large errors only."""
    value, error = round(one.estimate.value, 1), one.estimate.error
    if error is None:
        return _certain(round(value))
    points = _with_error(one.estimate) if brief else _size(one.estimate)
    if value == 0 and points == decimal(0):
        expected = say("expected to finish level")
    elif players < 3:
        ahead, behind = (
            say("expected to finish {points} ahead", points=points),
            say("expected to finish {points} behind", points=points),
        )
        expected = ahead if value >= 0 else behind
    elif value >= 0:
        expected = say("expected to finish {points} ahead of the best of the others", points=points)
    else:
        expected = say("expected to finish {points} behind the best of the others", points=points)
    if one.win is None:
        return expected
    even = percentage(1 / max(players, 2))
    chance = say("wins {percent} of games, even is {even}", percent=chance_words(one.win), even=even)
    return joined("; ", (chance, expected))


def chance_words(win: float) -> Phrase:
    """A chance to win, never quite certain: "58%"."""
    return percentage(min(max(win, 0.01), 0.99))


def _certain(margin: int) -> Phrase:
    if not margin:
        return say("finishes level")
    if margin > 0:
        return say("finishes {points} ahead", points=margin)
    return say("finishes {points} behind", points=-margin)


def _leaving(turn: AdvisedTurn, mover: Colour | None) -> Iterator[Phrase]:
    """What the next player can make of the board that is left, and most likely does."""
    follower = None if turn.reply is None else turn.reply.colour
    who = say("the next player") if follower is None else term(follower)
    # In a game of two the next turn may be the mover's own, with the other marker (rules 2.1).
    again = follower is mover
    if turn.best_capture_left is not None:
        yield _left_words(turn, who, again=again)
    if turn.reply is not None:
        tribe, square = term(Tribe(turn.reply.tribe).noun, plural=True), SQUARE_NAMES[turn.reply.end]
        doing = say("{player} takes {tribe} on {square}", player=who, tribe=tribe, square=square)
        share = f"{'~' if turn.about else ''}{round(turn.reply.gain):+d}"
        often = _often(turn.reply.share)
        if again:
            yield say("most likely next: {doing} ({points}), {often}", doing=doing, points=share, often=often)
        else:
            yield say("most likely reply: {doing} ({points}), {often}", doing=doing, points=share, often=often)


def _left_words(turn: AdvisedTurn, who: Phrase, *, again: bool) -> Phrase:
    most = round(turn.best_capture_left or 0.0)
    points = say("about {points}", points=most) if turn.about else str(most)
    match again, most > 0:
        case False, True:
            return say("leaves {player} no turn worth more than {points} straight away", player=who, points=points)
        case False, False:
            return say("leaves {player} no turn that scores straight away", player=who)
        case True, False:
            return say("leaves {player}, who plays again, no turn that scores straight away", player=who)
    return say(
        "leaves {player}, who plays again, no turn worth more than {points} straight away", player=who, points=points
    )


def _often(share: float) -> Phrase:
    if share > SURE:
        return say("all of the time")
    return say("{share} of the time", share=percentage(max(share, 0.01)))


def better_than_next(turn: AdvisedTurn) -> Phrase:
    """How much better the turn is than the next of the list, with the noise of that, by category; "" if unknown."""
    if turn.next_best is None:
        return joined("", ())
    if turn.next_best.is_level:
        if turn.next_best.error is None:
            return say("as good as the next")
        return say("too close to the next to call: {points} apart", points=_size(turn.next_best))
    size = _size(turn.next_best)
    difference = say("{points} worse than the next", points=size)
    if turn.next_best.value >= 0:
        difference = say("{points} better than the next", points=size)
    return joined(": ", (difference, parts)) if (parts := category_words(turn)) else difference


def behind_first(turn: AdvisedTurn) -> Phrase:
    """How much less the turn is worth than the first of the list, with the noise of that."""
    if turn.equal and turn.behind.error is None:
        return say("as good as the first")
    if turn.equal:
        return say("too close to the first to call: {points} less", points=_size(turn.behind))
    return say("{points} less than the first", points=_size(turn.behind))


def _size(difference: Estimate) -> Phrase:
    value = decimal(abs(difference.value))
    return value if difference.error is None else joined(" ± ", (value, decimal(difference.error)))


def _with_error(estimate: Estimate) -> Phrase:
    """The size of an estimate, with its error where that's over a point."""
    return _size(estimate) if (estimate.error or 0.0) > 1 else decimal(abs(estimate.value))


def category_words(turn: AdvisedTurn) -> Phrase:
    """The categories in which the turn differs most from the next of the list: "+3.0 goods, -1.0 tiles"."""
    large = [(name, points) for name, points in turn.categories.items() if abs(points) >= MIN_DIFFERENCE]
    large.sort(key=lambda one: -abs(one[1]))
    shown = large[:_MAX_CATEGORIES]
    parts = [joined(" ", (decimal(points, signed=True), _category(name, points))) for name, points in shown]
    rest = sum(turn.categories.values()) - sum(points for _, points in shown)
    if parts and abs(rest) >= MIN_DIFFERENCE:
        parts.append(say("{points} other", points=decimal(rest, signed=True)))
    return joined(", ", parts)


def _category(name: str, points: float) -> str:
    if name == TO_COME:
        return say_as("points that are expected later", "to come")
    if name != OPPONENTS:
        return category_name(name)
    return say("as the best opponent gets less") if points > 0 else say("as the best opponent gets more")


def equals(alike: Sequence[AdvisedTurn]) -> str:
    """Which turns of a list are as good as its first or may be, in words; "" if none."""
    equal = [1, *(number for number, turn in enumerate(alike[1:], 2) if turn.equal)]
    sentences: list[str] = []
    if len(equal) > 1 and all(alike[number - 1].behind.error is None for number in equal[1:]):
        sentences.append(say("Turns {numbers} are equally good.", numbers=_numbers(equal)))
    elif len(equal) > 1:
        words = say("Turns {numbers} are too close to call: they're less than a point apart.", numbers=_numbers(equal))
        sentences.append(words)
    unsure = [number for number, turn in enumerate(alike[1:], 2) if turn.behind.is_open and not turn.equal]
    if unsure:
        sentences.append(say("Perhaps as good as the first: {numbers}.", numbers=_numbers(unsure)))
    return joined(" ", sentences)


def _numbers(numbers: Sequence[int]) -> Phrase:
    if len(numbers) > 2 and all(later - one == 1 for one, later in pairwise(numbers)):
        return say("{first} to {last}", first=numbers[0], last=numbers[-1])
    return listed([str(number) for number in numbers])
