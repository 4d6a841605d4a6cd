"""Moving meeples, claims, tribe action, tile action: the turn on the board (rules 4 to 6).

The turn announces what happens and djinns answer by their hooks; it names none of them. The markers,
powers that are actions of their own and selling belong to the whole game (`game`, `rounds`, `selling`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.engine.sowing import Sowing, check_sowing
from companion.rules.engine.table import Table, Watch
from companion.rules.engine.tile_actions import do_tile_action
from companion.rules.engine.tribe_actions import do_tribe_action
from companion.rules.model.actions import LEAVE_IT, NOTHING_TO_CHOOSE, TileChoice, TribeChoice
from companion.rules.model.board import NO_MEEPLES, with_meeples
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.components import Tribe
from companion.rules.model.events import Event, MeepleDropped, MeeplesTaken
from companion.rules.model.position import Position
from companion.rules.model.state import Stage, Taken


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


def play(position: Position, move: Move, chance: Chance = UNSEEN, watch: Watch | None = None) -> Record:
    """Play a turn of the player to move.

    `chance` draws cards; a card that nobody knows is not counted. `watch` is called with each event and
    the position just after it.
    Raises IllegalMoveError that names the clause for an illegal move, and ValueError if the position says
    of nobody that he is to move.
    """
    table = Table(position, chance, watch)
    finish(table, sow(table, move.sowing), move.tribe, move.tile)
    return Record(table.position, tuple(table.events))


def apply(position: Position, move: Move, chance: Chance = UNSEEN) -> Position:
    """The position after a turn; raises what `play` raises."""
    return play(position, move, chance).position


def sow(table: Table, sowing: Sowing) -> Taken:
    """Move the meeples and claim the end tile if that empties it (rules 4.2 to 4.8)."""
    check_sowing(table.board, sowing)
    table.board[sowing.start] = with_meeples(table.board[sowing.start], NO_MEEPLES)
    for square, tribe in zip(sowing.path, sowing.drops, strict=True):
        leave(table, square, tribe)
    return take(table, sowing.end, sowing.tribe)


def leave(table: Table, square: int, tribe: Tribe) -> None:
    """Leave a meeple on a tile while moving (rules 4.2)."""
    tile = table.board[square]
    meeples = list(tile.meeples)
    meeples[tribe] += 1
    table.board[square] = with_meeples(tile, tuple(meeples))
    table.announce(MeepleDropped(table.mover, square, tribe, tile.camel))


def take(table: Table, end: int, tribe: Tribe) -> Taken:
    """Take the meeples of a tribe in hand and claim the end tile if that empties it (rules 4.7, 4.8)."""
    tile = table.board[end]
    meeples = list(tile.meeples)
    taken = Taken(end, tribe, meeples[tribe])
    meeples[tribe] = 0
    table.board[end] = with_meeples(tile, tuple(meeples))
    table.advance(Stage.TRIBE, hand=None, taken=taken)
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
