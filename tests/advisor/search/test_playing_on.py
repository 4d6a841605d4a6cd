"""The rest of a turn that has begun."""

from __future__ import annotations

from random import Random

import pytest

from companion.advisor.search.playing_on import next_action
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import EndTurn
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import Stage
from tests.rules.random_games import checked_game


@pytest.mark.parametrize("stage", [Stage.TRIBE, Stage.TILE, Stage.CLOSE, Stage.KEEP])
def test_it_is_legal_and_ends(stage: Stage) -> None:
    seen = 0
    for seed in range(6):
        for state, _, _ in checked_game(2 + seed % 3, 60 + seed):
            if state.stage is not stage or seen >= 12:
                continue
            seen += 1
            here, mover = state, state.mover
            for _ in range(12):
                if here.stage is Stage.MOVE:
                    # Djinns were drawn before the move, which is searched for.
                    break
                action = next_action(here, seed)
                assert action in legal_actions(here)
                here = apply(here, action, SampledChance(Random(seed)))
                if isinstance(action, EndTurn) or here.mover is not mover:
                    break
            else:
                pytest.fail("the turn does not end")
    assert seen


def test_points_are_not_left_lying() -> None:
    # Of two djinns drawn, both without use, the one worth more is kept.
    for seed in range(30):
        for state, _, _ in checked_game(3, 200 + seed):
            if state.stage is Stage.KEEP:
                action = next_action(state, 1)
                assert action in legal_actions(state)
                return
    pytest.skip("no djinns were drawn in these games")
