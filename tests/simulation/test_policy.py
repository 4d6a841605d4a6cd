"""The playout policy: its turns and bids are legal, come to what the rules say, and are the same in the same world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.rules.engine.game import step
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.position import Bid
from companion.rules.model.state import GameState, Stage
from companion.simulation.bidding import best_turns, choose_bids, play_bids
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.djinns import DJINN_ID
from companion.simulation.evaluation import NO_WEIGHTS, Floats, Weights, fitted_weights, weight_table
from companion.simulation.layout import NONE, Batch, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import play_on, policy_step
from tests.rules.tables import BLACK, BLUE, ORANGE, PINK, at_bid, at_turn, player
from tests.simulation.roots import beginnings, with_holdings
from tests.simulation.starts import huge_hand, odd_position, set_up
from tests.simulation.twin import LaneChance, assert_same

DJINNS = (
    ("Bouraq", "Enki", "Haurvatat"),
    ("Leta", "Utug", "Marid"),
    ("Sloar", "Sibittis", "Kandicha"),
    ("Iblis", "Nekir", "Boaz"),
    ("Hagis", "Lamia", "Echidna"),
    ("Anun-Nak", "Ba'al", "Shamhat"),
)
"""What movers have, in turn."""


def turns_to_play(seed: int) -> list[GameState]:
    states = [state for players in (2, 3, 4) for state in beginnings(players, seed, every=3)]
    return [with_holdings(state, number, DJINNS[number % len(DJINNS)]) for number, state in enumerate(states)]


def assert_legal(batch: Batch, roots: Batch, states: list[GameState], turns: Turns) -> None:
    """The turns are legal, and come to what the rules make of their actions up to a draw of djinns or meeples."""
    whole: dict[int, tuple[GameState, str]] = {}
    for lane, state in enumerate(states):
        root = roots.select([lane])
        actions, cut_off = turns_to_actions(root, turns.select([lane]), 0, state)
        chance, reached = LaneChance(root, 0), state
        for action in actions if cut_off else actions[:-1]:
            reached = step(reached, action, chance).state
        if not cut_off and reached.stage is not Stage.MOVE:
            whole[lane] = reached, "; ".join(map(str, actions))
    assert len(whole) > len(states) / 2
    assert_same(batch, list(whole), [state for state, _ in whole.values()], [what for _, what in whole.values()])
    # What follows a draw is held to the rules by way of `play_turns`.
    moving = np.flatnonzero(turns.start != NONE)
    again = roots.select(moving)
    play_turns(again, np.arange(len(again)), turns.select(moving))
    assert np.array_equal(again.data, batch.data[:, moving])


def test_its_turns_are_legal_and_come_to_what_the_rules_say() -> None:
    states = turns_to_play(1)
    batch = pack(states, range(len(states)))
    roots = batch.select(np.arange(len(states)))
    turns = policy_step(batch, fitted_weights(4)).turns
    assert_legal(batch, roots, states, turns)
    assert len(set(turns.power[:, :].ravel().tolist()) - {NONE}) > 2


def test_its_turns_on_odd_boards_are_legal_too() -> None:
    for begin in (odd_position, huge_hand):
        states = [state for state in map(begin, range(40)) if state.stage is Stage.MOVE]
        batch = pack(states, range(len(states)))
        roots = batch.select(np.arange(len(states)))
        assert_legal(batch, roots, states, policy_step(batch, NO_WEIGHTS).turns)


def test_a_hand_visits_a_bare_tile_twice_to_take_it() -> None:
    """Nothing stands on the board but one hand: only two merchants on one tile make a move (rules 4.5)."""
    batch = pack([at_turn(b3="M6:ggbyw")], [0])
    replies = policy_step(batch, NO_WEIGHTS)
    end, mover = replies.end[0], batch.mover[0]
    assert replies.tribe[0] == Tribe.MERCHANT
    assert batch.camel[end, 0] == mover
    assert batch.cards[mover, :, 0].sum() == 2
    assert replies.worth[0] == 6 + 1  # the tile, and an ivory beside a fakir


def test_assassins_kill_what_their_own_hand_left() -> None:
    """The yellow meeple has to lie alone on c3, on the only way to another assassin, and is killed there."""
    batch = pack([at_turn(b3="M6:ry", d3="M6:rbb")], [0])
    replies = policy_step(batch, NO_WEIGHTS)
    assert (replies.end[0], replies.tribe[0]) == (parse_square("d3"), Tribe.ASSASSIN)
    assert batch.camel[parse_square("c3"), 0] == batch.mover[0]


def test_assassins_go_where_their_victim_stays_alone() -> None:
    """Of two ways to d4, one passes the victim on c4 and would leave a second meeple there."""
    for world in range(8):
        batch = pack([at_turn(c3="M6:ry", d4="M6:rbb", c4="M6:w", d3="M6@K")], [world])
        policy_step(batch, NO_WEIGHTS)
        assert batch.camel[parse_square("c4"), 0] == batch.mover[0]


def test_where_nothing_can_move_powers_alone_are_used() -> None:
    state = at_turn(player(PINK, djinns=("Bouraq",), elders=2), stage=Stage.CLOSE, a1="V5@P")
    batch = pack([state], [0])
    replies = policy_step(batch, NO_WEIGHTS)
    assert (replies.end[0], replies.tribe[0], replies.worth[0]) == (NONE, NONE, 0)
    assert batch.palaces[parse_square("a1"), 0] == 1
    assert replies.turns.power[0, 0] == DJINN_ID["Bouraq"]


def test_a_game_is_played_on_the_same_whatever_is_played_beside_it() -> None:
    states = [set_up(number) for number in range(6)]
    together = pack(states, range(6))
    play_on(together, fitted_weights(4), rounds=2)
    for lane, state in enumerate(states):
        alone = pack([state], [lane])
        play_on(alone, fitted_weights(4), rounds=2)
        assert np.array_equal(alone.data[:, 0], together.data[:, lane])


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
