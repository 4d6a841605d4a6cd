"""The sowings that leave what is seen: all whose boards score near the best, found without walking them all.

A board after a sowing is known by its start, how often each tile is passed, and which meeples are left there (rules
4.2 to 4.7); what it scores is a sum over tiles. So walks are followed only while the best that their tiles can still
come to is near the best board found, and hands are laid out only on the walks that remain. Without a cut it finds every
board that `counting.count_boards` counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
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

    def most(self, square: int, held: Meeples, tribes: tuple[bool, ...], times: int, *, ends: bool) -> float:
        """The most of either for a tile that held these and takes that many more of such tribes, as `most_of` has it.

        At the end it includes what the rest of the turn may add. It's asked for often.
        """
        ...


def most_of(
    scores: TileScores,
    square: int,
    held: Meeples,
    left: Iterable[Meeples],
    later: Sequence[float] | None,
    overlooked: float = -inf,
) -> float:
    """The most that speaks for a tile with any of what may be `left` there; `later` as in `best_sowings` at the end."""
    best = -inf
    for pile in left:
        there = tuple(map(sum, zip(held, pile, strict=True)))
        if later is None:
            best = max(best, scores.passed(square, there))
        else:
            for tribe, after, cost in _taken(pile, there, overlooked):
                best = max(best, scores.ended(square, after) + later[tribe] + cost)
    return best


def _taken(left: Meeples, there: Meeples, overlooked: float) -> Iterator[tuple[Tribe, Meeples, float]]:
    """The tribes that an end tile may give up, what then stays, and what speaks against it (rules 4.5, 4.7)."""
    for tribe in Tribe:
        if left[tribe] and (there[tribe] > 1 or overlooked > -inf):
            yield tribe, (*there[:tribe], 0, *there[tribe + 1 :]), 0.0 if there[tribe] > 1 else overlooked


@cache
def piles(tribes: tuple[bool, ...], times: int) -> tuple[Meeples, ...]:
    """Every way to leave that many meeples of some tribes on a tile."""
    return selections(tuple(times * one for one in tribes), times)


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

    def bound(self, lift: Lift) -> float:
        """What no board from there can exceed: the start as it is seen, as many tiles as meeples as they please."""
        length = sum(lift.hand)
        own = -inf
        for times in range(length // 4 + 1):
            for left in selections(lift.hand, times):
                own = max(own, self.scores.passed(lift.start, left))
                ends = _taken(left, left, self.overlooked)
                own = max(own, *(self.scores.ended(lift.start, after) + cost for _, after, cost in ends), -inf)
        near = WITHIN[lift.start][min(length, MAX_DISTANCE)]
        others = sorted((self.scores.limit(square) for square in near if square != lift.start), reverse=True)
        return lift.score + own + sum(others[:length]) + max(self.later)

    def add(self, one: SownBoard) -> None:
        """Keep a board, and raise what the others must score."""
        rank = one.score + self.later[one.tribe]
        self.threshold = max(self.threshold, one.score - self.cut)
        self._number += 1
        if len(self.best) < self.most or self.cut == inf:
            heapq.heappush(self.best, (rank, self._number, one))
        else:
            self.threshold = max(self.threshold, heapq.heappushpop(self.best, (rank, self._number, one))[0])


class _Lifted:
    """The search from one tile with one hand."""

    def __init__(self, search: _Search, lift: Lift) -> None:
        self.search, self.lift = search, lift
        self.length = sum(lift.hand)
        self.tribes = tuple(map(bool, lift.hand))
        # Back on a tile after four steps at the soonest (rules 4.3).
        self.times = (self.length + 3) // 4
        self.start_empty = search.scores.passed(lift.start, NO_MEEPLES)
        self._passed: dict[tuple[int, int], Options] = {}
        self._ending: dict[tuple[int, int], list[tuple[float, Meeples, Tribe]]] = {}
        self._laid: set[tuple[int, tuple[int, ...]]] = set()
        self._added: dict[int, list[float]] = {}
        self._ends: dict[int, list[float]] = {}
        self._gains: list[float] | None = None

    def _unvisited(self, square: int) -> float:
        return self.start_empty if square == self.lift.start else 0.0

    def added(self, square: int) -> list[float]:
        """What that many visits of a tile, or more, add at most over none; the first is 0."""
        row = self._added.get(square)
        if row is None:
            held, most = self.held(square), self.search.scores.most
            best = [most(square, held, self.tribes, times, ends=False) for times in range(1, self.times + 1)]
            onward_of = list(accumulate(reversed(best), max))[::-1]
            row = self._added[square] = [0.0, *(one - self._unvisited(square) for one in onward_of)]
        return row

    def ends(self, square: int) -> list[float]:
        """The most for that many visits of the end or more, from one on."""
        row = self._ends.get(square)
        if row is None:
            held, most = self.held(square), self.search.scores.most
            best = [most(square, held, self.tribes, times, ends=True) for times in range(1, self.times + 1)]
            row = self._ends[square] = list(accumulate(reversed(best), max))[::-1]
        return row

    def gain(self, steps: int) -> float:
        """What passing that many tiles can add at most."""
        if self._gains is None:
            near = WITHIN[self.lift.start][min(self.length, MAX_DISTANCE)]
            gains = sorted((max(self.added(square)) for square in near), reverse=True)
            self._gains = [0.0, *accumulate(gains[: self.length])]
        return self._gains[min(max(steps, 0), len(self._gains) - 1)]

    def _end_bound(self, end: int) -> float:
        """What no board of a walk to that tile can exceed."""
        steps = self.length - distance(self.lift.start, end)
        if steps < 0 or steps % 2:
            return -inf
        return self._surely(end) + self.gain(self.length - 1)

    def _surely(self, end: int) -> float:
        """What the start and the end come to at most."""
        return self.lift.score + self.start_empty - self._unvisited(end) + self.ends(end)[0]

    def follow(self) -> None:
        """Find what can be sown from there, the likeliest end tiles first."""
        for bound, end in sorted(((self._end_bound(end), end) for end in range(SQUARES)), reverse=True):
            if bound >= self.search.threshold:
                self.walk_to(end)

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

    def walk_to(self, end: int) -> None:
        """Follow the walks to a tile while what they pass may still come to enough."""
        ends = self.ends(end)
        # The end's first visit is counted from the beginning.
        end_added = [0.0, *(more - ends[0] for more in ends)]
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
            further = self.gain(steps - 2)
            ways = []
            for square in onward(before, here):
                if distance(square, end) >= steps or visits[square] == times:
                    continue
                now, row = visits[square], end_added if square == end else self.added(square)
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

        extend(None, self.lift.start, self.length, self._surely(end))

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
