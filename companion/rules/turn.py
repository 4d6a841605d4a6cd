"""A complete turn: moving meeples, claims, tribe action, tile action (rules 4 to 6).

The turn announces what happens and djinns answer by their hooks; it names none of them. The markers of
4.1, powers that cost something (rules 11) and selling (rules 7) are not part of a `Move` yet: a marker
stays where it is, and selling changes no points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.rules.events import Event, MeepleDropped, MeeplesTaken
from companion.rules.position import Position
from companion.rules.sowing import Sowing, apply_sowing, legal_sowings
from companion.rules.table import Table, Taken, Watch
from companion.rules.tile_actions import LEAVE_IT, TileChoice, do_tile_action, tile_choices
from companion.rules.tribe_actions import NOTHING_TO_CHOOSE, TribeChoice, do_tribe_action, tribe_choices


@dataclass(frozen=True, slots=True)
class Move:
    """What a player decides in a turn: the sowing, then the choices of the tribe and of the tile action.

    What is taken and claimed follows from them and is in the `Record`.
    """

    sowing: Sowing
    tribe: TribeChoice = NOTHING_TO_CHOOSE
    tile: TileChoice = LEAVE_IT


@dataclass(frozen=True, slots=True)
class Record:
    """What a move came to: the position after it and all that happened, in order."""

    position: Position
    events: tuple[Event, ...]


def play(position: Position, move: Move, deck: Sequence[str] = (), watch: Watch | None = None) -> Record:
    """Play a turn of the player to move.

    `deck` names cards from the top of the resource deck, as far as they are known; a drawn card that is
    not known is not counted. `watch` is called with each event and the position just after it.
    Raises IllegalMoveError that names the clause for an illegal move, and ValueError if the position says
    of nobody that he is to move.
    """
    table = Table(position, deck, watch)
    finish(table, sow(table, move.sowing), move.tribe, move.tile)
    return Record(table.position, tuple(table.events))


def apply(position: Position, move: Move, deck: Sequence[str] = ()) -> Position:
    """The position after a turn; raises what `play` raises."""
    return play(position, move, deck).position


def legal_moves(position: Position) -> Iterator[Move]:
    """Every complete turn of the player to move, lazily; what he is not known to have is not spent."""
    table = Table(position)
    for sowing in legal_sowings(position.board):
        sown = table.fork()
        taken = sow(sown, sowing)
        for tribe_choice in tribe_choices(sown, taken):
            acted = sown.fork()
            do_tribe_action(acted, taken, tribe_choice)
            for tile_choice in tile_choices(acted, taken.end):
                yield Move(sowing, tribe_choice, tile_choice)


def sow(table: Table, sowing: Sowing) -> Taken:
    """Move the meeples and claim the end tile if that empties it (rules 4.2 to 4.8)."""
    sown = apply_sowing(tuple(table.board), sowing)
    for square, tribe in zip(sowing.path, sowing.drops, strict=True):
        table.announce(MeepleDropped(table.mover, square, tribe, table.board[square].camel))
    table.board = list(sown.board)
    taken = Taken(sown.end, sown.tribe, sown.count)
    claim_end(table, taken)
    return taken


def claim_end(table: Table, taken: Taken) -> None:
    """Announce what was taken from the end tile and claim it if that emptied it (rules 4.7, 4.8)."""
    table.announce(MeeplesTaken(table.mover, taken.end, taken.tribe, taken.count))
    table.claim_if_bare(taken.end)


def finish(table: Table, taken: Taken, tribe: TribeChoice, tile: TileChoice) -> None:
    """Do the tribe action, then the tile action (rules 5, 6)."""
    do_tribe_action(table, taken, tribe)
    do_tile_action(table, taken.end, tile)
