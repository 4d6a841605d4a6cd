"""Rules 7 and 10.7: sets of different goods, and the best way to sell."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

from companion.rules.model.components import SET_PRICES_GC
from tests.rules.twin.state import FAKIR, GOOD_NAMES, discard_cards, earn


def sets_to_sell(state: dict[str, Any], colour: str) -> list[Any]:
    """Rules 7.1: every set of different goods in the hand."""
    held = [good for good in GOOD_NAMES if state["players"][colour]["cards"][good] > 0]
    return [goods for size in range(1, len(held) + 1) for goods in combinations(held, size)]


def sell_set(state: dict[str, Any], colour: str, goods: tuple[str, ...]) -> None:
    """Rules 7.1: 1 3 7 13 21 30 40 50 60 GC for 1 to 9 different goods; the cards are discarded."""
    for good in goods:
        discard_cards(state, colour, good)
    earn(state, colour, SET_PRICES_GC[len(goods)])


def sold_best(counts: list[int]) -> int:
    """Rules 10.7: the largest set of different goods first, again and again."""
    counts = [count for count in counts if count > 0]
    if not counts:
        return 0
    return SET_PRICES_GC[len(counts)] + sold_best([count - 1 for count in counts])


def best_value(cards: dict[str, int], al_amin: bool) -> int:
    """Rules 10.7 and 11.12: the best sale, each pair of fakirs as any good or unused with Al-Amin."""
    pairs = cards[FAKIR] // 2 if al_amin else 0
    best = 0
    for wild in combinations_with_replacement([None, *GOOD_NAMES], pairs):
        counts = [cards[good] + wild.count(good) for good in GOOD_NAMES]
        best = max(best, sold_best(counts))
    return best
