"""Drawing from the two decks and the bag (rules 8.1, 11): what can come, and a deck made of its discards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, Tribe
from companion.rules.model.events import DeckRemade

if TYPE_CHECKING:
    from companion.rules.engine.table import Table


def draw_card(table: Table, *, face_up: bool) -> tuple[str | None, ...]:
    """The next resource card, None if nobody knows it; empty if there is no card anywhere (rules 8.1)."""
    options = _cards(table)
    return (table.chance.card(options, face_up=face_up),) if options else ()


def _cards(table: Table) -> dict[str, int]:
    """Cards that can come next, the deck remade of the discards if it is empty."""
    options, size = _deck(table)
    if size <= 0 and table.discards:
        table.discards = ()
        table.announce(DeckRemade(table.mover, "resource"))
        options, size = _deck(table)
    return options if size > 0 else {}


def _deck(table: Table) -> tuple[dict[str, int], int]:
    """Cards that the deck may hold, by name, and how many it holds if all else is known."""
    left = dict(CARD_COUNTS)
    for card in (*(table.row or ()), *(table.discards or ())):
        left[card] -= 1
    for player in table.players.values():
        left[FAKIR] -= player.fakirs or 0
        if player.goods is not None:
            for card, held in zip(GOODS, player.goods, strict=True):
                left[card] -= held
    return {card: count for card, count in left.items() if count > 0}, sum(left.values()) - sum(table.hidden.values())


def draw_djinn(table: Table, drawn: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The next djinn, while those `drawn` are out of the deck; empty if there is none anywhere (rules 8.1)."""
    options = djinns_in_deck(table, drawn)
    if not options and table.djinn_discards:
        table.djinn_discards = ()
        table.announce(DeckRemade(table.mover, "djinn"))
        options = djinns_in_deck(table, drawn)
    return (table.chance.djinn(options),) if options else ()


def djinns_in_deck(table: Table, drawn: tuple[str, ...] = ()) -> dict[str, int]:
    """Djinns that the deck may hold, each once."""
    seen = {*(table.djinns or ()), *table.djinn_discards, *drawn}
    for player in table.players.values():
        seen.update(player.djinns or ())
    return {name: 1 for name in table.djinns_in_game if name not in seen}


def draw_meeples(table: Table, number: int) -> tuple[int, ...]:
    """Meeples from the bag, by tribe; fewer if the bag has fewer (rules 11.11)."""
    bag, drawn = table.bag, [0] * len(Tribe)
    for _ in range(min(number, sum(bag))):
        tribe = table.chance.meeple({tribe.noun: bag[tribe] for tribe in Tribe if bag[tribe] > 0})
        bag[tribe] -= 1
        drawn[tribe] += 1
    return tuple(drawn)
