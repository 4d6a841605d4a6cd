"""Djinns that change what things are worth at the end (rules 10, 11)."""

from companion.rules.djinns.base import Djinn

AL_AMIN = Djinn("Al-Amin", 5)
HAURVATAT = Djinn("Haurvatat", 8)
JAFAAR = Djinn("Jafaar", 6)
SHAMHAT = Djinn("Shamhat", 6)
