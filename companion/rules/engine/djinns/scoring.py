"""Djinns that change what things are worth at the end (rules 10, 11)."""

from dataclasses import replace

from companion.rules.engine.djinns.base import Djinn

# Al-Amin: each pair of own fakirs is one good of choice, also one whose cards are all taken (rules 11.12).
AL_AMIN = Djinn("Al-Amin", 5, revalue=lambda worth: replace(worth, fakirs_per_good=2))
HAURVATAT = Djinn("Haurvatat", 8, revalue=lambda worth: replace(worth, palm=5))
JAFAAR = Djinn("Jafaar", 6, revalue=lambda worth: replace(worth, vizier=3))
SHAMHAT = Djinn("Shamhat", 6, revalue=lambda worth: replace(worth, elder=4))
