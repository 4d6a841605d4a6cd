"""The playout policy: its turns are legal, come to what the rules say, and are the same in the same world."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.advisor.search.lines import actions_of
from companion.rules.engine.game import END_TURN, legal_actions, step
from companion.rules.model.actions import KeepDjinn
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import pack, unpack
from companion.simulation.evaluation import NO_WEIGHTS, fitted_weights
from companion.simulation.layout import DJINN_VP, NONE
from companion.simulation.playing import play_turns
from companion.simulation.playout import play_on
from companion.simulation.policy import play_replies
from companion.simulation.turns import Turns
from tests.rules.random_games import checked_game
from tests.simulation.beside import LaneChance, canonical
from tests.simulation.roots import beginnings, with_holdings
from tests.simulation.starts import odd_position, set_up

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


def dearest(state: GameState) -> KeepDjinn:
    from companion.simulation.layout import DJINN_ID

    kept = [action for action in legal_actions(state) if isinstance(action, KeepDjinn)]
    return max(kept, key=lambda action: DJINN_VP[DJINN_ID[action.djinn]])


@pytest.mark.parametrize("weighed", [False, True])
def test_its_turns_are_legal_and_come_to_what_the_rules_say(weighed: bool) -> None:
    states = turns_to_play(int(weighed))
    batch = pack(states, range(len(states)))
    roots = batch.select(np.arange(len(states)))
    replies = play_replies(batch, fitted_weights(4) if weighed else NO_WEIGHTS)
    powers = 0
    for lane, state in enumerate(states):
        chance = LaneChance(roots, lane)
        root, turn = roots.select([lane]), replies.turns.select([lane])
        reached = state
        # What is drawn does not cut a turn off here: the batch says what it was.
        for action in every_action(root, turn, state):
            reached = step(reached, action, chance).state
            if reached.stage is Stage.KEEP:
                reached = step(reached, dearest(reached), chance).state
        powers += int((turn.power != NONE).any())
        assert unpack(batch, lane, state) == canonical(reached), lane
    assert powers > 3
