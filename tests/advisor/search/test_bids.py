"""Advice on bids."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.advisor.advice import Budget
from companion.advisor.search.bids import advise_bid
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState, Stage
from tests.rules.random_games import random_game

QUICK = Budget(playouts=150)


def bidding(players: int, seed: int, number: int) -> GameState:
    """The bid of that number in a random game."""
    states = [state for state, _, _ in random_game(players, seed) if state.stage is Stage.BID]
    return states[number]


def test_every_legal_bid_is_valued(subtests: pytest.Subtests) -> None:
    for players in [2, 4]:
        with subtests.test(msg=str(players)):
            state = bidding(players, 3, 6)
            advice = advise_bid(state, budget=QUICK)
            assert advice.player is state.mover
            assert {one.bid for one in advice.bids} == {
                bid for bid in legal_actions(state) if isinstance(bid, PlaceBid)
            }
            assert all(np.isfinite(one.estimate.value) for one in advice.bids)


def test_there_is_no_bid_after_the_round_of_the_last_camel() -> None:
    """Rules 9.1."""
    position = new_game(2, 1).position
    board = tuple(replace(tile, camel=Colour.PINK) if at < 11 else tile for at, tile in enumerate(position.board))
    advice = advise_bid(replace(position, board=board), budget=QUICK)
    assert advice.bids == ()
    assert advice.result is not None
    assert advice.result.winners == (Colour.PINK,)


def test_paying_more_than_needed_loses_what_it_costs() -> None:
    """The last bid of a round: every spot below those that are taken comes to the last turn."""
    state = bidding(3, 3, 2)
    assert len(state.position.bid_order or ()) == 1
    lowest = min(bid.price for bid in state.position.turn_order or ())
    value = {one.bid.price: one.estimate.value for one in advise_bid(state, budget=Budget(2000)).bids}
    last = [price for price in value if price < lowest]
    assert len(last) >= 3
    for price in last:
        assert value[0] - value[price] == pytest.approx(price, abs=0.25)


def test_the_last_bid_of_a_round_comes_to_the_place_of_its_own_marker(subtests: pytest.Subtests) -> None:
    """Rules 2.1, 3.2: of two markers of a player each has a turn of its own."""
    for players, seed in [(2, 1), (2, 3), (4, 4)]:
        with subtests.test(msg=str((players, seed))):
            bids = (4 if players == 2 else players) - 1
            state = bidding(players, seed, bids)
            assert len(state.position.bid_order or ()) == 1
            for one in advise_bid(state, budget=QUICK).bids:
                assert one.plays == (one.place, 1.0)


def test_of_a_players_zeros_the_one_bid_last_plays_first() -> None:
    """Rules 3.2."""
    state = new_game(2, 3)
    *bidders, last = state.position.bid_order or ()
    for bidder, price in zip(bidders, (12, 8, 5), strict=True):
        assert state.mover is bidder
        state = apply(state, PlaceBid(0 if bidder is last else price))
    assert [marker.price for marker in state.position.turn_order or ()].count(0) == 1
    (zero,) = (one for one in advise_bid(state, budget=QUICK).bids if one.bid == PlaceBid(0))
    assert zero.plays == (3, 1.0)


def test_kumarbi_pays_with_fakirs() -> None:
    state = bidding(4, 3, 8)
    mover = state.mover
    assert mover is not None
    position = state.position
    for player in position.players:
        kept = tuple(name for name in player.djinns or () if name != "Kumarbi")
        position = position.with_player(replace(player, djinns=(*kept, "Kumarbi") if player.colour is mover else kept))
    position = replace(position, djinns=tuple(name for name in position.djinns or () if name != "Kumarbi"))
    owner = replace(position.player(mover), fakirs=(position.player(mover).fakirs or 0) + 1)
    discards = tuple(card for card in position.discards or () if card != "fakir")
    state = replace(state, position=replace(position.with_player(owner), discards=discards))
    bids = advise_bid(state, budget=QUICK).bids
    assert any(one.bid.fakirs for one in bids)
    assert {one.bid for one in bids} == {bid for bid in legal_actions(state) if isinstance(bid, PlaceBid)}


def test_a_search_by_the_clock_draws_worlds_as_it_goes_on_and_says_if_there_are_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[float] = []
    advice = advise_bid(new_game(2, 1), budget=Budget(seconds=0.4), progress=told.append)
    assert advice.notes == ()
    assert told == sorted(told) and 0.8 < told[-1] <= 1
    monkeypatch.setattr("companion.advisor.search.bids.worlds_for", lambda _: 8)
    (note,) = advise_bid(new_game(2, 1), budget=Budget(seconds=60)).notes
    assert " of 60 s: all 32,768 possible playouts" in note
