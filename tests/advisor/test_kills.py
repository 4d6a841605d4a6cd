"""What a kill needs of the sowing before it, case by case (rules 5.4, 5.5)."""

from __future__ import annotations

import pytest

from companion.advisor.kills import Kill, SowingClass, _claims_end, _criteria, can_drop_beside, held_on, others_left
from companion.advisor.paths import find_sowing
from companion.advisor.walk_groups import NO_INCOME, DropIncome, KillConstraint, VisitConstraint
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import TribeChoice
from companion.rules.model.board import NO_MEEPLES, SQUARES, parse_square
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import Victim
from tests.rules.test_turn import position

C3, C4, D3, D4 = map(parse_square, ("c3", "c4", "d3", "d4"))


def sown(
    tribe: Tribe, *, visits: int = 1, dropped: int = 1, start: int = C3, end: int = C4, income: int = 0
) -> SowingClass:
    return SowingClass(start, end, tribe, 2, False, visits, dropped, income)


def test_meeples_of_other_tribes_dropped_on_the_end() -> None:
    assert sown(Tribe.ASSASSIN, visits=3, dropped=1).others_dropped == 2


def test_what_stands_there_when_the_start_is_lifted() -> None:
    draft = MutableGame.of(lone_turn(position(c3="M6:yy", c4="M6:ywrr")))
    one = sown(Tribe.ASSASSIN)
    assert held_on(draft, one, C3) == NO_MEEPLES
    assert held_on(draft, one, C4) == (1, 1, 0, 0, 2)
    assert others_left(draft, one) == (1, 1, 0, 0, 0)
    assert others_left(draft, sown(Tribe.VIZIER, end=C3)) == NO_MEEPLES


Y, W, R = Tribe.VIZIER, Tribe.ELDER, Tribe.ASSASSIN
BESIDE = {
    "one of another tribe": ((1, 0, 0, 0, 1), sown(R), Y, True),
    "none of that tribe": ((1, 0, 0, 0, 1), sown(R), W, False),
    "the last one is the tribe taken": ((1, 0, 0, 0, 1), sown(R), R, False),
    "a second of the tribe taken": ((1, 0, 0, 0, 2), sown(R), R, True),
    "both of the tribe taken are on the end": ((1, 0, 0, 0, 2), sown(R, visits=2, dropped=2), R, False),
    "the only other is on the end": ((1, 0, 0, 0, 1), sown(R, visits=2, dropped=1), Y, False),
    "one of two others is on the end": ((1, 1, 0, 0, 1), sown(R, visits=2, dropped=1), Y, True),
    "both others are on the end": ((1, 1, 0, 0, 1), sown(R, visits=3, dropped=1), Y, False),
}


@pytest.mark.parametrize(("hand", "one", "tribe", "possible"), BESIDE.values(), ids=BESIDE)
def test_which_meeples_can_be_left_beside_the_end(
    hand: tuple[int, ...], one: SowingClass, tribe: Tribe, possible: bool
) -> None:
    assert can_drop_beside(hand, one, tribe) is possible


def rates(**gold: int) -> DropIncome:
    by_square = {parse_square(name): number for name, number in gold.items()}
    return tuple(by_square.get(square, 0) for square in range(SQUARES))


PATHS = {
    "three of four steps on three tiles": ("M6:bbbr", sown(R, end=D4), None, NO_INCOME, NO_INCOME, None),
    "a victim stays alone": (
        "M6:yr",
        sown(R, end=D4),
        KillConstraint(D3, VisitConstraint.NEVER),
        NO_INCOME,
        NO_INCOME,
        "c3>c4y>d4r",
    ),
    "a victim is dropped": (
        "M6:yr",
        sown(R, end=D4),
        KillConstraint(D3, VisitConstraint.ONCE, Y),
        NO_INCOME,
        NO_INCOME,
        "c3>d3y>d4r",
    ),
    "which of the hand is dropped as a victim": (
        "M6:ywgr",
        sown(R, end=D4),
        KillConstraint(D3, VisitConstraint.SOME, Tribe.MERCHANT),
        NO_INCOME,
        rates(d3=1),
        None,
    ),
    "the way that pays": ("M6:yr", sown(R, end=D4, income=2), None, rates(d3=2), NO_INCOME, "c3>d3y>d4r"),
    "the way that pays nothing": ("M6:yr", sown(R, end=D4), None, rates(d3=2), NO_INCOME, "c3>c4y>d4r"),
    "the way that pays an opponent least": ("M6:yr", sown(R, end=D4), None, NO_INCOME, rates(c4=2, d3=1), "c3>d3y>d4r"),
    "the way that pays an opponent nothing": ("M6:yr", sown(R, end=D4), None, NO_INCOME, rates(d3=1), "c3>c4y>d4r"),
    "back to the start in a ring": (
        "M6:ywrr",
        sown(R, end=C3, dropped=1),
        KillConstraint(D3, VisitConstraint.NEVER),
        NO_INCOME,
        NO_INCOME,
        None,
    ),
}


@pytest.mark.parametrize(("hand", "one", "constraint", "own", "theirs", "expected"), PATHS.values(), ids=PATHS)
def test_the_sowing_of_a_class_meets_its_constraint(
    hand: str,
    one: SowingClass,
    constraint: KillConstraint | None,
    own: DropIncome,
    theirs: DropIncome,
    expected: str | None,
) -> None:
    board = position(c3=hand).board
    sowing = find_sowing(board, one, constraint, own, theirs)
    assert (sowing.start, sowing.end, sowing.tribe) == (one.start, one.end, one.tribe)
    assert sorted(sowing.drops) == [tribe for tribe in Tribe for _ in range(board[C3].meeples[tribe])]
    assert sum(own[square] for square in sowing.path) == one.income
    on_end = [tribe for square, tribe in zip(sowing.path, sowing.drops, strict=True) if square == one.end]
    assert (len(on_end), on_end.count(one.tribe)) == (one.visits, one.dropped)
    if constraint is not None:
        assert constraint.visits.met(sowing.path.count(constraint.square))
        left = [tribe for square, tribe in zip(sowing.path, sowing.drops, strict=True) if square == constraint.square]
        assert constraint.drop is None or constraint.drop in left
    if expected is not None:
        assert str(sowing) == expected


def test_an_end_that_is_visited_more_often_gets_its_meeples() -> None:
    one = SowingClass(C3, D4, R, 3, False, visits=2, dropped=2, income=0)
    sowing = find_sowing(position(c3="M6:ywgbrr").board, one, None, NO_INCOME, NO_INCOME)
    assert [t for s, t in zip(sowing.path, sowing.drops, strict=True) if s == D4] == [R, R]
    other = SowingClass(C3, D4, R, 3, False, visits=2, dropped=1, income=0)
    sowing = find_sowing(position(c3="M6:ywgbrr").board, other, None, NO_INCOME, NO_INCOME)
    assert [t for s, t in zip(sowing.path, sowing.drops, strict=True) if s == D4] == [Y, R]


def test_no_sowing_of_a_class_is_an_error() -> None:
    with pytest.raises(ValueError, match="empty"):
        find_sowing(position(c3="M6:yr").board, sown(R, end=D4, income=5), None, NO_INCOME, NO_INCOME)


def _kill(*, square: int | None, owner: Colour | None = None, empties: bool = True, fakirs: int = 0) -> Kill:
    return Kill(TribeChoice(fakirs, Victim(Y, square=square, owner=owner)), None, empties, (1, 2, 3, 4))


def test_a_kill_claims_the_end_when_it_empties_that_very_tile() -> None:
    assert _claims_end(sown(R), _kill(square=C4))
    assert not _claims_end(sown(R), _kill(square=D4))
    assert not _claims_end(sown(R), _kill(square=C4, empties=False))
    assert not _claims_end(sown(R), Kill(TribeChoice(), None, True, (0, 0, 0, 0)))


def test_a_kill_is_the_better_the_more_it_brings_and_the_fewer_fakirs_it_takes() -> None:
    draft = MutableGame.of(lone_turn(position(c3="M6:yy", d4="O8:y^2")))
    assert _criteria(draft, sown(R, income=5), _kill(square=D4, fakirs=2)) == (8, 2, 0, 1, 2, 8, 4, -2, 0)
    assert _criteria(draft, sown(R), _kill(square=D4, empties=False)) == (0, 0, 0, 1, 2, 3, 4, 0, 0)
    assert _criteria(draft, sown(R), _kill(square=None, owner=Colour.PINK)) == (0, 0, 0, 1, 2, 3, 4, 0, 1)
