"""Complete turns on the board, one action after another: a sowing, a tribe action, a tile action (rules 4 to 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.sowing import legal_sowings
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import (
    LEAVE_IT,
    NOTHING_TO_CHOOSE,
    ActTile,
    ActTribe,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
)
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.events import Event
from companion.rules.model.position import Position


class Move(NamedTuple):
    """What a player decides in a turn without powers."""

    sowing: Sowing
    tribe: TribeChoice = NOTHING_TO_CHOOSE
    tile: TileChoice = LEAVE_IT

    @property
    def actions(self) -> tuple[Sow, ActTribe, ActTile]:
        return Sow(self.sowing), ActTribe(self.tribe), ActTile(self.tile)


class PlayedMove(NamedTuple):
    """What a move came to: the position after it and all that happened, in order."""

    position: Position
    events: tuple[Event, ...]


def play_move(position: Position, move: Move, chance: Chance = UNSEEN) -> PlayedMove:
    """A turn of the player to move by itself."""
    state = lone_turn(position)
    events: tuple[Event, ...] = ()
    for action in move.actions:
        done = step(state, action, chance)
        state, events = done.state, events + done.events
    return PlayedMove(state.position, events)


def apply_move(position: Position, move: Move, chance: Chance = UNSEEN) -> Position:
    """The position after a turn."""
    return play_move(position, move, chance).position


def legal_moves(position: Position) -> Iterator[Move]:
    """Every complete turn of the player to move, lazily."""
    start = lone_turn(position)
    for sowing in legal_sowings(position.board):
        sown = step(start, Sow(sowing)).state
        for act in legal_actions(sown):
            if isinstance(act, ActTribe):
                acted = step(sown, act, UNSEEN).state
                tiles = (tile for tile in legal_actions(acted) if isinstance(tile, ActTile))
                yield from (Move(sowing, act.choice, tile.choice) for tile in tiles)
