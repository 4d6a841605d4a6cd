"""Leaves of the search: what a game that was played on is worth to a player (docs/advice.md)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import OPPONENTS, TO_COME
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.evaluation import Floats, Weights, worths
from companion.simulation.layout import SEATS, STAGE_ID
from companion.simulation.scoring import scores, totals

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
    return np.where(over, totals(batch), worths(batch, weights)).astype(np.float32)


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
