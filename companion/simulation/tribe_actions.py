"""What the meeples taken in hand do, in many games at once: the tribe actions (rules 5)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.rules.model.components import ROW_LENGTH, Tribe
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.decks import draw_card
from companion.simulation.layout import DJINN_ID, NONE, STAGE_ID, Index, Ints
from companion.simulation.paying import close_up, discard_fakirs, give_cards, pay_for_power, reward_owner
from companion.simulation.sowing import claim_if_bare
from companion.simulation.turns import NOT_PAID, VICTIM_IN_FRONT, Turns

_DHENIM, _IBLIS, _KANDICHA, _NEKIR = (DJINN_ID[name] for name in ("Dhenim", "Iblis", "Kandicha", "Nekir"))
_TILE = STAGE_ID[Stage.TILE]
_PLACES = np.arange(ROW_LENGTH)[:, None]


def act_tribe(batch: Batch, at: Index, turns: Turns) -> None:
    """Let the meeples in hand act; one turn a lane of `at`. What was taken stays noted until the tile action."""
    batch.stage[at] = _TILE
    tribe = batch.tribe[at]
    for number, act in enumerate(_ACTIONS):
        here = np.flatnonzero(tribe == number)
        if here.size:
            act(batch, at[here], turns, here)


# Each is given its own lanes, and `here`: which columns of the turns are theirs.


def _viziers(batch: Batch, at: Index, _: Turns, __: Index) -> None:
    count = batch.count[at]
    batch.viziers[batch.mover[at], at] += count
    reward_owner(batch, at, _DHENIM, count)


def _elders(batch: Batch, at: Index, _: Turns, __: Index) -> None:
    batch.elders[batch.mover[at], at] += batch.count[at]


def _builders(batch: Batch, at: Index, turns: Turns, here: Index) -> None:
    fakirs = turns.fakirs[here]
    discard_fakirs(batch, at, fakirs)
    _earn(batch, at, (batch.count[at] + fakirs) * batch.blue_around[batch.end[at], at])


def _earn(batch: Batch, at: Index, gold: Ints) -> None:
    """The movers earn what builders bring, doubled where that was paid for; it is noted for whoever pays later."""
    gold = gold * batch.factor[at]
    batch.gold[batch.mover[at], at] += gold
    batch.income[at] += gold


def _merchants(batch: Batch, at: Index, _: Turns, __: Index) -> None:
    row = batch.row[:, at]
    left = batch.count[at] <= _PLACES
    give_cards(batch, at, np.where(left, np.int16(NONE), row))
    batch.row[:, at] = close_up(row, left)


def _assassins(batch: Batch, at: Index, turns: Turns, here: Index) -> None:
    killing = turns.victim[0, here] != NONE
    if not killing.all():
        at, here = at[killing], here[killing]
        if not at.size:
            return
    discard_fakirs(batch, at, turns.fakirs[here])
    paid = turns.iblis[here]
    helped = np.flatnonzero(paid != NOT_PAID)
    if helped.size:
        pay_for_power(batch, at[helped], _IBLIS, paid[helped])
    victims, tribes = turns.victim[:, here], turns.victim_tribe[:, here]
    for victim, tribe in zip(victims, tribes, strict=True):
        _remove(batch, at, victim, tribe)
    reward_owner(batch, at, _NEKIR)
    reaping = np.flatnonzero(batch.owns[batch.mover[at], _KANDICHA, at])
    if reaping.size:
        # Every victim is dead before the first is reaped: a card drawn for one cannot change the other.
        for victim, tribe in zip(victims[:, reaping], tribes[:, reaping], strict=True):
            _reap(batch, at[reaping], victim, tribe)
    # Two victims stand on one tile (rules 11.10), so the first names the tile that may be bare now.
    on_tile = victims[0] < VICTIM_IN_FRONT
    claim_if_bare(batch, at[on_tile], victims[0, on_tile])


def _remove(batch: Batch, at: Index, victim: Ints, tribe: Ints) -> None:
    on_tile = np.flatnonzero((victim != NONE) & (victim < VICTIM_IN_FRONT))
    batch.meeples[victim[on_tile], tribe[on_tile], at[on_tile]] -= 1
    in_front = victim >= VICTIM_IN_FRONT
    if in_front.any():
        _move_in_front(batch, at[in_front], victim[in_front] - VICTIM_IN_FRONT, tribe[in_front], -1)


def _move_in_front(batch: Batch, at: Index, seat: Ints, tribe: Ints, number: int) -> None:
    """Add so many viziers or elders, by tribe, to those in front of a seat."""
    viziers, elders = tribe == Tribe.VIZIER, tribe == Tribe.ELDER
    batch.viziers[seat[viziers], at[viziers]] += number
    batch.elders[seat[elders], at[elders]] += number


def _reap(batch: Batch, at: Index, victim: Ints, tribe: Ints) -> None:
    """Give the movers what Kandicha makes of a victim (rules 11, 11.3, 11.4)."""
    there = victim != NONE
    at, victim, tribe = at[there], victim[there], tribe[there]
    merchants = at[tribe == Tribe.MERCHANT]
    if merchants.size:
        give_cards(batch, merchants, draw_card(batch, merchants)[None])
    builders = np.flatnonzero(tribe == Tribe.BUILDER)
    if builders.size:
        _earn(batch, at[builders], batch.blue_around[victim[builders], at[builders]])
    _move_in_front(batch, at, batch.mover[at], tribe, 1)
    viziers = at[(tribe == Tribe.VIZIER) & (victim < VICTIM_IN_FRONT)]
    if viziers.size:
        reward_owner(batch, viziers, _DHENIM)


_ACTIONS: tuple[Callable[[Batch, Index, Turns, Index], None], ...] = (
    _viziers,
    _elders,
    _builders,
    _merchants,
    _assassins,
)
"""By tribe."""
