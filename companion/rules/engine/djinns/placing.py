"""Djinns paid for to put a camel, a palm or a palace on a tile (rules 11, 11.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.rules.engine.building import build, diversions, supply
from companion.rules.engine.djinns.base import Cost, Djinn, Power, TurnDraft, square_of
from companion.rules.model.actions import UsePower
from companion.rules.model.components import TileAction


def _tiles(kind: TileAction) -> Callable[[TurnDraft], Iterator[int]]:
    return lambda draft: (square for square, tile in enumerate(draft.board) if tile.kind.action is kind)


def _has(kind: TileAction) -> Callable[[TurnDraft], bool]:
    return lambda draft: supply(draft, kind) > 0


def _build(draft: TurnDraft, use: UsePower) -> None:
    build(draft, square_of(use), use.helper, use.onto)


def _building(needs: str, kind: TileAction) -> Power:
    return Power(_build, needs, _tiles(kind), _has(kind), diversions)


BOURAQ = Djinn(
    "Bouraq",
    6,
    Cost.ELDER_OR_FAKIR,
    power=_building("a palace in the supply and a village", TileAction.VILLAGE),
)
ENKI = Djinn(
    "Enki",
    8,
    Cost.ELDER_OR_FAKIR,
    power=_building("a palm in the supply and an oasis", TileAction.OASIS),
)


def _empty(draft: TurnDraft) -> Iterator[int]:
    return (square for square, tile in enumerate(draft.board) if tile.is_empty)


def _with_meeples_only(draft: TurnDraft) -> Iterator[int]:
    return (
        square
        for square, tile in enumerate(draft.board)
        if any(tile.meeples) and tile.camel is None and not tile.palms and not tile.palaces
    )


def _has_camel(draft: TurnDraft) -> bool:
    return draft.camels > 0


def _claim(draft: TurnDraft, use: UsePower) -> None:
    draft.claim(square_of(use))


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
