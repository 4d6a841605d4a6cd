"""What the walks of a hand make possible, gathered over all of them: rules 4.2 and 4.3 for the advisor."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.walks import VISIT_BITS, spread, visit_planes, visit_vectors, visits, walk_counts
from companion.rules.model.board import SQUARES
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import MeepleDropped

LONGEST_HAND = 14
"""The largest hand that is thought through; a hand of 14 has some 200,000 visit vectors."""

EVERY_SQUARE = spread((1 << SQUARES) - 1)


class VisitConstraint(Enum):
    """How often a walk must step on a square."""

    NEVER = "never"
    ONCE = "once"
    SOME = "once or more"

    def met(self, times: int) -> bool:
        """Whether that many visits will do."""
        if self is VisitConstraint.NEVER:
            return times == 0
        return times == 1 if self is VisitConstraint.ONCE else times > 0


@dataclass(frozen=True, slots=True)
class KillConstraint:
    """What a kill needs of the sowing: how often its square is stepped on, and a meeple dropped there."""

    square: int
    visits: VisitConstraint
    drop: Tribe | None = None


@dataclass(slots=True)
class Reach:
    """Squares that some walk of a group never steps on, steps on once, or steps on at all.

    Masks as of `walks.spread`.
    """

    never: int = 0
    once: int = 0
    some: int = 0

    def allows(self, square: int, visits: VisitConstraint) -> bool:
        """Whether some walk of the group meets a constraint on its visits of a square."""
        match visits:
            case VisitConstraint.NEVER:
                mask = self.never
            case VisitConstraint.ONCE:
                mask = self.once
            case VisitConstraint.SOME:
                mask = self.some
        return bool(mask >> (VISIT_BITS * square) & 1)


WalkGroup = tuple[int, int]
"""Walks of a group have the same visits of their end, and earn the same income in GC."""

DropIncome = tuple[int, ...]
"""What djinns pay a player for a drop on each square, in GC."""


NO_INCOME: DropIncome = (0,) * SQUARES


def drop_income(table: MutableGame, payee: Colour) -> DropIncome:
    """What a player's djinns pay him for the mover's drops, by square; taken to be the same for every tribe."""
    hooks = [djinn.pays for djinn in table.powers(payee) if djinn.pays is not None]
    drops = (MeepleDropped(table.mover, square, Tribe.VIZIER, table.board[square].camel) for square in range(SQUARES))
    return tuple(sum(pays(drop, payee) for pays in hooks) for drop in drops)


def plain_groups(start: int, length: int) -> dict[int, dict[WalkGroup, Reach]]:
    """Groups of walks by end, for hands whose path does not matter: no income, nothing known of squares."""
    return {
        end: {(times, 0): Reach() for times, walks in enumerate(counts, 1) if walks}
        for end, counts in enumerate(walk_counts(length)[start])
        if counts
    }


def income_of(vector: int, rates: DropIncome) -> int:
    """What a walk with this visit vector earns, in GC."""
    return sum(rate * visits(vector, square) for square, rate in enumerate(rates) if rate)


def groups(start: int, length: int, rates: DropIncome) -> dict[int, dict[WalkGroup, Reach]]:
    """Groups of walks by end, with the squares that they can reach or avoid."""
    paying = {rate: spread(sum(1 << s for s in range(SQUARES) if rates[s] == rate)) for rate in set(rates) if rate}
    found: dict[int, dict[WalkGroup, Reach]] = {}
    for end, vectors in visit_vectors(start, length).items():
        by_group: dict[WalkGroup, Reach] = {}
        for vector in vectors:
            ones, twos, fours = visit_planes(vector)
            income = 0
            for rate, squares in paying.items():
                times = (ones & squares).bit_count() + 2 * (twos & squares).bit_count()
                income += rate * (times + 4 * (fours & squares).bit_count())
            group = (visits(vector, end), income)
            reach = by_group.get(group)
            if reach is None:
                reach = by_group[group] = Reach()
            some = ones | twos | fours
            reach.some |= some
            reach.once |= ones & ~twos & ~fours
            reach.never |= EVERY_SQUARE & ~some
        found[end] = by_group
    return found
