"""The decisions of a game record: each bid and each whole turn, with the states before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import groupby

from companion.language.phrase import Phrase, say
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
    the record does not tell what came in the clean-up; `refill` is what came, at line `refill_line`.
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


def recorded_decisions(played: Replayed) -> tuple[tuple[RecordedBid | RecordedTurn, ...], int | None]:
    """All bids and whole turns of a record in order, and the line at which a turn begins that is not over, or None."""
    found: list[RecordedBid | RecordedTurn] = []
    rounds = 0
    bidding = False
    unfinished = None
    for number, plays in _turns(played.plays):
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
        # A turn without its end is over all the same where only the clean-up has not been told.
        if not ended and not (played.owes_refill and number == len(played.plays)):
            unfinished = first.line
            continue
        acts = plays[:-1] if ended else plays
        actions, drawn = _whole(acts)
        found.append(
            RecordedTurn(
                first.line,
                rounds,
                colour,
                before=first.before,
                actions=actions,
                drawn=drawn,
                closed=acts[-1].step.state if acts else first.before,
                after=last.step.state if ended else None,
                refill=last.step.drawn if ended else NOTHING_DRAWN,
                refill_line=last.line,
            )
        )
    return tuple(found), unfinished


def _turns(plays: Sequence[Played]) -> Iterator[tuple[int, Sequence[Played]]]:
    """The plays of one decision together, each with the number of plays up to its last."""
    ends = 0
    numbered: list[tuple[int, Played]] = []
    for play in plays:
        numbered.append((ends, play))
        ends += isinstance(play.action, (PlaceBid, EndTurn))
    done = 0
    for _, group in groupby(numbered, key=lambda one: one[0]):
        together = [play for _, play in group]
        done += len(together)
        yield done, together


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


def unfinished_note(line: int) -> Phrase:
    """That the turn which begins at a line is not over, so that nothing is told of it."""
    return say("The turn of line {line} is not over and is left out.", line=line)
