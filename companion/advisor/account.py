"""A recorded game decision by decision: who bid and did what, what each turn brought, and how the points ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise

from companion.language.phrase import Phrase, say
from companion.notation.records.corrections import changes_phrase
from companion.notation.records.player import Played, played_steps
from companion.notation.records.replay import Replayed
from companion.notation.records.steps import NO_MOVE, steps_phrase
from companion.notation.wording import bid_words
from companion.rules.engine.scoring import GameResult, result_of_game, score
from companion.rules.model.actions import Action, Drop, EndTurn, Lift, PlaceBid, Sow, Sowing, sowing_in
from companion.rules.model.chance import NOTHING_DRAWN, Drawn
from companion.rules.model.components import Colour
from companion.rules.model.events import Event
from companion.rules.model.state import GameState


@dataclass(frozen=True, slots=True)
class RecordedBid:
    """A bid: the number of its line, the round as the record counts it, who made it, and the states around it."""

    line: int
    round: int
    colour: Colour
    _: KW_ONLY
    bid: PlaceBid
    before: GameState
    after: GameState

    @property
    def said(self) -> Phrase:
        """The bid as a record writes it: "3", "5 with 1 fakir"."""
        return bid_words(self.bid)


@dataclass(frozen=True)
class RecordedTurn:
    """A whole turn: the number of its first line, its round (0: under way where the record begins) and place in it.

    `actions` are its decisions in order, meeples moved as one `Sow`, its end left out; `drawn` is what chance gave to
    each, `events` all that happened, `said` the turn as a record writes it, without its player. `closed` is the state
    in which nothing is left but to end the turn, `after` the one after that, None where the record does not tell what
    came in the clean-up, or something was put right before it; `refill` is what came, at line `refill_line`.
    """

    line: int
    round: int
    place: int
    colour: Colour
    _: KW_ONLY
    before: GameState
    actions: tuple[Action, ...]
    drawn: tuple[Drawn, ...]
    events: tuple[Event, ...]
    said: Phrase
    closed: GameState
    after: GameState | None = None
    refill: Drawn = NOTHING_DRAWN
    refill_line: int = 0

    @property
    def drew(self) -> bool:
        """Whether chance gave anything within the turn."""
        return any(drawn != NOTHING_DRAWN for drawn in self.drawn)

    @property
    def sowing(self) -> Sowing | None:
        return sowing_in(self.actions)

    @cached_property
    def brought(self) -> Mapping[str, int]:
        """The mover's points by category just after it less those just before (rules 10)."""
        before, after = (score(state.position)[self.colour].points for state in (self.before, self.closed))
        return {category: after[category] - before[category] for category in after}

    @property
    def gain(self) -> int:
        """What it brought in all, in VP."""
        return sum(self.brought.values())

    @property
    def points(self) -> Mapping[Colour, int]:
        """Everybody's points after it."""
        return _points(self.closed)


def recorded_decisions(played: Replayed) -> tuple[tuple[RecordedBid | RecordedTurn, ...], tuple[Phrase, ...]]:
    """All bids and whole turns of a record in order, and a sentence on each turn that is none."""
    decisions: list[RecordedBid | RecordedTurn] = []
    rounds = 0
    bidding = False
    left_out: list[Phrase] = []
    for number, plays in _turns(played):
        first, last = plays[0], plays[-1]
        colour = first.before.mover
        assert colour is not None
        if isinstance(first.action, PlaceBid):
            rounds += not bidding
            bidding = True
            decisions.append(
                RecordedBid(first.line, rounds, colour, bid=first.action, before=first.before, after=last.step.state)
            )
            continue
        bidding = False
        ended = isinstance(last.action, EndTurn)
        acts = plays[:-1] if ended else plays
        if any(now.before != before.step.state for before, now in pairwise(acts)):
            left_out.append(
                say("The turn in line {line} was corrected before it ended, so it's left out.", line=first.line)
            )
            continue
        # A turn without its end is over all the same where only the clean-up is missing.
        if not ended and not (played.owes_refill and number == len(played.plays)):
            left_out.append(say("The turn in line {line} isn't over, so it's left out.", line=first.line))
            continue
        closed = acts[-1].step.state if acts else first.before
        seen_ending = ended and last.before == closed
        actions, drawn = _whole(acts)
        decisions.append(
            RecordedTurn(
                first.line,
                rounds,
                sum(isinstance(one, RecordedTurn) and one.round == rounds for one in decisions),
                colour,
                before=first.before,
                actions=actions,
                drawn=drawn,
                events=tuple(event for play in acts for event in play.step.events),
                said=steps_phrase(played_steps(acts) or (NO_MOVE,)),
                closed=closed,
                after=last.step.state if seen_ending else None,
                refill=last.step.drawn if seen_ending else NOTHING_DRAWN,
                refill_line=last.line,
            )
        )
    return tuple(decisions), tuple(left_out)


def correction_notes(played: Replayed) -> list[Phrase]:
    """A sentence on each line of a record that puts something right."""
    return [
        say(
            "Line {line}: corrected at the table: {what}.",
            line=correction.line,
            what=changes_phrase(correction.changes),
        )
        for correction in played.corrections
    ]


def _turns(played: Replayed) -> Iterator[tuple[int, Sequence[Played]]]:
    """The plays of one decision together, each with the number of plays up to its last."""
    broken_off = {correction.place for correction in played.corrections if correction.ends_turn}
    begun = 0
    for number, play in enumerate(played.plays, 1):
        if isinstance(play.action, (PlaceBid, EndTurn)) or number in broken_off or number == len(played.plays):
            yield number, played.plays[begun:number]
            begun = number


def _whole(plays: Sequence[Played]) -> tuple[tuple[Action, ...], tuple[Drawn, ...]]:
    """The actions of a turn with a sowing of steps as one, and what was drawn at each."""
    actions: list[Action] = []
    drawn: list[Drawn] = []
    for play in plays:
        match play.action:
            case Lift():
                continue
            case Drop() if play.step.state.progress.hand is not None:
                continue
            case Drop():
                hand = play.before.progress.hand
                assert hand is not None
                path, drops = (*hand.path, play.action.square), (*hand.drops, play.action.tribe)
                actions.append(Sow(Sowing(hand.start, path, drops)))
            case _:
                actions.append(play.action)
        drawn.append(play.step.drawn)
    return tuple(actions), tuple(drawn)


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round, its number as of `RecordedTurn`, with its bids and its turns."""

    number: int
    bids: tuple[RecordedBid, ...]
    turns: tuple[RecordedTurn, ...]

    @property
    def points(self) -> Mapping[Colour, int] | None:
        """Everybody's points after the bids; None without any."""
        return _points(self.bids[-1].after) if self.bids else None

    @property
    def before(self) -> GameState | None:
        """How the table stood before the round's first turn."""
        return self.turns[0].before if self.turns else None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A recorded game as far as it got: its beginning, everybody's `points` then, its rounds, its result, `notes`."""

    start: GameState
    state: GameState
    rounds: tuple[RoundSummary, ...]
    result: GameResult
    _: KW_ONLY
    names: Mapping[Colour, str]
    date: str | None
    place: str | None
    points: Mapping[Colour, int]
    notes: tuple[str, ...]

    @property
    def turns(self) -> tuple[RecordedTurn, ...]:
        return tuple(turn for round_ in self.rounds for turn in round_.turns)


def summarise_game(played: Replayed, *, torn: int | None = None) -> GameSummary:
    """A record that was played back, round by round; `torn` is the number of a line that it was cut off in."""
    decisions, left_out = recorded_decisions(played)
    header = played.record.header
    numbers = dict.fromkeys(decision.round for decision in decisions)
    return GameSummary(
        played.start,
        played.state,
        tuple(_round(number, [decision for decision in decisions if decision.round == number]) for number in numbers),
        result_of_game(played.state),
        names=header.names,
        date=header.tag("date"),
        place=header.tag("place"),
        points=_points(played.start),
        notes=_notes(played, left_out, torn),
    )


def _notes(played: Replayed, left_out: Sequence[str], torn: int | None) -> tuple[str, ...]:
    notes: list[str] = [*correction_notes(played), *left_out]
    if torn is not None:
        notes.append(say("The record breaks off in line {line}; that line is left out.", line=torn))
    if not played.state.is_over:
        notes.append(say("The game isn't over; these are the points so far."))
    return tuple(notes)


def _points(state: GameState) -> dict[Colour, int]:
    return {colour: one.total for colour, one in score(state.position).items()}


def _round(number: int, decisions: list[RecordedBid | RecordedTurn]) -> RoundSummary:
    bids = tuple(decision for decision in decisions if isinstance(decision, RecordedBid))
    return RoundSummary(number, bids, tuple(one for one in decisions if isinstance(one, RecordedTurn)))
