"""The bot `best`: the advisor's first turn and its best bid."""

from __future__ import annotations

from collections.abc import Sequence

from companion.advisor.advice import DEFAULT_PLAYOUTS, Budget
from companion.advisor.search.advise import advise
from companion.advisor.search.bids import advise_bid
from companion.advisor.search.finishing import next_action
from companion.arena.bots.chance import RandomBot
from companion.rules.model.actions import Action
from companion.rules.model.state import GameState, Stage


class BestBot:
    """Takes what `companion hint` and `companion bid` put first.

    `playouts` are best replies a decision; with `seconds` a decision takes that long instead, and comes out differently
    on another machine.
    """

    name = "best"

    def __init__(self, playouts: int = DEFAULT_PLAYOUTS, seconds: float | None = None) -> None:
        self.budget = Budget(playouts, seconds)

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """A whole bid, or the turn up to its end or its first draw."""
        if view.stage is Stage.BID:
            bids = advise_bid(view, budget=self.budget, seed=seed).bids
            return (bids[0].bid,)
        if view.stage is Stage.MOVE:
            turns = advise(view, top=1, budget=self.budget, seed=seed).turns
            if turns:
                return turns[0].actions
        if view.stage in (Stage.MOVE, Stage.SOW):
            # Only hands that a turn has no room for can be lifted, or one is on its way.
            return RandomBot().decide(view, seed)
        return (next_action(view, seed),)
