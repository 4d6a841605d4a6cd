"""Whole turns in many games at once: moves, tribe and tile actions, powers, sales (rules 4 to 7, 11)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.components import ROW_LENGTH, TileAction, Tribe
from companion.simulation.decks import draw_card
from companion.simulation.djinns import (
    DOUBLE_KILLING,
    PAID_DROPS,
    PAID_KILLS,
    PAID_VIZIERS,
    REAPING,
)
from companion.simulation.layout import (
    CARDS,
    CLOSE,
    FAKIR_ID,
    LARGE_MARKET,
    MOVE,
    NONE,
    NOT_PAID,
    OASIS,
    SACRED_PLACE,
    SELL,
    SET_PRICES,
    SMALL_MARKET,
    TILE,
    TRIBE,
    VICTIM_IN_FRONT,
    VILLAGE,
    Batch,
    Index,
    Ints,
    Turns,
)
from companion.simulation.powers import (
    claim_if_bare,
    close_up,
    discard_fakirs,
    give_cards,
    pay_for_power,
    place_palaces,
    place_palms,
    reward_owner,
    take_djinn,
    use_powers,
)

_RETURN = 4
"""Steps that a return to a square takes (rules 4.3): that many drops in a row fall on different squares."""


def sow(batch: Batch, at: Index, start: Ints, path: Ints, drops: Ints, length: Ints) -> None:
    """Lift the meeples of `start`, leave `drops` along `path` [steps, n] up to `length`, take what is taken in hand,
    claim the end. The sowing has to be legal: nothing is checked.
    """
    if not len(at):
        return
    steps = int(length.max())
    path, drops = path[:steps], drops[:steps]
    taken = np.arange(steps)[:, None] < length
    batch.meeples[start, :, at] = 0
    lanes = np.broadcast_to(at, path.shape)
    # Adding at several indices counts a square named twice once, hence never more steps at a time than a return takes.
    for first in range(0, steps, _RETURN):
        some = slice(first, first + _RETURN)
        now = taken[some]
        batch.meeples[path[some][now], drops[some][now], lanes[some][now]] += 1
    _pay_for_drops(batch, at, path, taken)
    here = np.arange(len(at))
    end, tribe = path[length - 1, here], drops[length - 1, here]
    batch.end[at] = end
    batch.tribe[at] = tribe
    batch.count[at] = batch.meeples[end, tribe, at]
    batch.meeples[end, tribe, at] = 0
    batch.stage[at] = TRIBE
    claim_if_bare(batch, at, end)


def _pay_for_drops(batch: Batch, at: Index, path: Ints, taken: npt.NDArray[np.bool_]) -> None:
    """A djinn pays its owner for meeples left on owned tiles: 1 GC if by the owner, 2 GC by another (rules 11)."""
    owned = batch.owns[:, PAID_DROPS, at]
    if not owned.any():
        return
    some = np.nonzero(owned.any(axis=0))[0]
    lanes, owner = at[some], owned[:, some].argmax(axis=0)
    paying = (batch.camel[path[:, some], lanes] == owner) & taken[:, some]
    share = np.where(owner == batch.mover[lanes], 1, 2)
    batch.gold[owner, lanes] += (paying.sum(axis=0) * share).astype(np.int16)


def pay_by_square(root: Batch) -> tuple[Ints, Ints]:
    """GC for a drop on each square: what the mover's djinns pay the mover, and opponents' djinns them (rules 11)."""
    camel, mover, pays = root.camel[:, 0], int(root.mover[0]), root.owns[:, PAID_DROPS, 0] > 0
    paid = np.where((camel != NONE) & pays[camel], np.where(camel == mover, 1, 2), 0).astype(np.int16)
    return np.where(camel == mover, paid, 0).astype(np.int16), np.where(camel == mover, 0, paid).astype(np.int16)


_BITS = np.arange(len(CARDS) - 1)[:, None]
_PLACES = np.arange(ROW_LENGTH)[:, None]


def act_tribe(batch: Batch, at: Index, turns: Turns) -> None:
    """Let the meeples in hand act; one turn a lane of `at`. What was taken stays noted until the tile action."""
    batch.stage[at] = TILE
    tribe = batch.tribe[at]
    for number, act in enumerate(_TRIBE_ACTIONS):
        here = np.flatnonzero(tribe == number)
        if here.size:
            act(batch, at[here], turns, here)


# Each is given its own lanes, and `here`: which columns of the turns are theirs.


def _viziers(batch: Batch, at: Index, _: Turns, __: Index) -> None:
    count = batch.count[at]
    batch.viziers[batch.mover[at], at] += count
    reward_owner(batch, at, PAID_VIZIERS, count)


def _elders(batch: Batch, at: Index, _: Turns, __: Index) -> None:
    batch.elders[batch.mover[at], at] += batch.count[at]


def _builders(batch: Batch, at: Index, turns: Turns, here: Index) -> None:
    fakirs = turns.fakirs[here]
    discard_fakirs(batch, at, fakirs)
    _earn(batch, at, (batch.count[at] + fakirs) * batch.blue_around[batch.end[at], at])


def _earn(batch: Batch, at: Index, gold: Ints) -> None:
    """The movers earn what builders bring, doubled where that was paid for; it is noted in case they pay later."""
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
    paid = turns.double_paid[here]
    helped = np.flatnonzero(paid != NOT_PAID)
    if helped.size:
        pay_for_power(batch, at[helped], DOUBLE_KILLING, paid[helped])
    victims, tribes = turns.victim[:, here], turns.victim_tribe[:, here]
    for victim, tribe in zip(victims, tribes, strict=True):
        _remove(batch, at, victim, tribe)
    reward_owner(batch, at, PAID_KILLS)
    reaping = np.flatnonzero(batch.owns[batch.mover[at], REAPING, at])
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
    """Add that many viziers or elders, by tribe, to those in front of a seat."""
    viziers, elders = tribe == Tribe.VIZIER, tribe == Tribe.ELDER
    batch.viziers[seat[viziers], at[viziers]] += number
    batch.elders[seat[elders], at[elders]] += number


def _reap(batch: Batch, at: Index, victim: Ints, tribe: Ints) -> None:
    """Give the movers what their djinn makes of a victim (rules 11, 11.3, 11.4)."""
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
        reward_owner(batch, viziers, PAID_VIZIERS)


_TRIBE_ACTIONS: tuple[Callable[[Batch, Index, Turns, Index], None], ...] = (
    _viziers,
    _elders,
    _builders,
    _merchants,
    _assassins,
)
"""By tribe."""


_DJINN_PRICE = 2

_TileAction = Callable[[Batch, Index, Ints, Turns, Index], None]


def act_tile(batch: Batch, at: Index, turns: Turns) -> None:
    """Do the action of the end tiles; one turn a lane of `at`. Palms and palaces are placed without being asked for."""
    end = batch.end[at]
    action = batch.tile_action[end, at]
    batch.stage[at] = CLOSE
    batch.end[at] = NONE
    batch.tribe[at] = NONE
    batch.count[at] = 0
    for number, act in _TILE_ACTIONS.items():
        here = np.flatnonzero(action == number)
        if here.size:
            act(batch, at[here], end[here], turns, here)


# Each is given its own lanes and end tiles, and `here`: which columns of the turns are theirs.


def _built(place: Callable[[Batch, Index, Ints, Ints, Ints], None]) -> _TileAction:
    return lambda batch, at, end, turns, here: place(batch, at, end, turns.divert[here], turns.onto[here])


def _market(price: int) -> _TileAction:
    def act(batch: Batch, at: Index, _: Ints, turns: Turns, here: Index) -> None:
        bought = turns.bought[:, here]
        buying = (bought != NONE).any(axis=0)
        if not buying.any():
            return
        at, bought = at[buying], bought[:, buying]
        row = batch.row[:, at]
        left = (bought[:, None] != _PLACES).all(axis=0)
        batch.gold[batch.mover[at], at] -= price
        give_cards(batch, at, np.where(left, np.int16(NONE), row))
        batch.row[:, at] = close_up(row, left)

    return act


def _sacred_place(batch: Batch, at: Index, _: Ints, turns: Turns, here: Index) -> None:
    djinn = turns.djinn[here]
    taking = djinn != NONE
    if not taking.any():
        return
    at, djinn, fakirs = at[taking], djinn[taking], turns.djinn_fakir[here[taking]]
    batch.elders[batch.mover[at], at] -= _DJINN_PRICE - fakirs
    discard_fakirs(batch, at, fakirs)
    face_up = batch.face_up[:, at]
    batch.face_up[:, at] = close_up(face_up, face_up != djinn)
    take_djinn(batch, at, djinn)


_TILE_ACTIONS: dict[int, _TileAction] = {
    OASIS: _built(place_palms),
    VILLAGE: _built(place_palaces),
    SMALL_MARKET: _market(MARKETS[TileAction.SMALL_MARKET].price),
    LARGE_MARKET: _market(MARKETS[TileAction.LARGE_MARKET].price),
    SACRED_PLACE: _sacred_place,
}
"""By the action of the tile."""


def play_turns(batch: Batch, at: Index, turns: Turns) -> None:
    """Play a whole legal turn in each lane of `at`, all but its end, from the stage in which it stands: powers and
    sales only where the move is skipped (rules 9.2).
    """
    powers = bool((turns.power != NONE).any())
    for stage, act in _STAGES:
        if powers:
            _use_powers(batch, at, turns, stage)
        here = np.flatnonzero(batch.stage[at] == stage)
        if here.size == len(at):
            act(batch, at, turns)
        elif here.size:
            act(batch, at[here], turns.select(here))
    if powers:
        _use_powers(batch, at, turns, CLOSE)
    if turns.sale.any():
        _sell(batch, at, turns)


def _move(batch: Batch, at: Index, turns: Turns) -> None:
    sow(batch, at, turns.start, turns.path, turns.drops, turns.length)


_STAGES: tuple[tuple[int, Callable[[Batch, Index, Turns], None]], ...] = (
    (MOVE, _move),
    (TRIBE, act_tribe),
    (TILE, act_tile),
)


def _use_powers(batch: Batch, at: Index, turns: Turns, stage: int) -> None:
    """Use the powers of a stage in those lanes that stand in it, in the order of their places."""
    for place, when in enumerate(turns.power_when):
        used = (turns.power[place] != NONE) & (when == stage)
        if used.any() and (here := np.flatnonzero(used & (batch.stage[at] == stage))).size:
            use_powers(batch, at[here], turns, place, here)


def _sell(batch: Batch, at: Index, turns: Turns) -> None:
    """The movers sell sets of goods, one after another (rules 7.1)."""
    for goods in turns.sale:
        here = np.flatnonzero(goods)
        if here.size:
            lanes, sold = at[here], ((goods[here] >> _BITS) & 1).astype(np.int16)
            mover = batch.mover[lanes]
            batch.cards[mover, FAKIR_ID + 1 :, lanes] -= sold.T
            batch.discards[FAKIR_ID + 1 :, lanes] += sold
            batch.gold[mover, lanes] += SET_PRICES[sold.sum(axis=0)]
            batch.stage[lanes] = SELL
