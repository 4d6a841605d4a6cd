"""Whole turns in many games at once, as `Turns` name them (rules 4 to 7, 11)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.rules.model.state import Stage
from companion.simulation.batch import Batch
from companion.simulation.layout import DJINN_VP, NONE, STAGE_ID, Index, Ints
from companion.simulation.powers import keep_djinn, use_power
from companion.simulation.selling import sell
from companion.simulation.sowing import sow
from companion.simulation.tile_actions import act_tile
from companion.simulation.tribe_actions import act_tribe
from companion.simulation.turns import Turns

_MOVE, _TRIBE, _TILE, _CLOSE, _SELL, _KEEP = (
    STAGE_ID[stage] for stage in (Stage.MOVE, Stage.TRIBE, Stage.TILE, Stage.CLOSE, Stage.SELL, Stage.KEEP)
)

Keeper = Callable[[Batch, Index], Ints]
"""Which of the djinns in `batch.drawn` the movers of these lanes keep: ids, one a lane."""


def keep_dearest(batch: Batch, at: Index) -> Ints:
    """The djinn worth most VP among those drawn, the first of equals."""
    drawn = batch.drawn[:, at]
    worth = np.where(drawn == NONE, NONE, DJINN_VP[drawn])
    return np.asarray(np.take_along_axis(drawn, worth.argmax(axis=0)[None], axis=0)[0], dtype=np.int16)


def play_turns(batch: Batch, at: Index, turns: Turns, keep: Keeper = keep_dearest) -> None:
    """Play a whole turn in each lane, all but its end, one column of `turns` a lane of `at`.

    Each goes on from the stage in which its lane stands, so that a turn which has begun is played to its end,
    and one whose move is skipped (rules 9.2) has powers and sales only. The turns have to be legal.
    """
    powers = bool((turns.power != NONE).any())
    for stage, act in _STAGES:
        if powers:
            _use_powers(batch, at, turns, stage, keep)
        here = np.flatnonzero(batch.stage[at] == stage)
        if here.size == len(at):
            act(batch, at, turns)
        elif here.size:
            act(batch, at[here], turns.select(here))
    if powers:
        _use_powers(batch, at, turns, _CLOSE, keep)
    if turns.sale.any():
        _sell(batch, at, turns)


def _move(batch: Batch, at: Index, turns: Turns) -> None:
    sow(batch, at, turns.start, turns.path, turns.drops, turns.length)


_STAGES: tuple[tuple[int, Callable[[Batch, Index, Turns], None]], ...] = (
    (_MOVE, _move),
    (_TRIBE, act_tribe),
    (_TILE, act_tile),
)


def _use_powers(batch: Batch, at: Index, turns: Turns, stage: int, keep: Keeper) -> None:
    """Use the powers of a stage in those lanes that stand in it, in the order of their places."""
    for place, when in enumerate(turns.power_when):
        used = (turns.power[place] != NONE) & (when == stage)
        if not used.any():
            continue
        here = np.flatnonzero(used & (batch.stage[at] == stage))
        if not here.size:
            continue
        use_power(
            batch,
            at[here],
            turns.power[place, here],
            turns.power_fakirs[place, here],
            turns.power_square[place, here],
            turns.power_divert[place, here],
            turns.power_onto[place, here],
        )
        drawing = at[batch.stage[at] == _KEEP]
        if drawing.size:
            keep_djinn(batch, drawing, keep(batch, drawing))


def _sell(batch: Batch, at: Index, turns: Turns) -> None:
    for goods in turns.sale:
        here = np.flatnonzero(goods)
        if here.size:
            sell(batch, at[here], goods[here])
