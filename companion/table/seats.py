"""What a seat at the table may see and tell: all that lies open, and its own hand (rules 12).

What is hidden is taken out of the values before anything is made of them, so that it can reach no page. What a seat
enters is checked against what it sees and nothing else, so that no refusal gives away what others hold; what others
entered stays. Where hands contradict one another, the table's own phone says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from companion.errors import NotationError, Problem
from companion.notation.records.corrections import Change
from companion.notation.records.lines import (
    CorrectionLine,
    Entry,
    Line,
    Record,
    Remark,
    TurnLine,
    format_entry,
    parse_line,
)
from companion.notation.records.steps import without_drawn_cards
from companion.rules.engine.decks import cards_known
from companion.rules.engine.legality import problems
from companion.rules.engine.resuming import next_decision
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.table.games import TableGame


class Spectator(StrEnum):
    """Who looks on without a seat."""

    SPECTATOR = "spectator"


_IN_HAND = ("gold", "fakirs", "goods")
"""What a player holds that others do not see (rules 12.2), as corrections name it."""

Seat = Colour | Spectator | None
"""Who looks at a table: a player's colour, which need not play; somebody who plays with nobody and sees what lies
open; None for the table's own phone, which sees all."""


def visible_position(position: Position, seat: Seat) -> Position:
    """A position as a seat sees it: without others' gold and cards, until the game is over (rules 12.2)."""
    if seat is None or is_counted(position):
        return position
    return position.without_hands(seat if isinstance(seat, Colour) else None)


def visible_game(game: TableGame, seat: Seat) -> TableGame:
    """A game as a seat sees it, to hold against it what the seat tells. How many cards others hold is known, as the
    deck shows that, but not which; whoever sees all has all hands compared.
    """
    if game.playing is None:
        position = game.position
        counts = dict.fromkeys(position.colours, 0) | _unseen_cards(position, seat)
        return TableGame(visible_position(position, seat), None, tuple(counts.values()), unchecked_hands=False)
    state = game.playing.state
    known = _unseen_cards(state.position, seat)
    hidden = state.hidden or (0,) * len(state.position.players)
    seen = replace(
        state,
        position=visible_position(state.position, seat),
        hidden=tuple(
            number + known[player.colour] for number, player in zip(hidden, state.position.players, strict=True)
        ),
        unchecked_hands=False,
    )
    return TableGame(seen.position, replace(game.playing, state=seen))


def _unseen_cards(position: Position, seat: Seat) -> dict[Colour, int]:
    """How many cards each player is known to hold that the seat does not see."""
    if seat is None or is_counted(position):
        return dict.fromkeys((player.colour for player in position.players), 0)
    return {player.colour: 0 if player.colour is seat else cards_known(player) for player in position.players}


def changed_by_seat(game: TableGame, seat: Seat, change: Callable[[TableGame], TableGame]) -> TableGame:
    """The game after a seat's change, if what the seat sees allows it. Raises what `change` raises."""
    change(visible_game(game, seat))
    return change(game)


def conflicts(position: Position) -> tuple[Problem, ...]:
    """What's impossible about all hands together, each entered by its player, and with what lies open."""
    return tuple(problem for problem in problems(position) if problem not in problems(position.without_hands()))


def without_conflicts(position: Position) -> Position:
    """The position to think about, in which hands that contradict one another are unknown."""
    if not conflicts(position):
        return position
    faults, after = problems(position), position
    for player in position.players:
        gold, fakirs, goods = (
            problems(position.with_player(without)) != faults
            for without in (replace(player, gold=None), replace(player, fakirs=None), replace(player, goods=None))
        )
        after = after.with_player(
            replace(
                player,
                gold=None if gold else player.gold,
                fakirs=None if fakirs else player.fakirs,
                goods=None if goods else player.goods,
            )
        )
    return after


def thought_about(game: TableGame, seat: Seat) -> Position | GameState:
    """What a hint for a seat rests on: the game as it sees it, with what the rules tell of it where that is known."""
    seen = visible_position(game.position, seat)
    sane = without_conflicts(seen)
    if game.playing is None or seat is not None or sane is not seen:
        return sane
    begins = game.playing.state.stage is Stage.BID or game.playing.begins_turn
    return replace(game.playing.state, unchecked_hands=False) if begins else sane


def is_counted(position: Position) -> bool:
    """Whether the game is over, so that nothing is hidden any more."""
    return position.phase == "end"


def sees_all(game: TableGame, seat: Seat) -> bool:
    """Whether a seat may see everything: the table's own phone, and everybody once the game is over."""
    return seat is None or is_counted(game.position)


def may_ask(game: TableGame, seat: Seat) -> bool:
    """Whether a seat may have hints now: the player whose decision it is, and the table's own phone."""
    return seat is None or (game.mover is not None and seat is game.mover)


def is_own(before: TableGame, after: TableGame, seat: Colour) -> bool:
    """Whether a change is a seat's own: its turn, what came after it, or a correction of nothing that is others'."""
    here, there = before.position, after.position
    decides = (before.mover or next(reversed(here.bid_order or ()), None)) is seat
    if next_decision(here) != next_decision(there):
        return decides
    others_keep = all(here.player(colour) == there.player(colour) for colour in there.colours if colour is not seat)
    return others_keep and (decides or replace(here, players=()) == replace(there, players=()))


def may_change(game: TableGame, seat: Seat, colour: Colour) -> bool:
    """Whether a seat may see and change what a player has in hand."""
    return sees_all(game, seat) or seat is colour


def visible_lines(record: Record, seat: Seat, *, over: bool) -> Iterator[tuple[int, str]]:
    """The lines of a record, by place, as a seat sees them: without cards that others drew unseen."""
    for place, entry in enumerate(map(_played_entry, record.lines)):
        if not isinstance(entry, Remark):
            yield place, format_entry(entry if seat is None or over else _visible_entry(entry, seat))


def _played_entry(line: Line) -> Entry:
    if isinstance(line.entry, Remark) and line.comment:
        with suppress(NotationError):
            return parse_line(0, line.comment).entry
    return line.entry


def _visible_entry(entry: Entry, seat: Colour | Spectator) -> Entry:
    if isinstance(entry, CorrectionLine):
        return CorrectionLine(tuple(_visible_change(change, seat) for change in entry.changes))
    if not isinstance(entry, TurnLine) or entry.colour is seat:
        return entry
    return replace(entry, steps=tuple(map(without_drawn_cards, entry.steps)))


def _visible_change(change: Change, seat: Colour | Spectator) -> Change:
    """A correction without what another player holds in hand (rules 12.2)."""
    holder, _, what = change.of.partition(" ")
    return replace(change, values=None) if what in _IN_HAND and holder != seat else change
