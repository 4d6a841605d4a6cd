"""A recorded game told turn by turn: who bid and did what, what each turn brought, and how the points ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from companion.advisor.recorded import RecordedBid, RecordedTurn, corrections_told, recorded_decisions
from companion.language.phrase import Phrase, say
from companion.notation.records.recording import turn_of
from companion.notation.records.replay import Replayed
from companion.notation.records.steps import steps_phrase, warning_note
from companion.rules.engine.game import step
from companion.rules.engine.scoring import GameResult, result_of_game, score
from companion.rules.model.actions import Sow, Sowing
from companion.rules.model.chance import ScriptedChance
from companion.rules.model.components import Colour
from companion.rules.model.events import Event
from companion.rules.model.state import GameState


@dataclass(frozen=True, slots=True)
class BidTold:
    """A bid: its line in the record, who made it, and how the record writes it ("3", "5 with 1 fakir")."""

    line: int
    colour: Colour
    said: Phrase


@dataclass(frozen=True, slots=True)
class TurnTold:
    """A turn: its place in its round from 0, what was played, all that happened, and what it brought.

    `said` is the turn as a record writes it, without its player; `brought` are the mover's points by category just
    after it less those just before (rules 10), `points` everybody's after it.
    """

    line: int
    place: int
    colour: Colour
    _: KW_ONLY
    before: GameState
    sowing: Sowing | None
    said: Phrase
    events: tuple[Event, ...]
    brought: Mapping[str, int]
    points: Mapping[Colour, int]

    @property
    def gain(self) -> int:
        """What the turn brought in all, in VP."""
        return sum(self.brought.values())


@dataclass(frozen=True, slots=True)
class RoundTold:
    """A round: its number as of `RecordedTurn`, its bids, everybody's points after them, and its turns.

    `points` is None where the round has no bids, `before` is the state before its first turn, None where it has none.
    """

    number: int
    bids: tuple[BidTold, ...]
    points: Mapping[Colour, int] | None
    turns: tuple[TurnTold, ...]

    @property
    def before(self) -> GameState | None:
        """How the table stood before the round's first turn."""
        return self.turns[0].before if self.turns else None


@dataclass(frozen=True, slots=True)
class GameTold:
    """A recorded game, whole or as far as it got: how it began, its rounds, and how it stands.

    `points` are everybody's at the beginning; `notes` are sentences on what the record does not tell or tells oddly.
    """

    start: GameState
    state: GameState
    rounds: tuple[RoundTold, ...]
    result: GameResult
    _: KW_ONLY
    names: Mapping[Colour, str]
    date: str | None
    place: str | None
    points: Mapping[Colour, int]
    notes: tuple[str, ...]

    @property
    def turns(self) -> tuple[TurnTold, ...]:
        """All turns in order."""
        return tuple(turn for one in self.rounds for turn in one.turns)


def game_told(played: Replayed, *, torn: int | None = None) -> GameTold:
    """A record that was played back, told round by round; `torn` is the number of a line that it was cut off in."""
    decisions, left_out = recorded_decisions(played)
    header = played.record.header
    numbers = dict.fromkeys(one.round for one in decisions)
    return GameTold(
        played.start,
        played.state,
        tuple(_round(number, [one for one in decisions if one.round == number]) for number in numbers),
        result_of_game(played.state),
        names=header.names,
        date=header.tag("date"),
        place=header.tag("place"),
        points=_points(played.start),
        notes=_notes(played, left_out, torn),
    )


def _notes(played: Replayed, left_out: Sequence[str], torn: int | None) -> tuple[str, ...]:
    notes: list[str] = [*map(warning_note, played.warnings), *corrections_told(played), *left_out]
    if torn is not None:
        notes.append(say("The record is cut off in line {line}, which has no end and is left out.", line=torn))
    if not played.state.is_over:
        notes.append(say("The game is not over: points are as they stand."))
    return tuple(notes)


def _points(state: GameState) -> dict[Colour, int]:
    return {colour: one.total for colour, one in score(state.position).items()}


def _round(number: int, decisions: list[RecordedBid | RecordedTurn]) -> RoundTold:
    bids = [one for one in decisions if isinstance(one, RecordedBid)]
    turns = [one for one in decisions if isinstance(one, RecordedTurn)]
    return RoundTold(
        number,
        tuple(BidTold(one.line, one.colour, one.bid.words) for one in bids),
        _points(bids[-1].after) if bids else None,
        tuple(_turn(place, one) for place, one in enumerate(turns)),
    )


def _turn(place: int, turn: RecordedTurn) -> TurnTold:
    before, after = score(turn.before.position)[turn.colour].points, score(turn.closed.position)[turn.colour].points
    state, events = turn.before, list[Event]()
    for action, drawn in zip(turn.actions, turn.drawn, strict=True):
        done = step(state, action, ScriptedChance(drawn))
        events += done.events
        state = done.state
    return TurnTold(
        turn.line,
        place,
        turn.colour,
        before=turn.before,
        sowing=next((action.sowing for action in turn.actions if isinstance(action, Sow)), None),
        said=steps_phrase(turn_of(turn.before, turn.actions, turn.drawn).steps),
        events=tuple(events),
        brought={category: after[category] - before[category] for category in after},
        points=_points(turn.closed),
    )
