"""Rules 3: bidding for turn order, with the rulings of 3.4 and 11.8."""

from __future__ import annotations

from typing import Any

from companion.rules.model.components import TRACK_PRICES_GC
from tests.rules.twin.state import FAKIR, discard_cards, fakirs_of, has


def free_prices(state: dict[str, Any]) -> list[int]:
    """Rules 3.1 and 3.2: prices of the free spots, 0 while fewer than three markers are on the zeros."""
    free = []
    for price in sorted(set(TRACK_PRICES_GC)):
        if price == 0 and len(state["zeros"]) < 3:
            free.append(price)
        if price > 0 and price not in state["spots"]:
            free.append(price)
    return free


def lowered(price: int, fakirs: int) -> int:
    """Rules 11.8: so many spots down the price list from the chosen one; nothing lies below its start."""
    place = max(number for number, spot in enumerate(TRACK_PRICES_GC) if spot == price)
    return TRACK_PRICES_GC[max(0, place - fakirs)]


def most_useful_fakirs(price: int) -> int:
    """Rules 11.8: with so many fakirs the price is 0 GC; more lower nothing."""
    fakirs = 0
    while lowered(price, fakirs) > 0:
        fakirs += 1
    return fakirs


def bids(state: dict[str, Any]) -> list[tuple[int, int]]:
    """Rules 3.1 to 3.4: every (price, fakirs discarded for Kumarbi) that the next bidder may name."""
    colour = state["to_bid"][0]
    gold = state["players"][colour]["gold"]
    found = []
    for price in free_prices(state):
        useful = most_useful_fakirs(price)
        most = min(useful, fakirs_of(state, colour)) if has(state, colour, "Kumarbi") else 0
        for fakirs in range(most + 1):
            if lowered(price, fakirs) <= gold:
                found.append((price, fakirs))
    if not found:
        found.append((min(free_prices(state)), 0))  # rules 3.4, the ruling: he pays all he has
    return found


def bid(state: dict[str, Any], price: int, fakirs: int) -> None:
    """Rules 3.1 to 3.3: pay, put the marker on the spot; after the last bid the turns begin."""
    colour = state["to_bid"].pop(0)
    player = state["players"][colour]
    player["gold"] -= min(lowered(price, fakirs), player["gold"])
    discard_cards(state, colour, FAKIR, fakirs)
    if price == 0:
        state["zeros"].insert(0, colour)  # rules 3.2: before the zeros already taken
    else:
        state["spots"][price] = colour


def playing_order(state: dict[str, Any]) -> list[tuple[str, int]]:
    """Rules 3.3: from the dearest spot down to the last zero."""
    dear_first = sorted(state["spots"], reverse=True)
    return [(state["spots"][price], price) for price in dear_first] + [(colour, 0) for colour in state["zeros"]]
