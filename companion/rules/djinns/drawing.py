"""Djinns that draw from the bag or the decks (rules 11)."""

from companion.rules.djinns.base import Cost, Djinn

ANUN_NAK = Djinn("Anun-Nak", 8, Cost.ELDER_OR_FAKIR)
SIBITTIS = Djinn("Sibittis", 4, Cost.ELDER_AND_ELDER_OR_FAKIR)
SLOAR = Djinn("Sloar", 8, Cost.FAKIR)
