"""What a position doesn't say of the game that goes on from it, as one list for all who go on from one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.engine.resuming import Gap, off_tracks, resume, start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import Tile
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Stage

BLACK, ORANGE, BLUE, PINK = Colour
TABLE = random_setup(3, 1)
IN_TURNS = replace(
    TABLE, phase=Phase.TURN, to_move=ORANGE, bid_order=(BLACK,), turn_order=(Bid(ORANGE, 3), Bid(BLUE, 0))
)
BARE = Position(TABLE.board)


def test_gaps_are_what_has_to_be_guessed_or_drawn(subtests: pytest.Subtests) -> None:
    three = replace(BARE, players=tuple(map(Player, (BLACK, ORANGE, BLUE))))
    for position, player, bidding, gaps in [
        (TABLE, None, None, ()),
        (IN_TURNS, None, None, ()),
        (replace(IN_TURNS, to_move=None), None, None, (Gap.FIRST_ON_TURN_ORDER,)),
        (replace(IN_TURNS, to_move=None, turn_order=None), None, None, (Gap.FIRST_ON_BID_ORDER, Gap.TURN_ORDER)),
        (IN_TURNS, BLUE, None, (Gap.OTHER_MOVER, Gap.UNFIT_TRACKS)),
        (replace(IN_TURNS, bid_order=None, turn_order=()), None, None, (Gap.PLAYED,)),
        (replace(IN_TURNS, bid_order=(), turn_order=()), None, None, (Gap.PLAYED,)),
        (TABLE, None, False, (Gap.FIRST_ON_BID_ORDER, Gap.OPEN_BIDS)),
        (BARE, None, False, (Gap.MOVER, Gap.OPPONENTS, Gap.TRACKS)),
        (BARE, PINK, True, (Gap.OPPONENTS, Gap.BID_ORDER)),
        (three, None, True, (Gap.MOVER, Gap.BID_ORDER)),
        (replace(three, bid_order=(BLUE,)), None, True, (Gap.SPOTS,)),
        (replace(three, bid_order=(BLUE,), turn_order=()), None, True, (Gap.MARKERS,)),
        (replace(three, turn_order=(Bid(BLACK, 5),)), ORANGE, True, (Gap.BIDDERS,)),
    ]:
        with subtests.test(gaps=gaps):
            assert resume(position, player, bidding=bidding).gaps == gaps


def test_what_has_no_gap_is_what_a_game_begins_with(subtests: pytest.Subtests) -> None:
    for position in (TABLE, IN_TURNS, replace(TABLE, phase=Phase.END), replace(IN_TURNS, to_move=None)):
        with subtests.test(position=position):
            assert resume(position).state == start_game(position)


def test_4_1_where_all_but_the_mover_have_played_nobody_waits() -> None:
    state = start_game(replace(IN_TURNS, bid_order=(BLACK, BLUE), turn_order=None))
    assert (state.position.bid_order, state.position.turn_order) == ((BLACK, BLUE, ORANGE), ())


def test_9_2_a_board_on_which_nothing_moves_is_an_end_unless_a_turn_is_asked_for() -> None:
    empty = Position(tuple(Tile(tile.kind) for tile in TABLE.board))
    assert resume(empty).state.is_over
    assert resume(empty, BLUE, bidding=False).state.stage is Stage.CLOSE


def test_2_1_markers_off_the_tracks_are_counted_by_player() -> None:
    assert +off_tracks(IN_TURNS) == {}
    assert +off_tracks(replace(IN_TURNS, bid_order=())) == {BLACK: 1}
    two = random_setup(2, 1)
    assert +off_tracks(replace(two, bid_order=(BLUE, PINK))) == {BLUE: 1, PINK: 1}
