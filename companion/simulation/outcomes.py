"""Every outcome of moving meeples: start, end, tribe, number taken, end tile emptied or not (rules 4.2 to 4.8)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import SQUARES
from companion.rules.model.components import Tribe
from companion.simulation.candidates import NEVER, ONCE, Candidates, Holder
from companion.simulation.layout import NONE, Index, Wide
from companion.simulation.sowing import own_rates
from companion.simulation.turns import MAX_HAND
from companion.simulation.walks import MAX_VISITS, SQUARE_BITS, WalkTable, walk_table

_ROW_BITS = 17
_DICE_BITS = 16


class Walks:
    """The walk tables of a board's starts, with how good each of their walks is for the mover.

    Walks that bring the mover's djinns more than opponents' are better (rules 11); equals are drawn by lot.
    """

    def __init__(self, holder: Holder, random: np.random.Generator) -> None:
        self.random = random
        self.starts = [s for s in range(SQUARES) if 0 < holder.standing[s] <= MAX_HAND]
        self.lengths = holder.standing
        self.assassins = holder.meeples[:, Tribe.ASSASSIN]
        self.tables: dict[int, WalkTable] = {
            start: walk_table(start, int(self.lengths[start])) for start in self.starts
        }
        mine, theirs = own_rates(holder.root)
        self.pays = bool(mine.any() or theirs.any())
        self.rates = mine.astype(np.int64) * 64 - theirs
        self.mine = mine
        self._ranks: dict[int, npt.NDArray[np.int64]] = {}

    def ranks(self, start: int) -> npt.NDArray[np.int64]:
        """A number for each walk from a start, larger if better, with its row in the low bits; one more for no walk."""
        ranks = self._ranks.get(start)
        if ranks is None:
            table = self.tables[start]
            dice = self.random.integers(0, 1 << _DICE_BITS, len(table), dtype=np.int64)
            if self.pays:
                dice += (self.rates[table.paths].sum(axis=1) + (1 << 12)) << _DICE_BITS
            ranks = np.append((dice << _ROW_BITS) + np.arange(len(table)), -1)
            self._ranks[start] = ranks
        return ranks

    def best(self, start: int, low: Wide, high: Wide, square: int = NONE, need: int = NEVER) -> npt.NDArray[np.int64]:
        """The row of the best walk between rows `low` and `high` of a start, NONE where none does what a kill needs."""
        ranks = self.ranks(start)
        if square != NONE:
            table = self.tables[start]
            met = (table.once if need == ONCE else table.some) & SQUARE_BITS[square] != 0
            ranks = np.append(np.where(~met if need == NEVER else met, ranks[:-1], NONE), -1)
        pairs = np.stack([low, np.maximum(low, high)], axis=1).ravel()
        best = np.where(high > low, np.maximum.reduceat(ranks, pairs)[::2], NONE)
        return np.where(best < 0, NONE, best & ((1 << _ROW_BITS) - 1))


def sowing_columns(holder: Holder, walks: Walks) -> Candidates:
    """A column for each outcome, its camel put and the best walk for it chosen."""
    starts = np.array(walks.starts, dtype=np.intp)
    if not len(starts):
        return holder.begin(0)
    first: Index = np.stack([walks.tables[start].first for start in walks.starts])
    most = (int(walks.lengths[starts].max()) - 1) // 4 + 1
    hand = holder.meeples[starts]
    # Axes: start, end, tribe, meeples of the tribe dropped on the end tile, emptied.
    own = starts[:, None] == np.arange(SQUARES)
    held = np.where(own[:, :, None], 0, holder.meeples[None])[:, :, :, None, None]
    bare = held[:, :, :, 0, 0].sum(axis=2)[:, :, None, None, None] == held
    inhand = hand[:, None, :, None, None]
    others = walks.lengths[starts][:, None, None, None, None] - inhand
    dropped = np.arange(1, most + 1)[:, None]
    emptied = np.arange(2)
    fewest = np.where(emptied == 1, dropped, dropped + bare)
    largest = np.where(emptied == 1, dropped, np.minimum(dropped + others, MAX_VISITS))
    legal = (dropped <= inhand) & (dropped + (held > 0) >= 2) & (bare | (emptied == 0)) & (fewest <= largest)
    at = np.nonzero(legal)
    start, end, tribe, place, empty = at
    low = first[start, end, np.broadcast_to(fewest, legal.shape)[at]]
    high = first[start, end, np.broadcast_to(largest, legal.shape)[at] + 1]
    there = high > low
    candidates = holder.begin(int(there.sum()))
    candidates.start[:] = starts[start[there]]
    candidates.length[:] = walks.lengths[candidates.start]
    candidates.end[:], candidates.tribe[:], candidates.emptied[:] = end[there], tribe[there], empty[there]
    candidates.dropped[:] = place[there] + 1
    candidates.count[:] = candidates.dropped + np.where(
        candidates.start == candidates.end, 0, holder.meeples[candidates.end, candidates.tribe]
    )
    candidates.low[:], candidates.high[:] = low[there], high[there]
    _choose_walks(walks, candidates)
    holder.claim(
        candidates, candidates.end, (candidates.emptied == 1) & holder.free[candidates.end] & (candidates.camels > 0)
    )
    return candidates


def _choose_walks(walks: Walks, candidates: Candidates) -> None:
    for start in walks.starts:
        columns = np.nonzero(candidates.start == start)[0]
        if len(columns):
            candidates.row[columns] = walks.best(start, candidates.low[columns], candidates.high[columns])


def add_tolls(walks: Walks, candidates: Candidates, sign: int = 1) -> None:
    """Add what the mover's djinns pay for the drops of the chosen walks, or with -1 take it off (rules 11)."""
    if not walks.pays:
        return
    for start in walks.starts:
        columns = np.nonzero(candidates.start == start)[0]
        candidates.gold[columns] += sign * walks.mine[walks.tables[start].paths[candidates.row[columns]]].sum(axis=1)
