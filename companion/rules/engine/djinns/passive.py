"""Djinns without a cost, whose powers always work (rules 11): they change worths, pay, reap or guard."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.engine.djinns.base import Djinn, Spoils
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    DjinnTaken,
    Event,
    MeepleDropped,
    MeeplesKept,
    PalacePlaced,
    VictimReaped,
)

# What things are worth at the end (rules 10).
# Al-Amin: each pair of own fakirs is one good of choice, also one whose cards are all taken (rules 11.12).
AL_AMIN = Djinn("Al-Amin", 5, revalue=lambda worth: replace(worth, fakirs_per_good=2))
HAURVATAT = Djinn("Haurvatat", 8, revalue=lambda worth: replace(worth, palm=5))
JAFAAR = Djinn("Jafaar", 6, revalue=lambda worth: replace(worth, vizier=3))
SHAMHAT = Djinn("Shamhat", 6, revalue=lambda worth: replace(worth, elder=4))


# Income: 1 GC for the owner's own doing, 2 GC for another's.


def _share(by: Colour, owner: Colour) -> int:
    return 1 if by is owner else 2


def _for_djinns(event: Event, owner: Colour) -> int:
    # A djinn does not pay for being taken itself (rules 11.1).
    if isinstance(event, DjinnTaken) and event.djinn != BAAL.name:
        return _share(event.by, owner)
    return 0


def _for_drops(event: Event, owner: Colour) -> int:
    return _share(event.by, owner) if isinstance(event, MeepleDropped) and event.owner is owner else 0


def _for_palaces(event: Event, owner: Colour) -> int:
    return _share(event.by, owner) if isinstance(event, PalacePlaced) else 0


def _for_kills(event: Event, owner: Colour) -> int:
    # Once for an action, one meeple killed or two, on a tile or in front of a player (rules 11.3, 11.6).
    return _share(event.by, owner) if isinstance(event, AssassinsKilled) else 0


def _for_viziers(event: Event, owner: Colour) -> int:
    # Viziers from the board: taken in hand, or killed on a tile and kept.
    if isinstance(event, MeeplesKept) and event.tribe is Tribe.VIZIER:
        return event.count * _share(event.by, owner)
    if isinstance(event, VictimReaped) and event.kept and event.victim.square is not None:
        return _share(event.by, owner) if event.victim.tribe is Tribe.VIZIER else 0
    return 0


BAAL = Djinn("Ba'al", 6, pays=_for_djinns)
MARID = Djinn("Marid", 6, pays=_for_drops)
MONKIR = Djinn("Monkir", 6, pays=_for_palaces)
NEKIR = Djinn("Nekir", 6, pays=_for_kills)
DHENIM = Djinn("Dhenim", 6, pays=_for_viziers)


# Assassins: the owner's victims, and his viziers and elders as victims (rules 5.4).


def _reap(tribe: Tribe, builder_income: int) -> Spoils:
    if tribe is Tribe.MERCHANT:
        return Spoils(cards=1)
    if tribe is Tribe.BUILDER:
        return Spoils(gold=builder_income)
    return Spoils(kept=tribe in (Tribe.VIZIER, Tribe.ELDER))


BOAZ = Djinn("Boaz", 6, guards=True)
KANDICHA = Djinn("Kandicha", 6, reaps=_reap)
