"""Turns in words that people can follow and add up: what to do, what it brings now, what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
    TurnAdvice,
)
from companion.advisor.explanation import ExplainedTurn, cards_words, explain_turn, victim_words
from companion.language.phrase import (
    Phrase,
    capitalised,
    counted,
    decimal,
    joined,
    listed,
    percentage,
    say,
    say_as,
    term,
)
from companion.notation.records.recording import actions_line
from companion.rules.engine.scoring import category_name
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    KeepDjinn,
    Sell,
    Sow,
    Sowing,
    UsePower,
)
from companion.rules.model.board import SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import CardsTaken, Event, MeeplesTaken, TileClaimed
from companion.rules.model.state import GameState

MIN_DIFFERENCE = 0.5
"""A difference of a category that is worth naming, in VP; smaller ones are added up."""

_MAX_CATEGORIES = 6
SURE = 0.995
"""A share of playouts that counts as all of them."""

_GO_ON = {
    "card": say("carry on with the card drawn"),
    "djinn": say("carry on with the djinns drawn"),
    "meeple": say("carry on with the meeples drawn"),
}
_GOES_ON = {
    "card": say("then the turn carries on with the card drawn"),
    "djinn": say("then the turn carries on with the djinns drawn"),
    "meeple": say("then the turn carries on with the meeples drawn"),
}


@dataclass(frozen=True, slots=True)
class TurnWords:
    """A turn in words.

    `start` is what to lift ("c3: lift its 4 meeples"), `path` how it goes ("c3 > c4b > d4y"), `aim` what is done
    ("take 3 viziers on d4 and claim it"), `doing` both without the way ("lift the 4 meeples on c3 and end on d4: ..."),
    `headline` the whole turn in short, `reasons` a sentence each on what it is worth, one of them the `outlook`.
    `explained` is what they rest on.
    """

    turn: AdvisedTurn
    explained: ExplainedTurn
    start: str
    path: str
    aim: Phrase
    doing: Phrase
    headline: str
    outlook: Phrase
    reasons: tuple[str, ...]

    @property
    def reasons_without_outlook(self) -> tuple[str, ...]:
        """The reasons without the margin expected at the end, which tells how many points others have."""
        return tuple(reason for reason in self.reasons if reason != self.outlook)


def turn_words(state: GameState, turn: AdvisedTurn, *, first: bool = False) -> TurnWords:
    """A turn that begins in a state in words; the `first` is compared with the next, others with the first.

    Raises what playing the turn raises.
    """
    explained = explain_turn(state, turn.actions)
    board = state.position.board
    expected = outlook(turn, len(state.position.players))
    reasons: list[str] = [now(explained), expected, *_leaving(turn, state.mover)]
    reasons += filter(None, [better_than_next(turn) if first else behind_first(turn)])
    path = "" if turn.sowing is None else path_words(turn.sowing)
    aim, doing, headline = turn_aim(board, explained), _whole_doing(board, explained), turn_headline(board, explained)
    return TurnWords(turn, explained, _start(board, turn), path, aim, doing, headline, expected, tuple(reasons))


def words_of(advice: TurnAdvice) -> list[TurnWords]:
    """The advised turns in words, best first; none where nobody is to move."""
    return [turn_words(advice.state, turn, first=place == 0) for place, turn in enumerate(advice.turns)]


def best_ways(words: Sequence[TurnWords]) -> list[TurnWords]:
    """Of each idea the best way, in the same order."""
    best: dict[int, TurnWords] = {}
    for one in words:
        best.setdefault(one.turn.idea, one)
    return list(best.values())


def record_line(one: TurnWords) -> str:
    """An advised turn as a record writes it."""
    return actions_line(one.explained.begins, one.turn.actions, open_ended=one.turn.open_ended)


def no_move_words(player: Colour) -> Phrase:
    """That a player has no legal move, and what remains."""
    return say(
        "{player} has no legal move, so the game ends with this round (rules 9.2); powers and sales are still "
        "possible.",
        player=term(player),
    )


def look_words(start: str) -> Phrase:
    """A nudge: where to look."""
    return say("Look at {start}.", start=start)


def path_words(sowing: Sowing) -> str:
    """A sowing step by step: "c3 > c4b > d4y"."""
    return str(sowing).replace(">", " > ")


def _start(board: Board, turn: AdvisedTurn) -> Phrase:
    if turn.sowing is None:
        return say("djinns and goods: no meeples can move")
    number, square = sum(board[turn.sowing.start].meeples), SQUARE_NAMES[turn.sowing.start]
    if number == 1:
        return say("{square}: lift its only meeple", square=square)
    return say("{square}: lift its {meeples}", square=square, meeples=counted(number, "meeple"))


def turn_headline(board: Board, explained: ExplainedTurn) -> Phrase:
    """The whole turn in one line: powers before the move, the path, then everything else in its order."""
    return _in_order(board, explained, lambda sowing: path_words(sowing) + ": ")


def _whole_doing(board: Board, explained: ExplainedTurn) -> Phrase:
    """The same with what is lifted and where it ends in place of the path."""

    def lifting(sowing: Sowing) -> Phrase:
        meeples = counted(sum(board[sowing.start].meeples), "meeple")
        start, end = SQUARE_NAMES[sowing.start], SQUARE_NAMES[sowing.end]
        return say("lift the {meeples} on {start} and end on {end}: ", meeples=meeples, start=start, end=end)

    return _in_order(board, explained, lifting)


def _in_order(board: Board, explained: ExplainedTurn, moving: Callable[[Sowing], str]) -> Phrase:
    """All that is done, in its order, with words for the move."""
    before: list[Phrase] = []
    after: list[Phrase] = []
    move = ""
    for action, events in explained.steps:
        if isinstance(action, Sow):
            move = moving(action.sowing)
        (after if move else before).extend(_doing(action, events))
        claims = [event.square for event in events if isinstance(event, TileClaimed)]
        (after if move else before).extend(claim_words(board, square) for square in claims)
    if explained.open_before:
        (after if move else before).append(_GO_ON[explained.open_before])
    if not move:
        return joined(", ", before) if before else say("no meeples can move, and nothing else is worth doing")
    whole = joined("", (move, joined(", ", after)))
    return say("{first}, then {turn}", first=joined(", ", before), turn=whole) if before else whole


def turn_aim(board: Board, explained: ExplainedTurn) -> Phrase:
    """The turn as somebody says it at the table, without the way: "take 3 viziers on d5 and claim it, buy fish"."""
    taken, parts = explained.taken, list[Phrase]()
    for action, events in explained.steps:
        claims = [event.square for event in events if isinstance(event, TileClaimed)]
        if isinstance(action, Sow) and taken is not None:
            meeples, square = counted(taken.count, taken.tribe.noun), SQUARE_NAMES[taken.end]
            if taken.end in claims:
                parts.append(say("take {meeples} on {square} and claim it", meeples=meeples, square=square))
            else:
                parts.append(say("take {meeples} on {square}", meeples=meeples, square=square))
            claims = [claim for claim in claims if claim != taken.end]
        else:
            parts.extend(_doing(action, events))
        parts.extend(claim_words(board, square) for square in claims)
    if explained.open_before:
        parts.append(_GO_ON[explained.open_before])
    return joined(", ", parts) if parts else say("no meeples can move, and nothing else is worth doing")


def points_now(explained: ExplainedTurn) -> str:
    """What a turn brings at once, in points: "+14", or "~+14" where that hangs on what isn't known."""
    explanation = explained.explanation
    return f"~{round(explanation.expected):+d}" if explanation.possible else f"{explanation.gain:+d}"


def best_sentence(words: TurnWords, mover: Colour | None, name: Callable[[Colour], str]) -> Phrase:
    """The best turn: what to do, what it brings now and what the best answer is worth; `name` names players."""
    turn, doing, points = words.turn, capitalised(words.doing), points_now(words.explained)
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


def claim_words(board: Board, square: int) -> Phrase:
    """A claim: "claim d4 (V6)"."""
    tile = f"{SQUARE_NAMES[square]} ({board[square].kind.code})"
    return say("claim {tile}", tile=tile)


def _doing(action: Action, events: Sequence[Event]) -> Iterator[Phrase]:
    """What a decision is called, as far as it is a choice worth naming."""
    match action:
        case Sow():
            taken = [event for event in events if isinstance(event, MeeplesTaken)]
            yield from (_taking(event.count, event.tribe) for event in taken)
        case ActTribe(choice):
            if choice.fakirs:
                yield say("spend {fakirs}", fakirs=counted(choice.fakirs, "fakir"))
            if choice.victims:
                killed = listed([victim_words(victim) for victim in choice.victims])
                if choice.helper is None:
                    yield say("kill {whom}", whom=killed)
                else:
                    yield say("kill {whom} with {djinn}", whom=killed, djinn=term(choice.helper.djinn))
        case ActTile(choice):
            bought = [event for event in events if isinstance(event, CardsTaken)]
            yield from (say("buy {cards}", cards=cards_words(event.cards)) for event in bought)
            if choice.djinn is not None:
                yield say("take {djinn}", djinn=term(choice.djinn))
            if choice.helper is not None and choice.onto is not None:
                onto = SQUARE_NAMES[choice.onto]
                yield say("use {djinn} to build on {square}", djinn=term(choice.helper.djinn), square=onto)
        case UsePower():
            yield _using(action)
        case KeepDjinn(djinn):
            yield say("keep {djinn}", djinn=term(djinn))
        case Sell(goods):
            yield say("sell {goods}", goods=listed([term(good) for good in goods]))


def _taking(count: int, tribe: Tribe) -> Phrase:
    return say_as("meeples into the hand", "take {meeples}", meeples=counted(count, tribe.noun))


def _using(action: UsePower) -> Phrase:
    djinn = term(action.paid.djinn)
    used = say("use {djinn}", djinn=djinn)
    if action.square is not None:
        used = say("use {djinn} on {square}", djinn=djinn, square=SQUARE_NAMES[action.square])
    if action.helper is not None and action.onto is not None:
        helper, onto = term(action.helper.djinn), SQUARE_NAMES[action.onto]
        return say("{use} and {djinn} to build on {square}", use=used, djinn=helper, square=onto)
    return used


def now(explained: ExplainedTurn) -> Phrase:
    """What the turn brings at once, part by part, so that the parts add up to the sum before them."""
    explanation = explained.explanation
    parts = [str(effect) if effect.points else effect.text for effect in explanation.effects]
    sum_ = points_now(explained)
    text = say("now {points}", points=sum_)
    if parts:
        text = say("now {points}: {parts}", points=sum_, parts=joined(", ", parts))
    more = [*(possible.text for possible in explanation.possible), *explanation.conditions]
    if explained.open_before:
        more.append(_GOES_ON[explained.open_before])
    return joined("; ", [text, *more])


def outlook(one: AdvisedTurn | AdvisedBid, players: int, *, brief: bool = False) -> Phrase:
    """How likely so many players' game is won and what would be even, then how far from the best of the others it ends.

    How good that estimate is, too; if it's `brief`, only an error of over a point. What is exact is only said.
    """
    value, error = round(one.estimate.value, 1), one.estimate.error
    if error is None:
        return _certain(round(value))
    points = _with_error(one.estimate) if brief else _size(one.estimate)
    if value == 0 and points == decimal(0):
        expected = say("expected to end level")
    elif players < 3:
        ahead, behind = (
            say("expected to end {points} ahead", points=points),
            say("expected to end {points} behind", points=points),
        )
        expected = ahead if value >= 0 else behind
    elif value >= 0:
        expected = say("expected to end {points} ahead of the best of the others", points=points)
    else:
        expected = say("expected to end {points} behind the best of the others", points=points)
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
        return say("the game ends level")
    if margin > 0:
        return say("the game ends {points} ahead", points=margin)
    return say("the game ends {points} behind", points=-margin)


def _leaving(turn: AdvisedTurn, mover: Colour | None) -> Iterator[Phrase]:
    """What the next player can make of the board that is left, and most likely does."""
    follower = None if turn.reply is None else turn.reply.colour
    who = say("the next player") if follower is None else term(follower)
    # In a game of two the next turn may be the mover's own, with the other marker (rules 2.1).
    again = follower is mover
    if turn.best_capture_left is not None:
        most = round(turn.best_capture_left)
        points = _points(turn, most) if most > 0 else ""
        yield _left_again_words(who, points) if again else _left_words(who, points)
    if turn.reply is not None:
        tribe, square = term(Tribe(turn.reply.tribe).noun, plural=True), SQUARE_NAMES[turn.reply.end]
        doing = say("{player} takes {tribe} on {square}", player=who, tribe=tribe, square=square)
        share = f"{'~' if turn.about else ''}{round(turn.reply.gain):+d}"
        often = _often(turn.reply.share)
        if again:
            yield say("most likely next: {doing} ({points}), {often}", doing=doing, points=share, often=often)
        else:
            yield say("most likely reply: {doing} ({points}), {often}", doing=doing, points=share, often=often)


def _points(turn: AdvisedTurn, most: int) -> str:
    """The most that the next player gains, with "about" where that hangs on what isn't known."""
    return say("about {points}", points=most) if turn.about else str(most)


def _left_words(who: Phrase, points: str) -> Phrase:
    if points:
        return say("leaves {player} no turn worth more than {points} straight away", player=who, points=points)
    return say("leaves {player} no turn that scores straight away", player=who)


def _left_again_words(who: Phrase, points: str) -> Phrase:
    if points:
        return say(
            "leaves {player}, who plays again, no turn worth more than {points} straight away",
            player=who,
            points=points,
        )
    return say("leaves {player}, who plays again, no turn that scores straight away", player=who)


def _often(share: float) -> Phrase:
    if share > SURE:
        return say("all of the time")
    return say("{share} of the time", share=percentage(max(share, 0.01)))


def better_than_next(turn: AdvisedTurn) -> str:
    """How much better the turn is than the next of the list, with the noise of that, by category; "" if unknown."""
    if turn.next_best is None:
        return ""
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
