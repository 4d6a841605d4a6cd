"""What a photo says of tiles, and what a board shows of a turn."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.rules.model.actions import Sowing, UsePower
from companion.rules.model.board import Board, Tile
from companion.rules.model.chance import Drawn
from companion.rules.model.components import Colour
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState


class Likelihood(Hashable, Protocol):
    """What a photo says of tiles: the log-likelihood of any contents of a square, in nats, and of the best."""

    def __call__(self, square: int, tile: Tile, /) -> float: ...

    def best(self, square: int, /) -> float:
        """What speaks for the likeliest contents of the square."""
        ...


@dataclass(frozen=True, slots=True)
class VisibleTurn:
    """What a board shows of a turn by `player`: all decisions but those that leave no trace.

    `kills` are the meeples killed on tiles; with assassins and none, somebody in front of a player was killed, or
    nobody. `onto` is where a palm or palace was diverted to, `djinn` one that was taken and whose power shows. `first`
    are powers used before the sowing, `then` those after it, each with the meeples that it drew; `fakirs_bought` are
    those that paid for them. `corrections` are tiles of the board before that were other than known. `row` and `djinns`
    are what then lies face up, None where the photo doesn't show it.
    """

    player: Colour
    sowing: Sowing
    kills: tuple[Victim, ...] = ()
    onto: int | None = None
    djinn: str | None = None
    first: tuple[tuple[UsePower, Drawn], ...] = ()
    then: tuple[tuple[UsePower, Drawn], ...] = ()
    fakirs_bought: int = 0
    corrections: Mapping[int, Tile] = field(default_factory=dict)
    row: tuple[str, ...] | None = None
    djinns: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class BoardAfter:
    """A board that a turn leaves: what speaks for it in nats over the board before, `prior` included."""

    turn: VisibleTurn
    state: GameState
    nats: float
    prior: float

    @property
    def board(self) -> Board:
        return self.state.position.board
