"""Policy iteration: games of the policy with the weights so far, weights from those games, and so on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from pathlib import Path

import numpy as np

from companion.arena.workers import RunAll, in_order, in_this_process
from companion.errors import UsageError
from companion.lab.fitting.priors import prior_weights, tolerances
from companion.lab.fitting.regression import Moments, explained, fit, moments_of
from companion.lab.fitting.selfplay import RoundExamples, deal, examples, final_margins, play_match
from companion.simulation.evaluation import FEATURES, NO_WEIGHTS, Floats, Weights
from companion.simulation.layout import SEATS

GAMES_AT_ONCE = 1000
QUARTERS = (("first", 1.0, 0.75), ("second", 0.75, 0.5), ("third", 0.5, 0.25), ("last", 0.25, -1.0))
FIRST_CHECK_SEED = 600_000
"""Seeds from here on are for checking; games for fitting stay below."""
HELD_OUT_SEED = 650_000
_KEPT = 0.5
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
    """So many games from a seed on in parts that fit the memory, the same parts whoever plays them."""
    for first in range(0, games, GAMES_AT_ONCE):
        yield GamesPart(seed + first, min(GAMES_AT_ONCE, games - first))


def challenge(
    one: Weights, others: Weights, players: int, games: int, seed: int, run_all: RunAll = in_this_process
) -> MatchResult:
    """Play one policy against others who all have the same weights."""
    margins = in_order(run_all, partial(_margins, one, others, players), parts_of(games, seed))
    margin = np.concatenate(list(margins)).astype(np.float64)
    won = float((margin > 0).mean() + (margin == 0).mean() / 2)
    return MatchResult(games, won, float(margin.mean()), float(margin.std() / np.sqrt(games)))


def _margins(one: Weights, others: Weights, players: int, part: GamesPart) -> Floats:
    """The margins of the one who plays against the others, [games]; he sits in each seat in turn."""
    lanes = np.arange(part.games)
    batch = deal(players, part.games, part.seed)
    seats = np.ones((SEATS, part.games), dtype=np.int16)
    seats[lanes % players, lanes] = 0
    play_match(batch, [one, others], seats)
    return final_margins(batch)[lanes % players, lanes]


def games_of(weights: Weights, players: int, games: int, seed: int, noise: float) -> Iterator[RoundExamples]:
    """Examples of so many games of a policy against itself, a part at a time."""
    for part in parts_of(games, seed):
        yield examples(players, part.games, part.seed, weights, noise=noise)


def moments_of_games(
    weights: Weights, players: int, games: int, seed: int, noise: float, run_all: RunAll = in_this_process
) -> Moments:
    """The moments of the examples of `games_of`, added up in the order of the games: the same whoever played them."""
    work = partial(_moments, weights, players, noise)
    return reduce(add, in_order(run_all, work, parts_of(games, seed)))


def _moments(weights: Weights, players: int, noise: float, part: GamesPart) -> Moments:
    return moments_of([examples(players, part.games, part.seed, weights, noise=noise)])


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
    """Weights for so many players, by `iterations` of `games` each; each game has a seed of its own from `seed` on.

    After each, `checks` games against players without weights tell how good they are. `run_all` plays the games; the
    weights are the same bit for bit wherever that is.

    Raises UsageError where those seeds would reach the ones that weights are checked on.
    """
    if seed + games * iterations > FIRST_CHECK_SEED:
        raise UsageError(
            f"{iterations} x {games} games from seed {seed} on reach the seeds for checking, which begin at "
            f"{FIRST_CHECK_SEED}; ask for fewer games or begin at a smaller seed"
        )
    prior = prior_weights()
    weights = prior
    found: Moments | None = None
    for iteration in range(iterations):
        fresh = moments_of_games(weights, players, games, seed + iteration * games, noise, run_all)
        found = fresh if found is None else fresh + found * _KEPT
        before, weights = weights, fit(found, prior, tolerances())
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
    found = list(games_of(weights, players, games, HELD_OUT_SEED, noise))
    rows = []
    for name, most, least in QUARTERS:
        moments = moments_of(one.part((one.left <= most) & (one.left > least)) for one in found)
        share = explained(moments, weights)
        rows.append((name, share, float(np.sqrt((1 - share) * moments.variance))))
    return rows


def write_weights(path: Path, players: int, weights: Weights, made: str) -> None:
    """Put weights for so many players into a file beside those for others; `made` says how they came about."""
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    stored[str(players)] = {
        "made": made,
        "discount": round(weights.discount, 2),
        "outbid": round(weights.outbid, 2),
        "features": {
            name: [round(float(number), 2) + 0.0 for number in pair]
            for name, pair in zip(FEATURES, weights.table.T, strict=True)
        },
    }
    path.write_text(_laid_out(dict(sorted(stored.items()))), encoding="utf-8")


def _laid_out(stored: dict[str, dict[str, object]]) -> str:
    """JSON with one feature a line."""
    parts = []
    for players, one in stored.items():
        features = one["features"]
        assert isinstance(features, dict)
        lines = [f'  "{key}": {json.dumps(value)}' for key, value in one.items() if key != "features"]
        inner = ",\n".join(f"   {json.dumps(name)}: {json.dumps(pair)}" for name, pair in features.items())
        parts.append(f' "{players}": {{\n' + ",\n".join([*lines, f'  "features": {{\n{inner}\n  }}']) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"
