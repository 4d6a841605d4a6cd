"""Points, how a game stands and who has won (rules 9, 10, 11.12), each clause by name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.notation.tokens import parse_board
from companion.rules.engine.scoring import (
    GameResult,
    Holdings,
    Score,
    assumptions,
    is_finished,
    result_of,
    result_of_game,
    score,
    score_holdings,
    winners,
)
from companion.rules.model.board import Board
from companion.rules.model.components import (
    CARD_COUNTS,
    GOODS,
    NO_GOODS,
    SET_PRICES_GC,
    Colour,
    best_goods_value,
    best_sets,
    with_wild,
)
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import GameState, Stage
from tests.strategies import positions

BLACK, ORANGE, BLUE, PINK = Colour
BOARD = parse_board(
    "O8 M4 M4 V5@P#1 S6 V5 / V5 O8@K^1 S12 M6 O8 O8 / O8 M4 M6 M6 M6 M6 / V5 S10 O8@P^2 M6 M6 M6 / M4 S15 S6 V5 S6@P S6"
)
BARE = parse_board("/".join(["M6 M6 M6 M6 M6 M6"] * 5))


def hand(**cards: int) -> tuple[int, ...]:
    """Counts of goods in the order of `GOODS`."""
    return tuple(cards.get(good, 0) for good in GOODS)


def of_two(mine: Player, *others: Player, board: Board = BARE) -> Score:
    """Pink's score in a game with black, or whoever is given."""
    return score(Position(board, players=(*(others or (Player(BLACK),)), mine)))[PINK]


# What one player holds, the category it counts in, the points and the arithmetic.
CLAUSES: list[tuple[str, Player, str, int, str]] = [
    ("10.1", Player(PINK, gold=41), "gold", 41, "41 GC"),
    ("10.1-none", Player(PINK, gold=0), "gold", 0, "0 GC"),
    ("10.1-unknown", Player(PINK), "gold", 0, "not known"),
    ("10.2", Player(PINK, viziers=2), "viziers", 12, "2 + 10 x 1 opponent"),
    ("10.2-none", Player(PINK, viziers=0), "viziers", 0, "none"),
    ("10.2-unknown", Player(PINK), "viziers", 0, "not known"),
    ("10.3", Player(PINK, elders=3), "elders", 6, "3 x 2"),
    ("10.4", Player(PINK, djinns=("Jafaar", "Utug")), "djinns", 10, "Jafaar 6 + Utug 4"),
    ("10.4-none", Player(PINK, djinns=()), "djinns", 0, "none"),
    ("10.7", Player(PINK, goods=hand(fish=2, wheat=1, spice=1)), "goods", 8, "spice, fish, wheat 7 + fish 1"),
    ("10.7-none", Player(PINK, goods=NO_GOODS), "goods", 0, "none"),
    ("10.7-fakirs-are-no-goods", Player(PINK, goods=NO_GOODS, fakirs=9), "goods", 0, "none"),
    ("11-Jafaar", Player(PINK, viziers=4, djinns=("Jafaar",)), "viziers", 22, "4 x 3 (Jafaar) + 10 x 1 opponent"),
    ("11-Shamhat", Player(PINK, elders=3, djinns=("Shamhat",)), "elders", 12, "3 x 4 (Shamhat)"),
    (
        "11.12-pair",
        Player(PINK, fakirs=2, goods=hand(ivory=1), djinns=("Al-Amin",)),
        "goods",
        3,
        "ivory, jewels* 3 (* = 2 fakirs, Al-Amin)",
    ),
    ("11.12-odd", Player(PINK, fakirs=1, goods=hand(fish=1), djinns=("Al-Amin",)), "goods", 1, "fish 1"),
    (
        "11.12-several-and-unknown-goods",
        Player(PINK, fakirs=5, djinns=("Al-Amin",)),
        "goods",
        3,
        "ivory*, jewels* 3 (* = 2 fakirs, Al-Amin)",
    ),
    (
        "11.12-another-set",
        Player(PINK, fakirs=2, goods=(1,) * 9, djinns=("Al-Amin",)),
        "goods",
        61,
        "ivory, jewels, gold, papyrus, silk, spice, fish, wheat, pottery 60 + ivory* 1 (* = 2 fakirs, Al-Amin)",
    ),
]


def test_clause(subtests: pytest.Subtests) -> None:
    for player, category, points, how in [case[1:] for case in CLAUSES]:
        with subtests.test(player=player):
            result = of_two(player)
            assert (result.points[category], result.arithmetic[category]) == (points, how)


def test_rules_10_5_and_10_6_count_own_tiles_alone() -> None:
    result = of_two(Player(PINK), board=BOARD)
    assert (result.palms, result.palaces, result.tiles) == (6, 5, 5 + 8 + 6)
    assert result.arithmetic["palms"] == "2 x 3"
    assert result.arithmetic["palaces"] == "1 x 5"
    assert result.arithmetic["tiles"] == "8 + 6 + 5"
    black = score(Position(BOARD, players=(Player(PINK),)))[BLACK]
    assert (black.palms, black.palaces, black.tiles) == (3, 0, 8)


def test_rules_10_6_equal_tiles_are_told_together() -> None:
    assert score_holdings({PINK: Holdings(tiles=(8, 15, 8))})[PINK].arithmetic["tiles"] == "15 + 2 x 8"


def test_rules_11_haurvatat_makes_own_palms_worth_5() -> None:
    result = of_two(Player(PINK, djinns=("Haurvatat",)), board=BOARD)
    assert (result.palms, result.arithmetic["palms"]) == (10, "2 x 5 (Haurvatat)")


def test_rules_11_scoring_djinns_work_for_their_owner_alone() -> None:
    every = Player(BLACK, djinns=("Al-Amin", "Haurvatat", "Jafaar", "Shamhat"))
    mine = Player(PINK, viziers=1, elders=1, fakirs=2, goods=hand(fish=1))
    result = of_two(mine, every, board=BOARD)
    assert (result.viziers, result.elders, result.palms, result.goods) == (11, 2, 6, 1)


def test_viziers_give_10_for_each_opponent_with_fewer(subtests: pytest.Subtests) -> None:
    for case, viziers, points in [
        ("10.2-alone", (3,), (3,)),
        ("10.2-equal-gives-nothing", (2, 2), (2, 2)),
        ("10.2-three", (4, 2, 3), (24, 2, 13)),
        ("10.2-four-with-a-tie", (1, 2, 3, 2), (1, 12, 33, 12)),
        ("10.2-unknown-is-as-none", (None, 1, 0, None), (0, 31, 0, 0)),
    ]:
        with subtests.test(msg=case):
            colours = list(Colour)[: len(viziers)]
            players = tuple(Player(colour, viziers=count) for colour, count in zip(colours, viziers, strict=True))
            assert tuple(result.viziers for result in score(Position(BARE, players=players)).values()) == points


def test_rules_10_2_every_colour_in_the_game_is_an_opponent(subtests: pytest.Subtests) -> None:
    for case, named in [
        ("camel", Position(BOARD, players=(Player(PINK, viziers=1),))),
        ("bid-order", Position(BARE, players=(Player(PINK, viziers=1),), bid_order=(PINK, BLACK))),
        ("turn-order", Position(BARE, players=(Player(PINK, viziers=1),), turn_order=(Bid(BLACK, 3),))),
        ("to-move", Position(BARE, players=(Player(PINK, viziers=1),), to_move=BLACK)),
    ]:
        with subtests.test(msg=case):
            assert set(score(named)) == {BLACK, PINK}
            assert score(named)[PINK].viziers == 11


def test_winners(subtests: pytest.Subtests) -> None:
    for case, totals, expected in [
        ("9.3-most", {BLACK: 90, PINK: 101}, (PINK,)),
        ("9.3-tie-shares", {BLACK: 101, BLUE: 7, PINK: 101}, (BLACK, PINK)),
        ("9.3-alone", {PINK: 0}, (PINK,)),
        ("9.3-nobody", {}, ()),
    ]:
        with subtests.test(msg=case):
            assert winners({colour: Score(gold=total) for colour, total in totals.items()}) == expected


def test_assumptions_name_what_counts_as_0() -> None:
    known = Player(PINK, gold=41, viziers=2, elders=3, fakirs=None, goods=NO_GOODS, djinns=("Jafaar",))
    assert assumptions(Position(BARE, players=(known, Player(BLACK, gold=3, viziers=0)))) == [
        "black: elders, djinns, goods not known, counted as 0"
    ]
    fakirs_matter = Player(PINK, gold=41, viziers=2, elders=3, fakirs=None, goods=NO_GOODS, djinns=("Al-Amin",))
    both = Position(BARE, players=(fakirs_matter, replace(known, colour=BLACK)))
    assert assumptions(both) == ["pink: fakirs not known, counted as 0"]


def test_12_2_cards_that_nobody_else_has_seen_are_named() -> None:
    known = Player(PINK, gold=41, viziers=2, elders=3, fakirs=0, goods=NO_GOODS, djinns=())
    both = Position(BARE, players=(known, replace(known, colour=BLACK)))
    assert assumptions(both, {PINK: 5, BLACK: 1}) == [
        "black: 1 card that nobody else has seen, counted as 0",
        "pink: 5 cards that nobody else has seen, counted as 0",
    ]
    assert assumptions(both, {PINK: 0}) == []


def test_2_1_a_player_known_alone_has_an_opponent_of_whom_nothing_is_counted() -> None:
    known = Player(PINK, gold=41, viziers=2, elders=3, goods=NO_GOODS, djinns=())
    (sentence,) = assumptions(Position(BARE, players=(known,)))
    assert "the other players are unknown" in sentence and "rules 2.1" in sentence
    assert assumptions(Position(BARE, players=(known, replace(known, colour=BLACK)))) == []


def test_points_given_replace_points_counted() -> None:
    counted = score_holdings({PINK: Holdings(gold=3, goods=hand(fish=1))})[PINK]
    given_points = counted.with_points("goods", 13, "typed")
    assert (given_points.total, given_points.sets, given_points.arithmetic["goods"]) == (16, (), "typed")
    assert given_points.arithmetic["gold"] == "3 GC"
    assert [sold.price for sold in counted.with_points("tiles", 21, "typed").sets] == [1]


# --- goods (rules 7.1, 10.7, 11.12) ---


@cache
def slow_best(counts: tuple[int, ...]) -> int:
    """The best of *all* partitions: the first card is left unsold, or sold in each set that can hold it.

    Goods are alike but for their names, so only sorted counts are looked at.
    """
    counts = tuple(sorted((count for count in counts if count), reverse=True))
    if not counts:
        return 0
    rest = (counts[0] - 1, *counts[1:])
    best = slow_best(tuple(sorted(rest, reverse=True)))
    for size in range(len(counts)):
        for others in combinations(range(1, len(counts)), size):
            left = tuple(count - (place in others) for place, count in enumerate(rest))
            best = max(best, SET_PRICES_GC[size + 1] + slow_best(tuple(sorted(left, reverse=True))))
    return best


def slow_best_with_wild(counts: tuple[int, ...], wild: int) -> int:
    """The best over all namings of up to `wild` goods of choice: using them is optional (rules 11.12)."""
    return max(
        slow_best(tuple(sorted((c + named.count(g) for g, c in enumerate(counts)), reverse=True)))
        for used in range(wild + 1)
        for named in combinations_with_replacement(range(len(counts)), used)
    )


def hands_up_to(cards: int, largest: int = 6, kinds: int = len(GOODS)) -> list[tuple[int, ...]]:
    """All hands of at most so many cards, one of each shape, padded to nine goods."""
    if kinds == 0:
        return [()]
    return [
        (count, *rest)
        for count in range(min(cards, largest), -1, -1)
        for rest in hands_up_to(cards - count, count, kinds - 1)
    ]


def test_rules_10_7_and_11_12_equal_the_best_of_all_partitions(subtests: pytest.Subtests) -> None:
    for wild in [0, 1, 2, 3]:
        with subtests.test(wild=wild):
            hands = hands_up_to(9 if wild < 3 else 6)
            assert len(hands) > 25
            for counts in hands:
                assert best_goods_value(counts, wild) == slow_best_with_wild(counts, wild), (counts, wild)


goods_hands = st.tuples(*(st.integers(0, CARD_COUNTS[good]) for good in GOODS))


@given(goods_hands, st.integers(0, 9))
def test_rules_7_1_best_sets_sell_the_hand_and_add_up(counts: tuple[int, ...], wild: int) -> None:
    sets = best_sets(counts, wild)
    assert sum(sold.price for sold in sets) == best_goods_value(counts, wild)
    for sold in sets:
        assert len(set(sold.goods)) == len(sold.goods)
        assert sold.price == SET_PRICES_GC[len(sold.goods)]
        assert set(sold.wild) <= set(sold.goods)
    for good, count, full in zip(GOODS, counts, with_wild(counts, wild), strict=True):
        assert sum(good in sold.goods for sold in sets) == full
        assert sum(good in sold.wild for sold in sets) == full - count
    assert sum(len(sold.wild) for sold in sets) == wild


# --- everybody in a position ---


@given(positions())
@settings(max_examples=40)
def test_all_who_play_have_a_score_whose_categories_add_up(position: Position) -> None:
    scores = score(position)
    assert tuple(scores) == position.colours
    for result in scores.values():
        assert result.total == sum(result.points.values())
        assert {name for name, points in result.known.items() if points is None} == result.unknown


ROWS = ["M6 M6 M6 M6 M6 M6"] * 4
CAN_MOVE = Position(parse_board("/".join(["M6:w M6:w M6 M6 M6@K M6@P", *ROWS])))
NOBODY_CAN_MOVE = Position(parse_board("/".join(["M6:w M6 M6:w M6 M6@K M6@P", *ROWS])))
SEVEN = Position(parse_board("/".join(["M6:w M6:w M6@P M6 M6 M6@K", "M6@K M6@K M6@K M6@K M6@K M6@K", *ROWS[1:]])))
EIGHT = Position(parse_board("/".join(["M6:w M6:w M6@P M6 M6@K M6@K", "M6@K M6@K M6@K M6@K M6@K M6@K", *ROWS[1:]])))


POSITIONS = {
    "moves and camels are left": (CAN_MOVE, False),
    "9.2 no legal move": (NOBODY_CAN_MOVE, True),
    "9.1 one camel left": (SEVEN, False),
    "9.1 no camel left": (EIGHT, True),
    "9.1 no camel left, but turns of the round": (replace(EIGHT, turn_order=(Bid(PINK, 0),)), False),
    "9.2 no legal move, but turns of the round": (replace(NOBODY_CAN_MOVE, turn_order=(Bid(PINK, 0),)), False),
    "9.1 no camel left, the track known to be empty": (replace(EIGHT, turn_order=(), to_move=PINK), True),
}
POINTS = {PINK: Score(gold=5), BLACK: Score(gold=7), BLUE: Score(gold=7)}


def test_9_the_phase_decides_and_without_one_the_rules_do(subtests: pytest.Subtests) -> None:
    for position, over in POSITIONS.values():
        with subtests.test(position=position):
            assert is_finished(position) is over
            assert is_finished(position, final=True) is True
            # No round follows that of the last camel, so that nobody bids after it (rules 9.1).
            ends = {Phase.TURN: False, Phase.END: True, Phase.BID: position.board == EIGHT.board}
            for phase, ended in ends.items():
                for final in (False, True):
                    assert is_finished(replace(position, phase=phase), final=final) is ended


def test_9_3_an_unfinished_game_has_leaders_and_a_finished_one_winners() -> None:
    over, going_on = GameResult(POINTS, finished=True), GameResult(POINTS, finished=False)
    assert (over.ahead, over.winners, over.leaders) == ((BLACK, BLUE), (BLACK, BLUE), ())
    assert (going_on.ahead, going_on.winners, going_on.leaders) == ((BLACK, BLUE), (), (BLACK, BLUE))


def test_nobody_has_won_while_something_is_unknown() -> None:
    result = GameResult(POINTS, finished=True, unknown=("pink: gold not known, counted as 0",))
    assert (result.ahead, result.winners, result.leaders) == ((BLACK, BLUE), (), ())


def test_12_2_a_game_with_cards_that_nobody_else_has_seen_has_no_sure_winner(subtests: pytest.Subtests) -> None:
    for unseen in [0, 2]:
        with subtests.test(unseen=unseen):
            nothing = Player(BLACK, gold=3, viziers=0, elders=0, fakirs=0, goods=(0,) * 9, djinns=())
            players = (nothing, replace(nothing, colour=PINK, gold=9))
            over = GameState(replace(NOBODY_CAN_MOVE, players=players, phase=Phase.END), Stage.END, hidden=(unseen, 0))
            result = result_of_game(over)
            assert (result.finished, result.ahead) == (True, (PINK,))
            if unseen:
                assert result.unknown == ("black: 2 cards that nobody else has seen, counted as 0",)
                assert result.winners == ()
            else:
                assert (result.unknown, result.winners) == ((), (PINK,))


def test_the_result_of_a_position_has_its_scores_and_what_is_unknown() -> None:
    position = replace(
        CAN_MOVE,
        players=(
            Player(BLACK, gold=3, viziers=0, elders=0, fakirs=0, goods=(0,) * 9, djinns=()),
            Player(PINK, gold=9, viziers=0, elders=None, fakirs=0, goods=(0,) * 9, djinns=()),
        ),
    )
    result = result_of(position)
    assert result.scores == score(position)
    assert (result.finished, result.leaders) == (False, (PINK,))
    assert result.unknown == ("pink: elders not known, counted as 0",)
    assert result_of(position, final=True).finished
