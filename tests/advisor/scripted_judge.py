"""A judge with values made by hand, so that a review's sums can be reckoned with a pencil."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.advisor.account import GameSummary, summarise_game
from companion.advisor.advice import AdvisedBid, AdvisedTurn, BidAdvice, Estimate, TurnAdvice
from companion.advisor.explanation import explain_turn
from companion.advisor.review import GameReview
from companion.advisor.search.reviewing import Samples, review_game
from companion.opening.text import open_record
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.scoring import score
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.actions import Action, PlaceBid, Sow, UsePower
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState, Stage
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

Worth = Callable[[GameState], Sequence[float]]

LANES = 4
ZERO = Estimate(0.0)


def points_ahead(state: GameState) -> list[float]:
    """The margins by the points as they stand."""
    points = [score(state.position)[player.colour].total for player in state.position.players]
    return [float(own - max(points[:seat] + points[seat + 1 :])) for seat, own in enumerate(points)]


class ScriptedJudge:
    """Names a fixed turn as the best, and values states by a function; lanes differ by `noise` of a steady sort."""

    def __init__(self, worth: Worth = points_ahead, *, noise: float = 0.0, turns: Sequence[AdvisedTurn] = ()) -> None:
        self.worth, self.noise, self.turns = worth, noise, tuple(turns)
        self.asked: list[GameState] = []
        self.valued: list[GameState] = []

    def turn(self, state: GameState) -> TurnAdvice:
        """The turns given, or a legal one."""
        self.asked.append(state)
        found = self.turns or ((some_turn(state),) if state.stage is Stage.MOVE else ())
        return TurnAdvice(state.mover, state, found)

    def bid(self, state: GameState) -> BidAdvice:
        """The cheapest bid."""
        self.asked.append(state)
        options = [action for action in legal_actions(state) if isinstance(action, PlaceBid)]
        return BidAdvice(state.mover, state.position, tuple(AdvisedBid(bid, ZERO, 1) for bid in options))

    def margins(self, states: Sequence[GameState]) -> list[Samples]:
        """The function's values, with noise around them that sums to 0."""
        self.valued.extend(states)
        return [self._samples(state) for state in states]

    def _samples(self, state: GameState) -> Samples:
        worth = np.array(self.worth(state), dtype=np.float64)
        # How hands were told is nothing that lies on the table, and must not change what is approved.
        known = repr(state).replace(f", unchecked_hands={state.unchecked_hands}", "")
        digest = hashlib.sha256(known.encode()).digest()
        lanes = np.frombuffer(digest[: 2 * LANES], dtype=np.uint16).astype(np.float64)
        return worth[:, None] + self.noise * (lanes - lanes.mean()) / 65536


def some_turn(state: GameState) -> AdvisedTurn:
    """A legal turn: the first sowing, and then whatever is legal and draws nothing, powers apart."""
    sowing = next(legal_sowings(state.position.board))
    actions: list[Action] = [Sow(sowing)]
    after = step(state, actions[0]).state
    while after.stage in (Stage.TRIBE, Stage.TILE):
        for action in legal_actions(after):
            if not isinstance(action, UsePower):
                with suppress(ChanceNeededError):
                    after = step(after, action).state
                    actions.append(action)
                    break
    return AdvisedTurn(tuple(actions), sowing, gain=0.0, estimate=ZERO, explained=explain_turn(state, actions))


def sample_review(noise: float = 9.0) -> GameReview:
    """The game in `samples/`, looked back on by the points as they stand."""
    review = review_game(open_record(THREE_ROUNDS), ScriptedJudge(noise=noise), seed=3)
    # Names in letters that every system can print.
    return replace(review, names={Colour.BLUE: "Марія", Colour.PINK: "Minsu"})


def sample_summary() -> GameSummary:
    """The game in `samples/`, turn by turn."""
    return replace(summarise_game(open_record(THREE_ROUNDS)), names={Colour.BLUE: "Марія", Colour.PINK: "Minsu"})
