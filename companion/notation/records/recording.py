"""Making records: what was played becomes lines, and the last decision can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from companion.notation.records.corrections import changes_between
from companion.notation.records.lines import (
    BidsLine,
    CorrectionLine,
    Entry,
    Line,
    Record,
    RefillLine,
    Remark,
    ResultLine,
    TurnLine,
    format_entry,
)
from companion.notation.records.steps import NO_MOVE, Observation, added_step, step_phrase
from companion.notation.wording import record_words
from companion.rules.engine.game import Step, legal_actions, step
from companion.rules.engine.scoring import result_of_game
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.actions import Action, ActTribe, EndTurn, Lift, PlaceBid, Sow, UsePower
from companion.rules.model.chance import NOTHING_DRAWN, ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage

_SHORT_HAND = 6


def recorded(record: Record, state: GameState, action: Action, done: Step, *, owed: bool = False) -> Record:
    """The record with one more action, which led from `state` to `done`; `owed` if it's the clean-up after a turn."""
    if isinstance(action, PlaceBid):
        return _with_bid(record, state, action)
    if isinstance(action, EndTurn):
        return _with_end(record, state, done, owed=owed)
    return _with_step(record, _mover(state), action, step_phrase(state, action, done))


def _mover(state: GameState) -> Colour:
    assert state.mover is not None
    return state.mover


def _last(record: Record) -> tuple[int, Entry]:
    """The last line that isn't a remark, with its index; a remark at -1 if there is none."""
    for place in range(len(record.lines) - 1, -1, -1):
        if not isinstance(record.lines[place].entry, Remark):
            return place, record.lines[place].entry
    return -1, Remark()


def _put(record: Record, place: int, entry: Entry) -> Record:
    lines = list(record.lines)
    lines[place] = replace(lines[place], entry=entry)
    return replace(record, lines=tuple(lines))


def with_entry(record: Record, entry: Entry, comment: str | None = None) -> Record:
    return replace(record, lines=(*record.lines, Line(0, entry, comment)))


def _with_bid(record: Record, state: GameState, bid: PlaceBid) -> Record:
    made = (_mover(state), bid)
    place, last = _last(record)
    if isinstance(last, BidsLine) and state.position.turn_order:
        return _put(record, place, replace(last, bids=(*last.bids, made)))
    begins = not state.position.turn_order
    last_round = rounds_of(record)
    record = with_entry(record, Remark()) if begins else record
    return with_entry(record, BidsLine(max(last_round + begins, 1), (made,)))


def rounds_of(record: Record) -> int:
    """The last round in which a record has bids; 0 where it has none."""
    return max((line.entry.round for line in record.lines if isinstance(line.entry, BidsLine)), default=0)


def _with_step(record: Record, colour: Colour, action: Action, words: str) -> Record:
    place, last = _last(record)
    if not (isinstance(last, TurnLine) and last.open):
        return with_entry(record, TurnLine(colour, (words,), open=True))
    return _put(record, place, replace(last, steps=added_step(last.steps, action, words)))


def _with_end(record: Record, state: GameState, done: Step, *, owed: bool) -> Record:
    if not owed:
        record = shut(record, state)
    if done.drawn != NOTHING_DRAWN:
        record = with_entry(record, RefillLine(Observation(done.drawn.cards, done.drawn.djinns)))
    return with_result(record, done.state)


def with_result(record: Record, state: GameState) -> Record:
    """The record with the final points, if the game is over and they are all known."""
    result = result_of_game(state)
    if not state.is_over or result.unknown:
        return record
    return with_entry(record, ResultLine(tuple((colour, score.total) for colour, score in result.scores.items())))


def corrected(record: Record, before: Position, after: Position) -> Record:
    """The record with a correction, and without the final points, which no longer count."""
    place, last = _last(record)
    if isinstance(last, ResultLine):
        record = replace(record, lines=record.lines[:place])
    return with_entry(record, CorrectionLine(changes_between(before, after)))


def shut(record: Record, state: GameState) -> Record:
    """The record with the turn over, before its clean-up."""
    place, last = _last(record)
    if isinstance(last, TurnLine) and last.open:
        return _put(record, place, replace(last, open=False))
    # A turn that goes on after a correction may have had its move before it.
    steps = () if isinstance(last, CorrectionLine) else (NO_MOVE,)
    return with_entry(record, TurnLine(_mover(state), steps))


def without_last_decision(record: Record) -> Record | None:
    """The record without its last decision (a sowing is one), and its line's comment; None if there is none."""
    place, last = _last(record)
    cut, upto = (replace(record, lines=record.lines[:end]) for end in (place, place + 1))
    match last:
        case Remark():
            return None
        case ResultLine():
            return without_last_decision(cut)
        case RefillLine() | CorrectionLine():
            return cut
        case BidsLine():
            if len(last.bids) > 1:
                return _put(upto, place, replace(last, bids=last.bids[:-1]))
            blank = cut.lines[-1:] and cut.lines[-1].entry == Remark() and cut.lines[-1].comment is None
            return replace(cut, lines=cut.lines[:-1]) if blank else cut
        case TurnLine():
            if not last.open and [step.lower() for step in last.steps] != [NO_MOVE]:
                return _put(upto, place, replace(last, open=True))
            if len(last.steps) > 1:
                return _put(upto, place, replace(last, steps=last.steps[:-1]))
            return cut


def commented(record: Record, comment: str) -> Record:
    """The record with a comment on its last line of play, or on a line of its own."""
    place, _ = _last(record)
    text = " ".join(comment.split())
    if place < 0 or place != len(record.lines) - 1:
        return with_entry(record, Remark(), text)
    line = record.lines[place]
    lines = (*record.lines[:place], replace(line, comment=f"{line.comment}; {text}" if line.comment else text))
    return replace(record, lines=lines)


def actions_line(state: GameState, actions: Sequence[Action], *, open_ended: bool = False) -> str:
    """A whole turn as a record writes it, as `turn_of` takes it."""
    return format_entry(turn_of(state, actions, open_ended=open_ended))


def turn_of(
    state: GameState, actions: Sequence[Action], drawn: Sequence[Drawn] = (), *, open_ended: bool = False
) -> TurnLine:
    """A whole turn as a line, open where a draw isn't among `drawn` or it's `open_ended`. Raises IllegalMoveError."""
    mover = _mover(state)
    steps: tuple[str, ...] = ()
    for place, action in enumerate(actions):
        if isinstance(action, EndTurn):
            break
        chance = ScriptedChance(drawn[place] if place < len(drawn) else NOTHING_DRAWN)
        try:
            done = step(state, action, chance)
        except ChanceNeededError:
            # Merchants who draw are no choice (rules 5.2).
            if isinstance(action, UsePower) or (isinstance(action, ActTribe) and action.choice.victims):
                steps = added_step(steps, action, record_words(state, action))
            return TurnLine(mover, steps, open=True)
        steps = added_step(steps, action, step_phrase(state, action, done))
        state = done.state
    if not steps and not open_ended:
        steps = (NO_MOVE,)
    return TurnLine(mover, steps, open=open_ended)


def examples(state: GameState, number: int = 4, start: int | None = None) -> list[str]:
    """A few legal actions as records write them; whole sowings if meeples are to be moved, two from `start` first."""
    if state.stage is not Stage.MOVE:
        options = legal_actions(state)
        some = options[:: max(1, len(options) // number)]
        return [record_words(state, action) for action in some[:number]]
    board = state.position.board
    starts = [action.square for action in legal_actions(state) if isinstance(action, Lift)]
    # Finding the first legal sowing of a large hand may take long.
    short = [square for square in starts if sum(board[square].meeples) <= _SHORT_HAND] or starts[:1]
    sowings = list(islice(legal_sowings(board, [start]), 2)) if start in short else []
    sowings += [next(legal_sowings(board, [square])) for square in short[: number - len(sowings)] if square != start]
    return [record_words(state, Sow(sowing)) for sowing in sowings]
