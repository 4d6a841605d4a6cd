"""Rules 5: the tribe action, with Echidna, Iblis, Kandicha, Nekir and Boaz where they touch it."""

from __future__ import annotations

from typing import Any

from tests.rules.twin.powers import pay
from tests.rules.twin.sowing import claim_if_possible
from tests.rules.twin.state import (
    FAKIR,
    blue_tiles,
    cards_left,
    discard_cards,
    draw_card,
    earn,
    fakirs_of,
    has,
    meeples_on,
    opponents,
    owner_of,
    steps_between,
)


def keep(state: dict[str, Any], colour: str, letter: str, count: int) -> None:
    """Rules 5.1: viziers and elders stay in front of the player."""
    state["players"][colour]["viziers" if letter == "y" else "elders"] += count


def tell_dhenim(state: dict[str, Any], colour: str, viziers: int) -> None:
    """The promo djinn: 1 GC for each vizier that its owner gains from the board, 2 GC for another's."""
    owner = owner_of(state, "Dhenim")
    if owner is not None:
        earn(state, owner, viziers if owner == colour else 2 * viziers)


def take_from_row(state: dict[str, Any], colour: str, merchants: int) -> None:
    """Rules 5.2: that many cards from the start of the row, fewer if fewer are left."""
    state["bag"]["g"] += merchants
    for _ in range(min(merchants, len(state["row"]))):
        state["players"][colour]["cards"][state["row"].pop(0)] += 1


def builders_bring(state: dict[str, Any], colour: str, coins: int) -> None:
    """Rules 11.9: builders' coins, doubled at once if Echidna has been paid in this turn."""
    state["turn"]["builder_coins"] += coins
    earn(state, colour, 2 * coins if "Echidna" in state["turn"]["used"] else coins)


def build(state: dict[str, Any], colour: str, builders: int, fakirs: int) -> None:
    """Rules 5.3: (builders + fakirs) x blue-valued tiles at and around the end tile."""
    state["bag"]["b"] += builders
    discard_cards(state, colour, FAKIR, fakirs)
    builders_bring(state, colour, (builders + fakirs) * blue_tiles(state, state["turn"]["end"]))


def ways_to_pay_iblis(state: dict[str, Any], colour: str) -> list[Any]:
    """Rules 11, Iblis: None for one kill, and every way (elders, fakirs) to pay for two."""
    ways = [None]
    if has(state, colour, "Iblis") and "Iblis" not in state["turn"]["used"]:
        elders, fakirs = state["players"][colour]["elders"], fakirs_of(state, colour)
        ways += [way for way in [(1, 0), (0, 1)] if way[0] <= elders and way[1] <= fakirs]
    return ways


def victims(counts: dict[str, int], number: int) -> set[str]:
    """Every sorted text of `number` letters out of the counts, or of all there are if fewer (11.10)."""
    letters = [letter for letter, count in counts.items() for _ in range(count)]
    if len(letters) <= number:
        return {"".join(sorted(letters))} if letters else set()
    if number == 1:
        return set(letters)
    return {"".join(sorted([letters[one], letters[other]])) for one in range(len(letters)) for other in range(one)}


def in_front(state: dict[str, Any], colour: str) -> dict[str, int]:
    """Rules 5.4: the viziers and elders in front of a player, none while Boaz protects them."""
    if has(state, colour, "Boaz"):
        return {}
    player = state["players"][colour]
    return {"y": player["viziers"], "w": player["elders"]}


def kills(state: dict[str, Any], colour: str, assassins: int) -> list[Any]:
    """Rules 5.4: every legal kill (iblis payment or None, fakirs, square or colour, letters).

    Fakirs are discarded for the distance, more than it needs if the player likes; no kill at all, None, where no
    target is to be had without fakirs.
    """
    found = []
    for payment in ways_to_pay_iblis(state, colour):
        number = 1 if payment is None else 2
        fakirs_left = fakirs_of(state, colour) - (payment[1] if payment else 0)
        for square in range(30):
            distance = steps_between(state["turn"]["end"], square)
            for fakirs in range(fakirs_left + 1):
                if distance <= assassins + fakirs:
                    for letters in victims(state["board"][square]["meeples"], number):
                        found.append((payment, fakirs, square, letters))
        for other in opponents(state, colour):
            for letters in victims(in_front(state, other), number):
                found.append((payment, 0, other, letters))
    if not any(fakirs == 0 for _, fakirs, _, _ in found):
        found.append(None)
    return found


def cards_for_kill(state: dict[str, Any], colour: str, kill: tuple[Any, ...]) -> int:
    """Rules 11, Kandicha: how many cards of the deck the kill brings, one for each merchant."""
    if kill is None or not has(state, colour, "Kandicha"):
        return 0
    payment, fakirs, _, letters = kill
    discarded = fakirs + (payment[1] if payment else 0)
    return min(letters.count("g"), cards_left(state) + discarded)


def assassinate(
    state: dict[str, Any], colour: str, assassins: int, kill: tuple[Any, ...] | None, drawn: list[str] | tuple[str, ...]
) -> None:
    """Rules 5.4 to 5.6: the assassins go to the bag, the kill is made; `drawn` are the cards for Kandicha."""
    state["bag"]["r"] += assassins
    if kill is None:
        return
    payment, fakirs, target, letters = kill
    if payment is not None:
        pay(state, colour, "Iblis", payment)
    discard_cards(state, colour, FAKIR, fakirs)
    drawn = list(drawn)
    for letter in letters:
        take_victim_away(state, target, letter)
        after_a_kill(state, colour, target, letter, drawn)
    tell_nekir(state, colour)
    if isinstance(target, int) and meeples_on(state["board"][target]) == 0:
        claim_if_possible(state, colour, target)  # rules 5.5


def take_victim_away(state: dict[str, Any], target: int | str, letter: str) -> None:
    """Rules 5.4: from the tile, or from in front of the opponent."""
    if isinstance(target, int):
        state["board"][target]["meeples"][letter] -= 1
    else:
        state["players"][target]["viziers" if letter == "y" else "elders"] -= 1


def after_a_kill(state: dict[str, Any], colour: str, target: int | str, letter: str, drawn: list[str]) -> None:
    """Rules 5.4: to the bag; rules 11, Kandicha: what it brings, for each meeple killed (11.3, 11.6)."""
    kandicha = has(state, colour, "Kandicha")
    if kandicha and letter in "yw":
        keep(state, colour, letter, 1)
        if letter == "y" and isinstance(target, int):
            tell_dhenim(state, colour, 1)
        return
    state["bag"][letter] += 1
    if kandicha and letter == "g" and drawn:
        card = drawn.pop(0)
        draw_card(state, card)
        state["players"][colour]["cards"][card] += 1
    if kandicha and letter == "b":
        builders_bring(state, colour, blue_tiles(state, target))  # rules 11.4


def tell_nekir(state: dict[str, Any], killer: str) -> None:
    """Rules 11.3: once for an assassins' action, 1 GC for the owner's own, 2 GC for another's."""
    owner = owner_of(state, "Nekir")
    if owner is not None:
        earn(state, owner, 1 if owner == killer else 2)
