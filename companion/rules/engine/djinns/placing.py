"""Djinns that put palms and palaces elsewhere or more of them (rules 11, 11.2, 11.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from companion.rules.engine.building import build, diversions, supply
from companion.rules.engine.djinns.base import Cost, Djinn, Power
from companion.rules.model.actions import UsePower
from companion.rules.model.components import Action

if TYPE_CHECKING:
    from companion.rules.engine.table import Table


def _tiles(kind: Action) -> Callable[[Table], Iterator[int]]:
    return lambda table: (square for square, tile in enumerate(table.board) if tile.kind.action is kind)


def _has(kind: Action) -> Callable[[Table], bool]:
    return lambda table: supply(table, kind) > 0


def _build(table: Table, use: UsePower) -> None:
    assert use.square is not None
    build(table, use.square, use.helper, use.onto)


def _building(needs: str, kind: Action) -> Power:
    return Power(_build, needs, _tiles(kind), _has(kind), diversions)


BOURAQ = Djinn(
    "Bouraq",
    6,
    Cost.ELDER_OR_FAKIR,
    power=_building("a palace in the supply and a village", Action.VILLAGE),
)
ENKI = Djinn(
    "Enki",
    8,
    Cost.ELDER_OR_FAKIR,
    power=_building("a palm in the supply and an oasis", Action.OASIS),
)
HAGIS = Djinn("Hagis", 10, Cost.ELDER_OR_FAKIR, diverts=Action.VILLAGE)
LAMIA = Djinn("Lamia", 10, Cost.ELDER_OR_FAKIR, diverts=Action.OASIS)
