"""The rest of a turn that has begun."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.advisor.search.finishing import next_action
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import EndTurn, KeepDjinn
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import Stage
from tests.rules.random_games import checked_game


def test_it_is_legal_and_ends(subtests: pytest.Subtests) -> None:
    states = [(seed, state) for seed in range(3) for state, _, _ in checked_game(2 + seed % 3, 60 + seed)]
    for stage in [Stage.TRIBE, Stage.TILE, Stage.CLOSE, Stage.KEEP]:
        with subtests.test(msg=str(stage)):
            there = [one for one in states if one[1].stage is stage][:12]
            assert there
            for seed, state in there:
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


def test_of_two_djinns_of_little_use_the_one_worth_more_is_kept(subtests: pytest.Subtests) -> None:
    games = (checked_game(3, 200 + seed) for seed in range(6))
    states = [state for game in games for state, _, _ in game if state.stage is Stage.KEEP]
    for drawn in [("Hagis", "Anun-Nak"), ("Anun-Nak", "Hagis")]:
        with subtests.test(msg=str(drawn)):
            seen = 0
            for state in states:
                held = {name for player in state.position.players for name in player.djinns or ()}
                there = held | {*(state.position.djinns or ()), *state.djinn_discards}
                if there.isdisjoint(drawn):
                    choosing = replace(state, progress=replace(state.progress, drawn=drawn))
                    assert next_action(choosing, 1) == KeepDjinn("Hagis")
                    seen += 1
            assert seen
