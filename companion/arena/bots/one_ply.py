"""The bot `one-ply`: the turn after which the leaf evaluation is best, nothing played on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.advisor.search.finishing import next_action
from companion.advisor.search.leaf import Expected
from companion.arena.bots.chance import RandomBot
from companion.rules.model.actions import Action, PlaceBid
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import pack
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import fitted_weights
from companion.simulation.playing import play_turns
from companion.simulation.playout import best_turns, choose_bids
from companion.simulation.prospects import prospects
from companion.simulation.turn_actions import turns_to_actions
from companion.simulation.unknowns import surely_held


class OnePlyBot:
    """Takes the turn with the best expected margin just after it, of all whole turns, by the fitted weights.

    Bids as the playouts do: a share of the best turn that a place leaves, less the price.
    """

    name = "one-ply"

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """A whole bid, or the turn up to its end or its first draw."""
        if view.stage is Stage.BID:
            return (_bid(view),)
        if view.stage is Stage.SOW:
            return RandomBot().decide(view, seed)
        if view.stage is not Stage.MOVE:
            return (next_action(view, seed),)
        known = surely_held(view)
        root = pack([known], [0])
        turns = whole_turns(root, seed=seed)
        if not len(turns):
            # Only hands that a turn has no room for can be lifted.
            return RandomBot().decide(view, seed)
        after = root.select(np.zeros(len(turns), dtype=np.intp))
        play_turns(after, np.arange(len(turns)), turns)
        weights = fitted_weights(int(root.seats[0]))
        values = Expected.of(after, weights).margin(int(root.mover[0]))
        return turns_to_actions(root, turns, int(values.argmax()), known)[0]


def _bid(view: GameState) -> PlaceBid:
    root = pack([surely_held(view)], [0])
    weights = fitted_weights(int(root.seats[0]))
    found = prospects(root, weights)
    return PlaceBid(int(choose_bids(root, best_turns(found.cells), found.coin, weights)[0]))
