"""What assassins bring to the mover of each lane, by where they end and how many they are (rules 5.4, 5.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.rules.model.components import Tribe
from companion.simulation.batch import Batch
from companion.simulation.card_prospects import LOWEST
from companion.simulation.evaluation import Floats
from companion.simulation.layout import DISTANCE, DJINN_ID, NONE, SEATS, Index, Ints

_MOST_REACH = 5
"""Assassins in hand beyond whose reach no victim is looked for."""
_PASSES = np.float32(0.7)
"""How often a hand of assassins can leave one meeple alone on a bare tile beside its end."""
_SEATS = np.arange(SEATS)[:, None]
_SQUARE_NUMBERS = np.arange(SQUARES)[:, None]
_BOAZ = DJINN_ID["Boaz"]


@dataclass(slots=True, eq=False)
class FrontVictim:
    """The best victim in front of an opponent, by lane: what killing it is worth in VP, the seat and the tribe.

    The seat is NONE where nobody has anything unprotected, and the worth then 0.
    """

    worth: Floats
    seat: Ints
    tribe: Ints


def victim_in_front(batch: Batch, mover: Index) -> FrontVictim:
    """The vizier or elder that hurts its owner or helps the mover most (rules 5.4)."""
    lanes = np.arange(len(batch))
    rivals = np.maximum(batch.seats - 1, 1).astype(np.float32)
    lead = batch.viziers[mover, lanes] - batch.viziers
    # An opponent's loss counts as a share of it with several opponents; a majority won is the mover's own.
    won = VP_FOR_FEWER_VIZIERS * ((lead == 0) + (lead == -1) / rivals)
    open_to = (mover != _SEATS) & (batch.seats > _SEATS) & (batch.owns[:, _BOAZ] == 0)
    worth = np.empty((2 * SEATS, len(batch)), dtype=np.float32)
    worth[:SEATS] = np.where(open_to & (batch.viziers > 0), 1 / rivals + won, LOWEST)
    worth[SEATS:] = np.where(open_to & (batch.elders > 0), 2 / rivals, LOWEST)
    best = worth.argmax(axis=0)
    found = worth[best, lanes]
    there = found > 0
    tribe = np.where(best < SEATS, np.int16(Tribe.VIZIER), np.int16(Tribe.ELDER))
    seat = np.where(there, best % SEATS, NONE).astype(np.int16)
    return FrontVictim(np.where(there, found, np.float32(0)), seat, tribe)


def kill_worths(batch: Batch, tile: Floats, standing: Ints, taken: Ints, front: FrontVictim) -> Floats:
    """What `taken` assassins bring from each end tile, [visits - 1, square, lanes], with claims worth `tile`."""
    count = len(batch)
    lanes = np.arange(count)
    assassins = batch.meeples[:, Tribe.ASSASSIN]
    lone = tile * (standing == 1)
    # The hand can leave one meeple on a bare tile on its way, and kill that.
    passed = _spread(tile * (standing == 0) * _PASSES)
    most = min(int(taken.max(initial=0)), _MOST_REACH)
    within = np.empty((most + 1, SQUARES, count), dtype=np.float32)
    # What stands alone on the end tile with the assassins is in range as well.
    np.multiply(tile, standing - assassins == 1, out=within[0])
    np.maximum(_spread(lone), passed, out=within[1])
    for steps in range(2, most + 1):
        within[steps] = _spread(within[steps - 1])
    reach = np.minimum(taken, most).astype(np.intp)
    on_board = within.reshape(-1).take((reach * SQUARES + _SQUARE_NUMBERS) * count + lanes)
    # An assassin who stands alone is no victim for those who take him along.
    ends, at = np.nonzero((standing == 1) & (assassins == 1) & (tile > 0))
    for visit in range(len(taken)):
        near = (reach[visit, ends, at] >= DISTANCE[ends].T) & (ends != _SQUARE_NUMBERS)
        on_board[visit, ends, at] = np.maximum((near * lone[:, at]).max(axis=0, initial=0), passed[ends, at])
    np.maximum(on_board, within[0], out=on_board)
    return np.asarray(np.maximum(on_board, front.worth))


def _spread(values: Floats) -> Floats:
    """The largest value among each square and its orthogonal neighbours, [square, lanes]."""
    grid = values.reshape(ROWS, COLUMNS, -1)
    wider = grid.copy()
    np.maximum(wider[1:], grid[:-1], out=wider[1:])
    np.maximum(wider[:-1], grid[1:], out=wider[:-1])
    np.maximum(wider[:, 1:], grid[:, :-1], out=wider[:, 1:])
    np.maximum(wider[:, :-1], grid[:, 1:], out=wider[:, :-1])
    return wider.reshape(SQUARES, -1)
