"""Who is judged, by name, and the policies that play on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.advisor.advice import Budget
from companion.advisor.search.advise import advise
from companion.advisor.search.bids import advise_bid
from companion.advisor.search.finishing import next_action
from companion.arena.registry import make_bot
from companion.lab.fitting.regression import prior_weights
from companion.lab.judging.playing import Chooser, PlayOn, whole_turn
from companion.lab.judging.positions import JudgedPosition
from companion.lab.judging.verdicts import Effort, Verdict, judged
from companion.rules.model.actions import Action
from companion.rules.model.state import GameState, Stage
from companion.simulation.batch import Batch
from companion.simulation.evaluation import NO_WEIGHTS, Weights, fitted_weights
from companion.simulation.playout import play_on

ADVICE = "advice"
"""The name under which the advisor itself is judged; any other is a bot of the arena."""
ADVISED_TURNS = 12
"""Turns of the advisor that stand as candidates, the first of which is judged."""


def chooser(name: str, budget: Budget) -> Chooser:
    """Whoever goes by that name: the advisor, with a budget, or a bot of the arena such as "greedy".

    Raises what `registry.make_bot` raises for one that there is not.
    """
    if name == ADVICE:
        return _advisor(budget)
    bot = make_bot(name)

    def choose(state: GameState, seed: int) -> Sequence[Sequence[Action]]:
        actions = bot.decide(state, seed)
        return [actions if state.stage is Stage.BID else whole_turn(state, actions, seed, bot.decide)]

    return choose


def _advisor(budget: Budget) -> Chooser:
    def choose(state: GameState, seed: int) -> Sequence[Sequence[Action]]:
        if state.stage is Stage.BID:
            return [(bid.bid,) for bid in advise_bid(state, budget=budget, seed=seed).bids]
        turns = advise(state, top=ADVISED_TURNS, budget=budget, seed=seed).turns
        return [whole_turn(state, turn.actions, seed, _rest) for turn in turns]

    return choose


def _rest(state: GameState, seed: int) -> Sequence[Action]:
    return (next_action(state, seed),)


GREEDY_NOISE_VP = 2.0
FITTED_NOISE_VP = 1.0
"""Temperatures of the choices in playouts. Without them all playouts of a first round are one and the same line, in
which a bid of 1 instead of 0 may seem to cost 50 VP."""


GREEDY, GUESSING, FITTED = POLICIES = ("greedy playouts", "guessing playouts", "fitted playouts")
"""Those that play on: one that knows points alone, one with worths as a player guesses them before any game is played,
and one with the fitted worths of the advisor's own policy."""


def policies(players: int) -> Mapping[str, PlayOn]:
    """Those that play on in a game of so many, by name."""
    return {
        GREEDY: _policy(NO_WEIGHTS, GREEDY_NOISE_VP),
        GUESSING: _policy(prior_weights(), FITTED_NOISE_VP),
        FITTED: _policy(fitted_weights(players), FITTED_NOISE_VP),
    }


def _policy(weights: Weights, noise: float) -> PlayOn:
    def play(batch: Batch) -> None:
        play_on(batch, weights, noise=noise)

    return play


@dataclass(frozen=True, slots=True)
class Panel:
    """Players under judgement by name, the budget of the advisor among them, how often is played on and by whom.

    Called with a position it gives the verdicts on all of them; any process can do that, in any order.
    """

    names: tuple[str, ...]
    budget: Budget
    effort: Effort

    def choosers(self) -> dict[str, Chooser]:
        """The players, made anew. Raises what `chooser` raises."""
        return {name: chooser(name, self.budget) for name in self.names}

    def only(self, names: tuple[str, ...]) -> Panel:
        """The same with these players alone."""
        return replace(self, names=names)

    def __call__(self, position: JudgedPosition) -> list[Verdict]:
        """Verdicts on each player; none of them remembers another position, so that their order changes nothing."""
        return judged(position, self.choosers(), policies, self.effort)
