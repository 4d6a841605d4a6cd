"""Djinns that claim tiles (rules 11)."""

from companion.rules.djinns.base import Cost, Djinn

LETA = Djinn("Leta", 4, Cost.ELDER_AND_ELDER_OR_FAKIR)
UTUG = Djinn("Utug", 4, Cost.ELDER_AND_ELDER_OR_FAKIR)
