"""Playing records: every line by the rules, to the identical final state; wrong lines are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from companion.errors import (
    CompanionError,
    IllegalMoveError,
    ImpossiblePositionError,
    NotationError,
    UnusableInputError,
)
from companion.language.phrase import joined, named, say
from companion.notation.records import lines
from companion.notation.records.corrections import Change, unseen_changes
from companion.notation.records.header import Header, renamed
from companion.notation.records.player import Corrected, Played, RecordPlayer, played_steps
from companion.notation.records.recording import corrected, examples, rounds_of
from companion.rules.engine.legality import problems
from companion.rules.engine.resuming import start_game
from companion.rules.model.chance import WANTED, ChanceNeededError
from companion.rules.model.state import GameState, Stage


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played back. `owes_refill`: the clean-up isn't recorded yet (rules 8.1); `announced`: a last step
    without its draw; `turn`: what was played in the turn under way.
    """

    record: lines.Record
    start: GameState
    plays: tuple[Played, ...]
    state: GameState
    owes_refill: bool
    announced: str | None = None
    turn: tuple[Played, ...] = ()
    corrections: tuple[Corrected, ...] = ()

    def steps_of(self, line: int) -> tuple[str, ...]:
        """What was played on a line of the record, as phrases; the words of the line if nothing was."""
        written = next((at.entry for at in self.record.lines if at.number == line), None)
        words = written.steps if isinstance(written, lines.TurnLine) else ()
        steps = played_steps(play for play in self.plays if play.line == line)
        if self.announced is not None and words[-1:] == (self.announced,):
            steps = (*steps, self.announced)
        return steps or words

    @property
    def is_inside_turn(self) -> bool:
        """Whether the record breaks off in the middle of a turn."""
        return bool(self.turn) and not self.owes_refill and self.state.stage not in (Stage.BID, Stage.MOVE, Stage.END)


def opening(header: Header, *, unchecked_hands: bool = False) -> GameState:
    """The state that a record begins with; `unchecked_hands` as for `start_game`. Raises NotationError,
    UnusableInputError if the set-up says too little, ImpossiblePositionError.
    """
    try:
        position, hidden, djinns = header.setup, header.hidden, header.djinn_discards
    except NotationError as error:
        raise NotationError("setup: {error}", error=error) from None
    try:
        state = start_game(
            position, promo=header.promo, hidden=hidden, djinn_discards=djinns, unchecked_hands=unchecked_hands
        )
    except UnusableInputError as error:
        raise UnusableInputError("setup: {error}", error=error) from None
    absent = [colour for colour in header.names if colour not in state.position.colours]
    if absent:
        raise NotationError(
            "{absent} has a name in the record but isn't in its set-up", absent=joined(say(" and "), absent)
        )
    return state


def replay(record: lines.Record, *, unchecked_hands: bool = False) -> Replayed:
    """Play a record to its end; `unchecked_hands` as for `GameState`. Raises IllegalMoveError with line, rule and legal
    actions, NotationError, UnusableInputError, and as `opening`.
    """
    corrected = any(isinstance(line.entry, lines.CorrectionLine) for line in record.lines)
    player = RecordPlayer(opening(record.header, unchecked_hands=unchecked_hands or corrected))
    for line in record.lines:
        play_line(player, line)
    state = player.state
    if state.unchecked_hands and not unchecked_hands and not problems(state.position):
        # The hands fit together again, so they are checked from here on.
        state = replace(state, unchecked_hands=False)
    return Replayed(
        record,
        player.start,
        tuple(player.plays),
        state,
        player.owes_refill,
        player.announced,
        tuple(player.turn),
        tuple(player.corrections),
    )


def play_line(player: RecordPlayer, line: lines.Line) -> None:
    """Play one line; raises what `replay` raises."""
    player.line = line.number
    try:
        player.entry(line)
    except IllegalMoveError as error:
        legal = examples(player.state, start=player.lifting)
        instead = say("\n  legal here: {found}", found=joined(say("; or "), legal)) if legal else ""
        raise IllegalMoveError(
            "line {number}: {error}{instead}", number=line.number, error=error, instead=instead
        ) from None
    except ChanceNeededError as error:
        raise UnusableInputError("line {number}: {error}", number=line.number, error=_needed(error)) from None
    except ImpossiblePositionError as error:
        raise IllegalMoveError("line {number}: {error}", number=line.number, error=error) from None
    except UnusableInputError as error:
        raise lines.at_line(line.number, error) from None


def _needed(error: ChanceNeededError) -> str:
    names = list(error.options)
    some = joined(", ", [*map(named, names[:6]), *(["…"] if len(names) > 6 else [])])
    return say(
        "a {wanted} is drawn here, but the line doesn't say which; add it after ':' (it can be {some}) (rules 8.1, 11)",
        wanted=WANTED[error.wanted],
        some=some,
    )


def joined_record(records: Sequence[lines.Record]) -> lines.Record:
    """One record of several in order, with corrections in between, or remarks where no correction leads on."""
    return reduce(_joined, records)


def _joined(whole: lines.Record, part: lines.Record) -> lines.Record:
    try:
        before, begun = replay(whole, unchecked_hands=True).state, opening(part.header, unchecked_hands=True)
        joined_up = _corrected(whole, part, before, begun)
        if _standing(joined_up) == _standing(part):
            return joined_up
    except CompanionError:
        pass
    remarks = tuple(lines.Line(0, lines.Remark(), lines.format_line(line)) for line in whole.lines)
    return replace(part, lines=(*remarks, *part.lines))


def _corrected(whole: lines.Record, part: lines.Record, before: GameState, begun: GameState) -> lines.Record:
    record = corrected(whole, before.position, begun.position)
    line = record.lines[-1]
    assert isinstance(line.entry, lines.CorrectionLine)
    changes: tuple[Change, ...] = line.entry.changes
    if before.unseen or before.djinn_discards or begun.unseen or begun.djinn_discards:
        changes = (*changes, *unseen_changes(begun))
    between = (replace(line, entry=lines.CorrectionLine(changes)),) if changes else ()
    names = {colour: name for colour, name in part.header.names.items() if colour in whole.header.setup.colours}
    goes_on_bidding = begun.stage is Stage.BID and bool(begun.position.turn_order)
    rounds = max(rounds_of(whole) - goes_on_bidding, 0)
    later = (
        replace(line, entry=replace(line.entry, round=line.entry.round + rounds))
        if isinstance(line.entry, lines.BidsLine)
        else line
        for line in part.lines
    )
    return lines.Record(renamed(whole.header, whole.header.names | names), (*record.lines[:-1], *between, *later))


def _standing(record: lines.Record) -> tuple[object, ...]:
    """How the table is at the end of a record."""
    played = replay(record, unchecked_hands=True)
    return played.state.position, played.state.stage, played.owes_refill
