"""Djinns that change what assassins do (rules 11)."""

from companion.rules.djinns.base import Cost, Djinn

BOAZ = Djinn("Boaz", 6)
IBLIS = Djinn("Iblis", 8, Cost.ELDER_OR_FAKIR)
KANDICHA = Djinn("Kandicha", 6)
