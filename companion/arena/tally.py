"""What the games of a tournament add up to, whatever the order in which they come in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from companion.arena.intervals import Interval, mean_interval, share_interval
from companion.arena.schedule import ArenaGame, Fixture, Tournament

PARTS = 12
"""A win can be shared by 2, 3 or 4: every share is so many twelfths, and whole numbers add up alike in any order."""

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class BotFigures:
    """What a bot of a tournament came to; bots of one name are counted together.

    `wins` is its share of the wins and `fair` what it would be if all seats were alike; `margin` is how far it was
    ahead of the best other player and `points` its points, in VP, the mean over its seats.
    """

    bot: str
    seats: int
    fair: float
    wins: Interval
    margin: Interval
    points: Interval
    decisions: int
    seconds: float

    @property
    def seconds_per_decision(self) -> float:
        """How long it thought on average, in seconds."""
        return self.seconds / self.decisions if self.decisions else 0.0


class Tally:
    """Sums by bot and set-up; a game that comes twice counts once. `games` is how many are in."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        shape = (len(tournament.bots), tournament.seeds)
        self._wins = np.zeros(shape, dtype=np.int64)
        self._margins = np.zeros(shape, dtype=np.int64)
        self._points = np.zeros(shape, dtype=np.int64)
        self._decisions = np.zeros(len(tournament.bots), dtype=np.int64)
        self._seconds = np.zeros(len(tournament.bots))
        self._done = np.zeros((tournament.seeds, len(tournament.rotations)), dtype=np.bool_)
        self._digest = 0
        self.games = 0

    @property
    def seeds(self) -> int:
        """How many set-ups have a game that is in."""
        return int(self._done.any(axis=1).sum())

    @property
    def digest(self) -> str:
        """A short text that is the same for the same games with the same points, in whatever order they came."""
        return f"{self._digest:0{2 * _DIGEST_BYTES}x}"

    def has(self, fixture: Fixture) -> bool:
        """Whether a game is in."""
        return bool(self._done[fixture.number, fixture.rotation])

    def note(self, game: ArenaGame) -> None:
        """Count a game; one that the tournament does not have, of a longer run of it, is left out."""
        number, rotation = game.fixture.number, game.fixture.rotation
        if not (0 <= number < self.tournament.seeds and 0 <= rotation < len(self.tournament.rotations)):
            return
        if self._done[number, rotation]:
            return
        self._done[number, rotation] = True
        self.games += 1
        played = game.played
        for seat, name in enumerate(game.bots):
            bot = self.tournament.bots.index(name)
            others = max(points for other, points in enumerate(played.points) if other != seat)
            self._wins[bot, number] += round(PARTS * played.shares[seat])
            self._margins[bot, number] += played.points[seat] - others
            self._points[bot, number] += played.points[seat]
            self._decisions[bot] += played.decisions[seat]
            self._seconds[bot] += played.seconds[seat]
        text = repr((number, rotation, game.setup, game.bots, played.points, played.decisions))
        self._digest ^= int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest(), "big")

    def figures(self) -> list[BotFigures]:
        """What each bot came to, the one measured first; nothing before the first game is in."""
        played = self._done.sum(axis=1)
        seen = played > 0
        if not seen.any():
            return []
        games = played[seen].astype(np.float64)
        found = []
        for bot, name in enumerate(self.tournament.bots):
            seats = self.tournament.line_up.count(name)
            found.append(
                BotFigures(
                    name,
                    seats,
                    fair=seats / len(self.tournament.line_up),
                    wins=share_interval(self._wins[bot, seen] / PARTS, games),
                    margin=mean_interval(self._margins[bot, seen] / seats, games),
                    points=mean_interval(self._points[bot, seen] / seats, games),
                    decisions=int(self._decisions[bot]),
                    seconds=float(self._seconds[bot]),
                )
            )
        return found
