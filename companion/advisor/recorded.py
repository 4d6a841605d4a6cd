"""The decisions of a game record: each bid and each whole turn, with the states before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise

from companion.language.phrase import Phrase, say
from companion.notation.records.corrections import changes_phrase
from companion.notation.records.player import Played
from companion.notation.records.replay import Replayed
from companion.rules.model.actions import Action, Drop, EndTurn, Lift, PlaceBid, Sow, Sowing
from companion.rules.model.chance import NOTHING_DRAWN, Drawn
from companion.rules.model.components import Colour
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


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A whole turn, with the number of its first line; round 0 is the one that was under way where the record begins.

    `actions` are its decisions in order, meeples moved as one `Sow`, its end left out; `drawn` is what chance gave to
    each. `closed` is the state in which nothing is left but to end the turn, `after` the one after that, None where
    the record does not tell what came in the clean-up, or something was put right before it; `refill` is what came, at
    line `refill_line`.
    """

    line: int
    round: int
    colour: Colour
    _: KW_ONLY
    before: GameState
    actions: tuple[Action, ...]
    drawn: tuple[Drawn, ...]
    closed: GameState
    after: GameState | None = None
    refill: Drawn = NOTHING_DRAWN
    refill_line: int = 0

    @property
    def drew(self) -> bool:
        """Whether chance gave anything within the turn."""
        return any(drawn != NOTHING_DRAWN for drawn in self.drawn)


def recorded_decisions(played: Replayed) -> tuple[tuple[RecordedBid | RecordedTurn, ...], tuple[Phrase, ...]]:
    """All bids and whole turns of a record in order, and a sentence on each turn that is none."""
    found: list[RecordedBid | RecordedTurn] = []
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
            found.append(
                RecordedBid(first.line, rounds, colour, bid=first.action, before=first.before, after=last.step.state)
            )
            continue
        bidding = False
        ended = isinstance(last.action, EndTurn)
        acts = plays[:-1] if ended else plays
        if any(now.before != before.step.state for before, now in pairwise(acts)):
            left_out.append(
                say("The turn of line {line} was put right before it was over and is left out.", line=first.line)
            )
            continue
        # A turn without its end is over all the same where only the clean-up has not been told.
        if not ended and not (played.owes_refill and number == len(played.plays)):
            left_out.append(say("The turn of line {line} is not over and is left out.", line=first.line))
            continue
        closed = acts[-1].step.state if acts else first.before
        seen_ending = ended and last.before == closed
        actions, drawn = _whole(acts)
        found.append(
            RecordedTurn(
                first.line,
                rounds,
                colour,
                before=first.before,
                actions=actions,
                drawn=drawn,
                closed=closed,
                after=last.step.state if seen_ending else None,
                refill=last.step.drawn if seen_ending else NOTHING_DRAWN,
                refill_line=last.line,
            )
        )
    return tuple(found), tuple(left_out)


def corrections_told(played: Replayed) -> list[Phrase]:
    """A sentence on each line of a record that puts something right."""
    return [
        say("Line {line}: put right at the table: {what}.", line=one.line, what=changes_phrase(one.changes))
        for one in played.corrections
    ]


def _turns(played: Replayed) -> Iterator[tuple[int, Sequence[Played]]]:
    """The plays of one decision together, each with the number of plays up to its last."""
    broken_off = {one.place for one in played.corrections if one.ends_turn}
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
