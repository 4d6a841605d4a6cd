"""The playout policy's bids: legal, sensible, and the same however many are looked at together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.rules.model.position import Bid
from companion.simulation.bridge import pack
from companion.simulation.evaluation import NO_WEIGHTS, Floats, Weights, fitted_weights, weight_table
from companion.simulation.layout import NONE
from companion.simulation.policy import best_turns, choose_bids, play_bids
from tests.rules.tables import BLACK, BLUE, ORANGE, PINK, at_bid, player
from tests.simulation.starts import set_up

SURE = Weights(weight_table({}), discount=1, outbid=0.5)


def turns_worth(*worths: float) -> Floats:
    """The best turns of one lane, best first."""
    return np.array(worths + (0,) * (10 - len(worths)), dtype=np.float32)[:, None]


def bid_of(*worths: float, gold: int = 50, taken: tuple[Bid, ...] = ()) -> int:
    """What black bids for turns of these worths, with orange and pink still to bid where they have not bid yet."""
    others = [colour for colour in (ORANGE, PINK) if colour not in {bid.colour for bid in taken}]
    players = (player(BLACK, gold=gold), player(ORANGE), player(PINK))
    batch = pack([at_bid(*players, order=(BLACK, *others), taken=taken)], [0])
    return int(choose_bids(batch, turns_worth(*worths), np.ones(1, dtype=np.float32), SURE)[0])


def test_nothing_is_bid_where_all_turns_are_as_good() -> None:
    assert bid_of(10, 10, 10, 10) == 0


def test_a_turn_far_better_than_the_next_is_bid_for() -> None:
    assert bid_of(40, 5, 5, 5) >= 3


def test_the_last_to_bid_pays_no_more_than_he_has_to() -> None:
    """Both others bid nothing: nothing plays before them (rules 3.2), so nothing more is bid."""
    assert bid_of(40, 5, 5, taken=(Bid(ORANGE, 0), Bid(PINK, 0))) == 0
    assert bid_of(40, 5, 5, taken=(Bid(ORANGE, 5), Bid(PINK, 0))) == 8
    assert bid_of(40, 38, 5, taken=(Bid(ORANGE, 5), Bid(PINK, 0))) == 0


def test_nobody_bids_what_he_does_not_have() -> None:
    assert bid_of(40, 5, 5, gold=3) <= 3
    # All zeros are taken and nothing is there to pay with: the cheapest place (rules 3.4).
    players = [player(colour, gold=0) for colour in (BLACK, ORANGE, BLUE, PINK)]
    taken = (Bid(ORANGE, 0), Bid(BLUE, 0), Bid(PINK, 0))
    batch = pack([at_bid(*players, order=(BLACK,), taken=taken)], [0])
    play_bids(batch, NO_WEIGHTS)
    assert batch.mover.tolist() == [0], "who paid more than nothing plays first"


def test_all_bids_at_once_are_the_bids_one_by_one() -> None:
    states = [set_up(number) for number in range(2, 60, 3)]  # four players each
    at_once, in_turn = pack(states, range(len(states))), pack(states, range(len(states)))
    assert play_bids(at_once, fitted_weights(4), noise=0.5) == 4 * len(states)
    for _ in range(4):
        play_bids(in_turn, fitted_weights(4), noise=0.5, together=False)
    assert (in_turn.turn_seat != NONE).sum() == 3 * len(states)  # the first turn has begun
    assert np.array_equal(at_once.data, in_turn.data)


def test_a_second_marker_waits_for_what_the_first_has_cost() -> None:
    state = set_up(0)
    assert state.position.bid_order is not None
    blue, pink = (player.colour for player in state.position.players)
    for order, together in ((blue, pink, pink, blue), 2), ((pink, pink, blue, blue), 1):
        batch = pack([replace(state, position=replace(state.position, bid_order=order, to_move=order[0]))], [0])
        assert play_bids(batch, fitted_weights(2)) == together


def test_the_best_turns_end_on_different_tiles() -> None:
    cells = np.full((2, 30, 5, 1), -1e4, dtype=np.float32)
    cells[0, 3, 0, 0], cells[1, 3, 4, 0], cells[0, 7, 2, 0] = 9, 12, 5
    assert best_turns(cells)[:3, 0].tolist() == [12, 5, 0]
