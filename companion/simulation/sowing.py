"""Moving meeples, and claiming tiles, in many games at once (rules 4.2 to 4.8, 9.1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.djinns import PAID_DROPS
from companion.simulation.layout import NONE, STAGE_ID, TRIBES, Index, Ints

NOT_ENDING, LAST_CAMEL, NO_MOVE = range(3)
"""Values of `Batch.ending` (rules 9)."""

_RETURN = 4
"""Steps that a return to a square takes (rules 4.3): so many drops in a row fall on different squares."""
_TRIBES = np.arange(TRIBES)[:, None]
_TRIBE_STAGE = STAGE_ID[Stage.TRIBE]


def sow(batch: Batch, at: Index, start: Ints, path: Ints, drops: Ints, length: Ints) -> None:
    """Lift the meeples of `start`, leave `drops` along `path` [steps, n], take in hand what is taken, claim the end.

    `length` are the steps of each lane; what lies beyond them in `path` and `drops` is not read. The sowing has to
    be legal: nothing is checked here.
    """
    if not len(at):
        return
    steps = int(length.max())
    path, drops = path[:steps], drops[:steps]
    taken = np.arange(steps)[:, None] < length
    batch.meeples[start, :, at] = 0
    lanes = np.broadcast_to(at, path.shape)
    for first in range(0, steps, _RETURN):
        some = slice(first, first + _RETURN)
        now = taken[some]
        batch.meeples[path[some][now], drops[some][now], lanes[some][now]] += 1
    _pay_for_drops(batch, at, path, taken)
    here = np.arange(len(at))
    end, tribe = path[length - 1, here], drops[length - 1, here]
    batch.end[at] = end
    batch.tribe[at] = tribe
    batch.count[at] = batch.meeples[end, tribe, at]
    batch.meeples[end, tribe, at] = 0
    batch.stage[at] = _TRIBE_STAGE
    claim_if_bare(batch, at, end)


def _pay_for_drops(batch: Batch, at: Index, path: Ints, taken: npt.NDArray[np.bool_]) -> None:
    """A djinn pays its owner for meeples left on owned tiles: 1 GC if by the owner, 2 GC by another (rules 11)."""
    owned = batch.owns[:, PAID_DROPS, at]
    if not owned.any():
        return
    some = np.nonzero(owned.any(axis=0))[0]
    lanes, owner = at[some], owned[:, some].argmax(axis=0)
    paying = (batch.camel[path[:, some], lanes] == owner) & taken[:, some]
    share = np.where(owner == batch.mover[lanes], 1, 2)
    batch.gold[owner, lanes] += (paying.sum(axis=0) * share).astype(np.int16)


def claim_if_bare(batch: Batch, at: Index, square: Ints) -> None:
    """The mover puts a camel on a tile without meeples and camel, if one is left (rules 4.8, 5.5)."""
    bare = (batch.camel[square, at] == NONE) & (batch.camels[batch.mover[at], at] > 0)
    bare &= ~batch.meeples[square, _TRIBES, at].any(axis=0)
    if bare.any():
        claim(batch, at[bare], square[bare])


def claim(batch: Batch, at: Index, square: Ints) -> None:
    """The mover puts a camel on a tile; the mover's last one makes the round the last (rules 9.1)."""
    mover = batch.mover[at]
    batch.camel[square, at] = mover
    left = batch.camels[mover, at] - 1
    batch.camels[mover, at] = left
    # The first reason for the end stays.
    last = at[(left <= 0) & (batch.ending[at] == NOT_ENDING)]
    batch.ending[last] = LAST_CAMEL


def own_rates(root: Batch) -> tuple[Ints, Ints]:
    """GC for a drop on each square: what the mover's djinns pay the mover, and opponents' djinns them (rules 11)."""
    camel, mover, pays = root.camel[:, 0], int(root.mover[0]), root.owns[:, PAID_DROPS, 0] > 0
    paid = np.where((camel != NONE) & pays[camel], np.where(camel == mover, 1, 2), 0).astype(np.int16)
    return np.where(camel == mover, paid, 0).astype(np.int16), np.where(camel == mover, 0, paid).astype(np.int16)
