"""Palms and palaces in many games at once: placing one, here or by a power elsewhere (rules 6.1, 6.2, 11.2, 11.5)."""

from __future__ import annotations

import numpy as np

from companion.rules.model.components import PALACES, PALMS
from companion.simulation.batch import Batch
from companion.simulation.layout import DJINN_ID, Index, Ints
from companion.simulation.paying import pay_for_power, reward_owner
from companion.simulation.turns import NOT_PAID

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
