"""The sowings that leave what is seen: all whose boards score near the best, found without walking them all.

A board after a sowing is known by its start, how often each tile is passed, and which meeples are left there (rules
4.2 to 4.7); what it scores is a sum over tiles. So walks are followed only while the best that their tiles can still
come to is near the best board found, and hands are laid out only on the walks that remain. Without a cut it finds every
board that `counting.count_boards` counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import inf
from operator import sub
from typing import Protocol

from companion.rules.engine.counting import Meeples, selections
from companion.rules.engine.walks import onward
from companion.rules.model.actions import Sowing
from companion.rules.model.board import MAX_DISTANCE, NO_MEEPLES, SQUARES, WITHIN, Board, distance
from companion.rules.model.components import Tribe

Row = tuple[float, ...]
"""What a tile comes to at most, by how often a walk has passed it, from once on."""


class TileScores(Protocol):
    """What speaks for tiles, in nats over the board before the turn: they add up to what speaks for a board."""

    def passed(self, square: int, meeples: Meeples) -> float:
        """For the start, or a tile passed, that holds these meeples after the turn."""
        ...

    def ended(self, square: int, meeples: Meeples) -> float:
        """For the end tile that holds these meeples once a tribe is taken from it, and for what its action does."""
        ...

    def limit(self, square: int) -> float:
        """What no contents of a tile exceed."""
        ...

    def goes_on(self) -> bool:
        """Whether the search may take another step; what was found is enough where it may not."""
        ...

    def rows(self, squares: Sequence[int], tribes: tuple[bool, ...], times: int, *, ends: bool) -> Sequence[Row]:
        """`row_of` squares as they lie, as tiles that are passed or as the end; it's asked for often."""
        ...


def row_of(
    scores: TileScores,
    square: int,
    held: Meeples,
    tribes: tuple[bool, ...],
    times: int,
    later: Sequence[float] | None,
    overlooked: float = -inf,
) -> Row:
    """The most that speaks for a tile that held these once a walk has left one to `times` meeples there, or more.

    For its end it includes what the rest of the turn may add, `later` as in `best_sowings`; that is None for others.
    """
    row = [-inf]
    for number in range(times, 0, -1):
        best = row[-1]
        for pile in _piles(tribes, number):
            there = tuple(map(sum, zip(held, pile, strict=True)))
            if later is None:
                best = max(best, scores.passed(square, there))
            else:
                for tribe, after, cost in _taken(pile, there, overlooked):
                    best = max(best, scores.ended(square, after) + later[tribe] + cost)
        row.append(best)
    return tuple(row[:0:-1])


def _taken(left: Meeples, there: Meeples, overlooked: float) -> Iterator[tuple[Tribe, Meeples, float]]:
    """The tribes that an end tile may give up, what then stays, and what speaks against it (rules 4.5, 4.7)."""
    for tribe in Tribe:
        if left[tribe] and (there[tribe] > 1 or overlooked > -inf):
            yield tribe, (*there[:tribe], 0, *there[tribe + 1 :]), 0.0 if there[tribe] > 1 else overlooked


@cache
def _piles(tribes: tuple[bool, ...], times: int) -> tuple[Meeples, ...]:
    """Every way to leave that many meeples of some tribes on a tile."""
    return selections(tuple(times * one for one in tribes), times)


_ROUND = 4
"""A walk is back on a tile after four steps at the soonest (rules 4.3)."""

MAX_BOARDS = 2000
"""At most this many boards are kept, the best."""


@dataclass(frozen=True, slots=True)
class Lift:
    """A hand to sow from a tile; `score` is what speaks for the tile's having held it, 0 where that is known."""

    start: int
    hand: Meeples
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class SownBoard:
    """What a sowing leaves, whatever its path: meeples `dropped` by square, the end's before the taking."""

    start: int
    hand: Meeples
    end: int
    tribe: Tribe
    dropped: tuple[tuple[int, Meeples], ...]
    score: float

    @property
    def sowing(self) -> Sowing:
        """One of the sowings that leave this."""
        wanted = {square: sum(meeples) for square, meeples in self.dropped}
        path = next(_walks_with(self.start, self.end, wanted, sum(self.hand)))
        piles = {square: [tribe for tribe in Tribe for _ in range(meeples[tribe])] for square, meeples in self.dropped}
        # The last drop of all is of the tribe that is taken (rules 4.5).
        piles[self.end].sort(key=lambda tribe: tribe is not self.tribe)
        return Sowing(self.start, path, tuple(piles[square].pop() for square in path))


def _walks_with(start: int, end: int, wanted: dict[int, int], steps: int) -> Iterator[tuple[int, ...]]:
    """The walks that pass each square as often as wanted."""
    left, path = dict(wanted), [start]

    def extend() -> Iterator[tuple[int, ...]]:
        if len(path) == steps + 1:
            if path[-1] == end:
                yield tuple(path[1:])
            return
        for square in onward(path[-2] if len(path) > 1 else None, path[-1]):
            if left.get(square, 0):
                left[square] -= 1
                path.append(square)
                yield from extend()
                path.pop()
                left[square] += 1

    yield from extend()


def best_sowings(
    board: Board,
    scores: TileScores,
    *,
    lifts: Sequence[Lift] | None = None,
    later: Sequence[float] = (0.0,) * len(Tribe),
    overlooked: float = -inf,
    cut: float = inf,
    floor: float = -inf,
    most: int = MAX_BOARDS,
) -> list[SownBoard]:
    """The boards to which sowings lead that score within `cut` nats of the best, and over `floor`, best first.

    With a cut, no more than `most` of them.

    `later` is what the rest of the turn may add at most, by the tribe taken. `overlooked` is what speaks against an end
    tile that held one meeple more of the tribe taken than the board has.
    """
    search = _Search(board, scores, later, overlooked, cut, floor, most)
    if lifts is None:
        lifts = [Lift(square, tile.meeples) for square, tile in enumerate(board) if any(tile.meeples)]
    likely = [(search.bound(lift), lift) for lift in lifts]
    for bound, lift in sorted(likely, key=lambda item: -item[0]):
        if bound >= search.threshold:
            _Lifted(search, lift).follow()
    best = [one for rank, _, one in search.best if rank >= search.threshold]
    return sorted(best, key=lambda one: -one.score)


Options = list[tuple[float, Meeples]]
"""What may be left on a tile, with what it scores, best first."""


class _Search:
    """A search for boards: what is found so far, and what a board must score to be of interest."""

    def __init__(
        self,
        board: Board,
        scores: TileScores,
        later: Sequence[float],
        overlooked: float,
        cut: float,
        floor: float,
        most: int,
    ) -> None:
        self.board, self.scores, self.later, self.overlooked = board, scores, later, overlooked
        self.cut, self.most = cut, most
        self.threshold = floor
        self.best: list[tuple[float, int, SownBoard]] = []
        self._number = 0
        limits = ((scores.limit(square), square) for square in range(SQUARES))
        self._limits = sorted((limit for limit in limits if limit[0] > 0), reverse=True)

    def bound(self, lift: Lift) -> float:
        """What no board from there can exceed: the start as it is seen, as many tiles as meeples as they please."""
        length = sum(lift.hand)
        own = self.scores.passed(lift.start, NO_MEEPLES)
        for times in range(1, length // _ROUND + 1):
            for left in selections(lift.hand, times):
                ends = [
                    self.scores.ended(lift.start, one) + cost for _, one, cost in _taken(left, left, self.overlooked)
                ]
                own = max(own, self.scores.passed(lift.start, left), *ends)
        others, steps = 0.0, length
        for limit, square in self._limits:
            if steps and square != lift.start and distance(lift.start, square) <= length:
                others, steps = others + limit, steps - 1
        return lift.score + own + others + max(self.later)

    def add(self, one: SownBoard) -> None:
        """Keep a board, and raise what the others must score."""
        rank = one.score + self.later[one.tribe]
        self.threshold = max(self.threshold, one.score - self.cut)
        self._number += 1
        if len(self.best) < self.most or self.cut == inf:
            heapq.heappush(self.best, (rank, self._number, one))
        else:
            self.threshold = max(self.threshold, heapq.heappushpop(self.best, (rank, self._number, one))[0])


@cache
def _near(start: int, length: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The other squares that walks of that many steps may pass, and those on which they may end."""
    near = [square for square in WITHIN[start][min(length, MAX_DISTANCE)] if square != start]
    passed = tuple(square for square in near if distance(start, square) < length)
    return passed, tuple(square for square in near if (length - distance(start, square)) % 2 == 0)


class _Lifted:
    """The search from one tile with one hand."""

    def __init__(self, search: _Search, lift: Lift) -> None:
        self.search, self.lift = search, lift
        self.length = sum(lift.hand)
        self.tribes = tuple(map(bool, lift.hand))
        self.times = (self.length + _ROUND - 1) // _ROUND
        self.start_empty = search.scores.passed(lift.start, NO_MEEPLES)
        self._passed: dict[tuple[int, int], Options] = {}
        self._ending: dict[tuple[int, int], list[tuple[float, Meeples, Tribe]]] = {}
        self._laid: set[tuple[int, tuple[int, ...]]] = set()
        passed, ends = _near(lift.start, self.length)
        rows_of = search.scores.rows
        # What tiles come to at most that are passed, and those on which a walk ends; and the most of the former.
        self._added = dict(zip(passed, rows_of(passed, self.tribes, self.times, ends=False), strict=True))
        self._ends = dict(zip(ends, rows_of(ends, self.tribes, self.times, ends=True), strict=True))
        if self.length > _ROUND:
            self._added[lift.start] = tuple(most - self.start_empty for most in self._start_row(None))
        if self.length >= _ROUND and self.length % 2 == 0:
            self._ends[lift.start] = self._start_row(search.later)
        self._tops = sorted(((row[0], square) for square, row in self._added.items() if row[0] > 0), reverse=True)

    def _start_row(self, later: Sequence[float] | None) -> Row:
        search = self.search
        return row_of(search.scores, self.lift.start, NO_MEEPLES, self.tribes, self.times, later, search.overlooked)

    def _gains(self, end: int) -> list[float]:
        """What passing none, one and more other tiles can add at most on a walk to that tile."""
        start, spare = self.lift.start, self.length - distance(self.lift.start, end)
        tops = []
        for top, square in self._tops:
            between = distance(start, square) + distance(square, end)
            detour = between - distance(start, end) if square != start else _ROUND
            if detour <= spare and square != end:
                tops.append(top)
        return [0.0, *accumulate(tops[: self.length - 1])]

    def follow(self) -> None:
        """Find what can be sown from there, the likeliest end tiles first."""
        # What the start and the end come to at most, and any tiles between.
        threshold = self.search.threshold
        gain = sum(top for top, _ in self._tops[: self.length - 1])
        likely: list[tuple[float, int, list[float], float]] = []
        for end, row in self._ends.items():
            surely = self.lift.score + row[0] + (self.start_empty if end != self.lift.start else 0.0)
            if surely + gain >= threshold:
                gains = self._gains(end)
                likely.append((surely + gains[-1], end, gains, surely))
        for bound, end, gains, surely in sorted(likely, reverse=True):
            if bound >= self.search.threshold:
                self.walk_to(end, gains, surely)

    def held(self, square: int) -> Meeples:
        return NO_MEEPLES if square == self.lift.start else self.search.board[square].meeples

    def passed(self, square: int, times: int) -> Options:
        """What that many visits may leave on a tile."""
        options = self._passed.get((square, times))
        if options is None:
            held = self.held(square)
            options = [
                (self.search.scores.passed(square, tuple(map(sum, zip(held, left, strict=True)))), left)
                for left in selections(self.lift.hand, times)
            ]
            options.sort(reverse=True)
            self._passed[square, times] = options
        return options

    def ending(self, square: int, times: int) -> list[tuple[float, Meeples, Tribe]]:
        """What may be left on the end tile before a tribe is taken, and which tribe that is (rules 4.5, 4.7)."""
        options = self._ending.get((square, times))
        if options is None:
            held, options = self.held(square), []
            for left in selections(self.lift.hand, times):
                there = tuple(map(sum, zip(held, left, strict=True)))
                for tribe, after, cost in _taken(left, there, self.search.overlooked):
                    options.append((self.search.scores.ended(square, after) + cost, left, tribe))
            options.sort(key=lambda option: -option[0] - self.search.later[option[2]])
            self._ending[square, times] = options
        return options

    def walk_to(self, end: int, gains: Sequence[float], surely: float) -> None:
        """Follow the walks to a tile while what they pass may still come to enough.

        `gains` are what other tiles can add at most, `surely` is what the start and the end come to.
        """
        rows = {square: (0.0, *row) for square, row in self._added.items()}
        # The end's first visit is counted from the beginning.
        rows[end] = (0.0, *(most - self._ends[end][0] for most in self._ends[end]))
        # A walk that has passed the same tiles and came by the same step goes on alike.
        met: set[tuple[tuple[int, ...], int | None, int]] = set()
        visits = [0] * SQUARES
        search, times = self.search, self.times

        def extend(before: int | None, here: int, steps: int, sure: float) -> None:
            if not search.scores.goes_on():
                return
            if not steps:
                self._lay_out(end, visits)
                return
            # The last step is onto the end, and adds no other tile.
            further = gains[min(max(steps - 2, 0), len(gains) - 1)]
            ways = []
            for square in onward(before, here):
                if distance(square, end) >= steps or visits[square] == times:
                    continue
                now, row = visits[square], rows[square]
                after = sure - row[now] + row[now + 1]
                if after + further >= search.threshold:
                    ways.append((after, square))
            ways.sort(reverse=True)
            for after, square in ways:
                if after + further < search.threshold:
                    return
                visits[square] += 1
                state = (tuple(visits), here, square)
                if state not in met:
                    met.add(state)
                    extend(here, square, steps - 1, after)
                visits[square] -= 1

        extend(None, self.lift.start, self.length, surely)

    def _lay_out(self, end: int, visits: Sequence[int]) -> None:
        """Share the hand out over the tiles of a walk, the end first."""
        key = (end, tuple(visits))
        if key in self._laid:
            return
        self._laid.add(key)
        squares = [square for square in range(SQUARES) if visits[square] and square != end]
        options = [self.passed(square, visits[square]) for square in squares]
        rest = self.lift.score + (0.0 if visits[self.lift.start] else self.start_empty)
        # What the squares from each place on can come to, whatever is in the hand.
        most = [0.0, *accumulate(row[0][0] for row in reversed(options))][::-1]
        known: dict[tuple[int, Meeples], float] = {}
        search = self.search

        def best(place: int, hand: Meeples) -> float:
            """What the squares from a place on come to with just that hand."""
            if place == len(options):
                return 0.0
            value = known.get((place, hand))
            if value is None:
                value = -inf
                for score, left in options[place]:
                    if score + most[place + 1] <= value or not search.scores.goes_on():
                        break
                    fewer = tuple(map(sub, hand, left))
                    if min(fewer) >= 0:
                        value = max(value, score + best(place + 1, fewer))
                known[place, hand] = value
            return value

        def share(place: int, hand: Meeples, total: float, later: float) -> Iterator[tuple[float, tuple[Meeples, ...]]]:
            if place == len(options):
                yield total, ()
                return
            for score, left in options[place]:
                if total + score + most[place + 1] + later < search.threshold or not search.scores.goes_on():
                    return
                fewer = tuple(map(sub, hand, left))
                if min(fewer) >= 0 and total + score + best(place + 1, fewer) + later >= search.threshold:
                    for after, piles in share(place + 1, fewer, total + score, later):
                        yield after, (left, *piles)

        for score, left, tribe in self.ending(end, visits[end]):
            later = search.later[tribe]
            if rest + score + most[0] + later < search.threshold:
                return
            for total, piles in share(0, tuple(map(sub, self.lift.hand, left)), rest + score, later):
                dropped = ((end, left), *zip(squares, piles, strict=True))
                search.add(SownBoard(self.lift.start, self.lift.hand, end, tribe, dropped, total))
