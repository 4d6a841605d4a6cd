"""How fast the rules are: games, outcomes and boards, with the goals they are to meet.

    python -m tests.benchmarks.engine            # a Markdown table on standard output

Not a test: nothing fails here, since a busy machine would decide. docs/speed.md keeps the figures.
Processor time is measured, on one core; the best of three runs counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.rules.engine.counting import count_moves
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action
from companion.rules.model.board import SQUARES, Board, empty_tile, with_meeples
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState, Stage
from tests.benchmarks.bulk_boards import resulting_boards
from tests.benchmarks.bulk_outcomes import meeple_array, outcome_counts

GAMES = 40
POSITIONS = 10_000
BOARDS = 10_000_000
MIDDLE_ROUND = 5
LARGEST_HAND = 6


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure, its unit, and the goal; `most` says that less is better."""

    name: str
    value: float
    unit: str
    goal: float
    most: bool

    @property
    def ratio(self) -> float:
        """How many times better than the goal."""
        return self.goal / self.value if self.most else self.value / self.goal


def best(work: Callable[[], object], runs: int = 3) -> float:
    """Seconds of processor time of the best run."""
    taken = []
    for _ in range(runs):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def choose(random: Random, options: tuple[Action, ...]) -> Action:
    """One of the options, each equally likely."""
    return options[int(random.random() * len(options))]


def random_game(seed: int, until_round: int = 1000) -> GameState:
    """A game of four by random actions, to its end or to the first turn of a round."""
    random = Random(seed)
    chance = SampledChance(random)
    state = new_game(4, seed)
    rounds = 0
    while not state.is_over:
        if state.stage is Stage.BID and not state.position.turn_order:
            rounds += 1
        if rounds >= until_round and state.stage is Stage.MOVE:
            break
        state = apply(state, choose(random, legal_actions(state)), chance)
    return state


def middles(number: int) -> list[GameState]:
    """Turns in the middle of random games, with no hand above six."""
    states = (random_game(seed, MIDDLE_ROUND) for seed in range(10 * number))
    found = []
    for state in states:
        if not state.is_over and max(sum(tile.meeples) for tile in state.position.board) <= LARGEST_HAND:
            found.append(state)
        if len(found) == number:
            break
    return found


def large_hand() -> Board:
    """Ten meeples in hand, two of each tribe, and nothing else."""
    board = [empty_tile("M6") for _ in range(SQUARES)]
    board[14] = with_meeples(board[14], (2, 2, 2, 2, 2))
    return tuple(board)


def stream(most: int) -> int:
    """Distinct boards of the large hand, up to that many."""
    seen = 0
    for batch in resulting_boards(large_hand()):
        seen += len(batch.codes)
        if seen >= most:
            break
    return seen


def figures() -> list[Figure]:
    """Everything that is measured."""
    games = GAMES / best(lambda: [random_game(seed) for seed in range(GAMES)])
    states = middles(15)
    boards = [states[place % len(states)].position.board for place in range(POSITIONS)]
    many = best(lambda: outcome_counts(meeple_array(boards)))
    streamed = BOARDS / best(lambda: stream(BOARDS), 1) / 1e6
    twelve = list(large_hand())
    twelve[14] = with_meeples(twelve[14], (3, 3, 2, 2, 2))
    counted = best(lambda: count_moves(tuple(twelve)), 1)
    return [
        Figure("random games of four, action by action", games, "a second", 50, most=False),
        Figure("outcomes of 10,000 mid-game positions", many, "s", 0.25, most=True),
        Figure("distinct boards of a hand of ten, streamed", streamed, "million a second", 3, most=False),
        Figure("all three counts of a hand of 12, first time", counted, "s", 0.4, most=True),
    ]


def main() -> None:
    """Print the table."""
    print("| what | figure | goal | times the goal |\n|---|---|---|---|")
    for figure in figures():
        sign = "at most" if figure.most else "at least"
        print(f"| {figure.name} | {figure.value:.3g} {figure.unit} | {sign} {figure.goal:g} | {figure.ratio:.1f} |")


if __name__ == "__main__":
    main()
