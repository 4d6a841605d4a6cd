"""What the text of a revision is, and who plays in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.errors import NotationError, is_garbled
from companion.notation.files import parse_position
from companion.notation.outcome import parse_outcome
from companion.notation.records import is_record
from companion.notation.records.lines import parse_record
from companion.notation.score_entries import clear_day
from companion.notation.score_sheet import is_sheet, parse_sheet
from companion.rules.model.components import Colour

MAX_LETTERS = 1_000_000
"""More than any game takes: as many as an input of the program may have (`inputs.LIMITS`)."""


class TextKind(StrEnum):
    """What a text is that a game is kept as."""

    POSITION = "position"
    RECORD = "record"
    OUTCOME = "outcome"
    SHEET = "sheet"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a text tells of its game: who plays, each with a name or "", the day (2026-02-14 or ""), the place."""

    kind: TextKind
    players: Mapping[Colour, str] = field(default_factory=dict)
    date: str = ""
    place: str = ""


def contents_of(text: str) -> Contents:
    """What a text is and who plays in it; its lines aren't played. Raises NotationError for a text of no game."""
    if is_garbled(text):
        raise NotationError("the text isn't valid UTF-8; save it again as UTF-8")
    if len(text) > MAX_LETTERS:
        raise NotationError("the text is longer than any game's")
    kind = kind_of(text)
    if kind is TextKind.RECORD:
        header = parse_record(text).header
        players = {colour: header.names.get(colour, "") for colour in header.setup.colours}
        return Contents(kind, players, clear_day(header.tag("date") or ""), header.tag("place") or "")
    if kind is TextKind.OUTCOME and (outcome := parse_outcome(text)):
        players = {colour: outcome.names.get(colour, "") for colour in outcome.totals}
        return Contents(kind, players, clear_day(outcome.date), outcome.place)
    if kind is TextKind.SHEET:
        sheet = parse_sheet(text)
        return Contents(kind, sheet.players, clear_day(sheet.date), sheet.place)
    return Contents(kind, dict.fromkeys(parse_position(text).colours, ""))


def kind_of(text: str) -> TextKind:
    """What a text means to be, by what it begins with; its lines are not read."""
    if is_record(text):
        return TextKind.RECORD
    if parse_outcome(text) is not None:
        return TextKind.OUTCOME
    return TextKind.SHEET if is_sheet(text) else TextKind.POSITION
