"""Fair set-ups: whoever plays first, second, third or fourth has as good a game ahead (rules 2, 3.3).

A set-up is measured without the first round's bids, which are there to pay for what is not fair: the markers play in
the order of the bid order track, nobody pays, and the game is played on by the advisor's own policy. What counts is the
expected final margin of the one who plays first, of the one who plays second, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from companion.advisor.advice import MAX_OPEN, Fairness, FairSetup
from companion.advisor.search.reviewing import HORIZON_ROUNDS, REPLY_NOISE_VP, estimate
from companion.errors import ArgumentError
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import SPOT_PRICES_GC, START_GOLD_GC, Colour
from companion.rules.model.position import Position
from companion.simulation.bridge import sample_worlds
from companion.simulation.evaluation import evaluate, fitted_weights, margins_of
from companion.simulation.layout import NONE, Batch, Index
from companion.simulation.policy import play_on
from companion.simulation.prospects import legal_cells
from companion.simulation.rounds import place_bid

TRIES = 240
"""Set-ups that are tried before the best of them has to do."""

_CHUNK = 16
_SCREEN_LANES, _SCREEN_VP = 48, 4.0
"""A quick look sorts out most set-ups: its playouts, and the spread above which a closer look is not worth it."""
_LANES = 1024
"""Playouts of the closer look, in worlds of its own, so that a lucky quick look makes no set-up fair."""


Measure = Callable[[Sequence[Position], int, int], Sequence[Fairness]]
"""Measures set-ups with that many playouts each, and a seed."""


def fair_setup(
    players: int,
    seed: int,
    *,
    colours: Sequence[Colour | str] | None = None,
    tries: int = TRIES,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
    measure: Measure | None = None,
) -> FairSetup:
    """The first fair set-up of the seeds from `seed` on, or the fairest of the `tries`, or of those before `stop`; the
    same each time. Raises as `random_setup`, ArgumentError for no `tries`.
    """
    if tries < 1:
        raise ArgumentError("tries must be 1 or more, not {tries}", tries=tries)
    weigh = measure or measured
    best: FairSetup | None = None
    tried = 0
    for first in range(0, tries, _CHUNK):
        seeds = range(seed + first, seed + min(first + _CHUNK, tries))
        positions = [random_setup(players, each, colours=colours) for each in seeds]
        for place, quick in enumerate(weigh(positions, _SCREEN_LANES, 0)):
            tried = first + place + 1
            promising = quick.spread <= _SCREEN_VP and len(quick.open_captures) <= MAX_OPEN
            if promising:
                closer = weigh([positions[place]], _LANES, 1)[0]
                fair = FairSetup(positions[place], seeds[place], closer, tried)
                if closer.within:
                    return fair
                best = _fairer(best, fair)
            elif best is None:
                best = FairSetup(positions[place], seeds[place], quick, tried)
        if progress is not None:
            progress((first + len(positions)) / tries)
        if stop is not None and stop():
            break
    assert best is not None
    return replace(best, tried=tried)


def _fairer(best: FairSetup | None, other: FairSetup) -> FairSetup:
    """The fairer of two; few open captures come before a small spread."""
    if best is None:
        return other
    return min(best, other, key=lambda one: (len(one.fairness.open_captures) > MAX_OPEN, one.fairness.spread))


def measured(positions: Sequence[Position], lanes: int, seed: int) -> list[Fairness]:
    """The fairness of set-ups of one number of players, by `lanes` playouts each."""
    players = len(positions[0].colours)
    weights = fitted_weights(players)
    batch = Batch(
        np.concatenate([sample_worlds(start_game(position), lanes, seed).data for position in positions], axis=1)
    )
    at = np.arange(len(batch))
    _without_bids(batch, at)
    legal = legal_cells(batch)[0][0]
    alone = (batch.meeples > 0).sum(axis=1) == 1
    claims = (legal.any(axis=1) & alone & (batch.camel == NONE))[:, ::lanes]
    order = np.concatenate([batch.mover[None], batch.turn_seat])
    places = int((order[:, 0] != NONE).sum())
    play_on(batch, weights, rounds=HORIZON_ROUNDS, noise=REPLY_NOISE_VP)
    margins = margins_of(evaluate(batch, weights), batch.seats).astype(np.float64)
    by_place = margins[order[:places], at].reshape(places, len(positions), lanes)
    return [
        Fairness(
            tuple(estimate(own) for own in by_place[:, number]),
            tuple(int(square) for square in np.flatnonzero(claims[:, number])),
        )
        for number in range(len(positions))
    ]


def _without_bids(batch: Batch, at: Index) -> None:
    """Begin the first round in the order of the bid order track, for nothing."""
    markers = int((batch.bid_order[:, 0] != NONE).sum())
    for price in sorted(SPOT_PRICES_GC, reverse=True)[:markers]:
        place_bid(batch, at, np.full(len(at), price, dtype=np.int16), np.zeros(len(at), dtype=np.int16))
    batch.gold[: int(batch.seats[0])] = START_GOLD_GC
