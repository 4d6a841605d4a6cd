"""Policy iteration: games of the policy with the weights so far, weights from those games, and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add

import numpy as np

from companion.advisor.search.leaf import Expected
from companion.errors import UsageError
from companion.lab.arena.workers import RunAll, in_order, in_this_process
from companion.lab.fitting.regression import Moments, explained, fit, moments_of, prior_weights, tolerances
from companion.lab.fitting.selfplay import RoundExamples, deal, examples, final_margins, play_match
from companion.simulation.evaluation import NO_WEIGHTS, Floats, Weights
from companion.simulation.layout import SEATS, Batch

GAMES_IN_BATCH = 1000
QUARTERS = (("first", 1.0, 0.75), ("second", 0.75, 0.5), ("third", 0.5, 0.25), ("last", 0.25, -1.0))
FIRST_CHECK_SEED = 600_000
"""Seeds from here on are for checking; games for fitting stay below."""
HELD_OUT_SEED = 650_000
SPREADS = np.arange(20, 300) / 10
"""The spreads that are tried, in VP."""
SPREAD_NOISE = 1.0
"""How freely the players of games that a spread is fitted to try turns, in VP."""
_DISCOUNT = 0.5
"""How much the games of an iteration count beside those of the next."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How one player did who sat in each seat as often: a share of games won, ties shared, and the margin in VP."""

    games: int
    won: float
    margin: float
    error: float  # of the margin, one standard error in VP

    def __str__(self) -> str:
        return f"won {self.won:.1%} of {self.games}, margin {self.margin:+.1f} ± {self.error:.1f} VP"


@dataclass(frozen=True, slots=True)
class GamesPart:
    """Games that are played side by side, `games` from a seed on: what one process is given at a time."""

    seed: int
    games: int

    def __str__(self) -> str:
        return f"the games of seeds {self.seed} to {self.seed + self.games - 1}"


def parts_of(games: int, seed: int) -> Iterator[GamesPart]:
    """That many games from a seed on, in parts that fit the memory, the same parts whoever plays them."""
    for first in range(0, games, GAMES_IN_BATCH):
        yield GamesPart(seed + first, min(GAMES_IN_BATCH, games - first))


def challenge(
    one: Weights, other: Weights, players: int, games: int, seed: int, run_all: RunAll = in_this_process
) -> MatchResult:
    """Play one policy against others, all alike."""
    margins = in_order(run_all, partial(_margins_against, one, other, players), parts_of(games, seed))
    margin = np.concatenate(list(margins)).astype(np.float64)
    won = float((margin > 0).mean() + (margin == 0).mean() / 2)
    return MatchResult(games, won, float(margin.mean()), float(margin.std() / np.sqrt(games)))


def _margins_against(one: Weights, other: Weights, players: int, part: GamesPart) -> Floats:
    """The margins of the one, who sits in each seat in turn, [games]."""
    lanes = np.arange(part.games)
    batch = deal(players, part.games, part.seed)
    seats = np.ones((SEATS, part.games), dtype=np.int16)
    seats[lanes % players, lanes] = 0
    play_match(batch, [one, other], seats)
    return final_margins(batch)[lanes % players, lanes]


def games_of(weights: Weights, players: int, games: int, seed: int, noise: float) -> Iterator[RoundExamples]:
    """Examples of that many games of players with these weights among themselves, a part at a time."""
    for part in parts_of(games, seed):
        yield examples(players, part.games, part.seed, weights, noise=noise)


def moments_of_games(
    weights: Weights, players: int, games: int, seed: int, noise: float, run_all: RunAll = in_this_process
) -> Moments:
    """The moments of the examples of `games_of`, added up in the order of the games: the same whoever played them."""
    work = partial(_moments, weights, players, noise)
    return reduce(add, in_order(run_all, work, parts_of(games, seed)))


def _moments(weights: Weights, players: int, noise: float, part: GamesPart) -> Moments:
    return moments_of(games_of(weights, players, part.games, part.seed, noise))


def keep_off_checks(games: int, times: int, seed: int) -> None:
    """Raise UsageError if `times` as many games from a seed on reach the seeds that weights are checked on."""
    if seed + games * times > FIRST_CHECK_SEED:
        raise UsageError(
            f"{times} x {games} games from seed {seed} on reach the seeds for checking, which begin at "
            f"{FIRST_CHECK_SEED}; ask for fewer games or begin at a smaller seed"
        )


def iterate(
    players: int,
    *,
    games: int,
    seed: int,
    iterations: int,
    noise: float,
    checks: int,
    say: Say,
    run_all: RunAll = in_this_process,
) -> Weights:
    """Weights for that many players, by `iterations` of `games` each; each game has a seed of its own from `seed` on.

    After each, `checks` games against players without weights tell how good they are. `run_all` plays the games; the
    weights are the same bit for bit wherever that is.

    Raises UsageError where those seeds would reach the ones that weights are checked on.
    """
    keep_off_checks(games, iterations, seed)
    prior = prior_weights()
    weights = prior
    moments: Moments | None = None
    for iteration in range(iterations):
        fresh = moments_of_games(weights, players, games, seed + iteration * games, noise, run_all)
        moments = fresh if moments is None else fresh + moments * _DISCOUNT
        before, weights = weights, fit(moments, prior, tolerances())
        result = challenge(weights, NO_WEIGHTS, players, checks, FIRST_CHECK_SEED, run_all)
        say(
            f"{players} players, iteration {iteration + 1}: {fresh.count} examples, "
            f"explained {explained(fresh, before):.3f} before, {explained(fresh, weights):.3f} after; against no "
            f"weights {result}"
        )
    return weights


def check(weights: Weights, players: int, noise: float, games: int, run_all: RunAll = in_this_process) -> float:
    """The share of what is still to come that weights foretell in games that nothing was fitted to."""
    return explained(moments_of_games(weights, players, games, HELD_OUT_SEED, noise, run_all), weights)


def check_by_stage(weights: Weights, players: int, noise: float, games: int) -> list[tuple[str, float, float]]:
    """As `check`, for each quarter of the game: its name, the share, and how far off the weights are on average, in VP.

    A quarter is one of the share of the game left, so the first lasts longest.
    """
    examples = list(games_of(weights, players, games, HELD_OUT_SEED, noise))
    rows = []
    for name, most, least in QUARTERS:
        moments = moments_of(part.part((part.left <= most) & (part.left > least)) for part in examples)
        share = explained(moments, weights)
        rows.append((name, share, float(np.sqrt((1 - share) * moments.variance))))
    return rows


def fitted_spread(players: int, games: int, seed: int, weights: Weights) -> float:
    """The spread with which the evaluation best foretells games of the policy from the starts of their rounds.

    What is foretold are margins, by least squares; in games of two these don't hang on it, and it's who wins, by
    likelihood.
    """
    batch = deal(players, games, seed)
    seen = play_match(batch, [weights], np.zeros((SEATS, games), dtype=np.int16), noise=SPREAD_NOISE)
    openings = Batch(np.concatenate([opening.data for _, opening in seen], axis=1))
    ended = Expected.of(batch.select(np.concatenate([lanes for lanes, _ in seen])), weights)

    def off(spread: float) -> float:
        foretold, seats = Expected.of(openings, replace(weights, spread=spread)), range(players)
        if players == 2:
            log_probs = [np.log(np.maximum(foretold.chance(seat), 1e-6)) for seat in seats]
            return -sum(float((ended.chance(seat) * log_probs[seat]).mean()) for seat in seats)
        return sum(float(((foretold.margin(seat) - ended.margin(seat)) ** 2).mean()) for seat in seats)

    return float(min(SPREADS, key=off))
