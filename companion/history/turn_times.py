"""How long each bid and turn of a game took on the turn clock: kept with the game's settings, in playing order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.history.kept import KeptGame
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase

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
