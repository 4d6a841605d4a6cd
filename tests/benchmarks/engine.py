"""How fast the rules are: whole games and the counts of a large hand.

    python -m tests.benchmarks.engine            # a Markdown table on standard output

Not a test: nothing fails here, since a busy machine would decide. docs/speed.md keeps the figures.
Processor time is measured, on one core; the best of three runs counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from companion.rules.engine.counting import count_moves
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.setup import new_game
from companion.rules.model.board import SQUARES, empty_tile, with_meeples
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState

GAMES = 40


def best(work: Callable[[], object], runs: int = 3) -> float:
    """Seconds of processor time of the best run."""
    seconds = []
    for _ in range(runs):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


def random_game(seed: int) -> GameState:
    """A game of four by random actions, at its end."""
    random = Random(seed)
    chance = SampledChance(random)
    state = new_game(4, seed)
    while not state.is_over:
        state = apply(state, random.choice(legal_actions(state)), chance)
    return state


def main() -> None:
    """Print the table."""
    games = GAMES / best(lambda: [random_game(seed) for seed in range(GAMES)])
    hand = [empty_tile("M6") for _ in range(SQUARES)]
    hand[14] = with_meeples(hand[14], (3, 3, 2, 2, 2))
    counted = best(lambda: count_moves(tuple(hand)), 1)
    print("| what | figure | goal |\n|---|---|---|")
    print(f"| random games of four, action by action | {games:.3g} a second | at least 50 |")
    print(f"| all three counts of a hand of 12, first time | {counted:.3g} s | at most 0.4 |")


if __name__ == "__main__":
    main()
