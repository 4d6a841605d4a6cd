"""Policy iteration: games of the policy with the weights so far, weights from those games, and so on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.errors import UsageError
from companion.lab.fitting.priors import prior_weights, tolerances
from companion.lab.fitting.regression import Moments, explained, fit, moments_of
from companion.lab.fitting.selfplay import RoundExamples, deal, examples, final_margins, play_match
from companion.simulation.evaluation import FEATURES, NO_WEIGHTS, Weights
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


def challenge(one: Weights, others: Weights, players: int, games: int, seed: int) -> MatchResult:
    """Play one policy against others who all have the same weights."""
    margins = []
    for first in range(0, games, GAMES_AT_ONCE):
        count = min(GAMES_AT_ONCE, games - first)
        lanes = np.arange(count)
        batch = deal(players, count, seed + first)
        seats = np.ones((SEATS, count), dtype=np.int16)
        seats[lanes % players, lanes] = 0
        play_match(batch, [one, others], seats)
        margins.append(final_margins(batch)[lanes % players, lanes])
    margin = np.concatenate(margins).astype(np.float64)
    won = float((margin > 0).mean() + (margin == 0).mean() / 2)
    return MatchResult(games, won, float(margin.mean()), float(margin.std() / np.sqrt(games)))


def games_of(weights: Weights, players: int, games: int, seed: int, noise: float) -> Iterator[RoundExamples]:
    """Examples of so many games of a policy against itself, a part at a time."""
    for first in range(0, games, GAMES_AT_ONCE):
        yield examples(players, min(GAMES_AT_ONCE, games - first), seed + first, weights, noise=noise)


def iterate(players: int, *, games: int, seed: int, iterations: int, noise: float, checks: int, say: Say) -> Weights:
    """Weights for so many players, by `iterations` of `games` each; each game has a seed of its own from `seed` on.

    After each, `checks` games against players without weights tell how good they are.

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
        fresh = moments_of(games_of(weights, players, games, seed + iteration * games, noise))
        found = fresh if found is None else fresh + found * _KEPT
        before, weights = weights, fit(found, prior, tolerances())
        say(
            f"{players} players, iteration {iteration + 1}: {fresh.count} examples, "
            f"explained {explained(fresh, before):.3f} before, {explained(fresh, weights):.3f} after; against no "
            f"weights {challenge(weights, NO_WEIGHTS, players, checks, FIRST_CHECK_SEED)}"
        )
    return weights


def check(weights: Weights, players: int, noise: float, games: int) -> float:
    """The share of what is still to come that weights foretell in games that nothing was fitted to."""
    return explained(moments_of(games_of(weights, players, games, HELD_OUT_SEED, noise)), weights)


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
