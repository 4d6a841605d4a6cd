"""Walks of hands (rules 4.2, 4.3): all of them in tables, and random ones to a given end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from companion.rules.engine.walks import walk_counts, walk_with_visits
from companion.rules.model.board import SQUARES
from companion.simulation.layout import MAX_TABLED_HAND, NEIGHBOUR_TABLE, NONE, SQUARE_BITS, Index, Ints

DIRECTIONS = NEIGHBOUR_TABLE.shape[1]
COUNTED_VISITS = 2
"""Of the end tile by a walk; a third one takes a hand of nine."""


Masks = npt.NDArray[np.uint32]
"""Sets of squares as bits."""


@cache
def _step_masks() -> Masks:
    """Where a walk can end: bit `end` of [visits - 1, steps left, 4 x square + direction] just after a step.

    The walk visits its end so often in all, from that step on; the next step may not go back over the one just
    taken (rules 4.3).
    """
    masks = np.zeros((COUNTED_VISITS, MAX_TABLED_HAND, SQUARES * DIRECTIONS), dtype=np.uint32)
    edges = [
        (square, int(to), square * DIRECTIONS + direction)
        for square in range(SQUARES)
        for direction, to in enumerate(NEIGHBOUR_TABLE[square])
        if to != NONE
    ]
    for _, to, edge in edges:
        masks[0, 0, edge] = SQUARE_BITS[to]
    for left in range(1, MAX_TABLED_HAND):
        for square, to, edge in edges:
            onward = [other for at, beyond, other in edges if at == to and beyond != square]
            later = np.bitwise_or.reduce(masks[:, left - 1, onward], axis=1)
            masks[:, left, edge] = later & ~SQUARE_BITS[to]
            # A walk that is on the square now visits it once more than it will from the next step on.
            masks[1:, left, edge] |= later[:-1] & SQUARE_BITS[to]
    return masks


@cache
def end_masks() -> Masks:
    """Where a hand can end: bit `end` of [visits - 1, square, hand size], other than on its start (rules 4.2, 4.3).

    Sizes beyond `MAX_TABLED_HAND` end as one of that size or one less does, whichever is of the same parity.
    """
    by_edge = _step_masks().reshape(COUNTED_VISITS, MAX_TABLED_HAND, SQUARES, DIRECTIONS)
    table = np.zeros((COUNTED_VISITS, SQUARES, MAX_TABLED_HAND + 1), dtype=np.uint32)
    table[:, :, 1:] = np.bitwise_or.reduce(by_edge, axis=3).transpose(0, 2, 1)
    table &= ~SQUARE_BITS[:, None]
    return table


_STATES = SQUARES * DIRECTIONS + SQUARES
"""Where a walk can be: just after each step, 4 x square + direction, and before its first, on each square."""


@cache
def _onward() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.intp]]:
    """The directions that a walk can take next, as bits, and the square of each state.

    The first is [visits - 1, steps left after the next, end, state], flat: visits of the end from the next step on.
    """
    masks = _step_masks().reshape(COUNTED_VISITS, MAX_TABLED_HAND, SQUARES, DIRECTIONS)
    steps = np.concatenate([NEIGHBOUR_TABLE.ravel(), np.arange(SQUARES)]).astype(np.intp)
    came_from = np.concatenate([np.repeat(np.arange(SQUARES), DIRECTIONS), np.full(SQUARES, NONE)])
    allowed = NEIGHBOUR_TABLE[steps] != came_from[:, None]
    bits = np.zeros((COUNTED_VISITS, MAX_TABLED_HAND, SQUARES, _STATES), dtype=np.uint8)
    for end in range(SQUARES):
        possible = (masks[:, :, steps] & SQUARE_BITS[end]) != 0
        bits[:, :, end] = ((possible & allowed) << np.arange(DIRECTIONS)).sum(axis=-1)
    return bits.ravel(), steps


_SETS = np.arange(1 << DIRECTIONS)
_COUNT = (_SETS[:, None] >> np.arange(DIRECTIONS) & 1).sum(axis=1)
"""How many directions a set of bits holds."""
_PICK = np.array(
    [[*(d for d in range(DIRECTIONS) if bits >> d & 1), *(0,) * DIRECTIONS][:DIRECTIONS] for bits in _SETS.tolist()]
).ravel()
"""The directions of each set in order, flat [set, which]."""


def random_walks(start: Ints, end: Ints, length: Ints, visits: Ints, luck: npt.NDArray[np.float64]) -> Ints:
    """A walk of each length from each start that visits its end so often, [longest, walks], NONE after its end.

    `luck` are numbers in [0, 1), [longest or more, walks]; each step is as likely as any other that can still get to
    the end. There must be such a walk (`end_masks`). Lengths beyond the table are walked as it says.
    """
    onward, square = _onward()
    longest = int(length.max(initial=0))
    path = np.full((longest, len(start)), NONE, dtype=np.int16)
    state = start.astype(np.intp) + SQUARES * DIRECTIONS
    to_come = visits.astype(np.intp) - 1
    several = bool(to_come.any())
    for step in range(longest):
        left = length - np.intp(step + 1)
        going = left >= 0
        # Beyond the table a walk of two steps less ends on the same squares.
        row = np.where(left >= MAX_TABLED_HAND, MAX_TABLED_HAND - 2 + (left & 1), np.maximum(left, 0))
        bits = onward.take(((to_come * MAX_TABLED_HAND + row) * SQUARES + end) * _STATES + state)
        direction = _PICK.take(bits * DIRECTIONS + (luck[step] * _COUNT.take(bits)).astype(np.intp))
        state = np.where(going, square.take(state) * DIRECTIONS + direction, state)
        to = square.take(state)
        path[step] = np.where(going, to, NONE)
        if several:
            to_come -= (to == end) & (to_come > 0)
    return path


def random_drops(hand: Ints, last: Ints, path: Ints, luck: npt.NDArray[np.float64]) -> Ints:
    """An order in which each hand is dropped along its path, [longest, hands], NONE after its end (rules 4.2).

    `hand` are meeples by tribe, [5, hands]; `last` is the tribe dropped last, and at each visit of the end before;
    `luck` as for walks: every order of the others is as likely.
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
    before = (path == path[size - 1, lanes]) & (steps < size - 1)
    again = np.flatnonzero(before.any(axis=0))
    if again.size:
        visit = before[:, again].argmax(axis=0)
        same = (drops[:, again] == last[again]).argmax(axis=0)
        drops[same, again] = drops[visit, again]
        drops[visit, again] = last[again]
    return np.asarray(drops, dtype=np.int16)


MAX_WALKS = 60_000
"""Walks that a table holds at most. All walks of up to 11 steps fit; of longer ones a random part stays."""

MAX_VISITS = 8
"""Visits of an end that are distinguished; a return takes four steps, so no hand of 28 has more."""


@dataclass(frozen=True, slots=True)
class WalkTable:
    """Walks of one length from one start, sorted by their end, then by how often they visit it.

    `paths` is [walks, length]. `some` and `once` have bit s for each square s stepped on at all, and exactly
    once. Walks to `end` that visit it v times are the rows `first[end, v]` to `first[end, v + 1]`.
    """

    paths: npt.NDArray[np.int16]
    visits: npt.NDArray[np.int16]
    some: npt.NDArray[np.uint32]
    once: npt.NDArray[np.uint32]
    first: Index

    def __len__(self) -> int:
        return len(self.paths)


@lru_cache(maxsize=256)
def walk_table(start: int, length: int) -> WalkTable:
    """The walks of that many steps from a start; beyond `MAX_WALKS` the same ones each time, to every end."""
    paths, thinned = _walks(start, length)
    if thinned:
        paths = np.concatenate([paths, _rare(start, length, paths)])
    some, several = np.zeros((2, len(paths)), dtype=np.uint32)
    for step in range(length):
        bit = SQUARE_BITS[paths[:, step]]
        several |= some & bit
        some |= bit
    visits = (paths == paths[:, -1:]).sum(axis=1, dtype=np.int16)
    # Sorted so, the walks of any outcome are a stretch of rows.
    groups = paths[:, -1].astype(np.intp) * (MAX_VISITS + 2) + visits
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(SQUARES * (MAX_VISITS + 2))).reshape(SQUARES, -1)
    return WalkTable(paths[order], visits[order], some[order], (some & ~several)[order], first)


def _walks(start: int, length: int) -> tuple[npt.NDArray[np.int16], bool]:
    """Walks, [walks, length], and whether some were left out."""
    random = np.random.default_rng((start, length))
    before = np.full(1, NONE, dtype=np.int16)
    here = np.full(1, start, dtype=np.int16)
    paths = np.zeros((1, length), dtype=np.int16)
    thinned = False
    for step in range(length):
        following = NEIGHBOUR_TABLE[here]
        rows, places = np.nonzero((following != NONE) & (following != before[:, None]))
        if len(rows) > MAX_WALKS:
            some = np.sort(random.permutation(len(rows))[:MAX_WALKS])
            rows, places, thinned = rows[some], places[some], True
        before, here = here[rows], following[rows, places]
        paths = paths[rows]
        paths[:, step] = here
    return paths, thinned


def _rare(start: int, length: int, paths: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """A walk for each end and number of visits that none of these walks has."""
    ends = paths[:, -1].astype(np.intp)
    known = set(np.unique(ends * (MAX_VISITS + 2) + (paths == paths[:, -1:]).sum(axis=1)).tolist())
    rare = [
        walk_with_visits(start, end, length, times)
        for end, counts in enumerate(walk_counts(length)[start])
        for times, walks in enumerate(counts, 1)
        if walks and end * (MAX_VISITS + 2) + times not in known
    ]
    return np.array(rare, dtype=np.int16).reshape(-1, length)
