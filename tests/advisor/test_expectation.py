"""Expected points of what nobody has seen: sure where it is known, the mean over drawn worlds where it isn't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.advisor.expectation import Expectation, expectation_of, unknown_cards
from companion.notation.tokens import parse_board
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, NO_GOODS, Colour, Tribe
from companion.rules.model.events import CardsTaken, MeeplesTaken
from companion.rules.model.position import Phase, Player, Position
from companion.rules.model.state import GameState, Stage

BLACK, ORANGE, BLUE, PINK = Colour
ROWS = "/".join(["M6 M6 M6 M6 M6 M6"] * 4)
BOARD = parse_board(f"M6:yyyyyyy M6:yyyy M6 M6 M6 M6/{ROWS}")
"""Eleven of sixteen viziers stand on it, so that five are elsewhere."""
FULL = parse_board(f"M6:yyyyyyyyyyyyyyyy M6 M6 M6 M6 M6/{ROWS}")


def held(colour: Colour, viziers: int | None, **more: object) -> Player:
    known = Player(colour, gold=0, viziers=viziers, elders=0, fakirs=0, goods=NO_GOODS, djinns=())
    return replace(known, **more)


def at(*players: Player, board: tuple = BOARD, row: tuple[str, ...] = ()) -> Position:  # type: ignore[type-arg]
    return Position(
        board, players=players, row=row, djinns=(), discards=(), to_move=PINK, phase=Phase.TURN, bid_order=(PINK,),
        turn_order=(),
    )  # fmt: skip


def expected(position: Position) -> Expectation:
    return expectation_of(GameState(position, Stage.MOVE, hidden=(0,) * len(position.players)))


def test_1_2_viziers_and_elders_seen_nowhere() -> None:
    position = at(held(PINK, 2, elders=3), held(BLACK, None, elders=None))
    assert (position.bag[Tribe.VIZIER], position.bag[Tribe.ELDER]) == (3, 17)


def test_10_2_whose_viziers_are_known(subtests: pytest.Subtests) -> None:
    both = {BLACK: True, BLUE: True}
    for case, players, board, rivals, own_known in (
        ("all", (held(PINK, 0), held(BLACK, 1), held(BLUE, 1)), BOARD, both, True),
        ("all but one", (held(PINK, 0), held(BLACK, None), held(BLUE, 1)), BOARD, both | {BLACK: False}, True),
        ("all but mine", (held(PINK, None), held(BLACK, 1), held(BLUE, 1)), BOARD, both, False),
        ("all on the board", (held(PINK, None), held(BLACK, None), held(BLUE, 0)), FULL, both, True),
    ):
        with subtests.test(msg=case):
            found = expected(at(*players, board=board))
            assert (found.rivals, found.own_viziers_known) == (rivals, own_known)
            assert found.exact == (own_known and all(rivals.values()))


def test_10_2_only_opponents_known_to_be_behind_are_sure(subtests: pytest.Subtests) -> None:
    for viziers, taken, points, behind in (
        ((0, 1), 2, 12, 1),
        ((0, 2), 2, 2, 0),
        ((0, None), 2, 2, 0),
        ((None, 0), 2, 2, 0),
        ((1, 2, None), 2, 13, 1),
    ):
        with subtests.test(msg=str(viziers)):
            players = [held(colour, count) for colour, count in zip((PINK, BLACK, BLUE), viziers, strict=False)]
            after = at(held(PINK, (viziers[0] or 0) + taken), *(held(p.colour, p.viziers or 0) for p in players[1:]))
            assert expected(at(*players)).certain(after) == points
            assert expected(at(*players)).behind(after) == behind


def test_a_vizier_of_an_opponent_may_fall_after() -> None:
    assert expected(at(held(PINK, 1), held(BLACK, 1))).certain(at(held(PINK, 1), held(BLACK, 0))) == 11


def test_10_2_the_chance_to_be_ahead_follows_the_draws() -> None:
    found = expected(at(held(PINK, 1), held(BLACK, None), held(BLUE, 0)))

    def chance(own: int, rival: Colour = BLACK) -> float:
        return found.chance_ahead(rival, at(held(PINK, own), held(BLACK, 0), held(BLUE, 0)))

    assert (chance(1, BLUE), chance(0, BLUE)) == (1, 0), "what is known is sure"
    # Four viziers are unseen: nobody is overtaken with none, and black certainly is with five.
    chances = [chance(own) for own in range(6)]
    assert chances[0] == 0 and chances[5] == 1
    assert chances == sorted(chances) and 0 < chances[2] < 1
    own_hidden = expected(at(held(PINK, None), held(BLACK, 1)))
    after = [own_hidden.chance_ahead(BLACK, at(held(PINK, more), held(BLACK, 1))) for more in (0, 1, 2)]
    assert 0 < after[0] < after[1] < after[2] == 1


def test_unknown_cards_are_worth_what_unseen_cards_are() -> None:
    cards = [name for name, count in CARD_COUNTS.items() for _ in range(count)]
    position = at(held(PINK, 0), held(BLACK, 0))
    good = sum(name != FAKIR for name in cards) / len(cards)
    assert expected(position).goods_points(position) == 0
    assert expected(position).goods_points(position, 1) == pytest.approx(good, abs=0.2)
    silk = at(held(PINK, 0), held(BLACK, 0), row=tuple(name for name in cards if name != "silk"))
    assert [expected(silk).goods_points(silk, number) for number in (0, 1, 3)] == [0, 1, 3]
    with_fish = silk.with_player(held(PINK, 0, goods=tuple(int(name == "fish") for name in GOODS)))
    assert expected(silk).goods_points(with_fish, 1) == 2


def test_11_fakirs_that_may_be_drawn_count_for_whom_they_make_goods() -> None:
    row = tuple(name for name, count in CARD_COUNTS.items() for _ in range(count) if name != FAKIR)
    position = at(held(PINK, 0, djinns=("Al-Amin",), fakirs=1), held(BLACK, 0), row=row)
    assert [expected(position).goods_points(position, number) for number in (1, 2, 3)] == [1, 1, 3]
    assert expected(position).goods_points(position.with_player(held(PINK, 0, fakirs=1)), 3) == 0


def test_a_hand_that_is_not_known_makes_cards_worth_more() -> None:
    position = at(held(PINK, 0, goods=None), held(BLACK, 0), board=parse_board(f"M6:gg M6 M6 M6 M6 M6/{ROWS}"))
    found = expected(position)
    assert not found.own_hand_known and not found.exact
    begins = at(held(PINK, 0), held(BLACK, 0), board=position.board)
    ivory = begins.with_player(held(PINK, 0, goods=tuple(int(name == "ivory") for name in GOODS)))
    assert found.certain(ivory) == 1
    assert 1 < found.goods_points(ivory) - found.goods_points(begins) < 10
    assert expected(position).goods_points(ivory) == found.goods_points(ivory), "nothing is left to chance"


def test_unknown_cards_are_counted_over_all_events() -> None:
    events = (
        CardsTaken(PINK, ("fish", None, None)),
        MeeplesTaken(PINK, 3, Tribe.MERCHANT, 2),
        CardsTaken(PINK, (None,), 3),
        CardsTaken(PINK, ()),
    )
    assert unknown_cards(events) == 3
