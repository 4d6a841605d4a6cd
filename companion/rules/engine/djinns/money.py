"""Djinns about coins: income and bids (rules 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.engine.djinns.base import Cost, Djinn, Power
from companion.rules.model.actions import UsePower
from companion.rules.model.events import IncomeMultiplied

if TYPE_CHECKING:
    from companion.rules.engine.table import Table


def _double_builders(table: Table, _: UsePower) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    assert table.progress is not None
    earned = table.progress.income
    table.advance(table.stage, factor=2)
    if earned:
        table.add(table.mover, gold=earned)
        table.announce(IncomeMultiplied(table.mover, earned))


ECHIDNA = Djinn("Echidna", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=Power(_double_builders))
KUMARBI = Djinn("Kumarbi", 6, Cost.FAKIRS, lowers_bids=True)
