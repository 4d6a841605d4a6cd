"""Palms and palaces: placing one, here or by a power on a neighbouring tile (rules 6.1, 6.2, 11.2, 11.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.errors import IllegalMoveError
from companion.rules.engine.powers import Wanted, pay, payable
from companion.rules.model.actions import Paid
from companion.rules.model.board import SQUARE_NAMES, SURROUNDINGS, Tile
from companion.rules.model.components import Action
from companion.rules.model.events import PalacePlaced, PalmPlaced

if TYPE_CHECKING:
    from companion.rules.engine.table import Table

BUILT_ON = (Action.OASIS, Action.VILLAGE)
"""Tiles that bring a palm and a palace."""


def supply(table: Table, kind: Action) -> int:
    """What the supply has left of what that kind of tile brings."""
    return table.palms_left if kind is Action.OASIS else table.palaces_left


def _diverts(kind: Action) -> Wanted:
    return lambda djinn: djinn.diverts is kind


def diversions(table: Table, square: int, spent: Paid | None = None) -> Iterator[tuple[Paid, int]]:
    """Powers that put what this tile brings on a neighbouring tile instead, with each such tile (rules 11.5).

    `spent` is another payment that is made first.
    """
    kind = table.board[square].kind.action
    if kind not in BUILT_ON:
        return
    elders, fakirs = (0, 0) if spent is None else (spent.elders, spent.fakirs)
    for helper in payable(table, _diverts(kind), elders_kept=elders, fakirs_kept=fakirs):
        for onto in SURROUNDINGS[square]:
            yield helper, onto


def build(table: Table, square: int, helper: Paid | None = None, onto: int | None = None) -> None:
    """Put what this tile brings on it, or by a helping power `onto` a neighbouring tile.

    Raises IllegalMoveError if the power cannot do that; places nothing if the supply is empty.
    """
    kind = table.board[square].kind.action
    if (helper is None) != (onto is None):
        raise IllegalMoveError(f"{SQUARE_NAMES[square]}: a power that diverts and a tile go together (rules 11.5)")
    if supply(table, kind) <= 0:
        if helper is not None:
            raise IllegalMoveError(f"the supply is empty, so {helper.djinn} has nothing to divert (rules 6.1, 6.2)")
        return
    if helper is not None and onto is not None:
        if onto not in SURROUNDINGS[square]:
            raise IllegalMoveError(
                f"{SQUARE_NAMES[onto]} is not one of the tiles around {SQUARE_NAMES[square]} (rules 11.2)"
            )
        pay(table, helper, _diverts(kind))
    at = square if onto is None else onto
    tile = table.board[at]
    if kind is Action.OASIS:
        table.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms + 1, tile.palaces)
        table.announce(PalmPlaced(table.mover, at))
    else:
        table.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms, tile.palaces + 1)
        table.announce(PalacePlaced(table.mover, at))
