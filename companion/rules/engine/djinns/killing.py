"""Djinns that change what assassins do (rules 11)."""

from companion.rules.engine.djinns.base import Cost, Djinn, Spoils
from companion.rules.model.components import Tribe


def _reap(tribe: Tribe, builder_income: int) -> Spoils:
    if tribe is Tribe.MERCHANT:
        return Spoils(cards=1)
    if tribe is Tribe.BUILDER:
        return Spoils(gold=builder_income)
    return Spoils(kept=tribe in (Tribe.VIZIER, Tribe.ELDER))


BOAZ = Djinn("Boaz", 6, guards=True)
IBLIS = Djinn("Iblis", 8, Cost.ELDER_OR_FAKIR, kills=2)
KANDICHA = Djinn("Kandicha", 6, reaps=_reap)
