"""Goods sold in sets, and the best way to sell a hand of them (rules 7.1, 10.7)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from companion.rules.model.components import GOODS, SET_PRICES_GC

NO_GOODS: tuple[int, ...] = (0,) * len(GOODS)


@dataclass(frozen=True, slots=True)
class GoodsSet:
    """One set of different goods and its price in GC; `wild` are those that fakirs stand for (rules 11.12)."""

    goods: tuple[str, ...]
    price: int
    wild: tuple[str, ...] = ()


def with_wild(goods: tuple[int, ...], wild: int) -> tuple[int, ...]:
    """The counts of a hand, in the order of `GOODS`, after `wild` goods of choice are named in the best way.

    Each goes to the good with the fewest cards, the rarest of them. The k largest possible sets then
    hold as many cards as any naming allows, for every k at once; as the prices grow by 1 2 4 6 8 9 10
    10 10, never by less than before, no other naming and no other sets can be worth more.
    """
    counts = list(goods)
    for _ in range(wild):
        counts[counts.index(min(counts))] += 1
    return tuple(counts)


@lru_cache(maxsize=1 << 14)
def best_goods_value(goods: tuple[int, ...], wild: int = 0) -> int:
    """GC for a hand of goods sold in the best way (rules 7.1, 10.7).

    `goods` counts cards in the order of `components.GOODS`; `wild` goods of choice come on top (rules 11.12).
    """
    counts = with_wild(goods, wild)
    return sum(SET_PRICES_GC[sum(count > level for count in counts)] for level in range(max(counts)))


def best_sets(goods: tuple[int, ...], wild: int = 0) -> tuple[GoodsSet, ...]:
    """The sets of `best_goods_value`, the largest first, goods in the order of `components.GOODS`."""
    counts = with_wild(goods, wild)
    sets = []
    for level in range(max(counts)):
        names = tuple(name for name, count in zip(GOODS, counts, strict=True) if count > level)
        # A good's own cards fill its first sets, so what lies beyond them is wild.
        named = tuple(name for name, own in zip(GOODS, goods, strict=True) if name in names and own <= level)
        sets.append(GoodsSet(names, SET_PRICES_GC[len(names)], named))
    return tuple(sets)
