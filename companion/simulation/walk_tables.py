"""Every walk of a hand, one a row: the geometry of rules 4.2 and 4.3 in arrays, without colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.rules.engine.walks import walk_counts, walk_with_visits
from companion.rules.model.board import SQUARES
from companion.simulation.layout import NEIGHBOUR_TABLE, NONE, Index

MOST_WALKS = 60_000
"""Walks that a table holds at most. All walks of up to 11 steps fit; of longer ones a random part is kept."""

MOST_VISITS = 8
"""Visits of an end that are told apart; a return takes four steps, so no hand of 28 has more."""

SQUARE_BITS = np.uint32(1) << np.arange(SQUARES, dtype=np.uint32)
"""Bit s for square s."""


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
    """The walks of that many steps from a start; each end and number of visits that some walk has is there.

    Where a hand has more than `MOST_WALKS` walks, which ones are kept depends on start and length alone.
    """
    paths, thinned = _walks(start, length)
    if thinned:
        paths = np.concatenate([paths, _rare(start, length, paths)])
    some, several = np.zeros((2, len(paths)), dtype=np.uint32)
    for step in range(length):
        bit = SQUARE_BITS[paths[:, step]]
        several |= some & bit
        some |= bit
    visits = (paths == paths[:, -1:]).sum(axis=1, dtype=np.int16)
    groups = paths[:, -1].astype(np.intp) * (MOST_VISITS + 2) + visits
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(SQUARES * (MOST_VISITS + 2))).reshape(SQUARES, -1)
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
        if len(rows) > MOST_WALKS:
            kept = np.sort(random.permutation(len(rows))[:MOST_WALKS])
            rows, places, thinned = rows[kept], places[kept], True
        before, here = here[rows], following[rows, places]
        paths = paths[rows]
        paths[:, step] = here
    return paths, thinned


def _rare(start: int, length: int, paths: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """A walk for each end and number of visits that none of these walks has."""
    ends = paths[:, -1].astype(np.intp)
    known = set(np.unique(ends * (MOST_VISITS + 2) + (paths == paths[:, -1:]).sum(axis=1)).tolist())
    found = [
        walk_with_visits(start, end, length, times)
        for end, counts in enumerate(walk_counts(length)[start])
        for times, walks in enumerate(counts, 1)
        if walks and end * (MOST_VISITS + 2) + times not in known
    ]
    return np.array(found, dtype=np.int16).reshape(-1, length)
