"""Whom the assassins of each outcome can kill, and what that needs of the sowing (rules 5.4, 5.5)."""

from __future__ import annotations

import numpy as np

from companion.rules.model.board import SQUARES
from companion.simulation.candidates import NEVER, ONCE, SOME, Candidates, Holder
from companion.simulation.double_kills import double_kills
from companion.simulation.kills import (
    ASSASSIN,
    KILLABLE_IN_FRONT,
    Kills,
    kill_at_end,
    kill_beside,
    left_on_end,
    may_leave,
    reached_beside,
    with_kills,
)
from companion.simulation.layout import DISTANCE, DJINN_ID, FAKIR_ID, NONE, TRIBES, Index
from companion.simulation.outcomes import Walks
from companion.simulation.turns import VICTIM_IN_FRONT

PLAIN_KILLS = 6
"""Kills on tiles that bring the killer nothing, drawn by lot for each outcome: they differ in what they take away."""


def kill_columns(holder: Holder, walks: Walks, sown: Candidates) -> Candidates:
    """For each outcome of assassins a column for each kill worth telling apart.

    These are all that claim a tile, all in front of opponents, all that Kandicha pays for, and of the others
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
    reaps = holder.has("Kandicha")
    _dropped(holder, walks, sown, np.arange(len(sown)) if reaps else wanting, kills)
    double_kills(holder, walks, sown, kills)
    peaceful = np.nonzero(~kills.killing(len(sown)) & (sown.length == 1))[0]
    kills.add(peaceful, NONE, NONE, row=sown.row[peaceful])
    return with_kills(holder, sown, kills)


def _in_front(holder: Holder, sown: Candidates, kills: Kills) -> None:
    every = np.arange(len(sown))
    for seat in holder.others:
        if holder.root.owns[seat, DJINN_ID["Boaz"], 0]:
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
    reaps = holder.has("Kandicha")
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
