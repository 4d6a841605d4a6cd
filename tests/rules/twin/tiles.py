"""Rules 6: the tile action, with Hagis, Lamia, Monkir and Ba'al where they touch it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tests.rules.twin.state import (
    FAKIR,
    around,
    discard_cards,
    earn,
    fakirs_of,
    owner_of,
    spend_elders,
)

SUPPLY = {"O": "palms", "V": "palaces"}
MOVER_OF = {"O": "Lamia", "V": "Hagis"}


def places_for(square: int) -> list[int]:
    """Rules 11.2: where Hagis or Lamia can put what belongs on this tile."""
    return around(square)


def place(state: dict[str, Any], mover: str, what: str, square: int) -> None:
    """Rules 6.1 and 6.2: one palm or palace from the supply onto a tile; Monkir hears of palaces."""
    state[what] -= 1
    state["board"][square][what] += 1
    if what == "palaces":
        owner = owner_of(state, "Monkir")
        if owner is not None:
            earn(state, owner, 1 if owner == mover else 2)


def market_purchases(state: dict[str, Any], colour: str, kind: str) -> list[Any]:
    """Rules 6.3 and 6.4: every set of places in the row that may be bought, as tuples of indices."""
    price, first, number = (3, 3, 1) if kind == "M6" else (6, 6, 2)
    if state["players"][colour]["gold"] < price or not state["row"]:
        return []
    return list(combinations(range(min(first, len(state["row"]))), min(number, len(state["row"]))))


def buy(state: dict[str, Any], colour: str, kind: str, places: tuple[int, ...]) -> None:
    """Rules 6.3 and 6.4: pay 3 or 6 GC and take the cards; what remains closes up."""
    state["players"][colour]["gold"] -= 3 if kind == "M6" else 6
    for number in sorted(places, reverse=True):
        state["players"][colour]["cards"][state["row"].pop(number)] += 1


def sacred_payments(state: dict[str, Any], colour: str) -> list[tuple[int, int]]:
    """Rules 6.5: 2 elders, or 1 elder and 1 fakir."""
    elders, fakirs = state["players"][colour]["elders"], fakirs_of(state, colour)
    return [way for way in [(2, 0), (1, 1)] if way[0] <= elders and way[1] <= fakirs]


def pay_sacred(state: dict[str, Any], colour: str, payment: tuple[int, int]) -> None:
    """Rules 6.5 and 5.6: elders go to the bag, fakirs to the discards."""
    spend_elders(state, colour, payment[0])
    discard_cards(state, colour, FAKIR, payment[1])
