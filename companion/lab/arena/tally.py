"""What the games of a tournament add up to, whatever their order, with 95% confidence intervals."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from companion.lab.arena.tournament import ArenaGame, Fixture, Tournament

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95% confidence interval; the bounds are None where one cluster alone was seen."""

    mean: float
    low: float | None = None
    high: float | None = None


def mean_interval(sums: Floats, counts: Floats) -> Interval:
    """The mean of values of any size, clustered: the sums of the clusters and how many values each has, none 0.

    The variance is the cluster-robust one, the bounds are Student's with one degree of freedom less than clusters.
    """
    mean, variance = _clustered(sums, counts)
    if variance is None:
        return Interval(mean)
    reach = student_quantile(len(sums) - 1) * sqrt(variance)
    return Interval(mean, mean - reach, mean + reach)


def share_interval(sums: Floats, counts: Floats) -> Interval:
    """The same for values from 0 to 1, such as shares of a win: bounds by Wilson's score, which stay in there.

    The number of values in it is the effective one: as many independent values as would have the clustered variance,
    and never more than there are. Where all are 0 or all are 1 nothing is seen of the clustering, and all count.
    """
    mean, variance = _clustered(sums, counts)
    if variance is None:
        return Interval(mean)
    values = float(counts.sum())
    number = min(mean * (1 - mean) / variance, values) if variance > 0 else values
    square = student_quantile(len(sums) - 1) ** 2
    centre = (mean + square / (2 * number)) / (1 + square / number)
    reach = sqrt(square * (mean * (1 - mean) / number + square / (4 * number**2))) / (1 + square / number)
    return Interval(mean, max(0.0, centre - reach), min(1.0, centre + reach))


def _clustered(sums: Floats, counts: Floats) -> tuple[float, float | None]:
    """The mean of clustered values and its cluster-robust variance; None for a single cluster."""
    clusters, values = len(sums), float(counts.sum())
    mean = float(sums.sum()) / values
    if clusters < 2:
        return mean, None
    residuals = sums - mean * counts
    return mean, clusters / (clusters - 1) * float(residuals @ residuals) / values**2


def student_quantile(freedom: int) -> float:
    """How many standard errors a 95% interval reaches to either side (Student's distribution)."""
    # It takes a second to load.
    from scipy.stats import t

    return float(t.ppf(0.975, freedom))


PARTS = 12
"""A win can be shared by 2, 3 or 4: every share is that many twelfths, and whole numbers add up alike in any order."""

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
        figures = []
        for bot, name in enumerate(self.tournament.bots):
            seats = self.tournament.line_up.count(name)
            figures.append(
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
        return figures
