"""Turns, which are columns, as the rules' actions (rules 4 to 7, 11)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from companion.rules.engine.game import END_TURN
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Paid,
    Sell,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.components import GOODS, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage
from companion.simulation.batch import Batch
from companion.simulation.djinns import (
    DIVERTING,
    DJINN_ID,
    DJINN_NAMES,
    DOUBLE_KILLING,
    DRAWING_DJINNS,
    PAYMENTS,
    REAPING,
)
from companion.simulation.layout import NONE, STAGE_ID
from companion.simulation.turns import NOT_PAID, POWERS, VICTIM_IN_FRONT, Turns


def turns_to_actions(root: Batch, turns: Turns, column: int, state: GameState) -> tuple[tuple[Action, ...], bool]:
    """The actions of a turn in order, and whether they are cut off after a draw that nobody has seen.

    `root` is a batch whose lane 0 is `state`, at the beginning of the turn. A turn that is not cut off closes with
    `EndTurn`; of one that is, the last action is the one that draws.
    """
    actions: list[Action] = []
    for action in _decided(root, turns, column, state):
        actions.append(action)
        if draws(state, action):
            return tuple(actions), True
    return (*actions, END_TURN), False


def draws(state: GameState, action: Action) -> bool:
    """Whether an action draws what nobody has seen: by a power, or for a merchant who is reaped."""
    if isinstance(action, UsePower):
        return action.paid.djinn in DRAWING_DJINNS
    if isinstance(action, ActTribe) and state.mover is not None:
        merchants = any(victim.tribe is Tribe.MERCHANT for victim in action.choice.victims)
        return merchants and DJINN_NAMES[REAPING] in (state.player(state.mover).djinns or ())
    return False


def drawing_turns(root: Batch, turns: Turns) -> npt.NDArray[np.bool_]:
    """Which turns of the root's mover may draw what nobody has seen, by a power or for a victim."""
    draws = np.isin(turns.power, [DJINN_ID[name] for name in DRAWING_DJINNS]).any(axis=0)
    return np.asarray(draws | (root.owns[root.mover[0], REAPING, 0] & (turns.victim != NONE).any(axis=0)) > 0)


def _decided(root: Batch, turns: Turns, column: int, state: GameState) -> Iterator[Action]:
    """Every decision of a turn that its column names, in order."""
    yield from _powers(root, turns, column, Stage.MOVE)
    if turns.start[column] != NONE:
        length = int(turns.length[column])
        path = tuple(int(square) for square in turns.path[:length, column])
        drops = tuple(Tribe(int(tribe)) for tribe in turns.drops[:length, column])
        yield Sow(Sowing(int(turns.start[column]), path, drops))
        yield from _powers(root, turns, column, Stage.TRIBE)
        yield ActTribe(_tribe_choice(turns, column, drops[-1], state))
        yield from _powers(root, turns, column, Stage.TILE)
        yield ActTile(_tile_choice(root, turns, column, path[-1]))
    yield from _powers(root, turns, column, Stage.CLOSE)
    for goods in turns.sale[:, column].tolist():
        if goods:
            yield Sell(tuple(good for place, good in enumerate(GOODS) if goods >> place & 1))


def _tribe_choice(turns: Turns, column: int, tribe: Tribe, state: GameState) -> TribeChoice:
    if tribe not in (Tribe.BUILDER, Tribe.ASSASSIN):
        return TribeChoice()
    fakirs = int(turns.fakirs[column])
    victims = [
        _victim(int(where), int(who), state)
        for where, who in zip(turns.victim[:, column], turns.victim_tribe[:, column], strict=True)
        if where != NONE and tribe is Tribe.ASSASSIN
    ]
    helper = (
        None
        if turns.double_paid[column] == NOT_PAID or not victims
        else _paid(DOUBLE_KILLING, int(turns.double_paid[column]))
    )
    return TribeChoice(
        fakirs, victims[0] if victims else None, victims[1] if helper is not None and len(victims) > 1 else None, helper
    )


def _victim(where: int, who: int, state: GameState) -> Victim:
    if where >= VICTIM_IN_FRONT:
        return Victim(Tribe(who), owner=state.position.players[where - VICTIM_IN_FRONT].colour)
    return Victim(Tribe(who), square=where)


def _tile_choice(root: Batch, turns: Turns, column: int, end: int) -> TileChoice:
    cards = tuple(sorted(int(place) for place in turns.bought[:, column] if place != NONE))
    if turns.divert[column] != NOT_PAID:
        helper = _paid(DIVERTING[int(root.tile_action[end, 0])], int(turns.divert[column]))
        return TileChoice(helper=helper, onto=int(turns.onto[column]))
    djinn = int(turns.djinn[column])
    if djinn != NONE:
        return TileChoice(djinn=DJINN_NAMES[djinn], with_fakir=bool(turns.djinn_fakir[column]))
    return TileChoice(cards)


def _powers(root: Batch, turns: Turns, column: int, stage: Stage) -> Iterator[UsePower]:
    for place in range(POWERS):
        djinn = int(turns.power[place, column])
        if djinn == NONE or turns.power_when[place, column] != STAGE_ID[stage]:
            continue
        square = int(turns.power_square[place, column])
        helper, onto = None, None
        if turns.power_divert[place, column] != NOT_PAID:
            helper = _paid(DIVERTING[int(root.tile_action[square, 0])], int(turns.power_divert[place, column]))
            onto = int(turns.power_onto[place, column])
        paid = _paid(djinn, int(turns.power_fakirs[place, column]))
        yield UsePower(paid, None if square == NONE else square, helper, onto)


def _paid(djinn: int, fakirs: int) -> Paid:
    """The way to pay for a power with so many fakirs."""
    return next(Paid(DJINN_NAMES[djinn], *cost) for cost in PAYMENTS[djinn] if cost[1] == fakirs)
