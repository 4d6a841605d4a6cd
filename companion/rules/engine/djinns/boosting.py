"""Djinns paid for to make another action do more, or do it elsewhere (rules 11, 11.5, 11.8 to 11.10)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.engine.djinns.base import Cost, Djinn, Power, TurnDraft
from companion.rules.model.actions import UsePower
from companion.rules.model.components import TileAction
from companion.rules.model.events import IncomeMultiplied

_ECHIDNA_FACTOR = 2


def _double_builders(draft: TurnDraft, _: UsePower) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    earned = draft.progress.income
    draft.progress = replace(draft.progress, factor=_ECHIDNA_FACTOR)
    if earned:
        draft.add(draft.mover, gold=earned)
        draft.announce(IncomeMultiplied(draft.mover, earned))


ECHIDNA = Djinn("Echidna", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power(_double_builders))
HAGIS = Djinn("Hagis", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.VILLAGE)
IBLIS = Djinn("Iblis", 8, Cost.ELDER_OR_FAKIR, kills=2)
KUMARBI = Djinn("Kumarbi", 6, Cost.FAKIRS, lowers_bids=True)
LAMIA = Djinn("Lamia", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.OASIS)
