"""Moving meeples: which sowings are legal and what they leave (rules 4.2 to 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from companion.errors import IllegalMoveError
from companion.language.phrase import counted, say, say_many, term
from companion.rules.engine.walks import onward, walk_counts
from companion.rules.model.actions import Sowing
from companion.rules.model.board import NEIGHBOURS, SQUARE_NAMES, SQUARES, Board, Tile
from companion.rules.model.components import Tribe

_ORDERS_KEPT = 7
"""Orders of hands up to this size are kept for the next walk; a larger hand can have thousands."""


def legal_sowings(board: Board, starts: Iterable[int] = range(SQUARES)) -> Iterator[Sowing]:
    """Every legal sowing from these starts, lazily, by start, then path, then drops (rules 4.2 to 4.6)."""
    for start in starts:
        hand = board[start].meeples
        for path in _walks(start, sum(hand)):
            # Drops that fell on the end tile before the last one.
            earlier = [index for index, square in enumerate(path[:-1]) if square == path[-1]]
            for last in Tribe:
                if not hand[last]:
                    continue
                held = path[-1] != start and board[path[-1]].meeples[last] > 0
                if not held and (hand[last] < 2 or not earlier):
                    continue
                orders = _ending_in(hand, last)
                if not held:
                    # Rules 4.5: the meeple of that colour may also be one dropped earlier in this move.
                    orders = (drops for drops in orders if any(drops[index] is last for index in earlier))
                for drops in orders:
                    yield Sowing(start, path, drops)


def _walks(start: int, length: int) -> Iterator[tuple[int, ...]]:
    path: list[int] = []

    def extend(before: int | None, here: int) -> Iterator[tuple[int, ...]]:
        if len(path) == length:
            yield tuple(path)
            return
        for square in onward(before, here):
            path.append(square)
            yield from extend(here, square)
            path.pop()

    if length:
        yield from extend(None, start)


def _ending_in(hand: tuple[int, ...], last: Tribe) -> Iterable[tuple[Tribe, ...]]:
    """Every order of a hand that ends with a tribe."""
    return _kept_orders(hand, last) if sum(hand) <= _ORDERS_KEPT else _orders_ending_in(hand, last)


@lru_cache(maxsize=1 << 10)
def _kept_orders(hand: tuple[int, ...], last: Tribe) -> tuple[tuple[Tribe, ...], ...]:
    return tuple(_orders_ending_in(hand, last))


def _orders_ending_in(hand: tuple[int, ...], last: Tribe) -> Iterator[tuple[Tribe, ...]]:
    rest = list(hand)
    rest[last] -= 1
    return ((*drops, last) for drops in _orders(rest))


def _orders(counts: list[int]) -> Iterator[tuple[Tribe, ...]]:
    """Every order of a hand of meeples, those of one tribe being alike."""
    if not any(counts):
        yield ()
        return
    for tribe in Tribe:
        if counts[tribe]:
            counts[tribe] -= 1
            for rest in _orders(counts):
                yield (tribe, *rest)
            counts[tribe] += 1


def end_visits(board: Board, start: int, end: int, tribe: Tribe) -> Iterator[tuple[int, range]]:
    """How a sowing from start can end on `end` with `tribe`: visits of the end, meeples of the tribe left there.

    Each pair is a number of visits and the range of how many of those drops can be of the tribe, such
    that a legal sowing exists (rules 4.5); the last drop is among them.
    """
    hand = board[start].meeples
    length = sum(hand)
    if not hand[tribe]:
        return
    fewest = 1 if end != start and board[end].meeples[tribe] else 2
    others = length - hand[tribe]
    for visits, walks in enumerate(walk_counts(length)[start][end], 1):
        if walks:
            dropped = range(max(fewest, visits - others), min(visits, hand[tribe]) + 1)
            if dropped:
                yield visits, dropped


def check_sowing(board: Sequence[Tile], sowing: Sowing) -> None:
    """Let a legal sowing pass.

    Raises IllegalMoveError that names the first place and the clause that an illegal one breaks.
    """
    for square in (sowing.start, *sowing.path):
        if not 0 <= square < SQUARES:
            raise IllegalMoveError(
                say(
                    "square {square} is not on the board; squares are 0 to {squares} (rules 2.3)",
                    square=square,
                    squares=SQUARES - 1,
                )
            )
    start = SQUARE_NAMES[sowing.start]
    hand = board[sowing.start].meeples
    if not any(hand):
        raise _broken(sowing, say("{start} holds no meeple to take", start=start), "4.2")
    if not len(sowing.path) == len(sowing.drops) == sum(hand):
        raise _broken(
            sowing,
            say(
                "{start} holds {hand}, so the path has as many steps and leaves one on each; it has {steps} and "
                "leaves {drops}",
                start=start,
                hand=counted(sum(hand), "meeple"),
                steps=say_many("{count} step", "{count} steps", len(sowing.path)),
                drops=counted(len(sowing.drops), "meeple"),
            ),
            "4.2",
        )
    walked = (sowing.start, *sowing.path)
    for index, (here, square) in enumerate(zip(walked, sowing.path, strict=False)):
        step = say("the step from {start} to {end}", start=SQUARE_NAMES[here], end=SQUARE_NAMES[square])
        if square not in NEIGHBOURS[here]:
            raise _broken(sowing, say("{step} is not to an orthogonal neighbour", step=step), "4.2")
        if index and square == walked[index - 1]:
            raise _broken(sowing, say("{step} goes straight back", step=step), "4.3")
    for tribe in Tribe:
        dropped = sowing.drops.count(tribe)
        if dropped != hand[tribe]:
            raise _broken(
                sowing,
                say(
                    "{start} holds {hand}, {dropped} are dropped",
                    start=start,
                    hand=counted(hand[tribe], tribe.noun),
                    dropped=dropped,
                ),
                "4.2",
            )
    end, last = sowing.end, sowing.tribe
    held = end != sowing.start and board[end].meeples[last] > 0
    earlier = zip(sowing.path[:-1], sowing.drops[:-1], strict=True)
    if not held and (end, last) not in set(earlier):
        raise _broken(
            sowing,
            say(
                "{square} holds no {tribe} when the last one lands there",
                square=SQUARE_NAMES[end],
                tribe=term(last.noun),
            ),
            "4.5",
        )


def _broken(sowing: Sowing, fault: str, rule: str) -> IllegalMoveError:
    return IllegalMoveError(say("{sowing}: {fault} (rules {rule})", sowing=sowing, fault=fault, rule=rule))
