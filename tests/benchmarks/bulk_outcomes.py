"""The outcomes of moving meeples counted on thousands of boards at once (rules 4.2 to 4.8), with numpy and bit boards.

A set of squares is an unsigned integer with bit s for square s. What a hand can reach is geometry; which ends
are legal follows from where meeples of each tribe stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.rules.engine.walks import walk_counts
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.components import Tribe

Sets = NDArray[np.uint32]
"""Sets of squares."""

_BITS: Sets = np.left_shift(np.uint32(1), np.arange(SQUARES, dtype=np.uint32))


def meeple_array(boards: Sequence[Board]) -> NDArray[np.uint8]:
    """Meeples of boards by board, square and tribe: shape (boards, 30, 5)."""
    counts = chain.from_iterable(tile.meeples for board in boards for tile in board)
    size = len(boards) * SQUARES * len(Tribe)
    return np.fromiter(counts, np.uint8, count=size).reshape(-1, SQUARES, len(Tribe))


def outcome_counts(meeples: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many distinct outcomes the moves of each board have: start, end, tribe, number taken, emptied or not.

    `meeples` are as of `meeple_array`; the result equals `counting.count_moves(...).outcomes` board by board.
    """
    there = meeples > 0
    standing = _sets(there)
    kinds = there.sum(axis=2, dtype=np.uint8)
    bare = _sets(there & (kinds == 1)[:, :, None]) | _sets((kinds == 0)[:, :, None])
    hands = meeples.sum(axis=2, dtype=np.uint8)
    total = np.zeros(len(meeples), np.int64)
    for length in np.unique(hands[hands > 0]):
        board, start = np.nonzero(hands == length)
        lifted = _BITS[start][:, None]
        counts = _from_starts(
            int(length), start, meeples[board, start], standing[board] & ~lifted, bare[board] | lifted
        )
        total += np.bincount(board, weights=counts, minlength=len(meeples)).astype(np.int64)
    return total


def _sets(marked: NDArray[Any]) -> Sets:
    """Sets of the squares that are marked, by board and tribe."""
    # A bit is in one square only, so the sum of the bits is their union.
    sets: Sets = np.einsum("bst,s->bt", marked.astype(np.uint32), _BITS)
    return sets


def _from_starts(
    length: int, start: NDArray[np.intp], hand: NDArray[np.uint8], standing: Sets, bare: Sets
) -> NDArray[np.int64]:
    """Outcomes of hands of one length, each from its start; rows are starts, columns tribes."""
    ends = _ends(length)
    counts = np.zeros(len(start), np.int64)
    held = hand.astype(np.int16)
    for dropped in range(1, len(ends) + 1):
        enough = held >= dropped
        left = np.zeros_like(standing)
        for visits in range(dropped, len(ends) + 1):
            # The other visits of the end leave meeples of other tribes there.
            possible = enough & (visits - dropped <= length - held)
            reached = np.where(possible, ends[visits - 1][start][:, None], np.uint32(0))
            if dropped == 1:
                # A single drop needs a meeple of its tribe that stands there already (rules 4.5).
                reached &= standing
            if visits == dropped:
                counts += np.bitwise_count(reached & bare).sum(axis=1, dtype=np.int64)
                reached &= ~bare
            left |= reached
        counts += np.bitwise_count(left).sum(axis=1, dtype=np.int64)
    return counts


@cache
def _ends(length: int) -> tuple[Sets, ...]:
    """The ends of walks that visit them once, twice and so on, as sets by start square."""
    walks = walk_counts(length)
    most = max(len(visits) for by_end in walks for visits in by_end)
    ends = np.zeros((most, SQUARES), np.uint32)
    for start, by_end in enumerate(walks):
        for end, by_visits in enumerate(by_end):
            for visits, number in enumerate(by_visits):
                if number:
                    ends[visits, start] |= _BITS[end]
    return tuple(ends)
