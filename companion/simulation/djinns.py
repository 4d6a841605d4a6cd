"""What the rules' djinns do, by their ids in a batch: every power and every event that one of them answers (rules 11).

All of it follows from `rules.engine.djinns`; nothing else in `simulation` knows a djinn by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import EVERY_DJINN, Djinn, Power, Worth
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    DjinnTaken,
    Event,
    MeepleDropped,
    MeeplesKept,
    PalacePlaced,
)

DJINN_NAMES: tuple[str, ...] = tuple(EVERY_DJINN)
"""Djinns by id, the promo djinn last."""
DJINN_ID: dict[str, int] = {name: number for number, name in enumerate(DJINN_NAMES)}
DJINN_COUNT = len(DJINN_NAMES)
_DJINNS = tuple(EVERY_DJINN.values())
DRAWING_DJINNS = frozenset(name for name, djinn in EVERY_DJINN.items() if djinn.power and djinn.power.draws)
"""Djinns whose power draws what nobody has seen."""
DJINN_VP: npt.NDArray[np.int16] = np.array([djinn.vp for djinn in _DJINNS], dtype=np.int16)
PAYMENTS: tuple[tuple[tuple[int, int], ...], ...] = tuple(djinn.cost.payments for djinn in _DJINNS)
"""The ways to pay each djinn's power in a turn, as elders and fakirs."""


def _doing(does: Callable[[Djinn], object]) -> int:
    """The id of the djinn that does something."""
    return next(number for number, djinn in enumerate(_DJINNS) if does(djinn))


class Revalued(NamedTuple):
    """What a thing is worth in VP at the end, and how much `more` to the owner of one djinn (rules 10)."""

    djinn: int
    plain: int
    more: int


def _revalued(thing: str) -> Revalued:
    plain = getattr(Worth(), thing)
    worth = [plain if djinn.revalue is None else getattr(djinn.revalue(Worth()), thing) for djinn in _DJINNS]
    djinn = next(number for number, each in enumerate(worth) if each != plain)
    return Revalued(djinn, plain, worth[djinn] - plain)


VIZIER, ELDER, PALM = _revalued("vizier"), _revalued("elder"), _revalued("palm")
WILD, _, FAKIRS_PER_GOOD = _revalued("fakirs_per_good")
"""The djinn that makes goods of fakirs, and how many it takes for one (rules 11.12)."""


def _paid_for(event: Event) -> int:
    """The djinn that pays its owner for an event: 1 GC for the owner's doing, 2 GC for another's."""
    return _doing(lambda djinn: djinn.pays is not None and djinn.pays(event, event.by))


_ANYBODY = Colour.PINK
PAID_DROPS = _paid_for(MeepleDropped(_ANYBODY, 0, Tribe.VIZIER, _ANYBODY))
PAID_VIZIERS = _paid_for(MeeplesKept(_ANYBODY, Tribe.VIZIER, 1))
PAID_KILLS = _paid_for(AssassinsKilled(_ANYBODY, (), 0))
PAID_PALACES = _paid_for(PalacePlaced(_ANYBODY, 0))
PAID_DJINNS = _paid_for(DjinnTaken(_ANYBODY, "", 0, 0))
"""Those that pay for meeples dropped on their owner's tiles, viziers, kills, palaces, and other djinns."""

GUARDING: npt.NDArray[np.int16] = np.array([djinn.guards for djinn in _DJINNS], dtype=np.int16)
"""1 for each djinn whose owner's viziers and elders can't be killed."""
REAPING = _doing(lambda djinn: djinn.reaps)
DOUBLE_KILLING = _doing(lambda djinn: djinn.kills > 1)
LOWERING_BIDS = _doing(lambda djinn: djinn.lowers_bids)
DIVERTING: dict[int, int] = {
    list(TileAction).index(djinn.diverts): number for number, djinn in enumerate(_DJINNS) if djinn.diverts is not None
}
"""By tile action (`layout.ACTION_ID`): the djinn that puts its palm or palace on a neighbouring tile (rules 11.5)."""


def user_of(power: Power) -> int:
    """The djinn with a power that is an action of its own."""
    return _doing(lambda djinn: djinn.power is power)
