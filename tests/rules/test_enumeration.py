"""Whole turns enumerated at once, against taking every action one by one (rules 4 to 6)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.sowing import legal_sowings
from companion.rules.engine.turn import Move
from companion.rules.model.actions import ActTile, ActTribe, Paid, Sow
from companion.rules.model.state import GameState, Stage
from tests.rules.random_games import checked_game
from tests.rules.whole_turns import legal_turns, turn_groups


def one_by_one(state: GameState, most: int) -> set[Move]:
    """The turns of some sowings, each action taken on its own."""
    found: set[Move] = set()
    for sowing in islice(legal_sowings(state.position.board), 0, None, most):
        sown = apply(state, Sow(sowing))
        for act in legal_actions(sown):
            if isinstance(act, ActTribe):
                acted = apply(sown, act, Unknown())
                tiles = [tile for tile in legal_actions(acted) if isinstance(tile, ActTile)]
                found.update(Move(sowing, act.choice, tile.choice) for tile in tiles)
    return found


class Unknown:
    """Cards that nobody has seen."""

    def card(self, options: dict[str, int], *, face_up: bool) -> None:
        return None


def test_4_6_whole_turns_are_those_of_single_actions(subtests: pytest.Subtests) -> None:
    for seed in range(8):
        with subtests.test(seed=seed):
            djinns = (("Iblis", "Kandicha", "Marid"), ("Hagis", "Lamia", "Nekir"), ("Boaz",), ())[seed % 4]
            looked_at = 0
            for place, (state, _, _) in enumerate(checked_game(2 + seed % 3, 40 + seed)):
                if state.stage is not Stage.MOVE or state.progress.used or place % 2 or looked_at == 3:
                    continue
                lucky = replace(state.player(state.mover), djinns=djinns, elders=2, fakirs=seed % 3, gold=seed)
                state = replace(state, position=state.position.with_player(lucky))
                sowings = sum(1 for _ in legal_sowings(state.position.board))
                if sowings > 1500:
                    continue
                step = 1 + sowings // 8
                chosen = set(islice(legal_sowings(state.position.board), 0, None, step))
                turns = [turn for turn in legal_turns(state) if turn.sowing in chosen]
                assert len(turns) == len(set(turns))
                assert set(turns) == one_by_one(state, step)
                looked_at += 1
            assert looked_at


def test_turns_come_in_groups_by_their_sowing() -> None:
    states = (state for state, _, _ in checked_game(3, 5) if state.stage is Stage.MOVE)
    for state in islice(states, 0, 12, 6):
        groups = [Move(sowing, *choice) for sowing, choices in turn_groups(state) for choice in choices]
        assert groups == list(legal_turns(state))


def test_11_powers_within_actions_are_enumerated() -> None:
    for state, _, _ in checked_game(3, 5):
        if state.stage is Stage.MOVE:
            lucky = replace(state.player(state.mover), djinns=("Iblis",), fakirs=1)
            helpers = {
                turn.tribe.helper for turn in legal_turns(replace(state, position=state.position.with_player(lucky)))
            }
            assert helpers == {None, Paid("Iblis", 0, 1)}
            return
