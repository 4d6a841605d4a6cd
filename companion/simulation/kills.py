"""Whom the assassins of each outcome can kill, with what, and what the sowing must do (rules 5.4, 5.5, 11.10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import SQUARES
from companion.rules.model.components import Tribe
from companion.simulation.candidates import NEVER, ONCE, SOME, Candidates, Holder, joined, paying
from companion.simulation.djinns import DOUBLE_KILLING, GUARDING, PAID_KILLS, PAYMENTS, REAPING
from companion.simulation.layout import DISTANCE, FAKIR_ID, NONE, TRIBES, Index, Wide
from companion.simulation.outcomes import Walks
from companion.simulation.turns import VICTIM_IN_FRONT

ASSASSIN = int(Tribe.ASSASSIN)
KILLABLE_IN_FRONT = (Tribe.VIZIER, Tribe.ELDER)
_FAKIRS = 3


@dataclass(slots=True)
class Kills:
    """The kills found so far: column of the outcome, victim and its tribe, that of a second one, fakirs, what the
    sowing must do, the walk, whether it claims the tile, the rows of the walks that do.
    """

    columns: list[Index] = field(default_factory=list)
    facts: list[Wide] = field(default_factory=list)

    def add(
        self,
        columns: Index,
        victim: Wide | int,
        tribe: Wide | int,
        *,
        row: Wide,
        fakirs: Wide | int = 0,
        square: Wide | int = NONE,
        need: int = NONE,
        left: int = NONE,
        low: Wide | None = None,
        high: Wide | None = None,
        claims: bool = False,
        second: int = NONE,
    ) -> None:
        if len(columns):
            self.columns.append(columns)
            between = (NONE if low is None else low, NONE if high is None else high)
            facts = (victim, tribe, second, fakirs, square, need, left, row, claims, *between)
            self.facts.append(np.array(np.broadcast_arrays(*facts, columns)[:-1], dtype=np.int32))

    def killing(self, number: int) -> npt.NDArray[np.bool_]:
        """Which of that many columns have a kill that takes no fakirs."""
        killing = np.zeros(number, dtype=np.bool_)
        for columns, facts in zip(self.columns, self.facts, strict=True):
            killing[columns[facts[_FAKIRS] == 0]] = True
        return killing


def with_kills(holder: Holder, sown: Candidates, kills: Kills) -> Candidates:
    """A column for each kill, with what it brings and what it costs."""
    facts = np.concatenate(kills.facts, axis=1)
    candidates = sown.select(np.concatenate(kills.columns))
    victim, tribe, second, fakirs, square, need, left, row, claims, low, high = facts
    candidates.victim[0], candidates.victim_tribe[0], candidates.fakirs[:] = victim, tribe, fakirs
    candidates.square[:], candidates.need[:], candidates.left[:], candidates.row[:] = square, need, left, row
    candidates.low[:] = np.where(low == NONE, candidates.low, low)
    candidates.high[:] = np.where(high == NONE, candidates.high, high)
    candidates.hand[FAKIR_ID] -= fakirs
    candidates.victim[1] = np.where(second == NONE, NONE, victim)
    candidates.victim_tribe[1] = second
    holder.claim(candidates, victim, claims > 0)
    # Paid for before the victims bring anything.
    candidates = _paid(candidates)
    if holder.owns[PAID_KILLS]:
        candidates.gold += candidates.victim[0] != NONE
    if holder.owns[REAPING]:
        for who in candidates.victim_tribe:
            _reap(holder, candidates, who)
    return candidates


def _reap(holder: Holder, candidates: Candidates, who: Wide) -> None:
    """Give the mover what victims of these tribes bring him; cards that nobody has seen are left out."""
    candidates.viziers += who == Tribe.VIZIER
    candidates.elders += who == Tribe.ELDER
    victim = candidates.victim[0]
    bricks = np.nonzero((who == Tribe.BUILDER) & (victim < VICTIM_IN_FRONT))[0]
    earned = holder.root.blue_around[victim[bricks], 0] * holder.root.factor[0]
    candidates.gold[bricks] += earned
    candidates.income[bricks] += earned


def _paid(candidates: Candidates) -> Candidates:
    """The same, second kills once for each way to pay for them (rules 11.10)."""
    double = candidates.victim[1] != NONE
    if not double.any():
        return candidates
    parts = [candidates.select(~double)]
    for fakirs, _, paid in paying(candidates, PAYMENTS[DOUBLE_KILLING], double):
        paid.double_paid[:] = fakirs
        parts.append(paid)
    return joined(parts)


def best_rows(walks: Walks, sown: Candidates, columns: Index, low: Wide, high: Wide, square: int, need: int) -> Wide:
    """The best walks of these columns that meet a need, NONE where there is none; start by start."""
    rows = np.full(len(columns), NONE, dtype=np.int32)
    starts = sown.start[columns]
    for start in np.unique(starts).tolist():
        at = np.nonzero(starts == start)[0]
        rows[at] = walks.best(start, low[at], high[at], square, need)
    return rows


def first_rows(walks: Walks, sown: Candidates, columns: Index, visits: Wide) -> Wide:
    """The first rows of the walks that visit the end so often, or more."""
    rows = np.zeros(len(columns), dtype=np.int32)
    starts = sown.start[columns]
    for start in np.unique(starts).tolist():
        at = np.nonzero(starts == start)[0]
        first = walks.tables[start].first
        rows[at] = first[sown.end[columns[at]], np.minimum(visits[at], first.shape[1] - 1)]
    return rows


def left_on_end(holder: Holder, sown: Candidates) -> Wide:
    """Meeples that stood on the end tile before the move and stay there, [tribe, column]."""
    left = np.where(sown.end == sown.start, 0, holder.meeples[sown.end].T)
    left[ASSASSIN] = 0
    return np.asarray(left, dtype=np.int32)


def reached_beside(sown: Candidates, columns: Index, square: int, most: int) -> tuple[Index, Wide]:
    """Those of the columns whose assassins reach a square beside the end tile with at most so many fakirs more."""
    fakirs = np.maximum(0, DISTANCE[sown.end[columns], square] - sown.count[columns])
    within = (fakirs <= most) & (sown.end[columns] != square)
    return columns[within], fakirs[within]


def may_leave(holder: Holder, sown: Candidates, columns: Index, tribe: int) -> npt.NDArray[np.bool_]:
    """Where the hand can leave a meeple of a tribe beside the end tile, walks allowing."""
    hand = holder.meeples[sown.start[columns], tribe]
    return np.asarray(hand > (sown.dropped[columns] if tribe == ASSASSIN else 0))


def kill_beside(
    walks: Walks,
    sown: Candidates,
    kills: Kills,
    columns: Index,
    fakirs: Wide,
    square: int,
    need: int,
    tribe: int,
    left: int,
    *,
    claims: bool = True,
    second: int = NONE,
) -> None:
    """Kills on a square beside the end tile after walks that meet a `need`; one of the tribe `left` lies there then."""
    if not len(columns):
        return
    low, high = sown.low[columns], sown.high[columns]
    if left not in (NONE, ASSASSIN):
        # One of the other tribes is left beside the end tile, so that it takes one less of them.
        others = sown.length[columns] - walks.assassins[sown.start[columns]]
        high = np.minimum(high, first_rows(walks, sown, columns, sown.dropped[columns] + others))
    rows = best_rows(walks, sown, columns, low, high, square, need)
    there = rows != NONE
    kills.add(
        columns[there],
        square,
        tribe,
        row=rows[there],
        fakirs=fakirs[there],
        square=square,
        need=need,
        left=left,
        low=low[there],
        high=high[there],
        claims=claims,
        second=second,
    )


def kill_at_end(
    walks: Walks,
    sown: Candidates,
    kills: Kills,
    columns: Index,
    tribe: int,
    left: int,
    others: int,
    *,
    claims: bool,
    second: int = NONE,
) -> None:
    """Kills on the end tile after walks that leave so many meeples of other tribes there."""
    if not len(columns):
        return
    visits = sown.dropped[columns] + others
    low = np.maximum(sown.low[columns], first_rows(walks, sown, columns, visits))
    high = np.minimum(sown.high[columns], first_rows(walks, sown, columns, visits + 1))
    rows = best_rows(walks, sown, columns, low, high, NONE, NEVER)
    there = rows != NONE
    columns = columns[there]
    kills.add(
        columns,
        sown.end[columns],
        tribe,
        row=rows[there],
        square=NONE if left == NONE else sown.end[columns],
        need=NONE if left == NONE else SOME,
        left=left,
        low=low[there],
        high=high[there],
        claims=claims,
        second=second,
    )


def double_kills(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    """Kills of two that claim a tile, or are in front of an opponent; others of two are not looked at."""
    if not holder.can_use(DOUBLE_KILLING) or not (holder.elders or holder.hand[FAKIR_ID]):
        return
    every = np.arange(len(sown))
    for seat in holder.others:
        if holder.root.owns[seat, :, 0] @ GUARDING:
            continue
        there = (int(holder.root.viziers[seat, 0]), int(holder.root.elders[seat, 0]))
        for first, second in combinations_with_replacement(KILLABLE_IN_FRONT, 2):
            if there[first] and there[second] > (first is second):
                kills.add(every, VICTIM_IN_FRONT + seat, int(first), second=int(second), row=sown.row)
    _double_at_end(holder, walks, sown, kills)
    _double_beside(holder, walks, sown, kills)


def _double_at_end(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    left = left_on_end(holder, sown)
    standing = left.sum(axis=0)
    claimable = holder.free[sown.end] & (sown.camels > 0)
    for first in range(TRIBES):
        for second in range(first, TRIBES):
            both = (left[first] > 0) & (left[second] > (first == second)) & (standing == 2) & claimable
            kill_at_end(walks, sown, kills, np.nonzero(both)[0], first, NONE, 0, claims=True, second=second)
        for dropped in range(TRIBES):
            hand = holder.meeples[sown.start, dropped]
            one = (left[first] > 0) & (standing == 1) & claimable & (hand > 0)
            if dropped != Tribe.ASSASSIN:
                kill_at_end(walks, sown, kills, np.nonzero(one)[0], first, dropped, 1, claims=True, second=dropped)


def _double_beside(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    able = np.nonzero(sown.camels > 0)[0]
    for square in np.nonzero(holder.free & ((holder.standing == 1) | (holder.standing == 2)))[0].tolist():
        columns, fakirs = reached_beside(sown, able, square, int(holder.hand[FAKIR_ID]))
        beside = sown.start[columns] != square
        columns, fakirs = columns[beside], fakirs[beside]
        tribes = [tribe for tribe in range(TRIBES) for _ in range(holder.meeples[square, tribe])]
        if len(tribes) == 2:
            first, second = tribes
            kill_beside(walks, sown, kills, columns, fakirs, square, NEVER, first, NONE, second=second)
            continue
        for left in range(TRIBES):
            can = may_leave(holder, sown, columns, left)
            kill_beside(walks, sown, kills, columns[can], fakirs[can], square, ONCE, tribes[0], left, second=left)


PLAIN_KILLS = 6
"""Kills on tiles that bring the killer nothing, drawn by lot for each outcome: they differ in what they take away."""


def kill_columns(holder: Holder, walks: Walks, sown: Candidates) -> Candidates:
    """For each outcome of assassins a column for each kill worth telling apart.

    These are all that claim a tile, all in front of opponents, all whose victims are reaped, and of the others
    `PLAIN_KILLS` by lot. Fakirs are spent where only they reach a kill of the first or third sort.
    """
    if not len(sown):
        return sown
    kills = Kills()
    _in_front(holder, sown, kills)
    _at_end(holder, walks, sown, kills)
    _claiming(holder, walks, sown, kills)
    _plain(holder, walks, sown, kills)
    wanting = np.nonzero(~kills.killing(len(sown)) & (sown.length > 1))[0]
    reaps = bool(holder.owns[REAPING])
    _dropped(holder, walks, sown, np.arange(len(sown)) if reaps else wanting, kills)
    double_kills(holder, walks, sown, kills)
    peaceful = np.nonzero(~kills.killing(len(sown)) & (sown.length == 1))[0]
    kills.add(peaceful, NONE, NONE, row=sown.row[peaceful])
    return with_kills(holder, sown, kills)


def _in_front(holder: Holder, sown: Candidates, kills: Kills) -> None:
    every = np.arange(len(sown))
    for seat in holder.others:
        if holder.root.owns[seat, :, 0] @ GUARDING:
            continue
        for tribe, kept in zip(KILLABLE_IN_FRONT, (holder.root.viziers, holder.root.elders), strict=True):
            if kept[seat, 0] > 0:
                kills.add(every, VICTIM_IN_FRONT + seat, int(tribe), row=sown.row)


def _at_end(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    """Kills on the end tile: of those left there, or of one dropped there alone."""
    left = left_on_end(holder, sown)
    standing = left.sum(axis=0)
    claimable = holder.free[sown.end] & (sown.camels > 0)
    for tribe in range(TRIBES):
        several = np.nonzero((left[tribe] > 0) & ((standing > 1) | ~claimable))[0]
        kills.add(several, sown.end[several], tribe, row=sown.row[several])
        alone = np.nonzero((left[tribe] > 0) & (standing == 1) & claimable)[0]
        kill_at_end(walks, sown, kills, alone, tribe, NONE, 0, claims=True)
        hand = holder.meeples[sown.start, tribe]
        if tribe != ASSASSIN:
            dropped = np.nonzero((standing == 0) & (hand > 0) & (sown.emptied == 0))[0]
            claims = claimable[dropped]
            kill_at_end(walks, sown, kills, dropped[claims], tribe, tribe, 1, claims=True)
            kill_at_end(walks, sown, kills, dropped[~claims], tribe, tribe, 1, claims=False)


def _claiming(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    """Kills that empty a tile beside the end tile: its only meeple, or the only one dropped there."""
    most = int(holder.hand[FAKIR_ID])
    able = np.nonzero(sown.camels > 0)[0]
    for square in np.nonzero(holder.free)[0].tolist():
        reached, fakirs = reached_beside(sown, able, square, most)
        lifted = sown.start[reached] == square
        if holder.standing[square] == 1:
            there = ~lifted
            tribe = int(holder.meeples[square].argmax())
            kill_beside(walks, sown, kills, reached[there], fakirs[there], square, NEVER, tribe, NONE)
        if holder.standing[square] > 0:
            reached, fakirs = reached[lifted], fakirs[lifted]
        for tribe in range(TRIBES) if len(reached) else ():
            can = may_leave(holder, sown, reached, tribe)
            kill_beside(walks, sown, kills, reached[can], fakirs[can], square, ONCE, tribe, tribe)


def _plain(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    """Kills of meeples that stand beside the end tile and leave others there, or an owned tile."""
    reaps = bool(holder.owns[REAPING])
    fakirs = np.maximum(0, DISTANCE[sown.end] - sown.count[:, None])
    squares = np.arange(SQUARES)
    claimable = holder.free & (sown.camels > 0)[:, None]
    legal = (fakirs <= (holder.hand[FAKIR_ID] if reaps else 0)) & (sown.end[:, None] != squares)
    legal &= (sown.start[:, None] != squares) & ((holder.standing > 1) | ~claimable)
    options = (legal[:, :, None] & (holder.meeples > 0)).reshape(len(sown), -1)
    dice = np.where(options, walks.random.random(options.shape), 2.0)
    most = 1.0 if reaps else np.partition(dice, PLAIN_KILLS - 1, axis=1)[:, PLAIN_KILLS - 1 : PLAIN_KILLS]
    columns, place = np.nonzero((dice < 1) & (dice <= most))
    square, tribe = place // TRIBES, place % TRIBES
    kills.add(columns, square, tribe, row=sown.row[columns], fakirs=fakirs[columns, square])


def _dropped(holder: Holder, walks: Walks, sown: Candidates, columns: Index, kills: Kills) -> None:
    """Kills of a meeple dropped on the way where it claims no tile: an owned one, or one with others on it."""
    for square in range(SQUARES) if len(columns) else ():
        reached, fakirs = reached_beside(sown, columns, square, int(holder.hand[FAKIR_ID]))
        standing = np.where(sown.start[reached] == square, 0, holder.standing[square])
        quiet = (standing > 0) | ~(holder.free[square] & (sown.camels[reached] > 0))
        for tribe in range(TRIBES):
            can = quiet & may_leave(holder, sown, reached, tribe)
            kill_beside(walks, sown, kills, reached[can], fakirs[can], square, SOME, tribe, tribe, claims=False)
