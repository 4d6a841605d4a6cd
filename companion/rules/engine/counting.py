"""How many moves a board allows, counted three ways without walking them all (rules 4.2 to 4.7).

Which squares a hand passes depends on geometry alone; colours come in only through how the hand can be
laid out on a walk. So `sequences` needs the number of walks by visits of their end, `boards` the number
of distinct visit vectors by their shape, and `sowing_outcomes` only which visits are possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import comb, factorial, prod

from companion.errors import UnusableInputError
from companion.rules.engine.legality import check_form
from companion.rules.engine.sowing import check_squares, end_visits
from companion.rules.engine.walks import VISIT_BITS, visit_planes, visit_vectors, visits, walk_counts
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, SQUARES, Board
from companion.rules.model.components import Tribe
from companion.rules.model.position import Position

MAX_BOARD_HAND = 16
"""The largest hand that boards are counted for; each two meeples more take some five times as long."""

Meeples = tuple[int, ...]
"""Meeples by tribe."""

Shape = tuple[int, tuple[int, ...]]
"""Visits of a walk's end, and how many other squares it visits once, twice, three times and so on."""


@dataclass(frozen=True, slots=True)
class SowingOutcome:
    """What a sowing comes to, whatever its path: the end tile, what is taken, and whether that empties it."""

    start: int
    end: int
    tribe: Tribe
    count: int
    emptied: bool


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """The counts of a board's moves: `sequences` are ordered drops (`by_start` too), `boards` distinct ones after the
    taking with what was taken, None for too many, `outcomes` distinct `SowingOutcome`s.
    """

    sequences: int
    boards: int | None
    outcomes: int
    by_start: tuple[int, ...]


def count_moves(board: Board, starts: Iterable[int] = range(SQUARES)) -> MoveCounts:
    """All three counts of the moves from these starts; boards are None for hands over `MAX_BOARD_HAND`. Raises
    ImpossiblePositionError for no board, IllegalMoveError for no square, UnusableInputError for no hand.
    """
    check_form(Position(board))
    wanted = tuple(starts)
    check_squares(*wanted)
    by_start = tuple(_sequences_from(board, start) if start in wanted else 0 for start in range(SQUARES))
    countable = all(sum(board[start].meeples) <= MAX_BOARD_HAND for start in wanted)
    boards = count_boards(board, wanted) if countable else None
    return MoveCounts(sum(by_start), boards, sum(1 for _ in sowing_outcomes(board, wanted)), by_start)


def sowing_outcomes(board: Board, starts: Iterable[int] = range(SQUARES)) -> Iterator[SowingOutcome]:
    """Every distinct outcome, by start, end, tribe and how many are taken."""
    for start in starts:
        for end in range(SQUARES):
            for tribe in Tribe:
                found = {
                    _after_taking(board, start, end, tribe, visits, dropped)
                    for visits, range_dropped in end_visits(board, start, end, tribe)
                    for dropped in range_dropped
                }
                for count, emptied in sorted(found):
                    yield SowingOutcome(start, end, tribe, count, emptied)


def _after_taking(board: Board, start: int, end: int, tribe: Tribe, visits: int, dropped: int) -> tuple[int, bool]:
    """How many are taken from the end tile, and whether that empties it."""
    held = (0,) * len(Tribe) if end == start else board[end].meeples
    return held[tribe] + dropped, sum(held) == held[tribe] and dropped == visits


def _sequences_from(board: Board, start: int) -> int:
    hand = board[start].meeples
    length = sum(hand)
    if not length:
        return 0
    total = 0
    for end, counts in enumerate(walk_counts(length)[start]):
        for times, walks in enumerate(counts, 1):
            for tribe in Tribe:
                if hand[tribe]:
                    held = end != start and board[end].meeples[tribe] > 0
                    total += walks * _orders(hand, tribe, times, held=held)
    return total


def _orders(hand: Meeples, last: Tribe, end_visits: int, *, held: bool) -> int:
    """Orders of a hand that end with a tribe and meet rules 4.5 on a walk that visits its end that often."""
    places = sum(hand) - 1
    # The last place is the tribe's own; its others are alike, and so are those of each other tribe.
    alike = hand[last] - 1
    others = factorial(places - alike) // prod(factorial(hand[tribe]) for tribe in Tribe if tribe is not last)
    if held:
        return others * comb(places, alike)
    # One of the earlier drops on the end tile must be of the tribe: all orders less those with none there.
    return others * (comb(places, alike) - comb(places - (end_visits - 1), alike))


def count_boards(board: Board, starts: Iterable[int] = range(SQUARES)) -> int:
    """Distinct boards after the taking, with end tile, tribe and number. Raises UnusableInputError as `count_moves`."""
    total = 0
    for start in starts:
        hand = board[start].meeples
        length = sum(hand)
        if length > MAX_BOARD_HAND:
            raise UnusableInputError(
                "{square} holds {length} meeples; boards are counted only for hands of up to {max_board_hand}",
                square=SQUARE_NAMES[start],
                length=length,
                max_board_hand=MAX_BOARD_HAND,
            )
        if not length:
            continue
        corner, image = _to_corner(start)
        for end, shapes in _shapes(corner, length).items():
            held = (0,) * len(Tribe) if image[end] == start else board[image[end]].meeples
            for tribe in Tribe:
                if hand[tribe]:
                    # The last drop needs one of its tribe, two where the tile holds none (rules 4.5).
                    needed = 1 if held[tribe] else 2
                    # That tribe first and the others sorted: layouts do not care which tribe is which.
                    first = (hand[tribe], *sorted(hand[:tribe] + hand[tribe + 1 :]))
                    total += sum(number * _layouts(first, shape, needed) for shape, number in shapes)
    return total


def _to_corner(start: int) -> tuple[int, tuple[int, ...]]:
    """The start's mirror image in the top left quarter, and where that mirroring takes every square."""
    row, column = divmod(start, COLUMNS)
    rows = range(ROWS) if row <= ROWS // 2 else range(ROWS - 1, -1, -1)
    columns = range(COLUMNS) if column < COLUMNS // 2 else range(COLUMNS - 1, -1, -1)
    image = tuple(r * COLUMNS + c for r in rows for c in columns)
    return image[start], image


@cache
def _shapes(start: int, length: int) -> dict[int, tuple[tuple[Shape, int], ...]]:
    """How many distinct visit vectors of each shape lead from a start to each end."""
    found: dict[int, tuple[tuple[Shape, int], ...]] = {}
    for end, vectors in visit_vectors(start, length).items():
        shapes: Counter[Shape] = Counter()
        counted: Counter[tuple[int, ...]] = Counter()
        end_bits = 7 << (VISIT_BITS * end)
        for vector in vectors:
            # Squares by their visits, counted in whole bit planes: a loop over thirty squares for each of some
            # hundred thousand vectors would take most of the time.
            ones, twos, fours = visit_planes(vector & ~end_bits)
            if fours:
                shapes[_shape(vector, end)] += 1
            else:
                counted[visits(vector, end), ones.bit_count(), twos.bit_count(), (ones & twos).bit_count()] += 1
        for (times, odd, two_or_three, three), number in counted.items():
            shapes[times, (odd - three, two_or_three - three, three)] += number
        found[end] = tuple(shapes.items())
    return found


def _shape(vector: int, end: int) -> Shape:
    """The shape of one visit vector, whatever its visits."""
    tally = Counter(visits(vector, square) for square in range(SQUARES) if square != end)
    return visits(vector, end), tuple(tally[times] for times in range(1, 1 << VISIT_BITS))


@cache
def _layouts(hand: Meeples, shape: Shape, needed: int) -> int:
    """Ways to lay a hand out on the squares of a shape with at least `needed` of its first tribe on the end."""
    times, others = shape
    return sum(
        _fillings(tuple(sorted(h - d for h, d in zip(hand, dropped, strict=True))), others)
        for dropped in selections(hand, times)
        if dropped[0] >= needed
    )


@cache
def _fillings(hand: Meeples, squares: tuple[int, ...]) -> int:
    """Ways to lay a hand out on squares, given how many of them take one meeple, two, three and so on."""
    # The most visited squares first: what is left for the single visits is then any order of the rest.
    for times in range(len(squares), 1, -1):
        if squares[times - 1]:
            fewer = (*squares[: times - 1], squares[times - 1] - 1, *squares[times:])
            return sum(
                _fillings(tuple(sorted(h - d for h, d in zip(hand, dropped, strict=True))), fewer)
                for dropped in selections(hand, times)
            )
    return factorial(sum(hand)) // prod(map(factorial, hand))


@cache
def selections(hand: Meeples, size: int) -> tuple[Meeples, ...]:
    """Every way to pick that many meeples from a hand, by tribe."""
    if not hand:
        return ((),) if not size else ()
    return tuple(
        (taken, *rest) for taken in range(min(hand[0], size) + 1) for rest in selections(hand[1:], size - taken)
    )
