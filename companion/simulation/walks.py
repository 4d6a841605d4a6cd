"""Random walks from a tile to an end tile, of many hands at once (rules 4.2, 4.3)."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import SQUARES
from companion.simulation.layout import LONGEST_TABLED_HAND, NEIGHBOUR_TABLE, NONE, Ints

DIRECTIONS = NEIGHBOUR_TABLE.shape[1]


@cache
def _step_masks() -> npt.NDArray[np.uint32]:
    """Where a walk can end: bit `end` of [steps left, 4 x square + direction] just after that step was taken.

    The next step may not go back over the one just taken (rules 4.3).
    """
    masks = np.zeros((LONGEST_TABLED_HAND, SQUARES * DIRECTIONS), dtype=np.uint32)
    edges = [
        (square, int(to), square * DIRECTIONS + direction)
        for square in range(SQUARES)
        for direction, to in enumerate(NEIGHBOUR_TABLE[square])
        if to != NONE
    ]
    for _, to, edge in edges:
        masks[0, edge] = 1 << to
    for left in range(1, LONGEST_TABLED_HAND):
        for square, to, edge in edges:
            onward = [other for at, beyond, other in edges if at == to and beyond != square]
            masks[left, edge] = np.bitwise_or.reduce(masks[left - 1, onward]) if onward else 0
    return masks


def random_walks(start: Ints, end: Ints, length: Ints, luck: npt.NDArray[np.float64]) -> Ints:
    """A walk of each length from each start to each end, [longest, walks], NONE after its end.

    `luck` are numbers in [0, 1), [longest or more, walks]; each step is as likely as any other that can still get to
    the end. There must be such a walk (`layout.end_masks`). Lengths beyond the table are walked as it says.
    """
    masks = _step_masks()
    longest = int(length.max(initial=0))
    path = np.full((longest, len(start)), NONE, dtype=np.int16)
    here, before = start.astype(np.intp), np.full(len(start), NONE, dtype=np.intp)
    directions = np.arange(DIRECTIONS)[:, None]
    bit = np.uint32(1) << end.astype(np.uint32)
    for step in range(longest):
        left = length - step - 1
        going = left >= 0
        # Beyond the table a walk of two steps less ends on the same squares.
        row = np.where(left >= LONGEST_TABLED_HAND, LONGEST_TABLED_HAND - 2 + (left & 1), np.maximum(left, 0))
        onward = NEIGHBOUR_TABLE[here].T
        possible = (masks[row, here * DIRECTIONS + directions] & bit != 0) & (onward != before)
        rank = possible.cumsum(axis=0)
        wanted = (luck[step] * rank[-1]).astype(np.int64) + 1
        chosen = np.minimum((rank < wanted).sum(axis=0), DIRECTIONS - 1)
        to = np.where(going, onward[chosen, np.arange(len(start))], here)
        path[step] = np.where(going, to, NONE)
        before, here = np.where(going, here, before), to.astype(np.intp)
    return path


def random_drops(hand: Ints, last: Ints, luck: npt.NDArray[np.float64]) -> Ints:
    """An order in which each hand is dropped, [longest, hands], NONE after its end (rules 4.2).

    `hand` are meeples by tribe, [5, hands]; `last` is the tribe dropped last, `luck` as for walks: every order of the
    others is as likely.
    """
    size = hand.sum(axis=0, dtype=np.int64)
    longest = int(size.max(initial=0))
    others = hand.copy()
    lanes = np.arange(hand.shape[1])
    others[last, lanes] -= 1
    steps = np.arange(longest)[:, None]
    sorted_drops = (others.cumsum(axis=0)[None] <= steps[:, None]).sum(axis=1)
    if longest > 2:
        keys = np.where(steps < size - 1, luck[:longest], 2.0)
        sorted_drops = np.take_along_axis(sorted_drops, keys.argsort(axis=0), axis=0)
    drops = np.where(steps < size - 1, sorted_drops, np.where(steps == size - 1, last, NONE))
    return np.asarray(drops, dtype=np.int16)
