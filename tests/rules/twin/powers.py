"""Rules 11: the powers with a cost, once in each of the owner's turns, each as one plain function."""

from __future__ import annotations

from typing import Any

from tests.rules.twin.state import (
    DJINN_COSTS,
    FAKIR,
    discard_cards,
    draw_card,
    draw_djinn,
    earn,
    fakirs_of,
    has,
    is_empty_tile,
    meeples_on,
    owner_of,
    put_camel,
    spend_elders,
)


def payments(state: dict[str, Any], colour: str, djinn: str) -> list[object]:
    """Rules 11: every way (elders, fakirs) in which the player can pay that djinn's power now, none if used."""
    if not has(state, colour, djinn) or djinn in state["turn"]["used"]:
        return []
    elders, fakirs = state["players"][colour]["elders"], fakirs_of(state, colour)
    return [way for way in DJINN_COSTS[djinn] if way[0] <= elders and way[1] <= fakirs]


def pay(state: dict[str, Any], colour: str, djinn: str, payment: tuple[int, int]) -> None:
    """Rules 11: elders paid go to the bag, fakirs to the discards; the power is used for this turn."""
    elders, fakirs = payment
    spend_elders(state, colour, elders)
    discard_cards(state, colour, FAKIR, fakirs)
    state["turn"]["used"].append(djinn)


def anun_nak_tiles(state: dict[str, Any]) -> list[int]:
    """Rules 11, Anun-Nak: empty tiles; none while the bag is empty (11.11)."""
    if sum(state["bag"].values()) == 0:
        return []
    return [square for square in range(30) if is_empty_tile(state["board"][square])]


def anun_nak(state: dict[str, Any], square: int, letters: list[str] | tuple[str, ...]) -> None:
    """Rules 11, Anun-Nak: the meeples drawn from the bag, three or what it still has, go on the tile."""
    for letter in letters:
        state["bag"][letter] -= 1
        state["board"][square]["meeples"][letter] += 1


def leta_tiles(state: dict[str, Any], colour: str) -> list[int]:
    """Rules 11, Leta: empty tiles; it needs a camel (11.7)."""
    if state["players"][colour]["camels"] == 0:
        return []
    return [square for square in range(30) if is_empty_tile(state["board"][square])]


def utug_tiles(state: dict[str, Any], colour: str) -> list[int]:
    """Rules 11, Utug: tiles with meeples and nothing else; it needs a camel (11.7)."""
    if state["players"][colour]["camels"] == 0:
        return []
    found = []
    for square in range(30):
        tile = state["board"][square]
        if meeples_on(tile) > 0 and tile["camel"] is None and tile["palms"] == 0 and tile["palaces"] == 0:
            found.append(square)
    return found


def claim(state: dict[str, Any], colour: str, square: int) -> None:
    """Rules 11, Leta and Utug: a camel on the tile."""
    put_camel(state, colour, square)


def tiles_of(state: dict[str, Any], letter: str) -> list[int]:
    """The villages or oases, by the letter of their kind."""
    return [square for square in range(30) if state["board"][square]["kind"][0] == letter]


def echidna(state: dict[str, Any], colour: str) -> None:
    """Rules 11.9: what builders brought earlier in this turn is paid a second time; later coins come doubled."""
    earn(state, colour, state["turn"]["builder_coins"])


def sloar(state: dict[str, Any], colour: str, card: str) -> None:
    """Rules 11, Sloar: the top card of the resource deck."""
    draw_card(state, card)
    state["players"][colour]["cards"][card] += 1


def sibittis_draw(state: dict[str, Any], names: list[str]) -> None:
    """Rules 11, Sibittis: the top three djinns, or what there is, are looked at."""
    for name in names:
        draw_djinn(state, name)
    state["turn"]["looking_at"] = list(names)


def sibittis_keep(state: dict[str, Any], colour: str, name: str) -> None:
    """Rules 11, Sibittis: one is kept, the others are discarded."""
    others = [other for other in state["turn"].pop("looking_at") if other != name]
    state["djinn_discards"] += others
    gain_djinn(state, colour, name)


def gain_djinn(state: dict[str, Any], colour: str, name: str) -> None:
    """Rules 6.5 and 11.1: the djinn comes in front of the player; Ba'al pays, not for being taken itself."""
    owner = owner_of(state, "Ba'al")
    if owner is not None:
        earn(state, owner, 1 if owner == colour else 2)
    state["players"][colour]["djinns"].append(name)
