"""Powers that are actions of their own, in many games at once, and keeping a djinn that was drawn (rules 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.rules.model.components import FACE_UP_DJINNS
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.building import place_palaces, place_palms
from companion.simulation.decks import draw_card, draw_djinn, draw_meeples
from companion.simulation.layout import DJINN_ID, NONE, STAGE_ID, Index, Ints
from companion.simulation.paying import give_cards, pay_for_power, take_djinn
from companion.simulation.sowing import claim

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
