"""The bots: their interface, those that play by chance, by the leaf evaluation and as the advisor does, and by name."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from random import Random
from typing import Protocol

import numpy as np

from companion.advisor.advice import DEFAULT_PLAYOUTS, Budget
from companion.advisor.search.advise import advise
from companion.advisor.search.bids import advise_bid
from companion.advisor.search.finishing import next_action
from companion.advisor.search.leaf import Expected
from companion.errors import UsageError
from companion.rules.engine.game import legal_actions
from companion.rules.model.actions import Action, PlaceBid
from companion.rules.model.state import GameState, Stage
from companion.simulation.bidding import best_turns, choose_bids
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import fitted_weights
from companion.simulation.playing import play_turns
from companion.simulation.prospects import prospects
from companion.simulation.unknowns import surely_held


class Bot(Protocol):
    """A player of whole games. Each seat of each game gets an object of its own, made when the game begins."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """What to do now, in order: at least one action, as `rules.engine.game.legal_actions` offers them.

        `view` is the game as `view.mover`, who is to decide, knows it (`referee.seen_by`). The actions may go on to
        the end of the turn or bid, or stop before; the bot is asked again until its turn or bid is over. They end
        at the first draw of a card, a djinn or meeples: what stands after it is left out, and the bot is asked
        again, knowing what came. `seed` is where all chance in the decision has to come from, so that a game is
        the same whenever and wherever it is played.
        """


class RandomBot:
    """Takes one of the legal actions, each as likely, one at a time; only `Random.random` is drawn from."""

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """One legal action."""
        options = legal_actions(view)
        return (options[int(Random(seed).random() * len(options))],)


class OnePlyBot:
    """Takes the turn with the best expected margin just after it, of all whole turns, by the fitted weights.

    Bids as the playouts do: a share of the best turn that a place leaves, less the price.
    """

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
    prospect = prospects(root, weights)
    return PlaceBid(int(choose_bids(root, best_turns(prospect.cells), prospect.coin, weights)[0]))


class BestBot:
    """Takes what `companion hint` and `companion bid` put first.

    `playouts` are best replies a decision; with `seconds` a decision takes that long instead, and comes out differently
    on another machine.
    """

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


KNOWN_BOTS = {
    "random": f"{__name__}:RandomBot",
    "greedy": "companion.lab.arena.greedy:GreedyBot",
    "one-ply": f"{__name__}:OnePlyBot",
    "best": f"{__name__}:BestBot",
}
"""The module and class of each bot that has a name."""


def make_bot(spec: str) -> Bot:
    """A new bot by its name, such as "greedy" or "best:playouts=500", or of any class: "module:Class:nerve=3".

    Raises UsageError for a name that is none.
    """
    name, _, rest = spec.partition(":")
    module, _, class_name = KNOWN_BOTS.get(name, "").partition(":")
    if not module:
        module, (class_name, _, rest) = name, rest.partition(":")
    if not class_name:
        raise UsageError(f"there is no bot {spec!r}; use {', '.join(KNOWN_BOTS)}, or MODULE:CLASS")
    options = dict(option.split("=") for option in rest.split(",") if option)
    numbers = {name: float(value) if "." in value else int(value) for name, value in options.items()}
    bot: Bot = getattr(importlib.import_module(module), class_name)(**numbers)
    return bot
