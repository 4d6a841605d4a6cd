"""What actions do to holdings in many games at once: cards and djinns come, powers are paid, djinns pay (rules 11)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import EVERY_DJINN
from companion.simulation.batch import Batch
from companion.simulation.layout import CARDS, DJINN_ID, FAKIR_ID, NONE, SEATS, Index, Ints

_SEATS = np.arange(SEATS)[:, None]
_CARDS = np.arange(len(CARDS))[:, None, None]

_BAAL = DJINN_ID["Ba'al"]
_COST: dict[int, int] = {
    DJINN_ID[name]: sum(djinn.cost.payments[0]) for name, djinn in EVERY_DJINN.items() if djinn.cost.payments
}
"""Elders and fakirs together that the power of each djinn costs in a turn."""


def discard_fakirs(batch: Batch, at: Index, count: Ints) -> None:
    """The movers discard so many fakirs, 0 for none (rules 5.6)."""
    if count.any():
        batch.cards[batch.mover[at], FAKIR_ID, at] -= count
        batch.discards[FAKIR_ID, at] += count


def give_cards(batch: Batch, at: Index, cards: Ints) -> None:
    """The movers take cards: ids, [places, lanes], NONE for no card there."""
    gained = (cards[None] == _CARDS).sum(axis=1, dtype=np.int16)
    batch.cards[batch.mover[at], :, at] += gained.T


def close_up(values: Ints, kept: npt.NDArray[np.bool_]) -> Ints:
    """The kept ones of [places, lanes] in their order from the first place on, NONE behind them (rules 5.2)."""
    order = np.argsort(~kept, axis=0, kind="stable")
    return np.take_along_axis(np.where(kept, values, np.int16(NONE)), order, axis=0)


def pay_for_power(batch: Batch, at: Index, djinn: int, fakirs: Ints) -> None:
    """The movers pay a power by so many fakirs and the rest of its price in elders; it is used up then (rules 11)."""
    batch.elders[batch.mover[at], at] -= _COST[djinn] - fakirs
    discard_fakirs(batch, at, fakirs)
    batch.used[djinn, at] = 1


def reward_owner(batch: Batch, at: Index, djinn: int, times: Ints | int = 1) -> None:
    """A djinn pays its owner for what the mover did: 1 GC if that is he himself, 2 GC if another (rules 11)."""
    owns = batch.owns[:, djinn, at]
    if owns.any():
        batch.gold[:, at] += owns * (2 - (batch.mover[at] == _SEATS)) * times


def take_djinn(batch: Batch, at: Index, djinn: Ints) -> None:
    """A djinn comes before the mover, for which Ba'al pays, but not for himself (rules 11.1)."""
    batch.owns[batch.mover[at], djinn, at] = 1
    reward_owner(batch, at, _BAAL, (djinn != _BAAL).astype(np.int16))
