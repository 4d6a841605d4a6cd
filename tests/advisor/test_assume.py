"""The game that a position stands for: whose turn, which players, what is not known, said in sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.search.assume import TableState, table_state
from companion.errors import ImpossiblePositionError
from companion.notation.files import parse_position
from companion.rules.engine.legality import check_position
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.board import Tile
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Ending, Stage
from companion.simulation.unknowns import unknown_parts

BLUE, PINK, BLACK, ORANGE = Colour.BLUE, Colour.PINK, Colour.BLACK, Colour.ORANGE
SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def bare(seed: int = 1) -> Position:
    """What a photo of the board alone tells."""
    return Position(random_setup(2, seed).board)


def said(table: TableState) -> str:
    return " ".join(table.assumed)


def test_a_whole_position_assumes_nothing() -> None:
    position = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    table = table_state(position)
    assert table.assumed == ()
    assert table.state == start_game(position)


def test_a_set_up_bids_in_its_order(subtests: pytest.Subtests) -> None:
    """Rules 2.5, 3.1."""
    for players in [2, 3, 4]:
        with subtests.test(msg=str(players)):
            state = new_game(players, 3)
            table = table_state(state.position, bidding=True)
            assert (table.state, table.assumed) == (state, ())


def test_the_dearest_spot_plays_first_when_all_bids_are_placed() -> None:
    """Rules 3.3."""
    turn_order = (Bid(BLUE, 5), Bid(ORANGE, 1), Bid(BLACK, 0))
    setup = random_setup(3, 3, colours=(BLACK, ORANGE, BLUE))
    table = table_state(replace(setup, to_move=BLACK, bid_order=(), turn_order=turn_order))
    position = table.state.position
    assert (position.to_move, position.bid_order) == (BLUE, (BLUE,))
    assert position.turn_order == (Bid(ORANGE, 1), Bid(BLACK, 0))
    assert said(table) == "blue is first on the turn order track and moves."


def test_turns_on_a_set_up_are_those_of_whoever_plays_first() -> None:
    setup = random_setup(3, 3)
    table = table_state(setup, ORANGE)
    position = table.state.position
    assert (position.to_move, position.bid_order, position.turn_order) == (ORANGE, (ORANGE,), None)
    assert unknown_parts(table.state) == {"turn_order"}
    assert said(table) == ("The bids are still open: orange is assumed to play first, the others in random order.")
    assert table_state(setup).state.mover is setup.bid_order[0]


def test_a_bare_board_says_all_that_is_assumed() -> None:
    table = table_state(bare())
    state = table.state
    assert state.stage is Stage.MOVE
    assert [player.colour for player in state.position.players] == [BLACK, ORANGE, BLUE]
    assert state.mover is BLACK
    assert {"row", "djinns", "discards", "turn_order", "bid_order", "black.gold", "blue.fakirs"} <= unknown_parts(
        table.state
    )
    for part in (
        "It isn't known who moves: black is assumed.",
        "two opponents (orange and blue) are assumed",
        "It isn't known who has played",
        "so no elders, goods, fakirs or djinns are used",
        "Unknown gold",
        "The row isn't known",
        "face-up djinns aren't known",
    ):
        assert part in said(table)
    # Everything stands on the board, so no division of viziers has to be assumed.
    assert "aren't accounted for" not in said(table)


def test_a_lone_player_gets_as_few_opponents_as_there_can_be(subtests: pytest.Subtests) -> None:
    """Rules 2.1: blue plays pink, black and orange play in games of three and more."""
    for lone, all_of_them in [
        (BLUE, (BLUE, PINK)),
        (PINK, (BLUE, PINK)),
        (BLACK, (BLACK, ORANGE, BLUE)),
        (ORANGE, (BLACK, ORANGE, BLUE)),
    ]:
        with subtests.test(msg=str((lone, all_of_them))):
            table = table_state(bare(), lone)
            assert tuple(player.colour for player in table.state.position.players) == all_of_them
            assert f"Only {lone} is known to play" in said(table)


THREE = (BLACK, ORANGE, BLUE)


def test_the_tracks_of_a_turn(subtests: pytest.Subtests) -> None:
    """Rules 3.3, 4.1: blue's turn in a game of three."""
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
            position = Position(
                bare().board,
                players=tuple(map(Player, THREE)),
                to_move=BLUE,
                phase=Phase.TURN,
                bid_order=bid_order,
                turn_order=None if turn_order is None else tuple(Bid(*bid) for bid in turn_order),
            )
            table = table_state(position)
            found = table.state.position
            waiting = None if found.turn_order is None else tuple(bid.colour for bid in found.turn_order)
            assert (found.bid_order, waiting) == expected
            check_position(found)
            assert ("random" in said(table)) is (None in expected)


def test_another_player_than_the_one_to_move_can_be_looked_at() -> None:
    position = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    table = table_state(position, ORANGE)
    assert table.state.mover is ORANGE
    assert (table.state.position.bid_order, table.state.position.turn_order) == (None, None)
    assert "The position has blue to move; this looks at orange instead." in table.assumed


def test_a_bid_in_an_unknown_order_comes_first() -> None:
    table = table_state(replace(bare(), players=(Player(BLUE), Player(PINK))), PINK, bidding=True)
    state = table.state
    assert (state.stage, state.mover) == (Stage.BID, PINK)
    assert (state.position.bid_order, state.position.turn_order) == (None, ())
    assert "pink is assumed to bid first" in said(table)


def test_a_bid_after_others_keeps_their_spots() -> None:
    setup = replace(random_setup(3, 1), bid_order=(BLUE,), turn_order=(Bid(BLACK, 5), Bid(ORANGE, 1)))
    found = table_state(setup, bidding=True)
    assert found.assumed == ()
    assert (found.state.position.bid_order, found.state.position.turn_order) == (setup.bid_order, setup.turn_order)
    without = table_state(replace(setup, bid_order=None, to_move=BLUE), bidding=True)
    assert (without.state.position.bid_order, without.state.position.turn_order) == (None, setup.turn_order)


def test_a_game_that_is_over_says_so_and_assumes_nothing() -> None:
    over = parse_position((SAMPLES / "end.toml").read_text(encoding="utf-8"))
    table = table_state(over, BLUE)
    assert table.state.is_over
    assert table.state.mover is None
    assert table.assumed == ()
    # Rules 9.2: without a phase, a board on which nothing can be moved is an end too.
    empty = Position(tuple(Tile(tile.kind) for tile in bare().board))
    assert table_state(empty).state.is_over


def test_the_last_camel_makes_the_round_the_last() -> None:
    """Rules 9.1."""
    board = tuple(replace(tile, camel=PINK) if square < 11 else tile for square, tile in enumerate(bare().board))
    state = table_state(Position(board, to_move=BLUE)).state
    assert (state.stage, state.ending) == (Stage.MOVE, Ending.LAST_CAMEL)


def test_no_bid_follows_the_round_of_the_last_camel(subtests: pytest.Subtests) -> None:
    """Rules 9.1, as the engine goes on from such a position."""
    for phase in [Phase.BID, None]:
        with subtests.test(msg=str(phase)):
            setup = replace(random_setup(2, 1), phase=phase)
            last = 11
            for camels in (last - 1, last):
                board = tuple(replace(tile, camel=PINK) if at < camels else tile for at, tile in enumerate(setup.board))
                position = replace(setup, board=board)
                table = table_state(position, bidding=True)
                assert table.state == start_game(position)
                assert table.state.is_over == (camels == last)
                assert table.assumed == ()


def test_an_impossible_position_names_its_faults() -> None:
    row = ("ivory",) * 3
    with pytest.raises(ImpossiblePositionError, match="ivory: 3"):
        table_state(replace(bare(), row=row))
