"""The playout policy's use of paid powers at the end of a turn (rules 11): each where it brings more than it costs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.rules.model.components import CARD_COUNTS, PALACES, PALMS
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.card_prospects import LOWEST
from companion.simulation.evaluation import Floats
from companion.simulation.layout import DJINN_ID, NONE, OASIS, STAGE_ID, VILLAGE, Index, Ints
from companion.simulation.playing import keep_dearest
from companion.simulation.powers import keep_djinn, use_power
from companion.simulation.prospects import Prospects
from companion.simulation.turns import POWERS, Turns

_CARD_SHARES = np.array(list(CARD_COUNTS.values()), dtype=np.float32) / sum(CARD_COUNTS.values())
_DRAWN_DJINN_VP = np.float32(9)
"""What the best of three djinns is worth on average, with what its power still brings."""

_CLOSE = STAGE_ID[Stage.CLOSE]

_Look = Callable[[Batch, Index, Prospects], tuple[Floats, Ints]]
"""What a power brings in each of these lanes, in VP, and the square that it is used on, NONE for none."""


def use_closing_powers(batch: Batch, found: Prospects, turns: Turns) -> None:
    """The movers of all lanes, in stage CLOSE, use each power once that pays; it is noted in their `turns`."""
    lanes = np.arange(len(batch))
    owns = batch.owns[batch.mover[:, None], _PAID, lanes[:, None]]
    for number in np.flatnonzero(owns.any(axis=0)):
        djinn, elders_needed, look = _LOOKS[number]
        at = np.flatnonzero(owns[:, number] & (batch.used[djinn] == 0))
        if at.size:
            _use(batch, at, djinn, elders_needed, look, found, turns)


def _use(
    batch: Batch, at: Index, djinn: int, elders_needed: int | None, look: _Look, found: Prospects, turns: Turns
) -> None:
    """`elders_needed` are elders beside the one that a fakir may stand for; None for a price of one fakir."""
    mover = batch.mover[at]
    elders, fakirs = batch.elders[mover, at], batch.cards[mover, 0, at]
    if elders_needed is None:
        fakir_paid = fakirs > 0
        affordable, price = fakir_paid, found.fakir[at]
    else:
        cheaper = found.fakir[at] < found.elder[at]
        fakir_paid = (fakirs > 0) & (cheaper | (elders <= elders_needed))
        affordable = (elders >= elders_needed) & (fakir_paid | (elders > elders_needed))
        price = elders_needed * found.elder[at] + np.where(fakir_paid, found.fakir[at], found.elder[at])
    if not affordable.any():
        return
    worth, square = look(batch, at, found)
    noted = (turns.power[:, at] != NONE).sum(axis=0)
    use = affordable & (worth > price) & (noted < POWERS)
    if not use.any():
        return
    here = at[use]
    nothing = np.full(len(here), NONE, dtype=np.int16)
    power = np.full(len(here), djinn, dtype=np.int16)
    paid = fakir_paid[use].astype(np.int16)
    place = noted[use]
    turns.power[place, here], turns.power_when[place, here] = power, _CLOSE
    turns.power_fakirs[place, here], turns.power_square[place, here] = paid, square[use]
    use_power(batch, here, power, paid, square[use], nothing, nothing)
    if djinn == _SIBITTIS:
        keep_djinn(batch, here, keep_dearest(batch, here))


def _best(worth: Floats) -> tuple[Floats, Ints]:
    square = worth.argmax(axis=0)
    return worth[square, np.arange(worth.shape[1])], square.astype(np.int16)


def _own(
    batch: Batch, at: Index, kind: int, left: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], vp: Floats
) -> tuple[Floats, Ints]:
    mine = (batch.camel[:, at] == batch.mover[at]) & (batch.tile_action[:, at] == kind) & left
    return _best(np.where(mine, vp, LOWEST))


def _palace(batch: Batch, at: Index, found: Prospects) -> tuple[Floats, Ints]:
    return _own(batch, at, VILLAGE, batch.palaces[:, at].sum(axis=0) < PALACES, found.palace[at])


def _palm(batch: Batch, at: Index, found: Prospects) -> tuple[Floats, Ints]:
    return _own(batch, at, OASIS, batch.palms[:, at].sum(axis=0) < PALMS, found.palm[at])


def _claims(batch: Batch, at: Index, found: Prospects, standing: bool) -> tuple[Floats, Ints]:
    bare = (batch.camel[:, at] == NONE) & (batch.palms[:, at] == 0) & (batch.palaces[:, at] == 0)
    meeples = batch.meeples[:, :, at].any(axis=1)
    camels = batch.camels[batch.mover[at], at] > 0
    return _best(np.where(bare & (meeples == standing) & camels, found.tile[:, at], LOWEST))


def _leta(batch: Batch, at: Index, found: Prospects) -> tuple[Floats, Ints]:
    return _claims(batch, at, found, standing=False)


def _utug(batch: Batch, at: Index, found: Prospects) -> tuple[Floats, Ints]:
    return _claims(batch, at, found, standing=True)


def _sloar(batch: Batch, at: Index, found: Prospects) -> tuple[Floats, Ints]:
    return (_CARD_SHARES @ found.cards.card[0, :, at].T).astype(np.float32), np.full(len(at), NONE, dtype=np.int16)


def _sibittis(batch: Batch, at: Index, found: Prospects) -> tuple[Floats, Ints]:
    left = (batch.djinn_size[at] > batch.djinn_next[at]) | batch.djinn_discards[:, at].any(axis=0)
    return np.where(left, _DRAWN_DJINN_VP, LOWEST), np.full(len(at), NONE, dtype=np.int16)


_SIBITTIS = DJINN_ID["Sibittis"]
_LOOKS: tuple[tuple[int, int | None, _Look], ...] = (
    (DJINN_ID["Bouraq"], 0, _palace),
    (DJINN_ID["Enki"], 0, _palm),
    (DJINN_ID["Leta"], 1, _leta),
    (DJINN_ID["Utug"], 1, _utug),
    (DJINN_ID["Sloar"], None, _sloar),
    (_SIBITTIS, 1, _sibittis),
)
_PAID = np.array([djinn for djinn, _, _ in _LOOKS])
