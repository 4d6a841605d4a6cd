"""Turns in the making, as columns: what was decided so far, and what the mover has by then (rules 4 to 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import SQUARES
from companion.simulation.batch import Batch
from companion.simulation.djinns import DJINN_VP, ELDER, FAKIRS_PER_GOOD, PALM, VIZIER, WILD, Revalued
from companion.simulation.layout import CARDS, FAKIR_ID, NONE, TRIBES, FieldArray, Index, Wide
from companion.simulation.scoring import PALACE_VP, goods_value
from companion.simulation.turns import MAX_HAND, VICTIM_IN_FRONT, Turns

_FAR = 1e6
"""More than any turn gains."""

NEVER, ONCE, SOME = range(3)
"""How often a walk must step on a square: `need` of a candidate."""

_DECIDED = tuple(name for name in Turns.FIELDS if name not in ("path", "drops"))
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

    FIELDS: ClassVar[dict[str, tuple[int, ...]]] = {name: Turns.FIELDS[name] for name in _DECIDED} | _OWN
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
        candidates = Turns.blank(len(self))
        for name in _DECIDED:
            getattr(candidates, name)[...] = getattr(self, name)
        return candidates


def joined(parts: list[Candidates]) -> Candidates:
    """The columns of all these, one after another."""
    return parts[0] if len(parts) == 1 else Candidates(np.concatenate([part.data for part in parts], axis=1))


def paying(
    candidates: Candidates, payments: Iterable[tuple[int, int]], may: npt.NDArray[np.bool_] | bool = True
) -> Iterator[tuple[int, npt.NDArray[np.bool_], Candidates]]:
    """The columns that `may` and can pay, once for each way to: the fakirs in it, which they are, they themselves."""
    for elders, fakirs in payments:
        able = may & (candidates.elders >= elders) & (candidates.hand[FAKIR_ID] >= fakirs)
        if able.any():
            paid = candidates.select(able)
            paid.elders -= elders
            paid.hand[FAKIR_ID] -= fakirs
            yield fakirs, able, paid


def best_columns(candidates: Candidates, values: npt.NDArray[np.float64], most: int) -> Index:
    """The best columns by these values, up to so many; the best one of each outcome is always among them."""
    outcome = (candidates.start * SQUARES + candidates.end) * TRIBES + candidates.tribe
    outcome = (outcome * MAX_HAND + candidates.count) * 2 + candidates.emptied
    order = np.lexsort((-values, outcome))
    firsts = order[np.append(True, np.diff(outcome[order]) != 0)]
    values = values.copy()
    values[firsts] += _FAR
    return np.sort(np.argsort(-values, kind="stable")[: max(most, len(firsts))])


class Holder:
    """What the mover of a batch's only lane has at the beginning of the turn, and what things are worth then."""

    def __init__(self, root: Batch) -> None:
        self.root = root
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

    def djinn_points(self, djinn: Wide) -> Wide:
        """VP printed on djinns, 0 for NONE."""
        return np.where(djinn == NONE, 0, DJINN_VP[djinn]).astype(np.int32)
