"""Bids for turn order (rules 3), and the djinn that lowers them (rules 11.8)."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase
from companion.rules.model.state import GameState, Stage
from tests.rules.tables import BLACK, BLUE, ORANGE, PINK, at_bid, player

FOUR = [player(colour) for colour in (ORANGE, PINK, BLACK, BLUE)]


def bid_all(state: GameState, *prices: int) -> GameState:
    for price in prices:
        state = apply(state, PlaceBid(price))
    return state


def order(state: GameState) -> list[tuple[Colour, int]]:
    return [(bid.colour, bid.price) for bid in state.position.turn_order]


def test_3_1_markers_bid_in_bid_order_and_pay() -> None:
    state = at_bid(*FOUR)
    for colour, price in zip((ORANGE, PINK, BLACK), (5, 18, 1), strict=True):
        assert (state.mover, state.stage) == (colour, Stage.BID)
        state = apply(state, PlaceBid(price))
        assert state.player(colour).gold == 50 - price
    assert state.mover is BLUE


def test_3_1_a_taken_spot_is_not_to_be_had() -> None:
    state = apply(at_bid(*FOUR), PlaceBid(5))
    assert [bid.price for bid in legal_actions(state)] == [0, 1, 3, 8, 12, 18]
    with pytest.raises(IllegalMoveError, match=r"pink can't bid 5: it is taken; still free: 0, 1, 3.*3\.1"):
        apply(state, PlaceBid(5))


def test_3_1_only_prices_of_the_track() -> None:
    with pytest.raises(IllegalMoveError, match="not a price on the track"):
        apply(at_bid(*FOUR), PlaceBid(4))


def test_3_2_of_the_zeros_the_last_to_bid_plays_first() -> None:
    state = bid_all(at_bid(*FOUR), 0, 0, 0)
    assert order(state) == [(BLACK, 0), (PINK, 0), (ORANGE, 0)]


def test_3_2_no_more_than_three_zeros() -> None:
    state = bid_all(at_bid(*FOUR), 0, 0, 0)
    assert [bid.price for bid in legal_actions(state)] == [1, 3, 5, 8, 12, 18]
    with pytest.raises(IllegalMoveError, match=r"rules 3\.1, 3\.2"):
        apply(state, PlaceBid(0))


def test_3_3_the_dearest_spot_plays_first() -> None:
    state = bid_all(at_bid(*FOUR), 1, 0, 12, 0)
    assert (state.stage, state.position.phase, state.mover) == (Stage.MOVE, Phase.TURN, BLACK)
    assert order(state) == [(ORANGE, 1), (BLUE, 0), (PINK, 0)]


def test_3_4_no_bid_that_cannot_be_paid() -> None:
    state = at_bid(player(ORANGE, gold=4), player(PINK))
    assert [bid.price for bid in legal_actions(state)] == [0, 1, 3]
    with pytest.raises(IllegalMoveError, match=r"orange has 4 GC and can't pay for bid 5 \(rules 3\.4\)"):
        apply(state, PlaceBid(5))


def test_3_4_ruling_who_can_pay_for_nothing_pays_all_for_the_cheapest(subtests: pytest.Subtests) -> None:
    for gold, taken, spot in [(0, (0, 0, 0), 1), (2, (1, 0, 0, 0), 3)]:
        with subtests.test(gold=gold):
            state = at_bid(player(ORANGE, gold=gold), player(PINK), taken=tuple(Bid(PINK, price) for price in taken))
            assert legal_actions(state) == (PlaceBid(spot),)
            after = apply(state, PlaceBid(spot))
            assert after.player(ORANGE).gold == 0
            assert (ORANGE, spot) in order(after)


def test_2_1_two_players_bid_with_two_markers_each() -> None:
    pair = (player(BLUE), player(PINK))
    state = bid_all(at_bid(*pair, order=(PINK, BLUE, PINK, BLUE)), 3, 0, 8, 1)
    assert (state.mover, order(state)) == (PINK, [(PINK, 3), (BLUE, 1), (BLUE, 0)])
    assert state.player(PINK).gold == 50 - 3 - 8


KUMARBI = player(ORANGE, gold=5, fakirs=3, djinns=("Kumarbi",))


def test_11_8_kumarbi_lowers_the_price_down_the_list(subtests: pytest.Subtests) -> None:
    for spot, fakirs, paid in [(8, 1, 5), (1, 1, 0), (12, 3, 3), (18, 3, 5)]:
        with subtests.test(spot=spot):
            state = at_bid(KUMARBI, player(PINK))
            assert PlaceBid(spot, fakirs) in legal_actions(state)
            after = apply(state, PlaceBid(spot, fakirs))
            assert (after.player(ORANGE).gold, after.player(ORANGE).fakirs) == (5 - paid, 3 - fakirs)
            assert after.position.discards == ("fakir",) * fakirs
            assert order(after) == [(ORANGE, spot)]


def test_11_8_kumarbi_the_spot_itself_must_be_free() -> None:
    state = at_bid(KUMARBI, player(PINK), taken=(Bid(PINK, 8),))
    assert all(bid.price != 8 for bid in legal_actions(state))
    with pytest.raises(IllegalMoveError, match="is taken"):
        apply(state, PlaceBid(8, 1))


def test_11_8_kumarbi_takes_no_fakirs_for_nothing_and_none_that_are_not_there(subtests: pytest.Subtests) -> None:
    for bid in [PlaceBid(0, 1), PlaceBid(1, 2), PlaceBid(18, 4), PlaceBid(3, -1)]:
        with subtests.test(bid=bid), pytest.raises(IllegalMoveError, match=r"rules 11\.8"):
            apply(at_bid(KUMARBI, player(PINK)), bid)


def test_11_8_kumarbi_unknown_fakirs_are_told_as_such() -> None:
    state = at_bid(player(ORANGE, fakirs=None, djinns=("Kumarbi",)), player(PINK))
    with pytest.raises(IllegalMoveError, match=r"a bid of 1 takes at most 1 fakir, not 2"):
        apply(state, PlaceBid(1, 2))


def test_11_8_kumarbi_of_another_lowers_nothing() -> None:
    state = at_bid(player(ORANGE, fakirs=2), player(PINK, djinns=("Kumarbi",)))
    assert all(not bid.fakirs for bid in legal_actions(state))
    with pytest.raises(IllegalMoveError, match="no djinn that lowers a bid"):
        apply(state, PlaceBid(8, 1))


def test_11_8_kumarbi_works_for_each_marker() -> None:
    state = at_bid(player(BLUE), player(PINK, fakirs=2, djinns=("Kumarbi",)), order=(PINK, PINK, BLUE, BLUE))
    after = apply(apply(state, PlaceBid(8, 1)), PlaceBid(5, 1))
    assert (after.player(PINK).gold, after.player(PINK).fakirs) == (50 - 5 - 3, 0)


def test_3_4_kumarbi_pays_where_gold_does_not() -> None:
    state = at_bid(player(ORANGE, gold=0, fakirs=1, djinns=("Kumarbi",)), player(PINK), taken=(Bid(PINK, 0),) * 3)
    assert legal_actions(state) == (PlaceBid(1, 1),)


def test_12_2_with_unknown_gold_every_free_spot_is_listed() -> None:
    state = at_bid(player(ORANGE, gold=None), player(PINK))
    assert [bid.price for bid in legal_actions(state)] == [0, 1, 3, 5, 8, 12, 18]
    assert apply(state, PlaceBid(18)).player(ORANGE).gold is None
