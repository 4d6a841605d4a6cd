"""Turns that were enumerated, played in a batch, come to what their actions come to in the readable engine."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.advisor.search.lines import actions_of
from companion.rules.engine.game import step
from companion.simulation.bridge import unpack
from companion.simulation.enumeration import whole_turns
from companion.simulation.from_actions import turn_of
from companion.simulation.layout import NONE
from companion.simulation.playing import play_turns
from tests.rules.tables import BLACK, PINK, at_turn, player
from tests.simulation.beside import canonical
from tests.simulation.roots import beginnings, rooted, with_holdings

DJINNS = (
    ("Iblis", "Nekir", "Boaz"),
    ("Hagis", "Lamia", "Monkir", "Bouraq", "Enki"),
    ("Dhenim", "Echidna", "Marid"),
    ("Ba'al", "Utug", "Leta"),
    ("Kandicha", "Iblis"),
)
TRIED = 25


@pytest.mark.parametrize("seed", range(5))
def test_enumerated_turns_are_played_as_the_rules_play_their_actions(seed: int) -> None:
    tried = 0
    for number, state in enumerate(beginnings(2 + seed % 3, seed, every=8)):
        state = with_holdings(state, number, DJINNS[(seed + number) % len(DJINNS)])
        root = rooted(state)
        every = whole_turns(root)
        chosen = Random(seed).sample(range(len(every)), min(TRIED, len(every)))
        turns = every.select(chosen)
        batch = root.select([0] * len(chosen))
        play_turns(batch, np.arange(len(chosen)), turns)
        colours = [player.colour for player in state.position.players]
        for lane in range(len(chosen)):
            actions, open_ended = actions_of(root, turns, lane, state)
            if open_ended:
                continue
            reached = state
            for action in actions[:-1]:
                reached = step(reached, action).state
            assert unpack(batch, lane, state) == canonical(reached), "; ".join(map(str, actions))
            again = root.select([0])
            play_turns(again, np.array([0]), turn_of(actions, state.stage, colours))
            assert np.array_equal(again.data[:, 0], batch.data[:, lane])
            tried += 1
    assert tried > 2 * TRIED


def test_11_10_iblis_is_paid_before_his_kill_brings_an_elder() -> None:
    killer = player(PINK, djinns=("Kandicha", "Iblis"), fakirs=1)
    state = at_turn(killer, player(BLACK, elders=2), a5="M6:r", b5="M6:r", a4="V5:y", c5="M6:ww")
    root = rooted(state)
    every = whole_turns(root)
    double = np.flatnonzero(every.victim[1] != NONE)
    assert double.size
    assert (every.iblis[double] == 1).all()
