"""The rest of a turn that has begun: one decision at a time, each the best where it leads at once."""

from __future__ import annotations

from random import Random

import numpy as np

from companion.advisor.search.leaf import expected_points, margin_of
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import Action, EndTurn
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState
from companion.simulation.bridge import pack
from companion.simulation.evaluation import Weights, fitted_weights
from companion.simulation.unknowns import surely_held


def next_action(state: GameState, seed: int, weights: Weights | None = None) -> Action:
    """The legal action after which the mover's expected margin is best, by the leaf evaluation; draws are sampled.

    For every stage of a turn but those of the move itself (MOVE, SOW), which `advise` searches for.
    """
    known = surely_held(state)
    options = [action for action in legal_actions(known) if not isinstance(action, EndTurn)]
    if not options:
        return EndTurn()
    after = [apply(known, action, SampledChance(Random(seed))) for action in options]
    batch = pack([known, *after], list(range(len(after) + 1)))
    used = weights or fitted_weights(int(batch.seats[0]))
    seat = int(batch.mover[0])
    margins = margin_of(expected_points(batch, used), batch.seats, seat)
    best = int(margins[1:].argmax())
    if EndTurn() in legal_actions(known) and margins[best + 1] <= margins[0] + np.float32(1e-3):
        return EndTurn()
    return options[best]
