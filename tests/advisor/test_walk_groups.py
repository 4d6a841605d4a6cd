"""What all walks of a hand make possible together, against walking each of them (rules 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.advisor.walk_groups import (
    DropIncome,
    Reach,
    VisitConstraint,
    drop_income,
    groups,
    income_of,
    plain_groups,
)
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.turn import lone_turn
from companion.rules.engine.walks import VISIT_BITS, onward
from companion.rules.model.board import SQUARES, parse_square
from companion.rules.model.components import Colour
from tests.rules.test_turn import position

BLACK, PINK = Colour.BLACK, Colour.PINK


def walks(start: int, length: int) -> Iterator[tuple[int, ...]]:
    """Every walk of that many steps, by hand."""

    def on(path: tuple[int, ...], before: int | None, here: int) -> Iterator[tuple[int, ...]]:
        if len(path) == length:
            yield path
            return
        for square in onward(before, here):
            yield from on((*path, square), here, square)

    yield from on((), None, start)


def vector(path: tuple[int, ...]) -> int:
    return sum(1 << (VISIT_BITS * square) for square in path)


@pytest.mark.parametrize(
    ("constraint", "met"),
    [
        (VisitConstraint.NEVER, [True, False, False]),
        (VisitConstraint.ONCE, [False, True, False]),
        (VisitConstraint.SOME, [False, True, True]),
    ],
)
def test_how_often_a_constraint_lets_a_square_be_visited(constraint: VisitConstraint, met: list[bool]) -> None:
    assert [constraint.met(times) for times in range(3)] == met


def test_a_reach_allows_what_its_masks_hold() -> None:
    reach = Reach(never=1 << (VISIT_BITS * 3), once=1 << (VISIT_BITS * 4), some=1 << (VISIT_BITS * 5))
    allowed = {
        constraint: [square for square in range(SQUARES) if reach.allows(square, constraint)]
        for constraint in VisitConstraint
    }
    assert allowed == {VisitConstraint.NEVER: [3], VisitConstraint.ONCE: [4], VisitConstraint.SOME: [5]}


RATES: tuple[DropIncome, ...] = (
    (0,) * SQUARES,
    tuple(int(square in (8, 14, 15)) for square in range(SQUARES)),
    tuple({14: 2, 15: 1, 20: 1}.get(square, 0) for square in range(SQUARES)),
)


@pytest.mark.parametrize("rates", RATES, ids=["none", "one GC", "one and two GC"])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_groups_hold_what_each_of_their_walks_does(length: int, rates: DropIncome) -> None:
    start = parse_square("c3")
    expected: dict[int, dict[tuple[int, int], dict[VisitConstraint, set[int]]]] = {}
    for path in walks(start, length):
        end = path[-1]
        income = sum(rates[square] for square in path)
        assert income_of(vector(path), rates) == income
        group = expected.setdefault(end, {}).setdefault(
            (path.count(end), income), {constraint: set() for constraint in VisitConstraint}
        )
        for constraint, squares in group.items():
            squares.update(square for square in range(SQUARES) if constraint.met(path.count(square)))
    found = {
        end: {
            group: {
                constraint: {square for square in range(SQUARES) if reach.allows(square, constraint)}
                for constraint in VisitConstraint
            }
            for group, reach in by_group.items()
        }
        for end, by_group in groups(start, length, rates).items()
    }
    assert found == expected
    plain = {end: set(by_group) for end, by_group in plain_groups(start, length).items()}
    assert plain == {end: {(times, 0) for times, _ in by_group} for end, by_group in expected.items()}


def test_11_what_djinns_pay_for_drops_on_the_tiles_of_their_owner() -> None:
    start = position(a1="M6@P", b1="M6@K", c1="M6@K")
    both = start.with_player(replace(start.player(PINK), djinns=("Nekir", "Marid")))
    own = drop_income(MutableGame.of(lone_turn(both)), PINK)
    assert own == (1, *[0] * 29)
    assert drop_income(MutableGame.of(lone_turn(both)), BLACK) == (0,) * 30
    theirs = start.with_player(replace(start.player(BLACK), djinns=("Marid",)))
    assert drop_income(MutableGame.of(lone_turn(theirs)), BLACK) == (0, 2, 2, *[0] * 27)
