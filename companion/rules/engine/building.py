"""Palms and palaces: placing one, here or by a power on a neighbouring tile (rules 6.1, 6.2, 11.2, 11.5)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import IllegalMoveError
from companion.language.phrase import say
from companion.rules.engine.djinns.base import TurnDraft
from companion.rules.engine.powers import Wanted, pay, payable
from companion.rules.model.actions import Paid
from companion.rules.model.board import SQUARE_NAMES, SURROUNDINGS, Tile
from companion.rules.model.components import TileAction
from companion.rules.model.events import PalacePlaced, PalmPlaced

BUILT_ON = (TileAction.OASIS, TileAction.VILLAGE)
"""Tiles that bring a palm and a palace."""


def supply(draft: TurnDraft, kind: TileAction) -> int:
    """What the supply has left of what that kind of tile brings."""
    return draft.palms_left if kind is TileAction.OASIS else draft.palaces_left


def _diverts(kind: TileAction) -> Wanted:
    return lambda djinn: djinn.diverts is kind


def diversions(draft: TurnDraft, square: int, spent: Paid | None = None) -> Iterator[tuple[Paid, int]]:
    """Powers that put what this tile brings on a neighbouring tile instead, with each such tile (rules 11.5).

    `spent` is another payment that is made first.
    """
    kind = draft.board[square].kind.action
    if kind not in BUILT_ON:
        return
    elders, fakirs = (0, 0) if spent is None else (spent.elders, spent.fakirs)
    for helper in payable(draft, _diverts(kind), elders_kept=elders, fakirs_kept=fakirs):
        for onto in SURROUNDINGS[square]:
            yield helper, onto


def build(draft: TurnDraft, square: int, helper: Paid | None = None, onto: int | None = None) -> None:
    """Put what this tile brings on it, or by a helping power `onto` a neighbouring tile.

    Raises IllegalMoveError if the power cannot do that; places nothing if the supply is empty.
    """
    kind = draft.board[square].kind.action
    if (helper is None) != (onto is None):
        raise IllegalMoveError(
            say("{square}: a power that diverts and a tile go together (rules 11.5)", square=SQUARE_NAMES[square])
        )
    if supply(draft, kind) <= 0:
        if helper is not None:
            raise IllegalMoveError(
                say("the supply is empty, so {djinn} has nothing to divert (rules 6.1, 6.2)", djinn=helper.djinn)
            )
        return
    if helper is not None and onto is not None:
        if onto not in SURROUNDINGS[square]:
            raise IllegalMoveError(
                say(
                    "{square} is not one of the tiles around {start} (rules 11.2)",
                    square=SQUARE_NAMES[onto],
                    start=SQUARE_NAMES[square],
                )
            )
        pay(draft, helper, _diverts(kind))
    at = square if onto is None else onto
    tile = draft.board[at]
    if kind is TileAction.OASIS:
        draft.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms + 1, tile.palaces)
        draft.announce(PalmPlaced(draft.mover, at))
    else:
        draft.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms, tile.palaces + 1)
        draft.announce(PalacePlaced(draft.mover, at))
