"""The decisions of a turn as a record tells them: how meeples walked, what a tribe did, what was built or bought.

A decision is one action of `rules.model.actions`, or what a record may leave out of it; `items` reads and writes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.model.actions import ActTile, KeepDjinn, Paid, Sell, TribeChoice, UsePower
from companion.rules.model.components import Tribe


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps of a hand, each a square and the tribe left there; `start` is None where the walk goes on."""

    start: int | None
    steps: tuple[tuple[int, Tribe], ...] = ()


@dataclass(frozen=True, slots=True)
class TribeActionRecord:
    """A tribe action: what was in hand, if it is told, and what was chosen (rules 5)."""

    choice: TribeChoice
    count: int | None = None
    tribe: Tribe | None = None


@dataclass(frozen=True, slots=True)
class Building:
    """A tile action that puts a palm or a palace (rules 6.1, 6.2); `onto` another square with a helper."""

    piece: str
    helper: Paid | None = None
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class Purchase:
    """Cards bought (rules 6.3, 6.4): each by name, or by its place in the row from 0, or both."""

    cards: tuple[tuple[str | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Words for doing nothing: the tile is left alone, or there is no legal move (rules 6, 9.2)."""

    words: str = "pass"


Decision = Walk | TribeActionRecord | Building | Purchase | Pass | UsePower | KeepDjinn | Sell | ActTile


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a decision: drawn or taken cards (None: nobody knows), djinns, meeples, GC, claims."""

    cards: tuple[str | None, ...] = ()
    djinns: tuple[str, ...] = ()
    meeples: tuple[Tribe, ...] = ()
    gold: int | None = None
    claims: tuple[int, ...] = ()


NOTHING_SEEN = Seen()


@dataclass(frozen=True, slots=True)
class Item:
    """One decision and what was seen of it."""

    decision: Decision
    seen: Seen = NOTHING_SEEN


NO_MOVE = Pass("no move")
