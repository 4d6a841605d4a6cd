"""What the history gives: games, their revisions, and when each was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, NewType

from msgspec import Meta

from companion.history.contents import TextKind
from companion.history.results import PlayerResult
from companion.rules.model.components import Colour

GameKey = NewType("GameKey", str)
"""The random name of a game, which fits into an address."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A game as it stood after one change.

    `number` is never given twice in a game. `part` counts from 1; a new part begins where the table was read anew.
    `summary` says what was changed, in English; `can_undo` and `can_redo`, whether there is one before and after.
    """

    game: GameKey
    number: int
    part: int
    kind: TextKind
    text: str
    at: datetime
    summary: str
    can_undo: bool = False
    can_redo: bool = False


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game in the list: when it was begun, last changed and finished (None: not yet), on what day, where.

    `players` are in the order of `Colour`, each with a name or ""; `results` are empty until it is finished. `settings`
    are the caller's own; `clock` is the time that each has thought, in seconds, where it was measured.
    """

    key: GameKey
    started: datetime
    changed: datetime
    finished: datetime | None
    date: str
    place: str
    revision: int
    players: Mapping[Colour, str]
    results: Mapping[Colour, PlayerResult] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    clock: Mapping[Colour, Annotated[float, Meta(ge=0, le=10**9)]] = field(default_factory=dict)

    @property
    def winners(self) -> tuple[Colour, ...]:
        """Who has won; tied players share it (rules 9.3). Nobody before the game is finished."""
        return tuple(colour for colour, result in self.results.items() if result.place == 1)
