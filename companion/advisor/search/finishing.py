"""Turns played to their end: the rest of one that has begun, and those with draws again with other luck (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from companion.advisor.search.leaf import Expected
from companion.errors import IllegalMoveError, UnusableInputError
from companion.rules.engine.game import apply, legal_actions, step
from companion.rules.model.actions import Action, EndTurn, KeepDjinn
from companion.rules.model.chance import NOTHING_DRAWN, SampledChance
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import pack
from companion.simulation.evaluation import fitted_weights
from companion.simulation.unknowns import surely_held


def next_action(state: GameState, seed: int) -> Action:
    """The legal action with the best expected margin by the leaf evaluation, in any stage but MOVE and SOW."""
    known = surely_held(state)
    options = [action for action in legal_actions(known) if not isinstance(action, EndTurn)]
    if not options:
        return EndTurn()
    after = [apply(known, action, SampledChance(Random(seed))) for action in options]
    batch = pack([known, *after], list(range(len(after) + 1)))
    margins = Expected.of(batch, fitted_weights(int(batch.seats[0]))).margin(int(batch.mover[0]))
    best = int(margins[1:].argmax())
    if EndTurn() in legal_actions(known) and margins[best + 1] <= margins[0] + np.float32(1e-3):
        return EndTurn()
    return options[best]


CLOSED = (Stage.CLOSE, Stage.SELL)
"""Stages in which a turn can be ended."""

TurnPlan = Callable[[GameState], Sequence[Action]]
"""The actions of a good turn from a state in which meeples are to be moved."""


def closings(state: GameState, actions: Sequence[Action], count: int, seed: int, plan: TurnPlan) -> list[GameState]:
    """The states in which a turn can end after these actions, `count` of them if something is drawn. What is illegal
    after other draws is left out, and the turn goes on by `plan` or `next_action`.
    """
    first, drew = _played(state, actions, seed, plan)
    if not drew:
        return [first]
    return [first, *(_played(state, actions, seed + place, plan)[0] for place in range(1, count))]


def _played(state: GameState, actions: Sequence[Action], seed: int, plan: TurnPlan) -> tuple[GameState, bool]:
    chance = SampledChance(Random(seed))
    drew = False
    waiting: list[Action] = [action for action in actions if not isinstance(action, EndTurn)]
    while waiting or state.stage not in CLOSED:
        action: Action | None = waiting.pop(0) if waiting else None
        if state.stage is Stage.KEEP and not (isinstance(action, KeepDjinn) and action.djinn in state.progress.drawn):
            if action is not None and not isinstance(action, KeepDjinn):
                waiting.insert(0, action)
            action = next_action(state, seed)
        elif action is None and state.stage is Stage.MOVE:
            waiting = [action for action in plan(state) if not isinstance(action, EndTurn)]
            action = waiting.pop(0)
        elif action is None:
            action = next_action(state, seed)
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
