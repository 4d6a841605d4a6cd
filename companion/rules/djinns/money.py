"""Djinns about coins: income and bids (rules 11)."""

from companion.rules.djinns.base import Cost, Djinn

ECHIDNA = Djinn("Echidna", 4, Cost.ELDER_AND_ELDER_OR_FAKIR)
KUMARBI = Djinn("Kumarbi", 6, Cost.FAKIRS)
