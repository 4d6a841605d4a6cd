"""One record of a game that was kept as several, each of which begins where the table was read or told anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from companion.errors import CompanionError
from companion.notation.records.corrections import Change, unseen_changes
from companion.notation.records.header import renamed
from companion.notation.records.lines import BidsLine, CorrectionLine, Line, Record, Remark, format_line
from companion.notation.records.recording import corrected, rounds_of
from companion.notation.records.replay import opening, replay
from companion.rules.model.state import GameState, Stage


def joined_record(records: Sequence[Record]) -> Record:
    """The whole game of records in order, at least one: a correction leads from the end of each to the next.

    Where the rules lead from one to the next by no correction, what was played before stands above the next as remarks.
    """
    return reduce(_joined, records)


def _joined(whole: Record, part: Record) -> Record:
    try:
        before, begun = replay(whole, hands_as_told=True).state, opening(part.header, hands_as_told=True)
        found = _corrected(whole, part, before, begun)
        if _standing(found) == _standing(part):
            return found
    except CompanionError:
        pass
    told = tuple(Line(0, Remark(), format_line(line)) for line in whole.lines)
    return replace(part, lines=(*told, *part.lines))


def _corrected(whole: Record, part: Record, before: GameState, begun: GameState) -> Record:
    record = corrected(whole, before.position, begun.position)
    line = record.lines[-1]
    assert isinstance(line.entry, CorrectionLine)
    changes: tuple[Change, ...] = line.entry.changes
    if before.unseen or before.djinn_discards or begun.unseen or begun.djinn_discards:
        changes = (*changes, *unseen_changes(begun))
    # What was told may be that all is as it was.
    between = (replace(line, entry=CorrectionLine(changes)),) if changes else ()
    names = {colour: name for colour, name in part.header.names.items() if colour in whole.header.setup.colours}
    goes_on_bidding = begun.stage is Stage.BID and bool(begun.position.turn_order)
    rounds = max(rounds_of(whole) - goes_on_bidding, 0)
    return Record(
        renamed(whole.header, whole.header.names | names),
        (*record.lines[:-1], *between, *(_later(line, rounds) for line in part.lines)),
    )


def _later(line: Line, rounds: int) -> Line:
    """A line of play so many rounds later."""
    entry = line.entry
    return replace(line, entry=replace(entry, round=entry.round + rounds)) if isinstance(entry, BidsLine) else line


def _standing(record: Record) -> tuple[object, ...]:
    """How the table stands at the end of a record."""
    played = replay(record, hands_as_told=True)
    return played.state.position, played.state.stage, played.owes_refill
