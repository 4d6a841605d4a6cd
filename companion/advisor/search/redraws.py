"""Turns in which something is drawn, played again with other luck (rules 11): what they were worth before the draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.errors import IllegalMoveError, UnusableInputError
from companion.rules.engine.djinns.registry import djinn_named
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.scoring import player_points
from companion.rules.model.actions import Action, EndTurn, KeepDjinn, UsePower
from companion.rules.model.chance import NOTHING_DRAWN, ChanceNeededError, SampledChance
from companion.rules.model.state import GameState, Stage

CLOSED = (Stage.CLOSE, Stage.SELL)
"""Stages in which a turn can be ended."""

TurnPlan = Callable[[GameState], Sequence[Action]]
"""The actions of a good turn from a state in which meeples are to be moved."""


def closings(state: GameState, actions: Sequence[Action], count: int, seed: int, plan: TurnPlan) -> list[GameState]:
    """The states in which a turn can be ended after these actions: one where nothing is drawn, else `count` of them.

    Each has its own draws, by the seed. After other draws than the actions were chosen for, what is no longer legal
    is left out, the most precious djinn is kept, and a turn that is not over goes on as well as it can: by `plan`
    where meeples are to be moved, else with what brings the most points at once.
    """
    first, drew = _played(state, actions, Random(seed), plan)
    if not drew:
        return [first]
    return [first, *(_played(state, actions, Random(seed + place), plan)[0] for place in range(1, count))]


def _played(state: GameState, actions: Sequence[Action], random: Random, plan: TurnPlan) -> tuple[GameState, bool]:
    chance = SampledChance(random)
    drew = False
    waiting: list[Action] = [action for action in actions if not isinstance(action, EndTurn)]
    while waiting or state.stage not in CLOSED:
        action: Action | None = waiting.pop(0) if waiting else None
        if state.stage is Stage.KEEP and not (isinstance(action, KeepDjinn) and action.djinn in state.progress.drawn):
            if action is not None and not isinstance(action, KeepDjinn):
                waiting.insert(0, action)
            action = KeepDjinn(max(state.progress.drawn, key=lambda name: djinn_named(name).vp))
        elif action is None and state.stage is Stage.MOVE:
            waiting = [action for action in plan(state) if not isinstance(action, EndTurn)]
            action = waiting.pop(0)
        elif action is None:
            action = _greedy(state)
        try:
            done = step(state, action, chance)
        except (IllegalMoveError, UnusableInputError):
            # It was decided for other draws: a card that is sold did not come, a tile stays empty.
            if not drew:
                raise
            continue
        drew = drew or done.drawn != NOTHING_DRAWN
        state = done.state
    return state, drew


def _greedy(state: GameState) -> Action:
    """The action that brings the most points at once, powers left aside; what the draw cannot tell counts nothing."""
    mover = state.mover
    assert mover is not None
    options = [action for action in legal_actions(state) if not isinstance(action, UsePower)]
    return max(options, key=lambda action: player_points(_after(state, action).position, mover))


def _after(state: GameState, action: Action) -> GameState:
    try:
        return step(state, action).state
    except ChanceNeededError:
        return state
