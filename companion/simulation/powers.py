"""Holdings and powers in many games at once: what djinns cost, pay, build, draw and keep (rules 6.1, 6.2, 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import FACE_UP_DJINNS, PALACES, PALMS
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.decks import draw_card, draw_djinn, draw_meeples
from companion.simulation.layout import CARDS, DJINN_ID, FAKIR_ID, NONE, SEATS, STAGE_ID, Index, Ints
from companion.simulation.sowing import claim
from companion.simulation.turns import NOT_PAID

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


_HAGIS, _LAMIA, _MONKIR = (DJINN_ID[name] for name in ("Hagis", "Lamia", "Monkir"))


def place_palms(batch: Batch, at: Index, square: Ints, divert: Ints, onto: Ints) -> None:
    """Put a palm on each square, or `onto` another where Lamia is paid to divert it; none where none is left.

    `divert` is NOT_PAID, or the fakirs in Lamia's price.
    """
    _place(batch, at, batch.palms, PALMS, _LAMIA, square, divert, onto)


def place_palaces(batch: Batch, at: Index, square: Ints, divert: Ints, onto: Ints) -> None:
    """Put a palace on each square, as palms, by Hagis; Monkir pays for each."""
    built = _place(batch, at, batch.palaces, PALACES, _HAGIS, square, divert, onto)
    reward_owner(batch, built, _MONKIR)


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


_KEEP = STAGE_ID[Stage.KEEP]
_ECHIDNA_FACTOR = 2


@dataclass(frozen=True, slots=True)
class PowerUses:
    """Uses of one power, one a lane: the tile that it works on, and where a palm or palace is put instead.

    Each is an array [lanes]; `divert` is NOT_PAID, or the fakirs in the price of Hagis or Lamia (rules 11.5).
    """

    square: Ints
    divert: Ints
    onto: Ints


def use_power(batch: Batch, at: Index, power: Ints, fakirs: Ints, square: Ints, divert: Ints, onto: Ints) -> None:
    """The movers pay for a power each, so many fakirs and the rest of its price in elders, and use it.

    All are arrays [lanes], as `Turns` names them. Where djinns are drawn the stage is KEEP then: `keep_djinn` goes on.
    """
    for djinn in np.unique(power):
        here = np.flatnonzero(power == djinn)
        pay_for_power(batch, at[here], int(djinn), fakirs[here])
        _POWERS[int(djinn)](batch, at[here], PowerUses(square[here], divert[here], onto[here]))


def _palace(batch: Batch, at: Index, uses: PowerUses) -> None:
    place_palaces(batch, at, uses.square, uses.divert, uses.onto)


def _palm(batch: Batch, at: Index, uses: PowerUses) -> None:
    place_palms(batch, at, uses.square, uses.divert, uses.onto)


def _claim(batch: Batch, at: Index, uses: PowerUses) -> None:
    claim(batch, at, uses.square)


def _revive(batch: Batch, at: Index, uses: PowerUses) -> None:
    batch.meeples[uses.square, :, at] = draw_meeples(batch, at).T


def _draw_djinns(batch: Batch, at: Index, _: PowerUses) -> None:
    batch.resume[at] = batch.stage[at]
    batch.stage[at] = _KEEP
    for place in range(FACE_UP_DJINNS):
        batch.drawn[place, at] = draw_djinn(batch, at)


def _draw_card(batch: Batch, at: Index, _: PowerUses) -> None:
    give_cards(batch, at, draw_card(batch, at)[None])


def _double_builders(batch: Batch, at: Index, _: PowerUses) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    batch.factor[at] = _ECHIDNA_FACTOR
    batch.gold[batch.mover[at], at] += batch.income[at]


_POWERS: dict[int, Callable[[Batch, Index, PowerUses], None]] = {
    DJINN_ID[name]: use
    for name, use in (
        ("Anun-Nak", _revive),
        ("Bouraq", _palace),
        ("Echidna", _double_builders),
        ("Enki", _palm),
        ("Leta", _claim),
        ("Sibittis", _draw_djinns),
        ("Sloar", _draw_card),
        ("Utug", _claim),
    )
}
"""What each power does, once it is paid for."""


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
