"""Games that begin with a set-up or on a table, and what a position does not say of them (rules 2, 3, 4.1, 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import ImpossiblePositionError, UnusableInputError
from companion.rules.engine.game import legal_actions
from companion.rules.engine.legality import check_position
from companion.rules.engine.resuming import Gap, bids_are_placed, off_tracks, resume, start_game
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.board import Tile
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Ending, Stage

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
