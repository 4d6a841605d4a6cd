"""The djinns by name: the 22 of the game (rules 11), and the promo djinn."""

from __future__ import annotations

from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.rules.engine.djinns.base import Djinn
from companion.rules.engine.djinns.paid import (
    ANUN_NAK,
    BOURAQ,
    ECHIDNA,
    ENKI,
    HAGIS,
    IBLIS,
    KUMARBI,
    LAMIA,
    LETA,
    SIBITTIS,
    SLOAR,
    UTUG,
)
from companion.rules.engine.djinns.passive import (
    AL_AMIN,
    BAAL,
    BOAZ,
    DHENIM,
    HAURVATAT,
    JAFAAR,
    KANDICHA,
    MARID,
    MONKIR,
    NEKIR,
    SHAMHAT,
)

DJINNS: dict[str, Djinn] = {
    djinn.name: djinn
    for djinn in (
        AL_AMIN,
        ANUN_NAK,
        BAAL,
        BOAZ,
        BOURAQ,
        ECHIDNA,
        ENKI,
        HAGIS,
        HAURVATAT,
        IBLIS,
        JAFAAR,
        KANDICHA,
        KUMARBI,
        LAMIA,
        LETA,
        MARID,
        MONKIR,
        NEKIR,
        SHAMHAT,
        SIBITTIS,
        SLOAR,
        UTUG,
    )
}
"""Every djinn of the game by name. The order is part of position codes: a new djinn goes to the end."""

PROMO_DJINNS: dict[str, Djinn] = {DHENIM.name: DHENIM}
"""Djinns that are in a game only by choice."""

EVERY_DJINN: dict[str, Djinn] = {**DJINNS, **PROMO_DJINNS}
"""All that there are, for whoever meets a name."""


def djinn_named(name: str) -> Djinn:
    """The djinn of that name. Raises UnusableInputError if there is none."""
    try:
        return EVERY_DJINN[name]
    except KeyError:
        raise UnusableInputError(say("there is no djinn {name!r} (rules 11)", name=name)) from None


def djinns_in_game(*, promo: bool) -> dict[str, Djinn]:
    """The djinns of a game, by name."""
    return EVERY_DJINN if promo else DJINNS
