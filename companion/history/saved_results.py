"""What the text of a revision is, who plays in it, and what came out of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from companion.errors import CompanionError, NotationError, is_garbled
from companion.notation.files import parse_position
from companion.notation.outcome import parse_outcome
from companion.notation.records import is_record
from companion.notation.records.corrections import changes_between
from companion.notation.records.lines import (
    BidsLine,
    CorrectionLine,
    Record,
    Remark,
    ResultLine,
    format_entry,
    format_record,
    parse_record,
)
from companion.notation.records.recording import with_entry
from companion.notation.records.replay import Replayed, joined_record, replay
from companion.notation.score_entries import clear_day, held_of
from companion.notation.score_sheet import is_sheet, parse_sheet
from companion.rules.engine.scoring import CATEGORIES, Holdings, holdings, known_total, result_of, score_holdings
from companion.rules.model.components import Colour
from companion.rules.model.events import BidPlaced
from companion.rules.model.position import Position
from companion.rules.model.state import NOTHING_HIDDEN

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


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's points in VP by category, None where not known; `place` from 1, shared (rules 9.3), and 0 for all
    where nobody can say who has won.
    """

    points: Mapping[str, int | None]
    total: int
    place: int

    @property
    def total_words(self) -> str:
        """The points in all as far as they are known: "44", or "44 + ?"."""
        return known_total(self.total, is_whole=self.place > 0 or None not in self.points.values())


@dataclass(frozen=True, slots=True)
class DjinnHeld:
    """A djinn that a player had at the end, and the VP that its holder would not have had without it."""

    colour: Colour
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class SavedBid:
    """A bid: its round, from 1 over all parts, whose, its spot's price in GC, and what was `paid` (rules 3.4, 11.8),
    None where that isn't known.
    """

    round: int
    colour: Colour
    price: int
    paid: int | None = None


@dataclass(frozen=True, slots=True)
class SavedResult:
    """What came out of a game."""

    players: Mapping[Colour, PlayerResult]
    djinns: tuple[DjinnHeld, ...] = ()
    bids: tuple[SavedBid, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether somebody is known to have won."""
        return any(player.place == 1 for player in self.players.values())


@dataclass(frozen=True, slots=True)
class GamePart:
    """The last text of a part of a game: a part ends where the table was read anew in the middle."""

    kind: TextKind
    text: str


def whole_record(parts: Sequence[GamePart]) -> str | None:
    """A game's record from its parts in order, whatever was put right in between, by a comment where the rules can't go
    on; None for a game not played by the rules. Raises NotationError.
    """
    texts = _records(parts)
    now = parts[-1].text if parts and parts[-1].kind is TextKind.POSITION else ""
    return _joined(texts, now) if len(texts) > 1 or (texts and now) else next(iter(texts), None)


# A page shows it each time that somebody looks.
@lru_cache(maxsize=64)
def _joined(texts: tuple[str, ...], now: str) -> str:
    record = joined_record([parse_record(text) for text in texts])
    if now:
        end = replay(record, unchecked_hands=True).state.position
        put_right = CorrectionLine(changes_between(end, parse_position(now)))
        record = with_entry(record, Remark(), format_entry(put_right))
    return format_record(record)


def _records(parts: Sequence[GamePart]) -> tuple[str, ...]:
    """The records of a game's parts in order; one that goes on where another one ended stands for both."""
    texts: list[str] = []
    for part in parts:
        if part.kind is TextKind.RECORD:
            if texts and _goes_on(parse_record(texts[-1]), parse_record(part.text)):
                texts.pop()
            texts.append(part.text)
    return tuple(texts)


def _goes_on(before: Record, after: Record) -> bool:
    """Whether a record has all lines of another one at its beginning, but for the final points, then a correction."""
    lines = [line.entry for line in before.lines if not isinstance(line.entry, ResultLine)]
    same, later = after.lines[: len(lines)], after.lines[len(lines) :]
    return (
        before.header.tag("setup") == after.header.tag("setup")
        and [line.entry for line in same] == lines
        and bool(later)
        and isinstance(later[0].entry, CorrectionLine)
    )


def compute_result(parts: Sequence[GamePart]) -> SavedResult:
    """The result of a game from its parts in order, at least one. Raises what `notation` and `rules` raise of texts
    that cannot be played.
    """
    last = parts[-1]
    bids = _bids(_records(parts))
    if last.kind is TextKind.OUTCOME:
        outcome = parse_outcome(last.text)
        assert outcome is not None, "what is kept was read when it was taken in"
        points = {
            colour: dict(zip(CATEGORIES, outcome.points.get(colour, (None,) * len(CATEGORIES)), strict=True))
            for colour in outcome.totals
        }
        # What was kept just before the outcome knows the djinns.
        before = [part for part in parts[:-1] if part.kind is not TextKind.OUTCOME]
        held = _djinns_of(before[-1]) if before else ()
        return SavedResult(_placed(points, outcome.totals, sure=outcome.decided), held, bids)
    if last.kind is TextKind.SHEET:
        raise NotationError("a score sheet without a board has no result of its own")
    position, unseen = _end(last)
    result = result_of(position, unseen=unseen)
    points = {
        colour: score.known | ({"goods": None} if colour in unseen else {}) for colour, score in result.scores.items()
    }
    totals = {colour: score.total for colour, score in result.scores.items()}
    return SavedResult(_placed(points, totals, sure=not result.unknown), _held(position), bids)


def _end(part: GamePart) -> tuple[Position, Mapping[Colour, int]]:
    """Where a part came to, and the cards in hands that nobody else has seen."""
    if part.kind is TextKind.RECORD:
        state = _replayed(part.text).state
        return state.position, state.unseen
    return parse_position(part.text), NOTHING_HIDDEN


# What was paid and where the game came to are asked of the same record.
@lru_cache(maxsize=1)
def _replayed(text: str) -> Replayed:
    # A table's phones may have told hands that do not go together; its game has a result all the same.
    return replay(parse_record(text), unchecked_hands=True)


def _djinns_of(part: GamePart) -> tuple[DjinnHeld, ...]:
    try:
        if part.kind is not TextKind.SHEET:
            return _held(_end(part)[0])
        # Without a board; what a sum of points stands for is not known to count djinns by.
        sheet = parse_sheet(part.text)
        return _djinns_in({colour: held_of(sheet.known(colour)) for colour in sheet.players})
    except CompanionError:
        return ()


def _held(position: Position) -> tuple[DjinnHeld, ...]:
    return _djinns_in({player.colour: holdings(position, player.colour) for player in position.players})


def _djinns_in(held: Mapping[Colour, Holdings]) -> tuple[DjinnHeld, ...]:
    """The djinns that players have, each with what it is worth to its holder beside the holder's others."""
    djinns: dict[str, DjinnHeld] = {}
    scores = score_holdings(held)
    for colour, own in held.items():
        for name in own.djinns or ():
            left = tuple(other for other in own.djinns or () if other != name)
            without = score_holdings({**held, colour: replace(own, djinns=left)})
            # There is one of each (rules 1.5): of a text that gives it to two, its first holder is kept.
            djinns.setdefault(name, DjinnHeld(colour, name, scores[colour].total - without[colour].total))
    return tuple(djinns.values())


def _bids(records: Sequence[str]) -> tuple[SavedBid, ...]:
    """The bids of all records in order; rounds go on counting where a record begins."""
    kept: list[SavedBid] = []
    for text in records:
        before = max((bid.round for bid in kept), default=0)
        lines = [line.entry for line in parse_record(text).lines if isinstance(line.entry, BidsLine)]
        first = min((line.round for line in lines), default=1)
        shift = before if first <= before else 0
        made = [(line.round + shift, *bid) for line in lines for bid in line.bids]
        paid: Sequence[int | None] = _paid(text) or [None] * len(made)
        kept += [
            SavedBid(number, colour, bid.price, price) for (number, colour, bid), price in zip(made, paid, strict=True)
        ]
    return tuple(kept)


def _paid(text: str) -> Sequence[int] | None:
    """What was paid for each bid of a record, in GC; None of a record that cannot be played."""
    try:
        plays = _replayed(text).plays
    except CompanionError:
        return None
    return [event.paid for play in plays for event in play.step.events if isinstance(event, BidPlaced)]


def _placed(
    points: Mapping[Colour, Mapping[str, int | None]], totals: Mapping[Colour, int], *, sure: bool
) -> dict[Colour, PlayerResult]:
    return {
        colour: PlayerResult(points[colour], total, 1 + sum(other > total for other in totals.values()) if sure else 0)
        for colour, total in totals.items()
    }
