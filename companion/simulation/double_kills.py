"""Second victims, for which Iblis is paid (rules 11, 11.10)."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from companion.rules.model.components import Tribe
from companion.simulation.candidates import NEVER, ONCE, Candidates, Holder
from companion.simulation.kills import (
    KILLABLE_IN_FRONT,
    Kills,
    kill_at_end,
    kill_beside,
    left_on_end,
    may_leave,
    reached_beside,
)
from companion.simulation.layout import DJINN_ID, FAKIR_ID, NONE, TRIBES
from companion.simulation.outcomes import Walks
from companion.simulation.turns import VICTIM_IN_FRONT


def double_kills(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
    """Kills of two that claim a tile, or are in front of an opponent; others of two are not looked at."""
    if not holder.can_use("Iblis") or not (holder.elders or holder.hand[FAKIR_ID]):
        return
    every = np.arange(len(sown))
    for seat in holder.others:
        if holder.root.owns[seat, DJINN_ID["Boaz"], 0]:
            continue
        there = (int(holder.root.viziers[seat, 0]), int(holder.root.elders[seat, 0]))
        for first, second in combinations_with_replacement(KILLABLE_IN_FRONT, 2):
            if there[first] and there[second] > (first is second):
                kills.add(every, VICTIM_IN_FRONT + seat, int(first), second=int(second), row=sown.row)
    _at_end(holder, walks, sown, kills)
    _beside(holder, walks, sown, kills)


def _at_end(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
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


def _beside(holder: Holder, walks: Walks, sown: Candidates, kills: Kills) -> None:
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
