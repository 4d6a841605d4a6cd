"""The bot `best`: the advisor's first turn and its best bid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.advisor.advice import DEFAULT_PLAYOUTS, Budget
from companion.advisor.search.advise import advise
from companion.advisor.search.bids import advise_bid
from companion.advisor.search.playing_on import next_action
from companion.advisor.search.turn_search import Breadth
from companion.arena.bots.chance import RandomBot
from companion.rules.model.actions import Action
from companion.rules.model.state import GameState, Stage
from companion.simulation.evaluation import NO_WEIGHTS


class BestBot:
    """Takes what `companion hint` and `companion bid` put first.

    `playouts` are best replies a decision. Where they are given, `bid_playouts` are those of a bid; with `seconds` a
    decision takes so long instead, and comes out differently on another machine. `rounds` is the horizon (the present
    round is the first), and `turns`, `sowings` and `finalists` are the breadth of the search. With `worths=0` holdings
    count as their points on the table alone, for comparison.
    """

    name = "best"

    def __init__(
        self,
        playouts: int = DEFAULT_PLAYOUTS,
        bid_playouts: int | None = None,
        seconds: float | None = None,
        rounds: int | None = None,
        turns: int | None = None,
        sowings: int | None = None,
        finalists: int | None = None,
        worths: int = 1,
    ) -> None:
        self.turn_budget, self.bid_budget = Budget(playouts, seconds), Budget(bid_playouts or playouts, seconds)
        self._rounds = rounds or Breadth().rounds
        asked = {"rounds": rounds, "turns": turns, "sowings": sowings, "finalists": finalists}
        given = {name: number for name, number in asked.items() if number is not None}
        self._weights = None if worths else NO_WEIGHTS
        # The search's own breadth goes with the budget.
        self._breadth = replace(Breadth(), **given) if given else None

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """A whole bid, or the turn up to its end or its first draw."""
        if view.stage is Stage.BID:
            bids = advise_bid(view, budget=self.bid_budget, seed=seed, rounds=self._rounds, weights=self._weights).bids
            return (bids[0].bid,)
        if view.stage is Stage.MOVE:
            budget, sized = self.turn_budget, self._breadth
            turns = advise(view, top=1, budget=budget, seed=seed, breadth=sized, weights=self._weights).turns
            if turns:
                return turns[0].actions
        if view.stage in (Stage.MOVE, Stage.SOW):
            # Only hands that a turn has no room for can be lifted, or one is on its way.
            return RandomBot().decide(view, seed)
        return (next_action(view, seed),)
