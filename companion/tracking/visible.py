"""What a photo says of tiles, and what a board shows of a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.rules.model.actions import Sowing, UsePower
from companion.rules.model.board import Board, Tile
from companion.rules.model.chance import Drawn
from companion.rules.model.components import Colour, Tribe
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

    def tells_player(self, board: Board) -> bool:
        """Whether it's seen whose turn it was: tiles that it empties of this board get camels (rules 4.8, 5.5), and
        powers are somebody's.
        """
        sowing, killed_on = self.sowing, [victim.square for victim in self.kills if victim.square is not None]

        def is_claimed(square: int) -> bool:
            tile = self.corrections.get(square, board[square])
            there = Counter(dict(zip(Tribe, tile.meeples, strict=True)) if square != sowing.start else {})
            there.update(one for at, one in zip(sowing.path, sowing.drops, strict=True) if at == square)
            there.subtract(victim.tribe for victim in self.kills if victim.square == square)
            return tile.camel is None and there.total() == (there[sowing.tribe] if square == sowing.end else 0)

        used_power = bool(self.first or self.then) or self.onto is not None
        return used_power or any(map(is_claimed, (sowing.end, *killed_on)))


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
