"""A sowing to show for an advised turn: one legal path and order of drops among the many alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from companion.advisor.kills import SowingClass
from companion.advisor.walk_groups import DropIncome, KillConstraint, VisitConstraint, income_of
from companion.rules.engine.walks import find_walk, visit_planes, visit_vectors, visits
from companion.rules.model.actions import Sowing
from companion.rules.model.board import Board
from companion.rules.model.components import Tribe


def find_sowing(
    board: Board, sown: SowingClass, constraint: KillConstraint | None, rates: DropIncome, dues: DropIncome
) -> Sowing:
    """A legal sowing of that class that meets the constraint, for which opponents' djinns are paid least.

    `rates` are what the mover's djinns pay him by square, `dues` what his opponents' pay them, in GC.
    Raises ValueError if there is none.
    """
    hand = board[sown.start].meeples
    fits = _fits(sown, constraint, rates)
    vectors = [vector for vector in _vectors(sown.start, sum(hand))[sown.end] if fits(vector)]
    # Of those that cost least, the path with the fewest returns is the plainest.
    vector = min(vectors, key=lambda vector: (income_of(vector, dues), -_squares(vector), vector))
    path = find_walk(sown.start, sown.end, vector)
    return Sowing(sown.start, path, _drops(hand, path, sown, constraint))


def _fits(sown: SowingClass, constraint: KillConstraint | None, rates: DropIncome) -> Callable[[int], bool]:
    def fits(vector: int) -> bool:
        return (
            visits(vector, sown.end) == sown.visits
            and income_of(vector, rates) == sown.income
            and (constraint is None or constraint.visits.met(visits(vector, constraint.square)))
        )

    return fits


# Turns that are shown together often start on the same tile.
_vectors = lru_cache(maxsize=2)(visit_vectors)


def _squares(vector: int) -> int:
    """How many squares a walk steps on."""
    ones, twos, fours = visit_planes(vector)
    return (ones | twos | fours).bit_count()


def _drops(
    hand: tuple[int, ...], path: tuple[int, ...], sown: SowingClass, constraint: KillConstraint | None
) -> tuple[Tribe, ...]:
    """Which meeple is left at each step, so that the end tile and the constraint get what they need."""
    left = list(hand)
    drops: list[Tribe | None] = [None] * len(path)
    on_end = [index for index, square in enumerate(path) if square == sown.end]
    # The last drop is of the tribe taken; earlier ones on the end tile complete its number (rules 4.5).
    for index in on_end[len(on_end) - sown.dropped :]:
        drops[index] = sown.tribe
        left[sown.tribe] -= 1
    if constraint is not None and constraint.drop is not None and constraint.visits is not VisitConstraint.NEVER:
        index = next(i for i, square in enumerate(path) if square == constraint.square and drops[i] is None)
        drops[index] = constraint.drop
        left[constraint.drop] -= 1
    for index in on_end:
        if drops[index] is None:
            drops[index] = next(tribe for tribe in Tribe if left[tribe] and tribe is not sown.tribe)
            left[drops[index] or 0] -= 1
    rest = iter([tribe for tribe in Tribe for _ in range(left[tribe])])
    return tuple(next(rest) if drop is None else drop for drop in drops)
