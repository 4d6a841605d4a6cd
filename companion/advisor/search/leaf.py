"""What turns and played-on games are worth to a player (docs/advice.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import OPPONENTS, TO_COME
from companion.rules.engine.scoring import CATEGORIES
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, Weights, evaluate, gumbel_scale, scores, totals
from companion.simulation.layout import END, NONE, SEATS, TRIBES, Batch, Index, Turns
from companion.simulation.playing import play_turns

Seat = int | Index

PARTS: tuple[str, ...] = (*CATEGORIES, TO_COME, OPPONENTS)
"""What an expected margin is made of: the player's points by category, what the holdings will bring beyond today's
points, and the best opponent's points, which count against that.
"""


_LEAST_SCALE_VP = np.float32(1e-3)
"""Points further apart than this are, where nothing is uncertain."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """How games are expected to end: every player's `points`, [SEATS, lanes], the score of a game that is over; else
    the evaluation's, from which the true ones differ by Gumbel's law with mean 0 and this `scale`, [lanes]. In VP.

    The best of several is then worth more than whoever is expected to be best. A seat is one for all lanes, or [lanes].
    """

    points: Floats
    scale: Floats
    seats: npt.NDArray[np.int16]

    @classmethod
    def of(cls, batch: Batch, weights: Weights) -> Expected:
        """How the games of a batch are expected to end."""
        over = batch.stage == END
        if over.all():
            return cls(totals(batch).astype(np.float32), np.zeros(len(batch), np.float32), batch.seats)
        points = np.where(over, totals(batch), evaluate(batch, weights)).astype(np.float32)
        return cls(points, np.where(over, np.float32(0), gumbel_scale(batch, weights)), batch.seats)

    def margin(self, seat: Seat) -> Floats:
        """A player's points less those of the best opponent, [lanes]."""
        return np.asarray(self._own(seat) - self.best_opponent(seat))

    def best_opponent(self, seat: Seat) -> Floats:
        """The points of whoever turns out to be the best of a player's opponents, [lanes]."""
        numbers = np.arange(SEATS)[:, None]
        best, worths = self._worths((numbers < self.seats) & (numbers != seat))
        return np.asarray(best + self.scale * np.log(worths.sum(axis=0)), np.float32)

    def chance(self, seat: Seat) -> Floats:
        """How likely a player wins, [lanes]; who ties shares the win (rules 9.3)."""
        _, worths = self._worths(np.arange(SEATS)[:, None] < self.seats)
        return np.asarray(worths[seat, np.arange(worths.shape[1])] / worths.sum(axis=0), np.float32)

    def parts(self, batch: Batch, seat: int) -> Floats:
        """What a player's margin is made of, [PARTS, lanes]; they add up to it."""
        own = scores(batch)[:, seat].astype(np.float32)
        to_come = self.points[seat] - own.sum(axis=0)
        return np.concatenate([own, to_come[None], -self.best_opponent(seat)[None]]).astype(np.float32)

    def _worths(self, playing: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """The most points of those who play, [lanes], and how likely each has the most beside whoever has those."""
        shown = np.where(playing, self.points, -np.inf)
        best = shown.max(axis=0)
        return best, np.exp((shown - best) / np.maximum(self.scale, _LEAST_SCALE_VP))

    def _own(self, seat: Seat) -> Floats:
        return np.asarray(self.points[seat, np.arange(self.points.shape[1])])


@dataclass(frozen=True, slots=True, eq=False)
class TurnGains:
    """Whole turns from `root`, one a column: the games after them, and the mover's points just after less those just
    before, in VP.
    """

    root: Batch
    turns: Turns
    after: Batch
    gains: npt.NDArray[np.int64]

    @property
    def cells(self) -> npt.NDArray[np.int64]:
        """Where each turn ends: square x TRIBES + tribe, NONE for a turn without a move."""
        return end_cells(self.turns)


def end_cells(turns: Turns) -> npt.NDArray[np.int64]:
    """Where each turn's move ends: square x TRIBES + tribe taken, NONE for a turn without a move."""
    last, lanes = np.maximum(turns.length - 1, 0), np.arange(len(turns))
    cells = turns.path[last, lanes].astype(np.int64) * TRIBES + turns.drops[last, lanes]
    return np.where(turns.length > 0, cells, NONE)


def turn_gains(root: Batch, turns: Turns | None = None, *, seed: int = 0) -> TurnGains:
    """What whole turns, or all of the mover's, gain at once (rules 10). Raises ValueError inside a turn."""
    turns = whole_turns(root, seed=seed) if turns is None else turns
    after = root.select(np.zeros(len(turns), dtype=np.intp))
    play_turns(after, np.arange(len(turns)), turns)
    seat = int(root.mover[0])
    return TurnGains(root, turns, after, (totals(after)[seat] - totals(root)[seat]).astype(np.int64))
