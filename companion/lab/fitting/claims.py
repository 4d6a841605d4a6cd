"""Whether margins come true: what the advice says of its best turn, and how games end that are played on from it.

Positions are from games of players who search by rollouts; the best turn is found as for a hint, then all players go on
by the playout policy, in worlds that the search didn't see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import DEFAULT_PLAYOUTS, Budget
from companion.advisor.search.advise import win_probability, worlds_for
from companion.advisor.search.halving import SearchClock
from companion.advisor.search.lanes import Setting
from companion.advisor.search.leaf import Expected
from companion.advisor.search.turn_search import search_turns
from companion.lab.fitting.selfplay import RolloutSearch, deal, final_margins, play_match, relaid
from companion.rules.model.state import Stage
from companion.simulation.bridge import Worlds
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Weights, game_left
from companion.simulation.layout import NONE, SEATS, STAGE_ID, Batch, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import finish_bidding, play_on, policy_step
from companion.simulation.rounds import end_turn

STAGES = ("early", "middle", "late")
"""Thirds of a game, by its rounds: a position from each."""
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
"""Bounds of chances to win that are counted together."""
PLAYED_ON = 128
"""Games that a position is played on in by the policy."""
NOISE = 1.0
"""How freely the players of games that a spread is fitted to try turns, in VP."""
SPREADS = np.arange(20, 300) / 10
"""The spreads that are tried, in VP."""
OTHER_WORLDS = 1 << 13
"""The first of the worlds that the search doesn't see."""
PLAYERS = RolloutSearch(candidates=6, worlds=4)
"""Those who play the games."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A position: its game, its third, the share of the game left, what is claimed, and what came of it.

    `claimed` is the margin, `plain` the same if the best opponent is the one who is expected to be, and `win` the
    chance to win. `margin` and `won` are means of the games played on, ties shared; `searched` is the mean margin of
    those that players who search played on, NaN for none.
    """

    players: int
    game: int
    stage: int
    left: float
    claimed: float
    plain: float
    win: float
    margin: float
    won: float
    searched: float = float("nan")


def positions(players: int, games: int, seed: int, weights: Weights) -> Iterator[tuple[int, int, Batch]]:
    """Beginnings of turns, one from each third of each game: the game, the third, and a batch of one lane."""
    batch = deal(players, games, seed)
    seen = play_match(batch, [weights], np.zeros((SEATS, games), dtype=np.int16), search=PLAYERS)
    rounds: list[list[Batch]] = [[] for _ in range(games)]
    for lanes, opening in seen:
        for at, game in enumerate(lanes.tolist()):
            rounds[game].append(opening.select([at]))
    random = np.random.default_rng(seed)
    for game, openings in enumerate(rounds):
        for stage, part in enumerate(np.array_split(np.arange(len(openings)), len(STAGES))):
            if not len(part):
                continue
            root = openings[int(random.choice(part))]
            finish_bidding(root, weights)
            for _ in range(int(random.integers((root.turn_seat[:, 0] != NONE).sum() + 1))):
                policy_step(root, weights)
                end_turn(root, np.zeros(1, dtype=np.intp))
            if root.stage[0] == STAGE_ID[Stage.MOVE]:
                yield seed + game, stage, root


def worlds_of(root: Batch, count: int, first: int) -> Batch:
    """The game of a lane in so many worlds, decks laid anew; others for another `first`."""
    worlds = root.select(np.zeros(count, dtype=np.intp))
    worlds.world[:] = first + np.arange(count)
    relaid(worlds)
    return worlds


def claims(
    players: int, games: int, seed: int, weights: Weights, *, playouts: int = DEFAULT_PLAYOUTS, searched: int = 0
) -> Iterator[Claim]:
    """What the advice claims of its best turn in positions of so many games, and what comes of it.

    Every position is also played on `searched` times by players who search.
    """
    for game, stage, root in positions(players, games, seed, weights):
        budget, seat = Budget(playouts), int(root.mover[0])
        worlds = Worlds(partial(worlds_of, root), worlds_for(budget))
        setting, turns = Setting(root, worlds, weights, game, SearchClock(budget)), whole_turns(root, seed=game)
        if not len(turns):
            continue
        found = search_turns(setting, turns)
        best = found.comparison.order()[0]
        turn = found.turns.select([best])
        # In the same worlds as the search, so that nothing but the leaf is another.
        again = _after(root, turn, int(found.comparison.counts()[best]), 0)
        play_on(again, weights, rounds=setting.breadth.rounds, noise=setting.breadth.noise)
        plain = Expected.of(again, replace(weights, spread=0.0)).margin(seat)
        ended = _after(root, turn, PLAYED_ON, OTHER_WORLDS)
        play_on(ended, weights, noise=setting.breadth.noise)
        margins = final_margins(ended)[seat]
        yield Claim(
            players,
            game,
            stage,
            float(game_left(root)[0]),
            float(found.comparison.means()[best]),
            float(plain.mean()),
            win_probability(found.wins, best, best),
            float(margins.mean()),
            float(Expected.of(ended, weights).chance(seat).mean()),
            _searched_on(_after(root, turn, searched, OTHER_WORLDS), weights, seat),
        )


def _after(root: Batch, turn: Turns, count: int, first: int) -> Batch:
    """The games after a turn in so many worlds."""
    batch = worlds_of(root, count, first)
    at = np.arange(count)
    play_turns(batch, at, turn.select(np.zeros(count, dtype=np.intp)))
    end_turn(batch, at)
    return batch


def _searched_on(batch: Batch, weights: Weights, seat: int) -> float:
    if not len(batch):
        return float("nan")
    play_match(batch, [weights], np.zeros((SEATS, len(batch)), dtype=np.int16), search=PLAYERS)
    return float(final_margins(batch)[seat].mean())


def fitted_spread(players: int, games: int, seed: int, weights: Weights) -> float:
    """The spread with which the evaluation best foretells games of the policy from the starts of their rounds.

    What is foretold are margins, by least squares; in games of two these don't hang on it, and it's who wins, by
    likelihood.
    """
    batch = deal(players, games, seed)
    seen = play_match(batch, [weights], np.zeros((SEATS, games), dtype=np.int16), noise=NOISE)
    openings = Batch(np.concatenate([opening.data for _, opening in seen], axis=1))
    ended = Expected.of(batch.select(np.concatenate([lanes for lanes, _ in seen])), weights)

    def off(spread: float) -> float:
        foretold, seats = Expected.of(openings, replace(weights, spread=spread)), range(players)
        if players == 2:
            chances = [np.log(np.maximum(foretold.chance(seat), 1e-6)) for seat in seats]
            return -sum(float((ended.chance(seat) * chances[seat]).mean()) for seat in seats)
        return sum(float(((foretold.margin(seat) - ended.margin(seat)) ** 2).mean()) for seat in seats)

    return float(min(SPREADS, key=off))


def report(found: Sequence[Claim]) -> str:
    """Tables: claims less outcomes by players and third of the game, and how often is won what is likely so."""
    lines = [
        "| players | part | positions | best opponent as expected | claimed | win, claimed less won |",
        "|---" * 6 + "|",
    ]
    for players in sorted({one.players for one in found}):
        for stage, name in ((None, "all"), *enumerate(STAGES)):
            some = [one for one in found if one.players == players and stage in (None, one.stage)]
            if some:
                games = np.array([one.game for one in some])
                off = [
                    interval(np.array([one.plain - one.margin for one in some]), games),
                    interval(np.array([one.claimed - one.margin for one in some]), games),
                    interval(np.array([100 * (one.win - one.won) for one in some]), games),
                ]
                shown = " | ".join(f"{mean:+.1f} ± {half:.1f}" for mean, half in off)
                lines.append(f"| {players} | {name} | {len(some)} | {shown}% |")
        searched = [one for one in found if one.players == players and not np.isnan(one.searched)]
        if searched:
            off_searched = np.array([one.claimed - one.searched for one in searched])
            mean, half = interval(off_searched, np.array([one.game for one in searched]))
            lines.append(f"| {players} | all, searched on | {len(searched)} | | {mean:+.1f} ± {half:.1f} | |")
    lines += ["", "| chance to win | positions | claimed | won |", "|---|---|---|---|"]
    for low, high in pairwise(BINS):
        some = [one for one in found if low <= one.win < high or one.win == high == 1]
        if some:
            claimed, won = (100 * np.mean([getattr(one, name) for one in some]) for name in ("win", "won"))
            lines.append(f"| {low:.0%} to {high:.0%} | {len(some)} | {claimed:.0f}% | {won:.0f}% |")
    return "\n".join(lines)


def interval(values: npt.NDArray[np.float64], clusters: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The mean of values, and half its 95% interval, values of one cluster taken together."""
    mean = float(values.mean())
    sums = np.array([(values[clusters == one] - mean).sum() for one in np.unique(clusters)])
    return mean, 1.96 * float(np.sqrt((sums**2).sum())) / len(values)
