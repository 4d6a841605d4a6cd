"""The distinct boards that moving meeples can leave, streamed in batches (rules 4.2 to 4.7), with numpy.

Two sowings leave the same board when they leave the same meeples on the same squares. So each visit vector
of a walk (`rules/walks.py`) is taken once, and the hand laid out on its squares in every way that differs,
which is a tree that grows by one visit a level: the same tree for all vectors of one shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.rules.engine.walks import visit_vectors, visits
from companion.rules.model.board import NO_MEEPLES, SQUARES, Board
from companion.rules.model.components import Tribe

BATCH = 1 << 15
"""Boards in a batch at most: with the layers above them some 5 MB, which a processor's cache can hold."""

COUNT_BITS = 4
SQUARES_A_WORD = 15
"""A board is ten unsigned 64-bit words, two a tribe: 4 bits a square, squares 0 to 14 in the first word."""

WORDS = 2 * len(Tribe)
HIGHEST_COUNT = (1 << COUNT_BITS) - 1

Codes = NDArray[np.uint64]
"""Boards as words: shape (boards, 10)."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Boards after the taking from one end tile: `codes` as of `decode`, and how many of `tribe` each took in hand."""

    start: int
    end: int
    tribe: Tribe
    taken: NDArray[np.uint8]
    codes: Codes


def resulting_boards(board: Board) -> Iterator[Batch]:
    """Every distinct board after the taking, with end tile, tribe and number taken, in batches.

    All batches together hold as many boards as `counting.count_boards` counts. Memory is bounded by the
    visit vectors and layouts of the largest hand: some 100 MB for 12 meeples.
    Raises ValueError if a tile holds more meeples than a code can (15).
    """
    for start in range(SQUARES):
        if any(board[start].meeples):
            yield from _from_start(board, start)


def encode(board: Board) -> Codes:
    """The meeples of a board as words; shape (10,). Raises ValueError for more than 15 of a tribe on a tile."""
    words = [0] * WORDS
    for square, tile in enumerate(board):
        if max(tile.meeples) > HIGHEST_COUNT:
            raise ValueError(f"more than {HIGHEST_COUNT} meeples of a tribe on a tile do not fit a code")
        for tribe, count in enumerate(tile.meeples):
            words[2 * tribe + square // SQUARES_A_WORD] += count << (COUNT_BITS * (square % SQUARES_A_WORD))
    return np.array(words, np.uint64)


def decode(codes: Codes) -> NDArray[np.uint8]:
    """Meeples by board, square and tribe: shape (boards, 30, 5)."""
    square = np.arange(SQUARES)
    shifts = (COUNT_BITS * (square % SQUARES_A_WORD)).astype(np.uint64)
    words = codes.reshape(-1, len(Tribe), 2)[:, :, square // SQUARES_A_WORD]
    return ((words >> shifts) & np.uint64(HIGHEST_COUNT)).astype(np.uint8).transpose(0, 2, 1)


def _one_meeple() -> Codes:
    """What a meeple adds to a code, by square and tribe: shape (30, 5, 10)."""
    table = np.zeros((SQUARES, len(Tribe), WORDS), np.uint64)
    for square in range(SQUARES):
        for tribe in range(len(Tribe)):
            word = 2 * tribe + square // SQUARES_A_WORD
            table[square, tribe, word] = np.uint64(1) << np.uint64(COUNT_BITS * (square % SQUARES_A_WORD))
    return table


_ONE = _one_meeple()

Sizes = tuple[int, ...]
"""How often the squares of a walk are visited: the end first, then the others, most visits first."""


def _from_start(board: Board, start: int) -> Iterator[Batch]:
    hand = board[start].meeples
    lifted = tuple(tile if square != start else type(tile)(tile.kind, NO_MEEPLES) for square, tile in enumerate(board))
    base = encode(lifted)
    for end, vectors in visit_vectors(start, sum(hand)).items():
        for sizes, squares in _by_shape(vectors, end).items():
            places = np.array(squares, np.intp)
            for tribe in Tribe:
                if hand[tribe]:
                    held = lifted[end].meeples[tribe]
                    tree = _layouts(hand, sizes, tribe, 1 if held else 2)
                    if tree is not None:
                        bare = base.copy()
                        bare -= np.uint64(held) * _ONE[end, tribe]
                        yield from _Growth(start, end, tribe, held, tree, places, bare).batches()


def _by_shape(vectors: set[int], end: int) -> dict[Sizes, list[list[int]]]:
    """The visited squares of each vector, each as often as it is visited, by shape."""
    shapes: dict[Sizes, list[list[int]]] = {}
    for vector in vectors:
        visited = [(visits(vector, square), square) for square in range(SQUARES) if square != end]
        others = sorted((pair for pair in visited if pair[0]), reverse=True)
        ordered = [(visits(vector, end), end), *others]
        sizes = tuple(times for times, _ in ordered)
        shapes.setdefault(sizes, []).append([square for times, square in ordered for _ in range(times)])
    return shapes


@dataclass(frozen=True, slots=True)
class _Tree:
    """All ways to lay a hand out on the visits of a shape, level by level.

    `parents[level]` names each node's parent on the level before, in order, `tribes[level]` the meeple
    left; `dropped` counts meeples of the tribe taken that each way leaves on the end.
    """

    parents: tuple[NDArray[np.intp], ...]
    tribes: tuple[NDArray[np.intp], ...]
    dropped: NDArray[np.uint8]
    end_visits: int


@lru_cache(maxsize=256)
def _layouts(hand: tuple[int, ...], sizes: Sizes, last: Tribe, needed: int) -> _Tree | None:
    """The tree of a shape, with at least `needed` of the last tribe on the end; None if there is no way."""
    left = np.array([hand], np.int8)
    least = np.zeros(1, np.intp)
    dropped = np.zeros(1, np.uint8)
    parents, tribes = [], []
    for place, size in enumerate(sizes):
        least = np.zeros_like(least)
        for visit in range(size):
            # Meeples of one square are alike in any order, so only the rising order is grown.
            parent, tribe = np.nonzero((left > 0) & (np.arange(len(hand)) >= least[:, None]))
            dropped = dropped[parent]
            if place == 0:
                dropped = dropped + (tribe == last).astype(np.uint8)
                if visit == size - 1:
                    kept = dropped >= needed
                    parent, tribe, dropped = parent[kept], tribe[kept], dropped[kept]
            left = left[parent]
            left[np.arange(len(tribe)), tribe] -= 1
            least = tribe
            parents.append(parent)
            tribes.append(tribe)
    return _Tree(tuple(parents), tuple(tribes), dropped, sizes[0]) if len(dropped) else None


@dataclass(frozen=True, slots=True)
class _Growth:
    """The boards of one tree on the squares of many vectors: `places` by vector and level."""

    start: int
    end: int
    tribe: Tribe
    held: int
    tree: _Tree
    places: NDArray[np.intp]
    base: Codes

    def batches(self) -> Iterator[Batch]:
        """The boards, vectors together as far as a batch allows."""
        ways = len(self.tree.dropped)
        together = max(BATCH // ways, 1)
        for first in range(0, len(self.places), together):
            places = self.places[first : first + together]
            codes = np.broadcast_to(self.base, (len(places), 1, WORDS))
            yield from self._grown(0, codes, 0, places)

    def _grown(self, level: int, codes: Codes, first: int, places: NDArray[np.intp]) -> Iterator[Batch]:
        """The boards below some nodes of a level, of which `first` is the first."""
        tree = self.tree
        if level == len(tree.parents):
            taken = tree.dropped[first : first + codes.shape[1]] + np.uint8(self.held)
            rows = np.broadcast_to(taken, codes.shape[:2]).reshape(-1)
            yield Batch(self.start, self.end, self.tribe, rows, codes.reshape(-1, WORDS))
            return
        parents = tree.parents[level]
        low, high = np.searchsorted(parents, (first, first + codes.shape[1]))
        added = _ONE[places[:, level]]
        if level < tree.end_visits:
            # What is taken in hand does not stay on the end tile (rules 4.7).
            added[:, self.tribe] = 0
        room = max(BATCH // len(places), 1)
        for begin in range(int(low), int(high), room):
            some = slice(begin, min(begin + room, int(high)))
            grown = codes[:, parents[some] - first]
            grown += added[:, tree.tribes[level][some]]
            yield from self._grown(level + 1, grown, begin, places)
