"""What is to be expected of viziers and cards that nobody has seen, against enumerating and sampling them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.advisor.expectation import Expectation, Rival, fewer, fewer_than_another, unknown_cards, unseen, worth_of
from companion.notation.tokens import parse_board
from companion.rules.engine.djinns import Worth
from companion.rules.engine.scoring import player_points
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, NO_GOODS, Colour, Tribe, best_goods_value
from companion.rules.model.events import CardsTaken, MeeplesTaken
from companion.rules.model.position import Player, Position

BLACK, ORANGE, BLUE, PINK = Colour
ROWS = "/".join(["M6 M6 M6 M6 M6 M6"] * 4)
BOARD = parse_board(f"M6:yyyyyyy M6:yyyy M6 M6 M6 M6/{ROWS}")
"""Eleven of sixteen viziers stand on it, so that five are elsewhere."""
FULL = parse_board(f"M6:yyyyyyyyyyyyyyyy M6 M6 M6 M6 M6/{ROWS}")


def held(colour: Colour, viziers: int | None, **more: object) -> Player:
    known = Player(colour, gold=0, viziers=viziers, elders=0, fakirs=0, goods=NO_GOODS, djinns=())
    return replace(known, **more)


def at(*players: Player, board: tuple = BOARD) -> Position:  # type: ignore[type-arg]
    return Position(board, players=players, to_move=PINK)


def spread(things: int, places: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every division of things among places, and how likely it is: all alike."""
    found = [counts for counts in product(range(things + 1), repeat=places) if sum(counts) == things]
    yield from ((counts, Fraction(1, len(found))) for counts in found)


@pytest.mark.parametrize("things", range(5))
@pytest.mark.parametrize("places", [2, 3, 4])
@pytest.mark.parametrize("bound", range(-1, 7))
def test_how_likely_a_place_holds_few(things: int, places: int, bound: int) -> None:
    exact = sum(chance for counts, chance in spread(things, places) if counts[0] < bound)
    assert fewer(things, places, bound) == pytest.approx(float(exact))
    exact = sum(chance for counts, chance in spread(things, places) if counts[0] < counts[1] + bound)
    assert fewer_than_another(things, places, bound) == pytest.approx(float(exact))


def test_things_of_which_there_are_none_are_nowhere() -> None:
    assert (fewer(0, 3, 0), fewer(0, 3, 1)) == (0, 1)


# Who is compared, and how many viziers are seen nowhere.


def test_1_2_viziers_and_elders_seen_nowhere() -> None:
    position = at(held(PINK, 2, elders=3), held(BLACK, None, elders=None))
    assert (unseen(position, Tribe.VIZIER), unseen(position, Tribe.ELDER)) == (3, 17)
    assert Expectation(position, PINK).unseen_viziers == 3


RIVALS = {
    "all known": (at(held(PINK, 0), held(BLACK, 1)), (Rival(BLACK, True),), True, 1, True),
    "one not known": (
        at(held(PINK, 0), held(BLACK, None), held(BLUE, 1)),
        (Rival(BLACK, False), Rival(BLUE, True)),
        True,
        2,
        False,
    ),
    "own not known": (at(held(PINK, None), held(BLACK, 1)), (Rival(BLACK, True),), False, 2, False),
    "nobody known": (
        at(held(PINK, None), held(BLACK, None), held(BLUE, None)),
        (Rival(BLACK, False), Rival(BLUE, False)),
        False,
        4,
        False,
    ),
    "2.1 no opponent": (at(held(PINK, 0)), (Rival(None, False),), True, 2, False),
    "2.1 no opponent, all viziers on the board": (at(held(PINK, 0), board=FULL), (Rival(None, True),), True, 1, True),
    "all viziers on the board": (
        at(held(PINK, None), held(BLACK, None), board=FULL),
        (Rival(BLACK, True),),
        True,
        1,
        True,
    ),
}


@pytest.mark.parametrize(("position", "rivals", "own_known", "places", "exact"), RIVALS.values(), ids=RIVALS)
def test_10_2_whose_viziers_are_compared(
    position: Position, rivals: tuple[Rival, ...], own_known: bool, places: int, exact: bool
) -> None:
    expectation = Expectation(position, PINK)
    assert expectation.rivals == rivals
    assert (expectation.own_known, expectation.places, expectation.exact) == (own_known, places, exact)


# Points.


@given(
    viziers=st.tuples(*[st.integers(0, 3)] * 4),
    hidden=st.tuples(*[st.booleans()] * 4),
    taken=st.integers(0, 4),
    players=st.integers(1, 4),
)
def test_10_2_expected_points_are_the_mean_over_all_that_can_be(
    viziers: tuple[int, ...], hidden: tuple[bool, ...], taken: int, players: int
) -> None:
    colours = (PINK, BLACK, BLUE, ORANGE)[:players]
    board = parse_board(f"M6:{'y' * (14 - sum(viziers[:players]))} M6 M6 M6 M6 M6/{ROWS}")
    known = {c: None if hide else v for c, v, hide in zip(colours, viziers, hidden, strict=False)}
    start = at(*(held(colour, count) for colour, count in known.items()), board=board)
    own = known[PINK]
    after = start.with_player(held(PINK, taken if own is None else own + taken))
    expectation = Expectation(start, PINK)
    unknown = [colour for colour in colours if known[colour] is None]
    names: list[Colour | None] = [*unknown, *([None] if players == 1 else [])]
    mean = sure = Fraction(0)
    least = None
    for counts, chance in spread(expectation.unseen_viziers, len(names) + 1):
        real: dict[Colour | None, int | None] = dict(known.items())
        real.update(zip(names, counts, strict=False))
        total = (real[PINK] or 0) + taken
        ahead = sum((count or 0) < total for colour, count in real.items() if colour is not PINK)
        points = taken + (known[PINK] or 0) + 10 * ahead
        mean += chance * points
        least = points if least is None else min(least, points)
        sure = Fraction(least)
    assert expectation.points(after) == pytest.approx(float(mean))
    assert expectation.certain(after) <= sure
    if not unknown and players > 1:
        assert expectation.certain(after) == expectation.points(after) == player_points(after, PINK)


CERTAIN = {
    "10.2 known": ((0, 1), 2, 12),
    "10.2 as many": ((0, 2), 2, 2),
    "10.2 not known": ((0, None), 2, 2),
    "10.2 own not known": ((None, 0), 2, 2),
    "10.2 of two one known": ((1, 2, None), 2, 13),
}


@pytest.mark.parametrize(("viziers", "taken", "points"), CERTAIN.values(), ids=CERTAIN)
def test_10_2_only_opponents_known_to_be_behind_are_sure(
    viziers: tuple[int | None, ...], taken: int, points: int
) -> None:
    players = [held(colour, count) for colour, count in zip((PINK, BLACK, BLUE), viziers, strict=False)]
    expectation = Expectation(at(*players), PINK)
    after = at(held(PINK, (viziers[0] or 0) + taken), *players[1:])
    assert expectation.certain(after) == points


def test_10_2_an_opponent_who_must_be_there_and_can_have_none_is_surely_behind() -> None:
    expectation = Expectation(at(held(PINK, 0), board=FULL), PINK)
    after = at(held(PINK, 2))
    assert expectation.certain(after) == 12 == expectation.points(after)
    assert (expectation.behind(after), expectation.behind(at(held(PINK, 0)))) == (1, 0)


def test_a_vizier_of_an_opponent_may_fall_after() -> None:
    expectation = Expectation(at(held(PINK, 1), held(BLACK, 1)), PINK)
    assert expectation.certain(at(held(PINK, 1), held(BLACK, 0))) == 11


# Cards.


def test_5_2_a_hand_that_is_not_known_has_its_share_of_what_merchants_brought() -> None:
    set_up = random_setup(3, 1)
    assert [Expectation(set_up, colour).hand_size for colour in set_up.colours] == [0, 0, 0]
    nine_left = parse_board(f"M6:ggggggggg M6 M6 M6 M6 M6/{ROWS}")
    for others, expected in (((), 4), ((BLACK,), 4), ((BLACK, BLUE), 3), ((BLACK, BLUE, ORANGE), 2)):
        players = [Player(colour) for colour in (PINK, *others)]
        assert Expectation(at(*players, board=nine_left), PINK).hand_size == expected
        known = [held(PINK, 0), *players[1:]]
        assert Expectation(at(*known, board=nine_left), PINK).hand_size == 0


def test_unknown_cards_are_worth_what_unseen_cards_are() -> None:
    cards = [name for name, count in CARD_COUNTS.items() for _ in range(count)]
    position = replace(at(held(PINK, 0), held(BLACK, 0)), row=())
    expectation = Expectation(position, PINK)
    good = sum(name != FAKIR for name in cards) / len(cards)
    assert expectation.goods_points(position) == 0
    assert expectation.goods_points(position, 1) == pytest.approx(good, abs=0.2)
    assert expectation.points(position, 1) - expectation.points(position) == expectation.goods_points(position, 1)
    row = tuple(name for name in cards if name != "silk")
    silk_alone = replace(position, row=row)
    assert Expectation(silk_alone, PINK).goods_points(silk_alone, 1) == 1
    assert Expectation(silk_alone, PINK).goods_points(silk_alone, 3) == 3
    with_fish = silk_alone.with_player(held(PINK, 0, goods=tuple(int(name == "fish") for name in GOODS)))
    assert Expectation(silk_alone, PINK).goods_points(with_fish, 1) == 2


def test_11_fakirs_that_may_be_drawn_count_for_whom_they_make_goods() -> None:
    row = tuple(name for name, count in CARD_COUNTS.items() for _ in range(count) if name != FAKIR)
    position = replace(at(held(PINK, 0, djinns=("Al-Amin",), fakirs=1), held(BLACK, 0)), row=row)
    expectation = Expectation(position, PINK)
    assert [expectation.goods_points(position, number) for number in (1, 2, 3)] == [1, 1, 3]
    without = position.with_player(held(PINK, 0, fakirs=1))
    assert expectation.goods_points(without, 3) == 0


def test_a_hand_that_is_not_known_makes_cards_worth_more() -> None:
    few_left = parse_board(f"M6:gg M6 M6 M6 M6 M6/{ROWS}")
    position = at(held(PINK, 0, goods=None), held(BLACK, 0), board=few_left)
    expectation = Expectation(position, PINK)
    assert (expectation.hand_size, expectation.exact) == (8, False)
    before = expectation.points(position)
    ivory = position.with_player(held(PINK, 0, goods=tuple(int(name == "ivory") for name in GOODS)))
    alone = best_goods_value(ivory.player(PINK).goods or NO_GOODS)
    assert alone == 1
    assert 4 < expectation.points(ivory) - before < 10
    assert expectation.certain(ivory) == 1
    # Always the same for a position: nothing is left to chance.
    assert Expectation(position, PINK).points(ivory) == expectation.points(ivory)


def test_unknown_cards_are_counted_over_all_events() -> None:
    events = (
        CardsTaken(PINK, ("fish", None, None)),
        MeeplesTaken(PINK, 3, Tribe.MERCHANT, 2),
        CardsTaken(PINK, (None,), 3),
        CardsTaken(PINK, ()),
    )
    assert unknown_cards(events) == 3


def test_10_4_what_djinns_make_things_worth() -> None:
    assert worth_of(()) == Worth()
    assert worth_of(("Nekir", "Jafaar", "Shamhat")) == Worth(vizier=3, elder=4)
