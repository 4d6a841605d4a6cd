"""Whole turns in many games at once: moves, tribe and tile actions, powers, sales (rules 4 to 7, 11)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Power
from companion.rules.engine.powers import BUILDERS_FACTOR
from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.components import FACE_UP_DJINNS, PALACES, PALMS, ROW_LENGTH, TileAction, Tribe
from companion.simulation.decks import draw_card, draw_djinn, draw_meeples
from companion.simulation.djinns import (
    DIVERTING,
    DJINN_VP,
    DOUBLE_KILLING,
    PAID_DJINNS,
    PAID_DROPS,
    PAID_KILLS,
    PAID_PALACES,
    PAID_VIZIERS,
    PAYMENTS,
    REAPING,
    user_of,
)
from companion.simulation.layout import (
    CARDS,
    CLOSE,
    FAKIR_ID,
    KEEP,
    LARGE_MARKET,
    LAST_CAMEL,
    MOVE,
    NONE,
    NOT_ENDING,
    NOT_PAID,
    OASIS,
    SACRED_PLACE,
    SEAT_NUMBERS,
    SELL,
    SET_PRICES,
    SMALL_MARKET,
    TILE,
    TRIBE,
    TRIBES,
    VICTIM_IN_FRONT,
    VILLAGE,
    Batch,
    Index,
    Ints,
    Turns,
)

_RETURN = 4
"""Steps that a return to a square takes (rules 4.3): so many drops in a row fall on different squares."""
_TRIBES = np.arange(TRIBES)[:, None]


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


def claim_if_bare(batch: Batch, at: Index, square: Ints) -> None:
    """The mover puts a camel on a tile without meeples and camel, if one is left (rules 4.8, 5.5)."""
    bare = (batch.camel[square, at] == NONE) & (batch.camels[batch.mover[at], at] > 0)
    bare &= ~batch.meeples[square, _TRIBES, at].any(axis=0)
    if bare.any():
        claim(batch, at[bare], square[bare])


def claim(batch: Batch, at: Index, square: Ints) -> None:
    """The mover puts a camel on a tile; the mover's last one makes the round the last (rules 9.1)."""
    mover = batch.mover[at]
    batch.camel[square, at] = mover
    left = batch.camels[mover, at] - 1
    batch.camels[mover, at] = left
    # The first reason for the end stays.
    last = at[(left <= 0) & (batch.ending[at] == NOT_ENDING)]
    batch.ending[last] = LAST_CAMEL


def pay_by_square(root: Batch) -> tuple[Ints, Ints]:
    """GC for a drop on each square: what the mover's djinns pay the mover, and opponents' djinns them (rules 11)."""
    camel, mover, pays = root.camel[:, 0], int(root.mover[0]), root.owns[:, PAID_DROPS, 0] > 0
    paid = np.where((camel != NONE) & pays[camel], np.where(camel == mover, 1, 2), 0).astype(np.int16)
    return np.where(camel == mover, paid, 0).astype(np.int16), np.where(camel == mover, 0, paid).astype(np.int16)


_CARDS = np.arange(len(CARDS))[:, None, None]


def discard_fakirs(batch: Batch, at: Index, count: Ints) -> None:
    """The movers discard so many fakirs, 0 for none (rules 5.6)."""
    if count.any():
        batch.cards[batch.mover[at], FAKIR_ID, at] -= count
        batch.discards[FAKIR_ID, at] += count


def give_cards(batch: Batch, at: Index, cards: Ints) -> None:
    """The movers take cards: ids, [places, lanes], NONE for no card there."""
    gained = (cards[None] == _CARDS).sum(axis=1, dtype=np.int16)
    batch.cards[batch.mover[at], :, at] += gained.T


def close_up(values: Ints, left: npt.NDArray[np.bool_]) -> Ints:
    """Those that are left of [places, lanes], in their order from the first place on, NONE behind them (rules 5.2)."""
    order = np.argsort(~left, axis=0, kind="stable")
    return np.take_along_axis(np.where(left, values, np.int16(NONE)), order, axis=0)


def pay_for_power(batch: Batch, at: Index, djinn: int, fakirs: Ints) -> None:
    """The movers pay a power by so many fakirs and the rest of its price in elders; it is used up then (rules 11)."""
    batch.elders[batch.mover[at], at] -= sum(PAYMENTS[djinn][0]) - fakirs
    discard_fakirs(batch, at, fakirs)
    batch.used[djinn, at] = 1


def reward_owner(batch: Batch, at: Index, djinn: int, times: Ints | int = 1) -> None:
    """A djinn pays its owner for what the mover did: 1 GC if the mover owns it, 2 GC if another does (rules 11)."""
    owns = batch.owns[:, djinn, at]
    if owns.any():
        batch.gold[:, at] += owns * (2 - (batch.mover[at] == SEAT_NUMBERS)) * times


def take_djinn(batch: Batch, at: Index, djinn: Ints) -> None:
    """A djinn comes before the mover, for which another pays, but not the djinn itself (rules 11.1)."""
    batch.owns[batch.mover[at], djinn, at] = 1
    reward_owner(batch, at, PAID_DJINNS, (djinn != PAID_DJINNS).astype(np.int16))


def place_palms(batch: Batch, at: Index, square: Ints, divert: Ints, onto: Ints) -> None:
    """Put a palm on each square, or `onto` another where that is paid for (rules 11.5); none where none is left.

    `divert` is NOT_PAID, or the fakirs in the price of the djinn that diverts palms.
    """
    _place(batch, at, batch.palms, PALMS, DIVERTING[OASIS], square, divert, onto)


def place_palaces(batch: Batch, at: Index, square: Ints, divert: Ints, onto: Ints) -> None:
    """Put a palace on each square, as palms; a djinn pays its owner for each."""
    built = _place(batch, at, batch.palaces, PALACES, DIVERTING[VILLAGE], square, divert, onto)
    reward_owner(batch, built, PAID_PALACES)


def _place(
    batch: Batch, at: Index, pieces: Ints, supply: int, djinn: int, square: Ints, divert: Ints, onto: Ints
) -> Index:
    """Place a piece in every lane whose supply has one, and give those lanes back."""
    left = pieces[:, at].sum(axis=0) < supply
    if not left.all():
        at, square, divert, onto = at[left], square[left], divert[left], onto[left]
    diverted = divert != NOT_PAID
    if diverted.any():
        pay_for_power(batch, at[diverted], djinn, divert[diverted])
        square = np.where(diverted, onto, square)
    pieces[square, at] += 1
    return at


def use_power(batch: Batch, at: Index, power: Ints, fakirs: Ints, square: Ints, divert: Ints, onto: Ints) -> None:
    """The movers pay for a power each, [lanes], as of `Turns`, and use it; `keep_djinn` follows a draw of djinns."""
    for djinn in np.unique(power):
        here = np.flatnonzero(power == djinn)
        pay_for_power(batch, at[here], int(djinn), fakirs[here])
        _POWERS[int(djinn)](batch, at[here], square[here], divert[here], onto[here])


def _claim(batch: Batch, at: Index, square: Ints, *_: Ints) -> None:
    claim(batch, at, square)


def _revive(batch: Batch, at: Index, square: Ints, *_: Ints) -> None:
    batch.meeples[square, :, at] = draw_meeples(batch, at).T


def _draw_djinns(batch: Batch, at: Index, *_: Ints) -> None:
    batch.resume[at] = batch.stage[at]
    batch.stage[at] = KEEP
    for place in range(FACE_UP_DJINNS):
        batch.drawn[place, at] = draw_djinn(batch, at)


def _draw_card(batch: Batch, at: Index, *_: Ints) -> None:
    give_cards(batch, at, draw_card(batch, at)[None])


def _double_builders(batch: Batch, at: Index, *_: Ints) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    batch.factor[at] = BUILDERS_FACTOR
    batch.gold[batch.mover[at], at] += batch.income[at]


_POWERS: dict[int, Callable[[Batch, Index, Ints, Ints, Ints], None]] = {
    user_of(Power.BUILD_PALACE): place_palaces,
    user_of(Power.BUILD_PALM): place_palms,
    user_of(Power.CLAIM_EMPTY): _claim,
    user_of(Power.CLAIM_PEOPLED): _claim,
    user_of(Power.DOUBLE_BUILDERS): _double_builders,
    user_of(Power.DRAW_CARD): _draw_card,
    user_of(Power.DRAW_DJINNS): _draw_djinns,
    user_of(Power.REVIVE): _revive,
}
"""What each power does to the tile that it works on, once it is paid for."""


def keep_djinn(batch: Batch, at: Index, djinn: Ints) -> None:
    """The movers keep one of the djinns drawn, and put the others away; the turn goes on where it was interrupted."""
    drawn = batch.drawn[:, at]
    away = (drawn != NONE) & (drawn != djinn)
    place, lane = np.nonzero(away)
    batch.djinn_discards[drawn[place, lane], at[lane]] = 1
    batch.drawn[:, at] = NONE
    batch.stage[at] = batch.resume[at]
    batch.resume[at] = 0
    take_djinn(batch, at, djinn)


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
    """Add so many viziers or elders, by tribe, to those in front of a seat."""
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


def keep_dearest(batch: Batch, at: Index) -> Ints:
    """The djinn worth most VP among those drawn, the first of equals."""
    drawn = batch.drawn[:, at]
    worth = np.where(drawn == NONE, NONE, DJINN_VP[drawn])
    return np.asarray(np.take_along_axis(drawn, worth.argmax(axis=0)[None], axis=0)[0], dtype=np.int16)


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
        if not used.any():
            continue
        here = np.flatnonzero(used & (batch.stage[at] == stage))
        if not here.size:
            continue
        use_power(
            batch,
            at[here],
            turns.power[place, here],
            turns.power_fakirs[place, here],
            turns.power_square[place, here],
            turns.power_divert[place, here],
            turns.power_onto[place, here],
        )
        drawing = at[batch.stage[at] == KEEP]
        if drawing.size:
            keep_djinn(batch, drawing, keep_dearest(batch, drawing))


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
