"""What movers get, pay and claim in many games at once, and what their djinns' powers do (rules 4.8, 5, 6, 11)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import Power
from companion.rules.engine.powers import BUILDERS_FACTOR
from companion.rules.model.components import FACE_UP_DJINNS, PALACES, PALMS
from companion.simulation.decks import draw_card, draw_djinn, draw_meeples
from companion.simulation.djinns import DIVERTING, DJINN_VP, PAID_DJINNS, PAID_PALACES, PAYMENTS, user_of
from companion.simulation.layout import (
    CARDS,
    FAKIR_ID,
    KEEP,
    LAST_CAMEL,
    NONE,
    NOT_ENDING,
    NOT_PAID,
    OASIS,
    SEAT_NUMBERS,
    TRIBES,
    VILLAGE,
    Batch,
    Index,
    Ints,
    Turns,
)

_TRIBES = np.arange(TRIBES)[:, None]


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


_CARDS = np.arange(len(CARDS))[:, None, None]


def discard_fakirs(batch: Batch, at: Index, count: Ints) -> None:
    """The movers discard that many fakirs, 0 for none (rules 5.6)."""
    if count.any():
        batch.cards[batch.mover[at], FAKIR_ID, at] -= count
        batch.discards[FAKIR_ID, at] += count


def give_cards(batch: Batch, at: Index, cards: Ints) -> None:
    """The movers take cards: ids, [places, lanes], NONE for no card there."""
    gained = (cards[None] == _CARDS).sum(axis=1, dtype=np.int16)
    batch.cards[batch.mover[at], :, at] += gained.T


def close_up(values: Ints, left: npt.NDArray[np.bool_]) -> Ints:
    """What is left of [places, lanes], moved up in order to the first places, NONE after it (rules 5.2)."""
    order = np.argsort(~left, axis=0, kind="stable")
    return np.take_along_axis(np.where(left, values, np.int16(NONE)), order, axis=0)


def pay_for_power(batch: Batch, at: Index, djinn: int, fakirs: Ints) -> None:
    """The movers pay a power by that many fakirs and the rest of its price in elders; it is used up then (rules 11)."""
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


def use_powers(batch: Batch, at: Index, turns: Turns, place: Ints | int, here: Index) -> None:
    """The movers pay for and use the power at a place of their `turns`, whose columns are `here`; of djinns drawn they
    keep the dearest.
    """
    power, fakirs, square, divert, onto = (
        field[place, here]
        for field in (turns.power, turns.power_fakirs, turns.power_square, turns.power_divert, turns.power_onto)
    )
    for djinn in np.unique(power):
        some = np.flatnonzero(power == djinn)
        pay_for_power(batch, at[some], int(djinn), fakirs[some])
        _POWERS[int(djinn)](batch, at[some], square[some], divert[some], onto[some])
    drawing = at[batch.stage[at] == KEEP]
    if drawing.size:
        keep_djinn(batch, drawing, keep_dearest(batch, drawing))


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


def keep_dearest(batch: Batch, at: Index) -> Ints:
    """The djinn worth most VP among those drawn, the first of equals."""
    drawn = batch.drawn[:, at]
    worth = np.where(drawn == NONE, NONE, DJINN_VP[drawn])
    return np.asarray(np.take_along_axis(drawn, worth.argmax(axis=0)[None], axis=0)[0], dtype=np.int16)
