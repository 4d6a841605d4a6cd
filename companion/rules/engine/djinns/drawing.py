"""Djinns that draw from the bag or the decks (rules 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.engine.decks import djinns_in_deck, draw_card, draw_djinn, draw_meeples
from companion.rules.engine.djinns.base import Cost, Djinn, Power, TurnDraft, square_of
from companion.rules.model.actions import UsePower
from companion.rules.model.events import DjinnsDrawn, MeeplesAdded
from companion.rules.model.state import Stage

_MEEPLES_REVIVED = 3
_DJINNS_DRAWN = 3


def _empty(draft: TurnDraft) -> Iterator[int]:
    return (square for square, tile in enumerate(draft.board) if tile.is_empty)


def _bag_has_meeples(draft: TurnDraft) -> bool:
    return any(draft.bag)


def _revive(draft: TurnDraft, use: UsePower) -> None:
    square = square_of(use)
    meeples = draw_meeples(draft, _MEEPLES_REVIVED)
    draft.board[square] = replace(draft.board[square], meeples=meeples)
    draft.announce(MeeplesAdded(draft.mover, square, meeples))


def _deck_has_djinns(draft: TurnDraft) -> bool:
    return bool(djinns_in_deck(draft) or draft.djinn_discards)


def _draw_djinns(draft: TurnDraft, _: UsePower) -> None:
    drawn: tuple[str, ...] = ()
    for _draw in range(_DJINNS_DRAWN):
        drawn += draw_djinn(draft, drawn)
    draft.announce(DjinnsDrawn(draft.mover, drawn))
    # The turn goes on where it was interrupted once one of them is kept.
    draft.progress = replace(draft.progress, drawn=drawn, resume=draft.stage)
    draft.stage = Stage.KEEP


def _draw_card(draft: TurnDraft, _: UsePower) -> None:
    draft.give_cards(draw_card(draft, face_up=False))


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
