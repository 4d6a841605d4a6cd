"""Djinns that pay when something happens: 1 GC for the owner's own doing, 2 GC for another's (rules 11)."""

from companion.rules.engine.djinns.base import Djinn
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
