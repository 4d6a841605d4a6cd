"""What a seat at the table may see: all that lies open, and its own hand (rules 12).

What is hidden is taken out of the values before anything is made of them, so that it can reach no page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.notation.records.decisions import Item, TribeActionRecord
from companion.notation.records.lines import Entry, Record, Remark, TurnLine, format_entry
from companion.rules.engine.legality import problems
from companion.rules.model.actions import UsePower
from companion.rules.model.components import Colour
from companion.rules.model.position import Player, Position
from companion.table.games import TableGame


def seen_position(position: Position, seat: Colour | None) -> Position:
    """A position as a seat sees it: others' gold and cards in hand are unknown in it (rules 12.2).

    `seat` is None for the table's own phone, which sees all; a colour that does not play sees what lies open. When the
    game is over everything is counted in the open.
    """
    if seat is None or is_counted(position):
        return position
    return replace(position, players=tuple(_without_hand(player, seat) for player in position.players))


def without_conflicts(position: Position, seat: Colour | None) -> Position:
    """The position in which others' hidden holdings are unknown where they conflict with what the seat sees.

    What a seat tells is believed, as it cannot be held against what it may not see (rules 12.2): what was known of
    others' gold, cards or fakirs and cannot be true besides is told anew by them. The position then has
    the faults that the seat sees, and no others.
    """
    faults = problems(position)
    if faults == problems(seen_position(position, seat)):
        return position
    after = position
    for player in position.players:
        if player.colour is seat:
            continue
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


def is_counted(position: Position) -> bool:
    """Whether the game is over, so that nothing is hidden any more."""
    return position.phase == "end"


def _without_hand(player: Player, seat: Colour) -> Player:
    if player.colour is seat:
        return player
    return replace(player, gold=None, fakirs=None, goods=None)


def sees_all(game: TableGame, seat: Colour | None) -> bool:
    """Whether a seat may see everything: the table's own phone, and everybody once the game is over."""
    return seat is None or is_counted(game.position)


def may_ask(game: TableGame, seat: Colour | None) -> bool:
    """Whether a seat may have hints now: the player whose decision it is, and the table's own phone."""
    return seat is None or (game.mover is not None and seat is game.mover)


def may_change(game: TableGame, seat: Colour | None, colour: Colour) -> bool:
    """Whether a seat may look at what a player has in his hand, and tell it."""
    return sees_all(game, seat) or seat is colour


def seen_lines(record: Record, seat: Colour | None, *, over: bool) -> Iterator[tuple[int, str]]:
    """The lines of a record as a seat sees them, with their numbers from 1: not which cards others drew unseen."""
    number = 0
    for line in record.lines:
        if isinstance(line.entry, Remark):
            continue
        number += 1
        entry = line.entry if seat is None or over else _seen_entry(line.entry, seat)
        yield number, format_entry(entry)


def _seen_entry(entry: Entry, seat: Colour) -> Entry:
    if not isinstance(entry, TurnLine) or entry.colour is seat:
        return entry
    return replace(entry, items=tuple(map(_seen_item, entry.items)))


def _seen_item(item: Item) -> Item:
    """An item without the cards that came from the deck; those from the row were seen by all (rules 12.2)."""
    decision = item.decision
    from_deck = isinstance(decision, UsePower) or (isinstance(decision, TribeActionRecord) and decision.choice.victims)
    return replace(item, seen=replace(item.seen, cards=())) if from_deck else item
