"""Whole games of policies, or of players who search by rollouts, and what was seen at the start of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.advisor.search.leaf import Expected
from companion.rules.engine.setup import new_game
from companion.rules.model.state import Stage
from companion.simulation.bridge import WORLD_IDS, pack
from companion.simulation.decks import card_order, djinn_order
from companion.simulation.djinns import DJINN_COUNT
from companion.simulation.evaluation import Floats, Weights, features, game_left, margins_of, totals
from companion.simulation.layout import CARDS, NONE, SEATS, STAGE_ID, Batch, Index, Ints, Turns
from companion.simulation.playing import play_turns
from companion.simulation.policy import play_bids, play_on, policy_step
from companion.simulation.rounds import end_turn

LANES = 600
"""Rollouts side by side: more do not fit the processor's cache."""
_CANDIDATE_STEP, _WORLD_STEP, _TURN_STEP = 7919, 3571, 104_729


@dataclass(frozen=True, slots=True)
class RolloutSearch:
    """How widely such a player searches: `candidates` of which one is the policy's own turn, each played on in `worlds`
    for so many `rounds`, the present one being the first.

    Candidates are drawn by a softmax with temperature `noise` in VP; in the rollouts it is `reply_noise`.
    """

    candidates: int = 12
    worlds: int = 6
    rounds: int = 1
    noise: float = 2.0
    reply_noise: float = 1.0

    def choose(self, batch: Batch, weights: Weights, salt: int) -> Turns:
        """A turn for every lane, all of them at its beginning; nothing is played. `salt` is another for each call."""
        chosen = Turns.blank(len(batch))
        for lanes in _parts(len(batch), max(1, LANES // (self.candidates * self.worlds))):
            chosen.data[:, lanes] = self._choose(batch.select(lanes), weights, salt).data
        return chosen

    def _choose(self, batch: Batch, weights: Weights, salt: int) -> Turns:
        games, count = len(batch), self.candidates
        drawn = batch.select(np.repeat(np.arange(games), count))
        _meet(drawn, np.tile(np.arange(count) * _CANDIDATE_STEP, games) + salt * _TURN_STEP)
        own = np.arange(games) * count
        first = policy_step(drawn.select(own), weights).turns
        turns = policy_step(drawn, weights, noise=self.noise).turns
        turns.data[:, own] = first.data
        tried = np.repeat(np.arange(games * count), self.worlds)
        rolled = batch.select(tried // count)
        _meet(rolled, np.tile(np.arange(self.worlds) * _WORLD_STEP, games * count) + salt * _TURN_STEP + 1)
        relaid(rolled)
        seat, lanes = rolled.mover.astype(np.intp), np.arange(len(rolled))
        play_turns(rolled, lanes, turns.select(tried))
        end_turn(rolled, lanes)
        play_on(rolled, weights, rounds=self.rounds, noise=self.reply_noise)
        margins = Expected.of(rolled, weights).margin(seat)
        best = margins.reshape(games, count, self.worlds).mean(axis=2).argmax(axis=1)
        return turns.select(own + best)


def _parts(count: int, size: int) -> Iterator[Index]:
    for first in range(0, count, size):
        yield np.arange(first, min(first + size, count))


def _meet(batch: Batch, steps: Index) -> None:
    """Give each lane other luck, that of a world so many steps on."""
    batch.world[:] = (batch.world.astype(np.int64) * 31 + steps) % WORLD_IDS


def relaid(batch: Batch) -> None:
    """Lay what is left of the decks in an order of the lane's own world: nobody knows the true one."""
    batch.deck[...] = _relaid(batch, batch.deck, batch.deck_next, batch.deck_size, len(CARDS), card_order)
    batch.djinn_deck[...] = _relaid(
        batch, batch.djinn_deck, batch.djinn_next, batch.djinn_size, DJINN_COUNT, djinn_order
    )


def _relaid(
    batch: Batch, deck: Ints, begun: Ints, size: Ints, kinds: int, order_of: Callable[[Batch, Index, Ints], Ints]
) -> Ints:
    place = np.arange(len(deck))[:, None]
    left = (place >= begun) & (place < size)
    counts = np.stack([((deck == kind) & left).sum(axis=0) for kind in range(kinds)]).astype(np.int16)
    order = order_of(batch, np.arange(len(batch)), counts)
    return np.where(left, np.take_along_axis(order, np.maximum(place - begun, 0), axis=0), deck)


MAX_WORLDS = 1 << 15
"""A lane's world is 16 bits with a sign; games further apart meet the same luck after their set-ups."""

_BID, _END = STAGE_ID[Stage.BID], STAGE_ID[Stage.END]


def deal(players: int, games: int, seed: int) -> Batch:
    """Set-ups of so many games, one a lane, each from its own seed: `seed`, `seed` + 1 and so on."""
    worlds = [(seed + game) % MAX_WORLDS for game in range(games)]
    return pack([new_game(players, seed + game) for game in range(games)], worlds)


def play_match(
    batch: Batch,
    contenders: Sequence[Weights],
    seats: npt.NDArray[np.int16],
    *,
    noise: float = 0.0,
    search: RolloutSearch | None = None,
) -> list[tuple[npt.NDArray[np.intp], Batch]]:
    """Play all lanes to the end, in place; `seats` [SEATS, lanes] says which contender sits where.

    With a `search` the first contender takes the turns that it finds; the others follow the policy, whose choices are
    drawn with `noise` in VP.
    Returns the lanes and copies of their games at the start of each round.
    """
    seen: list[tuple[npt.NDArray[np.intp], Batch]] = []
    searches = 0
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
                    if search is None or number > 0:
                        policy_step(part, weights, noise=noise)
                    else:
                        searches += 1
                        play_turns(part, lanes, search.choose(part, weights, searches))
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


def examples(
    players: int, games: int, seed: int, weights: Weights, *, noise: float = 0.0, search: RolloutSearch | None = None
) -> RoundExamples:
    """Examples from games of a policy against itself, or with a `search` of players who search."""
    batch = deal(players, games, seed)
    seen = play_match(batch, [weights], np.zeros((SEATS, games), dtype=np.int16), noise=noise, search=search)
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
