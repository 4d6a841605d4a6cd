"""Concrete sowings of outcomes: a walk, and which meeple is left at each step (rules 4.2 to 4.5)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.simulation.candidates import NEVER, Candidates, Holder
from companion.simulation.layout import NONE, Index, Ints
from companion.simulation.outcomes import Walks
from companion.simulation.turns import Turns


def with_sowings(holder: Holder, walks: Walks, candidates: Candidates) -> Turns:
    """The candidates as turns: each with the walk chosen for it, and drops by lot among those that lead to it."""
    turns = candidates.turns()
    for start in walks.starts:
        columns = np.nonzero(candidates.start == start)[0]
        if len(columns):
            paths = walks.tables[start].paths[candidates.row[columns]]
            turns.path[: paths.shape[1], columns] = paths.T
    for length in np.unique(candidates.length).tolist():
        columns = np.nonzero(candidates.length == length)[0]
        if length:
            drops = lay_out(walks.random, holder.meeples, candidates, columns, turns.path[:length, columns].T)
            turns.drops[:length, columns] = drops.T
    return turns


def lay_out(
    random: np.random.Generator, meeples: npt.NDArray[np.int32], candidates: Candidates, columns: Index, paths: Ints
) -> Ints:
    """Which tribe is left at each step of these paths, [column, step], by lot among what the candidates allow.

    The last one is of the tribe taken, of those before it on the end tile as many as were `dropped` there; and one
    of the tribe `left` lies on `square`, where the kill finds it.
    """
    number, length = paths.shape
    hand = meeples[candidates.start[columns]]
    tribe, dropped = candidates.tribe[columns][:, None], candidates.dropped[columns][:, None]
    square, left = candidates.square[columns][:, None], candidates.left[columns][:, None]
    dice = random.random((3, number, length))
    # The hand in rows, sorted by tribe, each meeple with its place among those of its tribe.
    upto = hand.cumsum(axis=1)
    steps = np.arange(length)
    each = (steps[None, :, None] >= upto[:, None, :]).sum(axis=2)
    place = steps - np.take_along_axis(upto - hand, each, axis=1)
    # Steps by what they ask for: 0 of the tribe taken, 1 what the kill finds, 2 any other tribe, 3 anything.
    at_end = paths == paths[:, -1:]
    at_end[:, -1] = False
    order = np.argsort(np.where(at_end, dice[0], 2.0), axis=1)
    rank = np.argsort(order, axis=1)
    asked = np.where(at_end, np.where(rank < dropped - 1, 0, 2), 3)
    asked[:, -1] = 0
    wanted = (paths == square) & (asked > 0) & (left != NONE) & (candidates.need[columns] != NEVER)[:, None]
    rows = np.nonzero(wanted.any(axis=1))[0]
    asked[rows, np.where(wanted[rows], dice[1][rows], 2.0).argmin(axis=1)] = 1
    # Meeples by what they answer to; as many of the other tribes as are asked for come from all of them by lot.
    answers = np.where((each == tribe) & (place < dropped), 0, 4)
    is_victim = (each == left) & (place == np.where(left == tribe, dropped, 0))
    is_victim[~wanted.any(axis=1)] = False
    answers[is_victim] = 1
    others = (each != tribe) & (answers == 4)
    rank = np.argsort(np.argsort(np.where(others, dice[2], 2.0), axis=1), axis=1)
    answers[others & (rank < (asked == 2).sum(axis=1)[:, None])] = 2
    meeple = np.argsort(answers + random.random((number, length)), axis=1)
    step = np.argsort(asked + random.random((number, length)), axis=1)
    drops = np.empty((number, length), dtype=np.int16)
    np.put_along_axis(drops, step, np.take_along_axis(each, meeple, axis=1).astype(np.int16), axis=1)
    return drops
