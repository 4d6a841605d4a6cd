"""Players who search, many games in lockstep: each turn the best of a few that the policy draws, by rollouts.

A weaker search than the advisor's, and thousands of times as fast: all candidates of all games are played on together.
It makes the games that the leaf evaluation is fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from companion.advisor.search.leaf import expected_points
from companion.simulation.batch import Batch
from companion.simulation.bridge import WORLD_IDS
from companion.simulation.decks import card_order, djinn_order
from companion.simulation.evaluation import Weights, margins_of
from companion.simulation.layout import CARDS, DJINN_COUNT, Index, Ints
from companion.simulation.playing import play_turns
from companion.simulation.playout import play_on
from companion.simulation.policy import policy_step
from companion.simulation.rounds import end_turn
from companion.simulation.turns import Turns

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
        _shuffle_decks(rolled)
        seat, lanes = rolled.mover.astype(np.intp), np.arange(len(rolled))
        play_turns(rolled, lanes, turns.select(tried))
        end_turn(rolled, lanes)
        play_on(rolled, weights, rounds=self.rounds, noise=self.reply_noise)
        margins = margins_of(expected_points(rolled, weights), rolled.seats)[seat, lanes]
        best = margins.reshape(games, count, self.worlds).mean(axis=2).argmax(axis=1)
        return turns.select(own + best)


def _parts(count: int, size: int) -> Iterator[Index]:
    for first in range(0, count, size):
        yield np.arange(first, min(first + size, count))


def _meet(batch: Batch, steps: Index) -> None:
    """Give each lane other luck, that of a world so many steps on."""
    batch.world[:] = (batch.world.astype(np.int64) * 31 + steps) % WORLD_IDS


def _shuffle_decks(batch: Batch) -> None:
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
