"""Beginning a game: with a set-up (rules 2), or from a position on a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import ImpossiblePositionError, UnusableInputError
from companion.rules.engine.game import legal_actions
from companion.rules.engine.resuming import bids_are_placed, start_game
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.board import Tile
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Bid, Phase, Position
from companion.rules.model.state import Ending, Stage

BLACK, ORANGE, BLUE, PINK = Colour


def test_a_game_begins_with_the_bid_of_the_first_marker() -> None:
    for players in (2, 3, 4):
        state = new_game(players, 3)
        assert (state.stage, state.mover) == (Stage.BID, state.position.bid_order[0])
        assert len(legal_actions(state)) == 7
        assert len({new_game(players, seed).position.bid_order for seed in range(40)}) > 3, "2.5"


def test_a_seed_and_colours_give_the_same_game() -> None:
    chosen = (Colour.PINK, Colour.BLACK, Colour.BLUE)
    assert new_game(3, 5, colours=chosen) == new_game(3, 5, colours=chosen) != new_game(3, 6, colours=chosen)
    assert hash(new_game(3, 5)) == hash(new_game(3, 5))


TABLE = random_setup(3, 1)


def in_turns(**changes: Colour | tuple[Any, ...] | None) -> Position:
    known = {"phase": Phase.TURN, "bid_order": (BLACK,), "turn_order": (Bid(ORANGE, 3), Bid(BLUE, 0))}
    return replace(TABLE, **{**known, **changes})


def test_4_1_a_turn_begins_from_tracks_as_they_lie(subtests: pytest.Subtests) -> None:
    for position in [
        in_turns(to_move=ORANGE),
        in_turns(),
        in_turns(phase=None),
        in_turns(to_move=ORANGE, turn_order=(Bid(BLUE, 0),), bid_order=(BLACK, ORANGE)),
        in_turns(to_move=ORANGE, turn_order=(Bid(BLUE, 0),), bid_order=(BLACK,)),
        in_turns(to_move=ORANGE, turn_order=(Bid(BLUE, 0),), bid_order=None),
        in_turns(to_move=ORANGE, bid_order=None),
    ]:
        with subtests.test(position=position):
            state = start_game(position)
            assert (state.stage, state.mover, state.position.bid_order) == (Stage.MOVE, ORANGE, (BLACK, ORANGE))
            assert state.position.turn_order == (Bid(BLUE, 0),)


def test_3_1_bidding_goes_on_with_markers_already_placed() -> None:
    state = start_game(replace(TABLE, bid_order=(ORANGE,), turn_order=(Bid(BLACK, 5), Bid(BLUE, 0))))
    assert (state.stage, state.mover, len(legal_actions(state))) == (Stage.BID, ORANGE, 6)


def test_4_1_with_all_bids_placed_the_first_turn_begins() -> None:
    tracks = {"bid_order": (), "turn_order": (Bid(BLACK, 5), Bid(ORANGE, 1), Bid(BLUE, 0))}
    state = start_game(replace(TABLE, **tracks))
    assert (state.stage, state.mover) == (Stage.MOVE, BLACK)


def test_3_1_bids_are_placed_when_all_markers_stand_on_the_turn_order_track(subtests: pytest.Subtests) -> None:
    for bid_order, standing, placed in [
        ((), (BLACK, ORANGE, BLUE), True),
        (None, (BLACK, ORANGE, BLUE), True),
        ((), (BLACK, BLUE), False),
        ((BLACK,), (ORANGE, BLUE), False),
        ((BLACK, ORANGE, BLUE), (), False),
        ((), None, False),
    ]:
        with subtests.test(bid_order=bid_order):
            turn_order = None if standing is None else tuple(map(Bid, standing, (5, 1, 0)))
            assert bids_are_placed(replace(TABLE, bid_order=bid_order, turn_order=turn_order)) is placed


def test_2_1_each_of_two_players_places_two_bids() -> None:
    placed = (Bid(BLUE, 5), Bid(PINK, 1), Bid(PINK, 0))
    two = replace(random_setup(2, 1), bid_order=(), turn_order=placed)
    assert not bids_are_placed(two)
    assert bids_are_placed(replace(two, turn_order=(*placed, Bid(BLUE, 0))))


def camels(colour: Colour, count: int) -> tuple[Tile, ...]:
    board = TABLE.board
    return tuple(replace(tile, camel=colour) if square < count else tile for square, tile in enumerate(board))


def test_9_1_a_last_camel_on_the_board_makes_the_round_the_last() -> None:
    assert start_game(in_turns(board=camels(BLUE, 8))).ending is Ending.LAST_CAMEL
    assert start_game(in_turns(board=camels(BLUE, 7))).ending is None
    assert start_game(replace(TABLE, board=camels(BLUE, 8))).is_over


def test_9_a_game_that_is_over_stays_over() -> None:
    state = start_game(replace(TABLE, phase=Phase.END))
    assert (state.is_over, legal_actions(state)) == (True, ())


def test_2_1_what_does_not_say_enough_is_refused(subtests: pytest.Subtests) -> None:
    for position, message in [
        (replace(TABLE, bid_order=None), r"add bid_order \(rules 3\.1"),
        (replace(TABLE, bid_order=(BLACK, BLUE)), r"the marker of orange is on neither track"),
        (in_turns(turn_order=None, to_move=BLUE), r"add turn_order"),
        (in_turns(to_move=BLUE), r"blue's marker is not first in turn_order"),
        (in_turns(turn_order=(), bid_order=()), r"add to_move"),
        (in_turns(to_move=BLACK, bid_order=None, turn_order=()), r"markers of orange and blue are on neither track"),
        (replace(TABLE, players=TABLE.players[:1], bid_order=(BLACK,)), r"2 to 4 players; the position names 1"),
    ]:
        with subtests.test(position=position), pytest.raises(UnusableInputError, match=message):
            start_game(position)


def test_1_2_an_impossible_position_is_refused() -> None:
    crowded = replace(TABLE.board[0], meeples=(17, 0, 0, 0, 0))
    with pytest.raises(ImpossiblePositionError, match=r"rules 1\.2"):
        start_game(TABLE.with_board((crowded, *TABLE.board[1:])))


def test_promo_dhenim_comes_only_where_it_is_wanted() -> None:
    with_dhenim = [new_game(4, seed, promo=True) for seed in range(60)]
    assert any("Dhenim" in state.position.djinns for state in with_dhenim)
    assert all("Dhenim" not in new_game(4, seed).position.djinns for seed in range(60))
    assert start_game(replace(TABLE, djinns=("Dhenim", "Utug"))).promo


def test_12_2_hands_as_they_were_told_are_not_held_against_each_other() -> None:
    position = new_game(3, 3).position
    ivory = (2, *(0,) * (len(GOODS) - 1))
    for held in position.players:
        position = position.with_player(replace(held, gold=200, goods=ivory))
    with pytest.raises(ImpossiblePositionError, match="gold of all players.*600"):
        start_game(position)
    state = start_game(position, unchecked_hands=True)
    assert state.unchecked_hands and state.position.players == position.players
    # What lies open has to be as it can, and no hand has less than nothing.
    for impossible in (
        replace(position, row=("ivory",) * 3),
        position.with_player(replace(position.players[0], gold=-1)),
    ):
        with pytest.raises(ImpossiblePositionError):
            start_game(impossible, unchecked_hands=True)
