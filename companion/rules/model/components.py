"""What is in the box: kinds, counts and values (rules 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum, IntEnum, StrEnum
from functools import lru_cache
from typing import Any

from companion.errors import ArgumentError, quoted
from companion.language.phrase import joined


def member_repr(member: Enum) -> str:
    """A member of an enumeration as Python reads it: Colour.BLUE."""
    return f"{type(member).__name__}.{member.name}"


def short_repr(value: Any) -> str:
    """A dataclass's value as Python reads it, without the fields that are as by default."""
    given = ((field.name, getattr(value, field.name), field.default) for field in fields(value))
    return f"{type(value).__name__}({', '.join(f'{name}={one!r}' for name, one, usual in given if one != usual)})"


class Tribe(IntEnum):
    """A tribe; its value is its place in meeple counts and in the notation's letter order."""

    __repr__ = member_repr

    VIZIER = 0
    ELDER = 1
    BUILDER = 2
    MERCHANT = 3
    ASSASSIN = 4

    @property
    def letter(self) -> str:
        """The meeple's colour letter in the notation: y, w, b, g or r."""
        return TRIBE_LETTERS[self]

    @property
    def noun(self) -> str:
        """The tribe's name in the singular, lower case."""
        return self.name.lower()


TRIBE_LETTERS = "ywbgr"
"""Meeple letters by tribe: yellow, white, blue, green, red."""

MEEPLE_COUNTS: tuple[int, ...] = (16, 20, 18, 18, 18)
"""Meeples in the box by tribe (rules 1.2)."""

TOTAL_MEEPLES = sum(MEEPLE_COUNTS)


class Colour(StrEnum):
    """A player, by the colour of the camels (rules 1.5)."""

    __repr__ = member_repr

    BLACK = "black"
    ORANGE = "orange"
    BLUE = "blue"
    PINK = "pink"

    @property
    def letter(self) -> str:
        """The camel's letter in the notation: K, O, B or P."""
        return "K" if self is Colour.BLACK else self.value[0].upper()


def colour_of(name: Colour | str) -> Colour:
    """A player's colour, by its name too. Raises ArgumentError for any other text."""
    try:
        return Colour(name)
    except ValueError:
        colours = joined(", ", map(str, Colour))
        raise ArgumentError(
            "{name} isn't a player's colour; the colours are {colours}", name=quoted(str(name)), colours=colours
        ) from None


COLOUR_BY_LETTER: dict[str, Colour] = {colour.letter: colour for colour in Colour}


class TileAction(StrEnum):
    """The action of a tile (rules 6)."""

    OASIS = "oasis"
    VILLAGE = "village"
    SMALL_MARKET = "small market"
    LARGE_MARKET = "large market"
    SACRED_PLACE = "sacred place"


@dataclass(frozen=True, slots=True)
class TileKind:
    """A kind of tile: its code in the notation, action, value in VP and number in the box (rules 1.1)."""

    code: str
    action: TileAction
    vp: int
    blue: bool
    count: int

    def __repr__(self) -> str:
        return f"TILE_KINDS[{self.code!r}]"

    def __reduce__(self) -> tuple[Callable[[str], TileKind], tuple[str]]:
        # What comes from another process is one of the same few kinds, so that they can be told apart by identity.
        return _kind_of_code, (self.code,)


def _kind_of_code(code: str) -> TileKind:
    return TILE_KINDS[code]


TILE_KINDS: dict[str, TileKind] = {
    kind.code: kind
    for kind in (
        TileKind("O8", TileAction.OASIS, 8, blue=False, count=6),
        TileKind("M6", TileAction.SMALL_MARKET, 6, blue=False, count=8),
        TileKind("M4", TileAction.LARGE_MARKET, 4, blue=False, count=4),
        TileKind("V5", TileAction.VILLAGE, 5, blue=True, count=5),
        TileKind("S6", TileAction.SACRED_PLACE, 6, blue=True, count=4),
        TileKind("S10", TileAction.SACRED_PLACE, 10, blue=True, count=1),
        TileKind("S12", TileAction.SACRED_PLACE, 12, blue=True, count=1),
        TileKind("S15", TileAction.SACRED_PLACE, 15, blue=True, count=1),
    )
}
"""Every kind of tile by its code."""

PALMS = 12
PALACES = 10
COINS = {5: 48, 1: 48}
"""How many coins of each value the box holds."""

COINS_GC = sum(value * count for value, count in COINS.items())
"""The worth of all coins in the box, in GC (rules 1.3)."""

START_GOLD_GC = 50
"""Gold of each player at the start (rules 2.2)."""

FAKIR = "fakir"
CARD_COUNTS: dict[str, int] = {
    FAKIR: 18,
    "ivory": 2,
    "jewels": 2,
    "gold": 2,
    "papyrus": 4,
    "silk": 4,
    "spice": 4,
    "fish": 6,
    "wheat": 6,
    "pottery": 6,
}
"""Resource cards in the box (rules 1.4)."""

GOODS: tuple[str, ...] = tuple(card for card in CARD_COUNTS if card != FAKIR)
"""The nine goods, rarest first; a hand of goods is a tuple of counts in this order."""

ROW_LENGTH = 9
FACE_UP_DJINNS = 3

SET_PRICES_GC: tuple[int, ...] = (0, 1, 3, 7, 13, 21, 30, 40, 50, 60)
"""What a set of n different goods sells for, in GC (rules 7.1)."""

TRACK_PRICES_GC: tuple[int, ...] = (0, 0, 0, 1, 3, 5, 8, 12, 18)
"""Prices of the nine spots of the turn order track (rules 1.6)."""

SPOT_PRICES_GC: tuple[int, ...] = tuple(sorted(set(TRACK_PRICES_GC)))
"""The price list of the track, each price once, cheapest first (rules 11.8)."""

BID_SPOTS = 4


def markers_each(players: int) -> int:
    """Turn markers that each player has in a game of that many (rules 2.1)."""
    return 2 if players == 2 else 1


def camels_in_box(colour: Colour, players: int) -> int:
    """Camels of a colour in a game of that many players: blue and pink have 11 in a game of two (rules 1.5, 2.1)."""
    return 11 if players <= 2 and colour in (Colour.BLUE, Colour.PINK) else 8


NO_GOODS: tuple[int, ...] = (0,) * len(GOODS)


@dataclass(frozen=True, slots=True)
class GoodsSet:
    """One set of different goods and its price in GC; `wild` are those that fakirs stand for (rules 11.12)."""

    goods: tuple[str, ...]
    price: int
    wild: tuple[str, ...] = ()


def with_wild(goods: tuple[int, ...], wild: int) -> tuple[int, ...]:
    """The counts of a hand with `wild` goods named in the best way: the rarest with the fewest cards, since prices grow
    by 1 2 4 6 8 9 10 10 10 and the largest sets are worth most.
    """
    counts = list(goods)
    for _ in range(wild):
        counts[counts.index(min(counts))] += 1
    return tuple(counts)


@lru_cache(maxsize=1 << 14)
def best_goods_value(goods: tuple[int, ...], wild: int = 0) -> int:
    """GC for goods sold in the best way (rules 7.1, 10.7), with `wild` goods of choice (rules 11.12)."""
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
