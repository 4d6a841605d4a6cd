"""What the history gives: games, their revisions, when each was, and how long each bid and turn took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, NewType

from msgspec import Meta

from companion.history.results import PlayerResult, TextKind
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase

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


TURN_TIMES = "turn_times"
"""Their place among a game's settings."""

MIN_S = 0.5
"""What took less was no turn: a phone has looked at the game in between."""


@dataclass(frozen=True, slots=True)
class TurnTime:
    """How long somebody took for a turn, or for the bids before it; `turn` counts from 1 in a part of a game."""

    part: int
    phase: Phase
    turn: int
    colour: Colour
    seconds: float


def turn_times(game: KeptGame) -> tuple[TurnTime, ...]:
    """All that was timed of a game, in order; nothing where something else stands there."""
    try:
        return tuple(
            TurnTime(int(part), Phase(phase), int(turn), Colour(colour), float(seconds))
            for part, phase, turn, colour, seconds in game.settings.get(TURN_TIMES, ())
        )
    except (TypeError, ValueError):
        return ()


def turns_of(game: KeptGame, colour: Colour) -> list[float]:
    """The seconds of each turn of one player, bids left out."""
    return [time.seconds for time in turn_times(game) if time.colour is colour and time.phase is Phase.TURN]


def with_time(game: KeptGame, time: TurnTime) -> dict[str, Any]:
    """The change of a game's settings that adds a time, to that of the same turn if there is one."""
    if time.seconds < MIN_S:
        return {}
    times = list(turn_times(game))
    for index, earlier in enumerate(times):
        if replace(earlier, seconds=time.seconds) == time:
            times[index] = replace(earlier, seconds=earlier.seconds + time.seconds)
            break
    else:
        times.append(time)
    return {
        TURN_TIMES: [
            [time.part, str(time.phase), time.turn, str(time.colour), round(time.seconds, 1)] for time in times
        ]
    }
