"""The 22 djinns (rules 11), by name in the order of the rules."""

from companion.rules.djinns import claiming, drawing, income, killing, money, placing, scoring
from companion.rules.djinns.base import Djinn

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
"""Every djinn by name. The order is part of position codes: a new djinn goes to the end."""
