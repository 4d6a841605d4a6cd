"""Whom the assassins of each outcome can kill, with what, and what the sowing must do (rules 5.4, 5.5, 11.10)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import SQUARES
from companion.rules.model.components import Tribe
from companion.simulation.candidates import NEVER, ONCE, SOME, Candidates, Mover, joined, paying
from companion.simulation.djinns import DOUBLE_KILLING, GUARDING, PAID_KILLS, PAYMENTS, REAPING
from companion.simulation.layout import DISTANCE, FAKIR_ID, NONE, TRIBES, VICTIM_IN_FRONT, Index, Wide

PLAIN_KILLS = 6
"""Kills on tiles that bring the killer nothing, drawn by lot for each outcome: they differ in what they take away."""

ASSASSIN = int(Tribe.ASSASSIN)
_IN_FRONT = (Tribe.VIZIER, Tribe.ELDER)
_FACTS = {
    "second": NONE,
    "fakirs": 0,
    "square": NONE,
    "need": NONE,
    "left": NONE,
    "low": NONE,
    "high": NONE,
    "claims": 0,
}
"""What is noted of a kill unless it's said: the tribe of a second victim, the fakirs spent, what the sowing must do (as
in `Candidates`), the rows of walks that do it, and whether the kill claims the tile.
"""
_NAMES = ("victim", "tribe", "row", *_FACTS)


def kill_columns(mover: Mover, sown: Candidates) -> Candidates:
    """A column for each kill worth telling apart, of each outcome of assassins.

    These are all that claim a tile, all in front of opponents, all whose victims are reaped, and of the others
    `PLAIN_KILLS` by lot. Fakirs are spent where only they reach a kill of the first or third sort. Of kills of two,
    only those that claim a tile or are in front of an opponent are there.
    """
    if not len(sown):
        return sown
    kills = _Kills(mover, sown)
    kills.in_front()
    kills.at_end()
    kills.claiming()
    kills.plain()
    wanting = np.nonzero(~kills.killing() & (sown.length > 1))[0]
    kills.dropped(kills.every if kills.reaps else wanting)
    if mover.can_use(DOUBLE_KILLING) and (mover.elders or mover.hand[FAKIR_ID]):
        kills.two_in_front()
        kills.two_at_end()
        kills.two_elsewhere()
    kills.add(np.nonzero(~kills.killing() & (sown.length == 1))[0], NONE, NONE)
    return kills.candidates()


class _Kills:
    """The kills so far: columns of their outcomes, with victims, their tribes, the walks and `_FACTS`."""

    def __init__(self, mover: Mover, sown: Candidates) -> None:
        self.mover, self.sown = mover, sown
        self.every = np.arange(len(sown))
        self.reaps = bool(mover.owns[REAPING])
        self.fakirs = int(mover.hand[FAKIR_ID])
        # Meeples that stood on the end tile before the move and stay there, [tribe, column].
        self.left = np.where(sown.end == sown.start, 0, mover.meeples[sown.end].T)
        self.left[ASSASSIN] = 0
        self.standing = self.left.sum(axis=0)
        self.claimable = mover.free[sown.end] & (sown.camels > 0)
        self._columns: list[Index] = []
        self._facts: list[Wide] = []

    def add(self, columns: Index, victim: Wide | int, tribe: Wide | int, **facts: Wide | int) -> None:
        """Note kills of these columns; the walk is the one chosen already unless `row` names another."""
        if len(columns):
            # All facts in one array, so that the many small parts are joined in one go.
            known = {"victim": victim, "tribe": tribe, "row": self.sown.row[columns], **_FACTS, **facts}
            self._columns.append(columns)
            self._facts.append(np.array(np.broadcast_arrays(*known.values(), columns)[:-1], dtype=np.int32))

    def killing(self) -> npt.NDArray[np.bool_]:
        """Which columns have a kill that takes no fakirs."""
        killing = np.zeros(len(self.sown), dtype=np.bool_)
        for columns, facts in zip(self._columns, self._facts, strict=True):
            killing[columns[facts[_NAMES.index("fakirs")] == 0]] = True
        return killing

    def candidates(self) -> Candidates:
        """A column for each kill, with what it brings and what it costs."""
        candidates = self.sown.select(np.concatenate(self._columns))
        facts = dict(zip(_NAMES, np.concatenate(self._facts, axis=1), strict=True))
        for name in ("row", "fakirs", "square", "need", "left"):
            getattr(candidates, name)[:] = facts[name]
        for name in ("low", "high"):
            getattr(candidates, name)[:] = np.where(facts[name] == NONE, getattr(candidates, name), facts[name])
        candidates.victim[:] = facts["victim"], np.where(facts["second"] == NONE, NONE, facts["victim"])
        candidates.victim_tribe[:] = facts["tribe"], facts["second"]
        candidates.hand[FAKIR_ID] -= facts["fakirs"]
        self.mover.claim(candidates, facts["victim"], facts["claims"] > 0)
        # Paid for before the victims bring anything.
        candidates = _paid(candidates)
        if self.mover.owns[PAID_KILLS]:
            candidates.gold += candidates.victim[0] != NONE
        if self.reaps:
            for who in candidates.victim_tribe:
                _reap(self.mover, candidates, who)
        return candidates

    def _reached(self, columns: Index, square: int) -> tuple[Index, Wide]:
        """The columns whose assassins reach a square other than the end tile, and the fakirs that it takes."""
        fakirs = np.maximum(0, DISTANCE[self.sown.end[columns], square] - self.sown.count[columns])
        within = (fakirs <= self.fakirs) & (self.sown.end[columns] != square)
        return columns[within], fakirs[within]

    def _may_leave(self, columns: Index, tribe: int) -> npt.NDArray[np.bool_]:
        """Where the hand can leave a meeple of a tribe on any tile but the end tile, walks allowing."""
        hand = self.mover.meeples[self.sown.start[columns], tribe]
        return np.asarray(hand > (self.sown.dropped[columns] if tribe == ASSASSIN else 0))

    def _elsewhere(
        self, columns: Index, fakirs: Wide, square: int, tribe: int, *, need: int, left: int = NONE, **facts: int
    ) -> None:
        """Kills on a square other than the end tile, after walks that meet a `need`; one of `left` lies there then."""
        if not len(columns):
            return
        mover, sown = self.mover, self.sown
        low, high = sown.low[columns], sown.high[columns]
        if left not in (NONE, ASSASSIN):
            # One of the other tribes is left elsewhere than on the end tile, so that it takes one less of them.
            others = sown.length[columns] - mover.meeples[sown.start[columns], ASSASSIN]
            high = np.minimum(
                high, mover.first_rows(sown.start[columns], sown.end[columns], sown.dropped[columns] + others)
            )
        rows = mover.best_walks(sown.start[columns], low, high, square, need)
        there = rows != NONE
        between = {"row": rows[there], "low": low[there], "high": high[there]}
        facts = {"square": square, "need": need, "left": left, **facts}
        self.add(columns[there], square, tribe, fakirs=fakirs[there], **between, **facts)

    def _at_end(self, where: npt.NDArray[np.bool_], tribe: int, others: int, *, left: int = NONE, **facts: int) -> None:
        """Kills on the end tile after walks that leave that many meeples of other tribes there."""
        columns = np.nonzero(where)[0]
        if not len(columns):
            return
        mover, sown = self.mover, self.sown
        start, end, visits = sown.start[columns], sown.end[columns], sown.dropped[columns] + others
        low = np.maximum(sown.low[columns], mover.first_rows(start, end, visits))
        high = np.minimum(sown.high[columns], mover.first_rows(start, end, visits + 1))
        rows = mover.best_walks(start, low, high)
        there = rows != NONE
        columns, between = columns[there], {"row": rows[there], "low": low[there], "high": high[there]}
        needs: dict[str, Wide | int] = {} if left == NONE else {"square": sown.end[columns], "need": SOME, "left": left}
        self.add(columns, sown.end[columns], tribe, **between, **needs, **facts)

    def _unguarded(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Opponents whose viziers and elders can be killed, with how many of each they have."""
        root = self.mover.root
        for seat in self.mover.others:
            if not root.owns[seat, :, 0] @ GUARDING:
                yield VICTIM_IN_FRONT + seat, (int(root.viziers[seat, 0]), int(root.elders[seat, 0]))

    def in_front(self) -> None:
        for victim, held in self._unguarded():
            for tribe in _IN_FRONT:
                if held[tribe] > 0:
                    self.add(self.every, victim, int(tribe))

    def two_in_front(self) -> None:
        for victim, held in self._unguarded():
            for first, second in combinations_with_replacement(_IN_FRONT, 2):
                if held[first] and held[second] > (first is second):
                    self.add(self.every, victim, int(first), second=int(second))

    def at_end(self) -> None:
        """Kills on the end tile: of those left there, or of one dropped there alone."""
        for tribe in range(TRIBES):
            there = self.left[tribe] > 0
            several = np.nonzero(there & ((self.standing > 1) | ~self.claimable))[0]
            self.add(several, self.sown.end[several], tribe)
            self._at_end(there & (self.standing == 1) & self.claimable, tribe, 0, claims=1)
            if tribe != ASSASSIN:
                hand = self.mover.meeples[self.sown.start, tribe]
                dropped = (self.standing == 0) & (hand > 0) & (self.sown.emptied == 0)
                self._at_end(dropped & self.claimable, tribe, 1, left=tribe, claims=1)
                self._at_end(dropped & ~self.claimable, tribe, 1, left=tribe)

    def two_at_end(self) -> None:
        """Kills of two on the end tile that claim it."""
        for first in range(TRIBES):
            here = (self.left[first] > 0) & self.claimable
            for second in range(first, TRIBES):
                both = here & (self.left[second] > (first == second)) & (self.standing == 2)
                self._at_end(both, first, 0, second=second, claims=1)
            for dropped in range(TRIBES):
                if dropped != ASSASSIN:
                    one = here & (self.standing == 1) & (self.mover.meeples[self.sown.start, dropped] > 0)
                    self._at_end(one, first, 1, left=dropped, second=dropped, claims=1)

    def claiming(self) -> None:
        """Kills that empty a tile other than the end tile: its only meeple, or the only one dropped there."""
        mover = self.mover
        able = np.nonzero(self.sown.camels > 0)[0]
        for square in np.nonzero(mover.free)[0].tolist():
            reached, fakirs = self._reached(able, square)
            lifted = self.sown.start[reached] == square
            if mover.standing[square] == 1:
                tribe = int(mover.meeples[square].argmax())
                self._elsewhere(reached[~lifted], fakirs[~lifted], square, tribe, need=NEVER, claims=1)
            if mover.standing[square] > 0:
                reached, fakirs = reached[lifted], fakirs[lifted]
            for tribe in range(TRIBES) if len(reached) else ():
                can = self._may_leave(reached, tribe)
                self._elsewhere(reached[can], fakirs[can], square, tribe, need=ONCE, left=tribe, claims=1)

    def two_elsewhere(self) -> None:
        """Kills of two that empty a tile other than the end tile."""
        mover = self.mover
        able = np.nonzero(self.sown.camels > 0)[0]
        for square in np.nonzero(mover.free & ((mover.standing == 1) | (mover.standing == 2)))[0].tolist():
            columns, fakirs = self._reached(able, square)
            standing = self.sown.start[columns] != square
            columns, fakirs = columns[standing], fakirs[standing]
            first, *more = [tribe for tribe in range(TRIBES) for _ in range(mover.meeples[square, tribe])]
            for second in more:
                self._elsewhere(columns, fakirs, square, first, need=NEVER, second=second, claims=1)
            for left in () if more else range(TRIBES):
                can = self._may_leave(columns, left)
                self._elsewhere(columns[can], fakirs[can], square, first, need=ONCE, left=left, second=left, claims=1)

    def plain(self) -> None:
        """Kills of meeples that stand anywhere but on the end tile and leave others there, or an owned tile."""
        mover, sown = self.mover, self.sown
        fakirs = np.maximum(0, DISTANCE[sown.end] - sown.count[:, None])
        squares = np.arange(SQUARES)
        claimable = mover.free & (sown.camels > 0)[:, None]
        legal = (fakirs <= (self.fakirs if self.reaps else 0)) & (sown.end[:, None] != squares)
        legal &= (sown.start[:, None] != squares) & ((mover.standing > 1) | ~claimable)
        options = (legal[:, :, None] & (mover.meeples > 0)).reshape(len(sown), -1)
        dice = np.where(options, self.mover.random.random(options.shape), 2.0)
        # The lowest dice win; a partition finds how low without sorting.
        most = 1.0 if self.reaps else np.partition(dice, PLAIN_KILLS - 1, axis=1)[:, PLAIN_KILLS - 1 : PLAIN_KILLS]
        columns, place = np.nonzero((dice < 1) & (dice <= most))
        square, tribe = place // TRIBES, place % TRIBES
        self.add(columns, square, tribe, fakirs=fakirs[columns, square])

    def dropped(self, columns: Index) -> None:
        """Kills of a meeple dropped on the way where it claims no tile: an owned one, or one with others on it."""
        mover, sown = self.mover, self.sown
        for square in range(SQUARES) if len(columns) else ():
            reached, fakirs = self._reached(columns, square)
            standing = np.where(sown.start[reached] == square, 0, mover.standing[square])
            quiet = (standing > 0) | ~(mover.free[square] & (sown.camels[reached] > 0))
            for tribe in range(TRIBES):
                can = quiet & self._may_leave(reached, tribe)
                self._elsewhere(reached[can], fakirs[can], square, tribe, need=SOME, left=tribe)


def _reap(mover: Mover, candidates: Candidates, who: Wide) -> None:
    """Give the mover what victims of these tribes bring; cards that nobody has seen are left out."""
    candidates.viziers += who == Tribe.VIZIER
    candidates.elders += who == Tribe.ELDER
    victim = candidates.victim[0]
    bricks = np.nonzero((who == Tribe.BUILDER) & (victim < VICTIM_IN_FRONT))[0]
    earned = mover.root.blue_around[victim[bricks], 0] * mover.root.factor[0]
    candidates.gold[bricks] += earned
    candidates.income[bricks] += earned


def _paid(candidates: Candidates) -> Candidates:
    """The same columns, with second kills once for each way to pay for them (rules 11.10)."""
    double = candidates.victim[1] != NONE
    if not double.any():
        return candidates
    parts = [candidates.select(~double)]
    for fakirs, _, paid in paying(candidates, PAYMENTS[DOUBLE_KILLING], double):
        paid.double_paid[:] = fakirs
        parts.append(paid)
    return joined(parts)
