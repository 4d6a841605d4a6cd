"""Djinns whose powers cost something (rules 11): they put things on tiles, draw, or make another action do more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.language.phrase import say
from companion.rules.engine.building import build, diversions, supply
from companion.rules.engine.decks import djinns_in_deck, draw_card, draw_djinn, draw_meeples
from companion.rules.engine.djinns.base import Cost, Djinn, Power, TurnDraft, square_of
from companion.rules.model.actions import UsePower
from companion.rules.model.components import TileAction
from companion.rules.model.events import DjinnsDrawn, IncomeMultiplied, MeeplesAdded
from companion.rules.model.state import Stage

_MEEPLES_REVIVED = 3
_DJINNS_DRAWN = 3
_ECHIDNA_FACTOR = 2
_IBLIS_VICTIMS = 2


# On tiles: palms and palaces, camels, meeples.


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
    power=_building(say("a palace in the supply and a village"), TileAction.VILLAGE),
)
ENKI = Djinn(
    "Enki",
    8,
    Cost.ELDER_OR_FAKIR,
    power=_building(say("a palm in the supply and an oasis"), TileAction.OASIS),
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
    power=Power(_claim, say("a camel and a tile with nothing on it"), _empty, _has_camel),
)
UTUG = Djinn(
    "Utug",
    4,
    Cost.ELDER_AND_ELDER_OR_FAKIR,
    power=Power(_claim, say("a camel and a tile with only meeples on it"), _with_meeples_only, _has_camel),
)


def _bag_has_meeples(draft: TurnDraft) -> bool:
    return any(draft.bag)


def _revive(draft: TurnDraft, use: UsePower) -> None:
    square = square_of(use)
    meeples = draw_meeples(draft, _MEEPLES_REVIVED)
    draft.board[square] = replace(draft.board[square], meeples=meeples)
    draft.announce(MeeplesAdded(draft.mover, square, meeples))


ANUN_NAK = Djinn(
    "Anun-Nak",
    8,
    Cost.ELDER_OR_FAKIR,
    power=Power(_revive, say("a meeple in the bag and a tile with nothing on it"), _empty, _bag_has_meeples),
)


# From the decks.


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


SIBITTIS = Djinn(
    "Sibittis",
    4,
    Cost.ELDER_AND_ELDER_OR_FAKIR,
    power=Power(_draw_djinns, say("a djinn in the deck or put away"), ready=_deck_has_djinns),
)
SLOAR = Djinn("Sloar", 8, Cost.FAKIR, power=Power(_draw_card))


# Within another action, or a bid (rules 11.5, 11.8 to 11.10).


def _double_builders(draft: TurnDraft, _: UsePower) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    earned = draft.progress.income
    draft.progress = replace(draft.progress, factor=_ECHIDNA_FACTOR)
    if earned:
        draft.add(draft.mover, gold=earned)
        draft.announce(IncomeMultiplied(draft.mover, earned))


ECHIDNA = Djinn("Echidna", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power(_double_builders))
HAGIS = Djinn("Hagis", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.VILLAGE)
IBLIS = Djinn("Iblis", 8, Cost.ELDER_OR_FAKIR, kills=_IBLIS_VICTIMS)
KUMARBI = Djinn("Kumarbi", 6, Cost.FAKIRS, lowers_bids=True)
LAMIA = Djinn("Lamia", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.OASIS)
