"""Djinns that pay when something happens (rules 11)."""

from companion.rules.djinns.base import Djinn

BAAL = Djinn("Ba'al", 6)
MARID = Djinn("Marid", 6)
MONKIR = Djinn("Monkir", 6)
NEKIR = Djinn("Nekir", 6)
