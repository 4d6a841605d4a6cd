"""Whole games of policies, and what was seen at the start of each round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.engine.setup import new_game
from companion.rules.model.state import Stage
from companion.simulation.bidding import play_bids
from companion.simulation.bridge import pack
from companion.simulation.evaluation import Floats, Weights, features, game_left, margins_of, totals
from companion.simulation.layout import NONE, SEATS, STAGE_ID, Batch
from companion.simulation.policy import policy_step
from companion.simulation.rounds import end_turn

MAX_WORLDS = 1 << 15
"""A lane's world is 16 bits with a sign; games further apart meet the same luck after their set-ups."""

_BID, _END = STAGE_ID[Stage.BID], STAGE_ID[Stage.END]


def deal(players: int, games: int, seed: int) -> Batch:
    """Set-ups of that many games, one a lane, each from its own seed: `seed`, `seed` + 1 and so on."""
    worlds = [(seed + game) % MAX_WORLDS for game in range(games)]
    return pack([new_game(players, seed + game) for game in range(games)], worlds)


def play_match(
    batch: Batch,
    contenders: Sequence[Weights],
    seats: npt.NDArray[np.int16],
    *,
    noise: float = 0.0,
) -> list[tuple[npt.NDArray[np.intp], Batch]]:
    """Play all lanes to the end, in place; `seats` [SEATS, lanes] says which contender sits where.

    All follow the policy, whose choices are drawn with `noise` in VP.
    Returns the lanes and copies of their games at the start of each round.
    """
    seen: list[tuple[npt.NDArray[np.intp], Batch]] = []
    while True:
        going = np.flatnonzero(batch.stage != _END)
        if not going.size:
            return seen
        opening = going[(batch.stage[going] == _BID) & (batch.turn_seat[0, going] == NONE)]
        if opening.size:
            seen.append((opening, batch.select(opening)))
        playing = seats[batch.mover[going], going]
        stages = batch.stage[going]
        for number, weights in enumerate(contenders):
            for bidding in (True, False):
                at = going[(playing == number) & ((stages == _BID) == bidding)]
                if not at.size:
                    continue
                part = batch.select(at)
                if bidding:
                    play_bids(part, weights, together=False)
                else:
                    lanes = np.arange(len(at))
                    policy_step(part, weights, noise=noise)
                    end_turn(part, lanes)
                batch.data[:, at] = part.data


def final_margins(batch: Batch) -> Floats:
    """Every player's points less the best opponent's, [SEATS, lanes]."""
    return margins_of(totals(batch), batch.seats)


@dataclass(frozen=True, slots=True, eq=False)
class RoundExamples:
    """What was seen of players at the starts of rounds: rows of features, the share of the game left, points then and
    at the end, all less the mean of the player's opponents.
    """

    features: Floats
    left: Floats
    points: Floats
    final: Floats

    def part(self, chosen: npt.NDArray[np.bool_]) -> RoundExamples:
        """These rows alone."""
        return RoundExamples(self.features[chosen], self.left[chosen], self.points[chosen], self.final[chosen])


def examples(players: int, games: int, seed: int, weights: Weights, *, noise: float = 0.0) -> RoundExamples:
    """Examples from games of a policy against itself."""
    batch = deal(players, games, seed)
    seen = play_match(batch, [weights], np.zeros((SEATS, games), dtype=np.int16), noise=noise)
    last = totals(batch)[:players].astype(np.float32)
    rows: list[tuple[Floats, Floats, Floats, Floats]] = []
    for lanes, opening in seen:
        against = _against(features(opening)[:, :players])
        left = np.broadcast_to(game_left(opening), (players, len(lanes)))
        points = _against(totals(opening)[None, :players].astype(np.float32))[0]
        final = _against(last[None, :, lanes])[0]
        rows.append((against.reshape(len(against), -1).T, left.ravel(), points.ravel(), final.ravel()))
    return RoundExamples(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _against(values: Floats) -> Floats:
    """Each player's values less the mean of the opponents', the player along the second axis."""
    players = values.shape[1]
    others = (values.sum(axis=1, keepdims=True) - values) / max(players - 1, 1)
    return np.asarray(values - others, dtype=np.float32)
