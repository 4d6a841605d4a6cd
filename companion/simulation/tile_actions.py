"""What end tiles let players do, in many games at once: the tile actions (rules 6)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.rules.engine.tile_actions import MARKETS
from companion.rules.model.components import ROW_LENGTH, TileAction
from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.building import place_palaces, place_palms
from companion.simulation.layout import (
    LARGE_MARKET,
    NONE,
    OASIS,
    SACRED_PLACE,
    SMALL_MARKET,
    STAGE_ID,
    VILLAGE,
    Index,
    Ints,
)
from companion.simulation.paying import close_up, discard_fakirs, give_cards, take_djinn
from companion.simulation.turns import Turns

_DJINN_PRICE = 2
_CLOSE = STAGE_ID[Stage.CLOSE]
_PLACES = np.arange(ROW_LENGTH)[:, None]

_TileAction = Callable[[Batch, Index, Ints, Turns, Index], None]


def act_tile(batch: Batch, at: Index, turns: Turns) -> None:
    """Do the action of the end tiles; one turn a lane of `at`. Palms and palaces are placed without being asked for."""
    end = batch.end[at]
    action = batch.tile_action[end, at]
    batch.stage[at] = _CLOSE
    batch.end[at] = NONE
    batch.tribe[at] = NONE
    batch.count[at] = 0
    for number, act in _ACTIONS.items():
        here = np.flatnonzero(action == number)
        if here.size:
            act(batch, at[here], end[here], turns, here)


# Each is given its own lanes and end tiles, and `here`: which columns of the turns are theirs.


def _oasis(batch: Batch, at: Index, end: Ints, turns: Turns, here: Index) -> None:
    place_palms(batch, at, end, turns.divert[here], turns.onto[here])


def _village(batch: Batch, at: Index, end: Ints, turns: Turns, here: Index) -> None:
    place_palaces(batch, at, end, turns.divert[here], turns.onto[here])


def _market(price: int) -> _TileAction:
    def act(batch: Batch, at: Index, _: Ints, turns: Turns, here: Index) -> None:
        bought = turns.bought[:, here]
        buying = (bought != NONE).any(axis=0)
        if not buying.any():
            return
        at, bought = at[buying], bought[:, buying]
        row = batch.row[:, at]
        left = (bought[:, None] != _PLACES).all(axis=0)
        batch.gold[batch.mover[at], at] -= price
        give_cards(batch, at, np.where(left, np.int16(NONE), row))
        batch.row[:, at] = close_up(row, left)

    return act


def _sacred_place(batch: Batch, at: Index, _: Ints, turns: Turns, here: Index) -> None:
    djinn = turns.djinn[here]
    taking = djinn != NONE
    if not taking.any():
        return
    at, djinn, fakirs = at[taking], djinn[taking], turns.djinn_fakir[here[taking]]
    batch.elders[batch.mover[at], at] -= _DJINN_PRICE - fakirs
    discard_fakirs(batch, at, fakirs)
    face_up = batch.face_up[:, at]
    batch.face_up[:, at] = close_up(face_up, face_up != djinn)
    take_djinn(batch, at, djinn)


_ACTIONS: dict[int, _TileAction] = {
    OASIS: _oasis,
    VILLAGE: _village,
    SMALL_MARKET: _market(MARKETS[TileAction.SMALL_MARKET].price),
    LARGE_MARKET: _market(MARKETS[TileAction.LARGE_MARKET].price),
    SACRED_PLACE: _sacred_place,
}
"""By the action of the tile."""
