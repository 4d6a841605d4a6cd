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
    """A game after one change, whose `number` is never given again; a new `part` begins where the table was read anew.
    `summary` says in English what was changed.
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
    """A game in the list; times are None until they come, `results` empty until it's finished. `settings` are the
    caller's own, `clock` the seconds that each has thought.
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
