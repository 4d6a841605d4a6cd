"""The playout policy's weights by evolution: those with which a policy wins by most against a pool of others.

Weights that foretell games best are not those that choose turns best: the policy looks at cells, not at turns, and
overrates some of them. So its own weights are drawn about those of the evaluation, in a few dozen directions, and each
draw plays some hundred games in every seat. A policy that evolves against itself alone learns to beat itself and loses
to others; so opponents count points alone, guess worths, go by the evaluation, or are what evolved so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from companion.lab.arena.workers import RunAll, in_order, in_this_process
from companion.lab.fitting.iterating import (
    FIRST_CHECK_SEED,
    GamesPart,
    Say,
    challenge,
    keep_off_checks,
    margins_against,
)
from companion.lab.fitting.regression import prior_weights, tolerances
from companion.simulation.evaluation import FEATURES, MAX_SET, NO_WEIGHTS, Weights

POPULATION = 20
SNAPSHOT_EVERY = 10
"""Every so many generations what has evolved joins the opponents."""
FIRST_SIGMA = 0.6
_SHARE_OF_TOLERANCE, _SHARE_OF_WORTH = 0.35, 0.15
"""What a step of 1 changes: of a feature's tolerance, and of all worths of sets or djinns together."""
_DISCOUNT_STEP, _OUTBID_STEP = 0.1, 0.15
_MIN_VP, _MAX_VP, _WIN_VP = -40.0, 60.0, 20.0
"""Margins count within these bounds, and a win as much as so many VP: else who is far behind would take any risk."""

_TOGETHER: tuple[list[int], ...] = (
    list(range(MAX_SET)),
    list(range(MAX_SET, 2 * MAX_SET)),
    [number for number, name in enumerate(FEATURES) if name.startswith("djinn ")],
)
_ALONE = [number for number, name in enumerate(FEATURES) if not name.startswith(("first set", "second set", "djinn "))]
NUMBERS = 2 * (len(_ALONE) + len(_TOGETHER)) + 2
"""How many numbers evolve."""


def moved(base: Weights, steps: npt.NDArray[np.float64]) -> Weights:
    """The weights with those of the policy moved by such steps, [NUMBERS]."""
    table = base.policy.astype(np.float64)
    single, grouped = 2 * len(_ALONE), 2 * len(_TOGETHER)
    scale = _SHARE_OF_TOLERANCE * tolerances().astype(np.float64)
    table[:, _ALONE] += steps[:single].reshape(-1, 2).T * scale[:, _ALONE]
    for group, pair in zip(_TOGETHER, steps[single : single + grouped].reshape(-1, 2), strict=True):
        table[:, group] *= (1 + _SHARE_OF_WORTH * pair)[:, None]
    discount, outbid = steps[-2:]
    return replace(
        base,
        policy_table=table.astype(np.float32),
        discount=float(np.clip(base.discount + _DISCOUNT_STEP * discount, 0.1, 1.5)),
        outbid=float(np.clip(base.outbid + _OUTBID_STEP * outbid, 0.0, 1.2)),
    )


def pool_for(base: Weights) -> list[Weights]:
    """The opponents that evolution begins with."""
    return [NO_WEIGHTS, prior_weights(), replace(base, policy_table=None), base]


def worth_of(
    base: Weights, pool: Sequence[Weights], players: int, games: int, seed: int, steps: tuple[float, ...]
) -> float:
    """How well a policy moved by those steps does in one seat against others of the pool, in VP."""
    mine = moved(base, np.array(steps))
    margins = margins_against(mine, pool, players, GamesPart(seed, games)).astype(np.float64)
    wins = (margins > 0).mean() + (margins == 0).mean() / 2
    return float(np.clip(margins, _MIN_VP, _MAX_VP).mean() + _WIN_VP * wins)


def evolve(
    base: Weights,
    players: int,
    *,
    games: int,
    seed: int,
    generations: int,
    checks: int,
    say: Say,
    run_all: RunAll = in_this_process,
) -> Weights:
    """The weights with a policy evolved from theirs; each generation plays `games` of its own from `seed` on.

    Raises UsageError where those would reach the ones that weights are checked on.
    """
    import cma

    keep_off_checks(games, generations, seed)
    # An odd seed: with 0 the strategy would take one from the clock.
    strategy = cma.CMAEvolutionStrategy(
        [0.0] * NUMBERS, FIRST_SIGMA, {"popsize": POPULATION, "seed": 2 * seed + 1, "verbose": -9}
    )
    pool = pool_for(base)
    for generation in range(generations):
        drawn = [tuple(steps.tolist()) for steps in strategy.ask()]
        work = partial(worth_of, base, pool, players, games, seed + generation * games)
        values = np.array(list(in_order(run_all, work, drawn)))
        strategy.tell(drawn, (-values).tolist())
        if (generation + 1) % SNAPSHOT_EVERY == 0 or generation + 1 == generations:
            found = moved(base, strategy.mean)
            results = [challenge(found, [other], players, checks, FIRST_CHECK_SEED, run_all) for other in pool]
            won = ", ".join(f"{result.won:.1%}" for result in results)
            say(
                f"{players} players, generation {generation + 1}: step {strategy.sigma:.2f}, mean {values.mean():.2f}; "
                f"wins against points, guesses, the evaluation, the policy as it was, then earlier steps: {won}"
            )
            pool.append(found)
    return moved(base, strategy.mean)
