"""The best turns of a position by their points at once, of all whole turns, explained."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.advisor.explanation import ExplainedTurn, explain_turn
from companion.advisor.search.advise import TURN_STAGES
from companion.advisor.search.assume import asked_state
from companion.advisor.search.leaf import turn_gains
from companion.lab.arena.greedy import tie_breaks
from companion.rules.model.actions import Action, Sow, Sowing
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.simulation.bridge import pack, sample_worlds, turns_to_actions
from companion.simulation.djinns import DJINN_ID, DRAWING_DJINNS
from companion.simulation.layout import NONE
from companion.simulation.unknowns import is_known, surely_held


@dataclass(frozen=True)
class BestTurn:
    """A turn; its `value` is the expected gain with a tie-break, in VP."""

    actions: tuple[Action, ...]
    sowing: Sowing
    explained: ExplainedTurn
    value: float

    @property
    def gain(self) -> int:
        return self.explained.gain


@cache
def best_turns(position: Position | GameState, top: int = 10_000) -> tuple[BestTurn, ...]:
    """At most one for each start, end tile, tribe and number taken; powers that draw are never paid for."""
    state = asked_state(position, None, 0, TURN_STAGES).state
    known = surely_held(state)
    root = pack([known], [0])
    root.used[[DJINN_ID[name] for name in DRAWING_DJINNS]] = 1
    found = turn_gains(root)
    gains, ties = found.gains.astype(np.float64), tie_breaks(found)
    if not is_known(state):
        worlds = sample_worlds(state, 16, 0)
        gains = np.mean([turn_gains(worlds.select([lane]), found.turns).gains for lane in range(16)], axis=0)
    turns: dict[tuple[object, ...], BestTurn] = {}
    for column in np.argsort(-(gains + ties), kind="stable").tolist():
        if found.cells[column] == NONE:
            continue
        actions, _ = turns_to_actions(root, found.turns, column, known)
        sowing = next(action.sowing for action in actions if isinstance(action, Sow))
        last = (sowing.end, sowing.tribe)
        outcome = (sowing.start, *last, [*zip(sowing.path, sowing.drops, strict=True)].count(last))
        if outcome not in turns and len(turns) < max(top, 20):
            explained = explain_turn(state, actions)
            value = round(explained.expected + float(ties[column]), 2)
            turns[outcome] = BestTurn(actions, sowing, explained, value)
    return tuple(sorted(turns.values(), key=lambda turn: -turn.value)[:top])
