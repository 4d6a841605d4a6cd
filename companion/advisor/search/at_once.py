"""Every whole turn of a mover with what it gains at once (rules 10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.simulation.batch import Batch
from companion.simulation.enumeration import whole_turns
from companion.simulation.layout import NONE, TRIBES
from companion.simulation.playing import play_turns
from companion.simulation.scoring import totals
from companion.simulation.turns import Turns


@dataclass(frozen=True, slots=True, eq=False)
class TurnsAtOnce:
    """Whole turns, one a column: the games after them, the mover's points just after less those just before, in VP, and
    the cells they end on, square x TRIBES + tribe, NONE for a turn without a move.
    """

    turns: Turns
    after: Batch
    gains: npt.NDArray[np.int64]
    cells: npt.NDArray[np.int64]


def turns_at_once(root: Batch, *, seed: int = 0) -> TurnsAtOnce:
    """The whole turns of the mover of a batch of one lane, at the beginning of his turn, all of them played.

    Raises ValueError at any other stage.
    """
    turns = whole_turns(root, seed=seed)
    lanes = np.arange(len(turns))
    after = root.select(np.zeros(len(lanes), dtype=np.intp))
    play_turns(after, lanes, turns)
    seat = int(root.mover[0])
    gains = (totals(after)[seat] - totals(root)[seat]).astype(np.int64)
    last = np.maximum(turns.length - 1, 0)
    ends, tribes = turns.path[last, lanes].astype(np.int64), turns.drops[last, lanes].astype(np.int64)
    return TurnsAtOnce(turns, after, gains, np.where(turns.length > 0, ends * TRIBES + tribes, NONE))
