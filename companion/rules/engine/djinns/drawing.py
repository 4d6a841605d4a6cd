"""Djinns that draw from the bag or the decks (rules 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.rules.engine.decks import djinns_in_deck, draw_card, draw_djinn, draw_meeples
from companion.rules.engine.djinns.base import Cost, Djinn, Power
from companion.rules.model.actions import UsePower
from companion.rules.model.events import DjinnsDrawn, MeeplesAdded
from companion.rules.model.state import Stage

if TYPE_CHECKING:
    from companion.rules.engine.table import Table

_MEEPLES_REVIVED = 3
_DJINNS_DRAWN = 3


def _empty(table: Table) -> Iterator[int]:
    return (square for square, tile in enumerate(table.board) if tile.is_empty)


def _bag_has_meeples(table: Table) -> bool:
    return any(table.bag)


def _revive(table: Table, use: UsePower) -> None:
    assert use.square is not None
    meeples = draw_meeples(table, _MEEPLES_REVIVED)
    table.board[use.square] = replace(table.board[use.square], meeples=meeples)
    table.announce(MeeplesAdded(table.mover, use.square, meeples))


def _deck_has_djinns(table: Table) -> bool:
    return bool(djinns_in_deck(table) or table.djinn_discards)


def _draw_djinns(table: Table, _: UsePower) -> None:
    drawn: tuple[str, ...] = ()
    for _draw in range(_DJINNS_DRAWN):
        drawn += draw_djinn(table, drawn)
    table.announce(DjinnsDrawn(table.mover, drawn))
    table.advance(Stage.KEEP, drawn=drawn, resume=table.stage)


def _draw_card(table: Table, _: UsePower) -> None:
    table.give_cards(draw_card(table, face_up=False))


ANUN_NAK = Djinn(
    "Anun-Nak",
    8,
    Cost.ELDER_OR_FAKIR,
    power=Power(_revive, "a meeple in the bag and a tile with nothing on it", _empty, _bag_has_meeples),
)
SIBITTIS = Djinn(
    "Sibittis",
    4,
    Cost.ELDER_AND_ELDER_OR_FAKIR,
    power=Power(_draw_djinns, "a djinn in the deck or put away", ready=_deck_has_djinns),
)
SLOAR = Djinn("Sloar", 8, Cost.FAKIR, power=Power(_draw_card))
