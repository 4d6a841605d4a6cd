"""What a position doesn't say of the game that goes on from it, as one list for all who go on from one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.engine.legality import check_position
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


def test_3_3_4_1_tracks_that_fit_a_turn_are_used_and_what_they_leave_open_is_unknown(subtests: pytest.Subtests) -> None:
    """Blue's turn in a game of three."""
    three = replace(BARE, players=tuple(map(Player, (BLACK, ORANGE, BLUE))), to_move=BLUE, phase=Phase.TURN)
    for bid_order, turn_order, expected in [
        # All is known: the marker is still on the track, gone to the bid order, or in between (rules 4.1).
        ((BLACK,), ((BLUE, 3), (ORANGE, 0)), ((BLACK, BLUE), (ORANGE,))),
        ((BLACK, BLUE), ((ORANGE, 0),), ((BLACK, BLUE), (ORANGE,))),
        ((BLACK,), ((ORANGE, 0),), ((BLACK, BLUE), (ORANGE,))),
        # The turn order alone: one order is possible, or two.
        (None, ((BLUE, 3), (BLACK, 1), (ORANGE, 0)), ((BLUE,), (BLACK, ORANGE))),
        (None, ((ORANGE, 0),), ((BLACK, BLUE), (ORANGE,))),
        (None, ((BLUE, 0),), (None, ())),
        (None, (), (None, ())),
        # The bid order alone.
        ((BLACK,), None, ((BLACK, BLUE), None)),
        ((BLACK, BLUE), None, ((BLACK, BLUE), None)),
        ((BLACK, ORANGE, BLUE), None, ((BLACK, ORANGE, BLUE), ())),
        ((BLACK, ORANGE), None, ((BLACK, ORANGE, BLUE), ())),
        ((), None, ((BLUE,), None)),
        # What does not fit a turn of blue is not used.
        ((BLUE,), ((ORANGE, 3), (BLACK, 0)), ((BLUE,), (ORANGE, BLACK))),
        ((BLUE, BLACK), None, (None, None)),
        ((BLACK,), ((ORANGE, 3), (BLUE, 0)), (None, None)),
    ]:
        with subtests.test(msg=str((bid_order, turn_order))):
            bids = None if turn_order is None else tuple(Bid(*bid) for bid in turn_order)
            found = resume(replace(three, bid_order=bid_order, turn_order=bids)).state.position
            waiting = None if found.turn_order is None else tuple(bid.colour for bid in found.turn_order)
            assert (found.bid_order, waiting) == expected
            check_position(found)


def test_3_1_of_bids_all_spots_that_are_known_are_kept() -> None:
    placed = (Bid(BLACK, 5), Bid(ORANGE, 1))
    for known in ((BLUE,), None):
        found = resume(replace(TABLE, bid_order=known, turn_order=placed, to_move=BLUE), bidding=True).state.position
        assert (found.bid_order, found.turn_order) == (known, placed)
    alone = resume(replace(BARE, players=(Player(BLUE), Player(PINK))), PINK, bidding=True).state
    assert (alone.stage, alone.mover, alone.position.bid_order, alone.position.turn_order) == (
        Stage.BID,
        PINK,
        None,
        (),
    )


def test_2_1_a_lone_player_gets_as_few_opponents_as_there_can_be() -> None:
    """Blue plays pink, black and orange play in games of three and more."""
    for lone, players in ((BLUE, (BLUE, PINK)), (PINK, (BLUE, PINK)), (BLACK, (BLACK, ORANGE, BLUE))):
        assert tuple(player.colour for player in resume(BARE, lone).state.position.players) == players
    assert len(resume(BARE, ORANGE).state.position.players) == 3


def test_9_1_no_bid_follows_the_round_of_the_last_camel() -> None:
    setup = random_setup(2, 1)
    for phase, camels in ((Phase.BID, 10), (Phase.BID, 11), (None, 10), (None, 11)):
        board = tuple(replace(tile, camel=PINK) if at < camels else tile for at, tile in enumerate(setup.board))
        assert resume(replace(setup, phase=phase, board=board), bidding=True).state.is_over is (camels == 11)


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
