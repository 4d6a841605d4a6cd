"""The playout policy: its turns are legal, come to what the rules say, and are the same in the same world."""

from __future__ import annotations

import numpy as np

from companion.rules.engine.game import step
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.djinns import DJINN_ID
from companion.simulation.evaluation import NO_WEIGHTS, fitted_weights
from companion.simulation.layout import NONE, Batch, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import play_on, policy_step
from tests.rules.tables import PINK, at_turn, player
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
    states = [state for players in (2, 3, 4) for state in beginnings(players, seed, every=2)]
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
        states = [state for state in map(begin, range(60)) if state.stage is Stage.MOVE]
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
