"""Djinns that claim tiles (rules 11, 11.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules.engine.djinns.base import Cost, Djinn, Power
from companion.rules.model.actions import UsePower

if TYPE_CHECKING:
    from companion.rules.engine.table import Table


def _empty(table: Table) -> Iterator[int]:
    return (square for square, tile in enumerate(table.board) if tile.is_empty)


def _with_meeples_only(table: Table) -> Iterator[int]:
    return (
        square
        for square, tile in enumerate(table.board)
        if any(tile.meeples) and tile.camel is None and not tile.palms and not tile.palaces
    )


def _has_camel(table: Table) -> bool:
    return table.camels > 0


def _claim(table: Table, use: UsePower) -> None:
    assert use.square is not None
    table.claim(use.square)


LETA = Djinn(
    "Leta",
    4,
    Cost.ELDER_AND_ELDER_OR_FAKIR,
    power=Power(_claim, "a camel and a tile with nothing on it", _empty, _has_camel),
)
UTUG = Djinn(
    "Utug",
    4,
    Cost.ELDER_AND_ELDER_OR_FAKIR,
    power=Power(_claim, "a camel and a tile with only meeples on it", _with_meeples_only, _has_camel),
)
