"""Djinns that put palms and palaces elsewhere or more of them (rules 11)."""

from companion.rules.djinns.base import Cost, Djinn

BOURAQ = Djinn("Bouraq", 6, Cost.ELDER_OR_FAKIR)
ENKI = Djinn("Enki", 8, Cost.ELDER_OR_FAKIR)
HAGIS = Djinn("Hagis", 10, Cost.ELDER_OR_FAKIR)
LAMIA = Djinn("Lamia", 10, Cost.ELDER_OR_FAKIR)
