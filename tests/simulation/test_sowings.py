"""Other sowings of whole turns, played with the readable engine (rules 4.2 to 4.8, 5.4, 5.5)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.engine.game import step
from companion.rules.model.actions import ActTribe, EndTurn
from companion.rules.model.board import parse_square
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.events import Event, MeeplesTaken, TileClaimed
from companion.rules.model.state import GameState
from companion.simulation.bridge import turns_to_actions
from companion.simulation.enumeration import whole_turns
from companion.simulation.layout import Batch, Turns
from companion.simulation.sowings import sample_sowings
from tests.rules.tables import PINK, at_turn, player
from tests.simulation.roots import beginnings, rooted, with_holdings

DJINNS = ((), ("Kandicha",), ("Marid", "Nekir"), ("Iblis", "Hagis", "Lamia"), ("Utug", "Leta", "Bouraq"))
TURNS = 24
COUNT = 6


def played(state: GameState, root: Batch, turns: Turns, column: int) -> tuple[GameState, list[Event], ActTribe]:
    """The state after a turn's actions, all that happened that has to be alike for sowings alike, and the kill."""
    events: list[Event] = []
    kill = ActTribe()
    for action in turns_to_actions(root, turns, column, state)[0]:
        if not isinstance(action, EndTurn):
            try:
                done = step(state, action, UNSEEN)
            except ChanceNeededError:
                # A djinn just taken draws, last in the turn.
                break
            state = done.state
            events += [event for event in done.events if isinstance(event, TileClaimed | MeeplesTaken)]
            kill = action if isinstance(action, ActTribe) else kill
    return state, events, kill


def test_other_sowings_come_to_the_same_and_leave_other_boards(subtests: pytest.Subtests) -> None:
    for seed in (1, 3):
        with subtests.test(msg=str(seed)):
            for number, plain in enumerate(beginnings(2 + seed % 3, seed, every=9)):
                state = with_holdings(plain, number, DJINNS[(seed + number) % len(DJINNS)])
                root = rooted(state)
                turns = whole_turns(root, seed=seed)
                turns = turns.select(np.random.default_rng(seed).permutation(len(turns))[:TURNS])
                sampled, origin = sample_sowings(root, turns, COUNT, seed)
                assert (np.bincount(origin, minlength=len(turns)) >= 1).all()
                assert np.bincount(origin).max() <= COUNT
                boards: dict[int, set[object]] = {}
                for column, of in enumerate(origin.tolist()):
                    after, events, kill = played(state, root, sampled, column)
                    _, own_events, own_kill = played(state, root, turns, of)
                    assert (events, kill) == (own_events, own_kill)
                    assert after.position.board not in boards.setdefault(of, set())
                    boards[of].add(after.position.board)


def test_a_hand_too_large_to_move_has_no_turns_and_no_sowings() -> None:
    state = at_turn(player(PINK), c3="M6:" + "y" * 7 + "w" * 7 + "b" * 6 + "g" * 6)
    turns = whole_turns(rooted(state))
    assert len(turns) == 0
    sampled, origin = sample_sowings(rooted(state), turns, 4, 0)
    assert (len(sampled), len(origin)) == (0, 0)


def test_walks_and_orders_both_vary() -> None:
    state = at_turn(player(PINK), c3="M6:ywbgr", c4="M6:y", f5="M6:yb")
    root = rooted(state)
    turns = whole_turns(root)
    wanted = (turns.start == parse_square("c3")) & (turns.path[4] == parse_square("c4"))
    column = int(np.nonzero(wanted)[0][0])
    sampled, _ = sample_sowings(root, turns.select([column]), 16, 0)
    assert len(sampled) == 16
    assert len({tuple(path) for path in sampled.path.T.tolist()}) > 2
    assert len({tuple(drops) for drops in sampled.drops.T.tolist()}) > 6
