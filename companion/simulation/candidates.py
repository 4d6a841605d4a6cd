"""Turns in the making, as columns: what was decided so far, and what the mover has by then (rules 4 to 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import SQUARES
from companion.rules.model.components import PALACES, PALMS
from companion.simulation.djinns import ELDER, FAKIRS_PER_GOOD, PALM, VIZIER, WILD, Revalued
from companion.simulation.evaluation import PALACE_VP, goods_value
from companion.simulation.layout import (
    CARDS,
    FAKIR_ID,
    MAX_HAND,
    NONE,
    OASIS,
    SQUARE_BITS,
    TRIBES,
    VICTIM_IN_FRONT,
    VILLAGE,
    Batch,
    FieldArray,
    Index,
    Turns,
    Wide,
)
from companion.simulation.playing import pay_by_square
from companion.simulation.walks import MAX_VISITS, WalkTable, walk_table

_FAR = 1e6
"""More than any turn gains."""

NEVER, ONCE, SOME = range(3)
"""How often a walk must step on a square: `need` of a candidate."""

_DECIDED = {name: shape for name, shape in Turns.FIELDS.items() if name not in ("path", "drops")}
_OWN: dict[str, tuple[int, ...]] = {
    # The outcome (rules 4.7, 4.8), and the rows of the start's walk table that lead to it.
    "end": (),
    "tribe": (),
    "count": (),
    "dropped": (),  # meeples of the tribe that the hand leaves on the end tile
    "emptied": (),
    "low": (),
    "high": (),
    "row": (),  # the walk chosen
    # What a kill needs of the sowing: steps on a square, and a meeple of a tribe left there; NONE for nothing.
    "square": (),
    "need": (),
    "left": (),
    # What the mover has after what was decided so far.
    "claimed": (4,),  # squares with a new camel of the mover's
    "camels": (),
    "gold": (),
    "viziers": (),
    "elders": (),
    "hand": (len(CARDS),),
    "income": (),  # of builders (rules 11.9)
    "points": (),  # VP of tiles, palms, palaces and djinns won in this turn
    "taken": (),  # cards that merchants took from the row
}


class Candidates(FieldArray):
    """Turns in the making: all decisions of `Turns` but the steps of the sowing, and what the mover has by then."""

    FIELDS: ClassVar[dict[str, tuple[int, ...]]] = _DECIDED | _OWN
    DTYPE = np.int32
    BLANK = (
        *(name for name in Turns.BLANK if name in _DECIDED),
        *("end", "tribe", "row", "square", "need", "left", "claimed"),
    )

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Wide: ...

        def __setattr__(self, name: str, value: Wide) -> None: ...

    def turns(self) -> Turns:
        """The decisions as turns, whose paths and drops are still to be filled in."""
        turns = Turns.blank(len(self))
        decided = slice(Turns.PLACES["path"].start)
        turns.data[decided] = self.data[decided]
        return turns


def joined(parts: list[Candidates]) -> Candidates:
    """Join columns, one after another."""
    return parts[0] if len(parts) == 1 else Candidates(np.concatenate([part.data for part in parts], axis=1))


def paying(
    candidates: Candidates, payments: Iterable[tuple[int, int]], may: npt.NDArray[np.bool_] | bool = True
) -> Iterator[tuple[int, npt.NDArray[np.bool_], Candidates]]:
    """For each way to pay, yield its fakirs, which columns `may` and can pay so, and those columns once they have."""
    for elders, fakirs in payments:
        able = may & (candidates.elders >= elders) & (candidates.hand[FAKIR_ID] >= fakirs)
        if able.any():
            paid = candidates.select(able)
            paid.elders -= elders
            paid.hand[FAKIR_ID] -= fakirs
            yield fakirs, able, paid


def best_columns(candidates: Candidates, values: npt.NDArray[np.float64], most: int) -> Index:
    """The best columns by these values, up to that many; the best one of each outcome is always among them."""
    outcome = (candidates.start * SQUARES + candidates.end) * TRIBES + candidates.tribe
    outcome = (outcome * MAX_HAND + candidates.count) * 2 + candidates.emptied
    # Sorted by outcome, then by value, the first of each stretch is the best of its outcome.
    order = np.lexsort((-values, outcome))
    firsts = order[np.append(True, np.diff(outcome[order]) != 0)]
    values = values.copy()
    values[firsts] += _FAR
    return np.sort(np.argsort(-values, kind="stable")[: max(most, len(firsts))])


_ROW_BITS = 17
_DICE_BITS = 16


class Mover:
    """The mover of a batch's only lane at the beginning of a turn: what the mover has, what things are worth then, and
    which walks are the best. Walks that bring the mover's djinns more than opponents' are better (rules 11); equals are
    drawn by lot.
    """

    def __init__(self, root: Batch, random: np.random.Generator) -> None:
        self.root, self.random = root, random
        self.seat = int(root.mover[0])
        self.seats = int(root.seats[0])
        self.others = [seat for seat in range(self.seats) if seat != self.seat]
        self.gold = int(root.gold[self.seat, 0])
        self.viziers = int(root.viziers[self.seat, 0])
        self.elders = int(root.elders[self.seat, 0])
        self.camels = int(root.camels[self.seat, 0])
        self.hand = root.cards[self.seat, :, 0].astype(np.int32)
        self.owns = root.owns[self.seat, :, 0] > 0
        self.meeples = root.meeples[:, :, 0].astype(np.int32)
        self.standing = self.meeples.sum(axis=1)
        self.free = root.camel[:, 0] == NONE
        self.own = root.camel[:, 0] == self.seat
        self.palms = root.palms[:, 0].astype(np.int32)
        self.palaces = root.palaces[:, 0].astype(np.int32)
        self.palm_worth = PALM.plain + PALM.more * int(self.owns[PALM.djinn])
        self.tile_worth = root.tile_vp[:, 0] + self.palm_worth * self.palms + PALACE_VP * self.palaces
        self.row: list[int] = [int(card) for card in root.row[:, 0] if card != NONE]
        self.supplies = (
            (OASIS, PALMS - int(self.palms.sum()), self.palm_worth),
            (VILLAGE, PALACES - int(self.palaces.sum()), PALACE_VP),
        )
        """Kind of tile, what the supply has left of what it brings, and VP of one on an own tile."""
        self.starts = [square for square in range(SQUARES) if 0 < self.standing[square] <= MAX_HAND]
        self.own_pay, others_pay = pay_by_square(root)
        self.is_paid = bool(self.own_pay.any() or others_pay.any())
        self._rates = self.own_pay.astype(np.int64) * 64 - others_pay
        self._ranks: dict[int, npt.NDArray[np.int64]] = {}

    def table(self, start: int) -> WalkTable:
        """The walks of the hand that is lifted from a square."""
        return walk_table(start, int(self.standing[start]))

    def by_start(self, starts: Wide) -> Iterator[tuple[int, Index]]:
        """Each start with the columns that have it, those without a move left out."""
        for start in np.unique(starts[starts != NONE]).tolist():
            yield start, np.nonzero(starts == start)[0]

    def best_walks(self, starts: Wide, low: Wide, high: Wide, square: int = NONE, need: int = NEVER) -> Wide:
        """For each start the row of the best walk between rows `low` and `high`, NONE for none.

        A kill may need one that steps on a `square` as often as `need` says.
        """
        rows = np.full(len(starts), NONE, dtype=np.int32)
        for start, at in self.by_start(starts):
            ranks = self._walk_ranks(start)
            if square != NONE:
                table = self.table(start)
                met = (table.once if need == ONCE else table.some) & SQUARE_BITS[square] != 0
                ranks = np.append(np.where(~met if need == NEVER else met, ranks[:-1], NONE), -1)
            # One sweep gives the maxima between all the bounds in a row; every second one is that of a stretch.
            bounds = np.stack([low[at], np.maximum(low[at], high[at])], axis=1).ravel()
            best = np.where(high[at] > low[at], np.maximum.reduceat(ranks, bounds)[::2], NONE)
            rows[at] = np.where(best < 0, NONE, best & ((1 << _ROW_BITS) - 1))
        return rows

    def first_rows(self, starts: Wide, ends: Wide, visits: Wide) -> Wide:
        """The first rows of the walks from each start that visit their end so often, or more."""
        rows = np.zeros(len(starts), dtype=np.int32)
        for start, at in self.by_start(starts):
            first = self.table(start).first
            rows[at] = first[ends[at], np.minimum(visits[at], first.shape[1] - 1)]
        return rows

    def add_pay_for_drops(self, candidates: Candidates, sign: int = 1) -> None:
        """Add what the mover's djinns pay for the drops of the chosen walks, or with -1 take it off (rules 11)."""
        if self.is_paid:
            for start, columns in self.by_start(candidates.start):
                paths = self.table(start).paths[candidates.row[columns]]
                candidates.gold[columns] += sign * self.own_pay[paths].sum(axis=1)

    def _walk_ranks(self, start: int) -> npt.NDArray[np.int64]:
        """A number for each walk from a start, larger if better, with its row in the low bits; one more for no walk."""
        ranks = self._ranks.get(start)
        if ranks is None:
            table = self.table(start)
            dice = self.random.integers(0, 1 << _DICE_BITS, len(table), dtype=np.int64)
            if self.is_paid:
                # What djinns pay weighs more than any dice.
                dice += (self._rates[table.paths].sum(axis=1) + (1 << 12)) << _DICE_BITS
            ranks = np.append((dice << _ROW_BITS) + np.arange(len(table)), -1)
            self._ranks[start] = ranks
        return ranks

    def can_use(self, djinn: int) -> bool:
        """Whether the mover has a djinn whose power is unused in this turn."""
        return bool(self.owns[djinn]) and not self.root.used[djinn, 0]

    def begin(self, number: int) -> Candidates:
        """Columns of turns in which nothing is decided yet, with what the mover has."""
        candidates = Candidates.blank(number)
        candidates.camels[:], candidates.gold[:] = self.camels, self.gold
        candidates.viziers[:], candidates.elders[:] = self.viziers, self.elders
        candidates.hand[:] = self.hand[:, None]
        return candidates

    def gains(self, candidates: Candidates) -> Wide:
        """What each turn adds to the mover's points at once, in VP (rules 10)."""
        return np.asarray(self._worth(candidates) - self._worth(self.begin(1)))

    def _worth(self, candidates: Candidates) -> Wide:
        total = candidates.gold + candidates.points + self._each(candidates, VIZIER) * candidates.viziers
        for seat in self.others:
            theirs = np.full(len(candidates), self.root.viziers[seat, 0])
            for victim, tribe in zip(candidates.victim, candidates.victim_tribe, strict=True):
                theirs -= (victim == VICTIM_IN_FRONT + seat) & (tribe == 0)
            total += 10 * (candidates.viziers > theirs)
        total += self._each(candidates, ELDER) * candidates.elders
        if not self.owns[PALM.djinn]:
            blessed = np.nonzero(candidates.djinn == PALM.djinn)[0]
            claimed = candidates.claimed[:, blessed]
            palms = self.palms[self.own].sum() + np.where(claimed == NONE, 0, self.palms[claimed]).sum(axis=0)
            total[blessed] += PALM.more * palms
        wild = np.where(self.now_has(candidates, WILD), candidates.hand[FAKIR_ID] // FAKIRS_PER_GOOD, 0)
        return np.asarray(total + goods_value(candidates.hand, wild))

    def _each(self, candidates: Candidates, worth: Revalued) -> Wide:
        """VP of one of something, a djinn just taken considered."""
        return np.asarray(worth.plain + worth.more * self.now_has(candidates, worth.djinn))

    def now_has(self, candidates: Candidates, djinn: int) -> npt.NDArray[np.bool_]:
        """Where the mover has a djinn, one just taken too."""
        return np.asarray(self.owns[djinn] | (candidates.djinn == djinn))

    def claim(self, candidates: Candidates, squares: Wide, where: npt.NDArray[np.bool_]) -> None:
        """Note a new camel of the mover on a square in those columns where there is one (rules 4.8, 5.5, 11.7)."""
        columns = np.nonzero(where)[0]
        if not len(columns):
            return
        place = (candidates.claimed[:, columns] != NONE).sum(axis=0)
        candidates.claimed[place, columns] = squares[columns]
        candidates.camels[columns] -= 1
        candidates.points[columns] += self.tile_worth[squares[columns]]


def sowing_columns(mover: Mover) -> Candidates:
    """A column for each outcome of moving meeples, its camel put and the best walk for it chosen (rules 4.2 to 4.8).

    An outcome is start, end, tribe, number taken, and whether the end tile is emptied.
    """
    starts = np.array(mover.starts, dtype=np.intp)
    if not len(starts):
        return mover.begin(0)
    legal, fewest, largest = _outcomes(mover, starts)
    at = np.nonzero(legal)
    start, end, tribe, place, empty = at
    # Rows of a table are in the order of visits, so what an outcome asks of its walks is a stretch of them.
    first: Index = np.stack([mover.table(start).first for start in mover.starts])
    low = first[start, end, np.broadcast_to(fewest, legal.shape)[at]]
    high = first[start, end, np.broadcast_to(largest, legal.shape)[at] + 1]
    there = high > low
    sown = mover.begin(int(there.sum()))
    sown.start[:] = starts[start[there]]
    sown.length[:] = mover.standing[sown.start]
    sown.end[:], sown.tribe[:], sown.emptied[:] = end[there], tribe[there], empty[there]
    sown.dropped[:] = place[there] + 1
    sown.count[:] = sown.dropped + np.where(sown.start == sown.end, 0, mover.meeples[sown.end, sown.tribe])
    sown.low[:], sown.high[:] = low[there], high[there]
    sown.row[:] = mover.best_walks(sown.start, sown.low, sown.high)
    mover.claim(sown, sown.end, (sown.emptied == 1) & mover.free[sown.end] & (sown.camels > 0))
    return sown


def _outcomes(mover: Mover, starts: Index) -> tuple[npt.NDArray[np.bool_], Wide, Wide]:
    """Which outcomes are legal if walks allow, and the fewest and most visits of the end that lead to each.

    Axes are start, end, tribe, meeples of the tribe dropped on the end tile less one, emptied.
    """
    most = (int(mover.standing[starts].max()) - 1) // 4 + 1
    held = np.where((starts[:, None] == np.arange(SQUARES))[:, :, None], 0, mover.meeples[None])[:, :, :, None, None]
    only = held[:, :, :, 0, 0].sum(axis=2)[:, :, None, None, None] == held
    hand = mover.meeples[starts][:, None, :, None, None]
    others = mover.standing[starts][:, None, None, None, None] - hand
    dropped, emptied = np.arange(1, most + 1)[:, None], np.arange(2)
    # A tile where others stand isn't emptied; one where none do is, unless the hand leaves another tribe there.
    fewest = np.where(emptied == 1, dropped, dropped + only)
    largest = np.where(emptied == 1, dropped, np.minimum(dropped + others, MAX_VISITS))
    legal = (dropped <= hand) & (dropped + (held > 0) >= 2) & (only | (emptied == 0)) & (fewest <= largest)
    return legal, fewest, largest
