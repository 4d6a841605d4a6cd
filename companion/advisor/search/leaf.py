"""What turns and played-on games are worth to a player (docs/advice.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import OPPONENTS, TO_COME
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, Weights, evaluate
from companion.simulation.layout import NONE, SEATS, STAGE_ID, TRIBES
from companion.simulation.playing import play_turns
from companion.simulation.scoring import scores, totals
from companion.simulation.turns import Turns

_END = STAGE_ID[Stage.END]

PARTS: tuple[str, ...] = (*CATEGORIES, TO_COME, OPPONENTS)
"""What an expected margin is made of: the player's points by category, what his holdings will bring beyond today's
points, and the best opponent's points, which count against him.
"""


def expected_points(batch: Batch, weights: Weights) -> Floats:
    """What every player will end with, [SEATS, lanes], in VP: the score of a game that is over, else the evaluation."""
    over = batch.stage == _END
    if over.all():
        return totals(batch).astype(np.float32)
    return np.where(over, totals(batch), evaluate(batch, weights)).astype(np.float32)


def margin_of(points: Floats, seats: npt.NDArray[np.int16], seat: int) -> Floats:
    """A player's points less the best opponent's, [lanes]."""
    return np.asarray(points[seat] - best_opponent(points, seats, seat))


def best_opponent(points: Floats, seats: npt.NDArray[np.int16], seat: int) -> Floats:
    """The points of the best of a player's opponents, [lanes]."""
    others = [np.where(other < seats, points[other], -np.inf) for other in range(SEATS) if other != seat]
    return np.asarray(np.max(others, axis=0), dtype=np.float32)


def parts_of(batch: Batch, points: Floats, seat: int) -> Floats:
    """What the margin is made of, [PARTS, lanes]; they add up to it."""
    own = scores(batch)[:, seat].astype(np.float32)
    to_come = points[seat] - own.sum(axis=0)
    return np.concatenate([own, to_come[None], -best_opponent(points, batch.seats, seat)[None]]).astype(np.float32)


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
    """What whole turns gain at once (rules 10): these, or all of the mover of a batch of one lane.

    Raises ValueError for a lane that isn't at the beginning of a turn.
    """
    turns = whole_turns(root, seed=seed) if turns is None else turns
    after = root.select(np.zeros(len(turns), dtype=np.intp))
    play_turns(after, np.arange(len(turns)), turns)
    seat = int(root.mover[0])
    return TurnGains(root, turns, after, (totals(after)[seat] - totals(root)[seat]).astype(np.int64))
