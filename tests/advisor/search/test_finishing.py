"""The rest of a turn that has begun, and turns with draws in them, played again with other draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.advisor.account import RecordedTurn, recorded_decisions
from companion.advisor.search.finishing import CLOSED, closings, next_action
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import Action, EndTurn, KeepDjinn, Sell, Sow, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import GOODS
from companion.rules.model.state import GameState, Stage
from tests.advisor.recorded_turns import replayed
from tests.advisor.scripted_judge import some_turn
from tests.rules.random_games import random_game


def test_it_is_legal_and_ends(subtests: pytest.Subtests) -> None:
    states = [(seed, state) for seed in range(3) for state, _, _ in random_game(2 + seed % 3, 60 + seed)]
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
    games = (random_game(3, 200 + seed) for seed in range(6))
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


def _turns(players: int, seed: int, djinn: str) -> list[RecordedTurn]:
    """The turns of a random game in which that djinn's power drew something."""
    found = []
    for one in recorded_decisions(replayed(players, seed, djinn))[0]:
        if not isinstance(one, RecordedTurn) or not one.drew:
            continue
        if any(isinstance(action, UsePower) and action.paid.djinn == djinn for action in one.actions):
            found.append(one)
    assert found
    return found


def _plan(state: GameState) -> Sequence[Action]:
    return some_turn(state).actions


def _never(state: GameState) -> Sequence[Action]:
    raise AssertionError("nothing is left to plan")


def test_a_turn_without_a_draw_ends_in_one_way() -> None:
    turns = [one for one in recorded_decisions(replayed(2, 1))[0] if isinstance(one, RecordedTurn) and not one.drew]
    for turn in turns[:8]:
        assert closings(turn.before, turn.actions, 5, 0, _never) == [turn.closed]


def test_a_card_that_is_drawn_is_another_each_time() -> None:
    for turn in _turns(3, 1, "Sloar"):
        ends = closings(turn.before, turn.actions, 8, 3, _never)
        assert len(ends) == 8
        hands = {(end.player(turn.colour).goods, end.player(turn.colour).fakirs) for end in ends}
        assert len(hands) > 1
        assert {end.position.board for end in ends} == {turn.closed.position.board}
        assert all(end.stage in CLOSED for end in ends)
        assert ends == closings(turn.before, turn.actions, 8, 3, _never)


def test_a_sale_that_the_draw_does_not_allow_is_left_out() -> None:
    for turn in _turns(3, 1, "Sloar"):
        cards = next(one.cards for one in turn.drawn if one.cards)
        held = turn.before.player(turn.colour).goods or ()
        good = cards[0]
        if good in GOODS and not held[GOODS.index(good)]:
            break
    assert good is not None
    kept = [action for action in turn.actions if not isinstance(action, Sell)]
    ends = closings(turn.before, [*kept, Sell((good,))], 12, 0, _plan)
    sold = {end.stage is Stage.SELL for end in ends}
    assert sold == {True, False}


def test_a_djinn_is_kept_whatever_was_drawn() -> None:
    for turn in _turns(4, 3, "Sibittis"):
        ends = closings(turn.before, turn.actions, 6, 1, _plan)
        assert all(end.stage in CLOSED for end in ends)
        before = set(turn.before.player(turn.colour).djinns or ())
        kept = {name for end in ends for name in set(end.player(turn.colour).djinns or ()) - before}
        assert len(kept) > 1


def test_meeples_that_came_otherwise_leave_another_way_to_move() -> None:
    turns = [
        turn
        for turn in _turns(2, 2, "Anun-Nak")
        if isinstance(turn.actions[0], UsePower) and any(isinstance(action, Sow) for action in turn.actions)
    ]
    planned: list[GameState] = []

    def plan(state: GameState) -> Sequence[Action]:
        planned.append(state)
        return some_turn(state).actions

    for turn in turns:
        ends = closings(turn.before, turn.actions[:1], 4, 2, plan)
        assert all(end.stage in CLOSED for end in ends)
    assert len(planned) == 4 * len(turns) > 0
