"""The djinns by name: the 22 of the game (rules 11), and the promo djinn."""

from __future__ import annotations

from companion.rules.engine.djinns import claiming, drawing, income, killing, money, placing, scoring
from companion.rules.engine.djinns.base import Djinn

DJINNS: dict[str, Djinn] = {
    djinn.name: djinn
    for djinn in (
        scoring.AL_AMIN,
        drawing.ANUN_NAK,
        income.BAAL,
        killing.BOAZ,
        placing.BOURAQ,
        money.ECHIDNA,
        placing.ENKI,
        placing.HAGIS,
        scoring.HAURVATAT,
        killing.IBLIS,
        scoring.JAFAAR,
        killing.KANDICHA,
        money.KUMARBI,
        placing.LAMIA,
        claiming.LETA,
        income.MARID,
        income.MONKIR,
        income.NEKIR,
        scoring.SHAMHAT,
        drawing.SIBITTIS,
        drawing.SLOAR,
        claiming.UTUG,
    )
}
"""Every djinn of the game by name. The order is part of position codes: a new djinn goes to the end."""

PROMO_DJINNS: dict[str, Djinn] = {income.DHENIM.name: income.DHENIM}
"""Djinns that are in a game only by choice."""

EVERY_DJINN: dict[str, Djinn] = {**DJINNS, **PROMO_DJINNS}
"""All that there are, for whoever meets a name."""


def djinns_in_game(*, promo: bool) -> dict[str, Djinn]:
    """The djinns of a game, by name."""
    return EVERY_DJINN if promo else DJINNS
