"""Turns as columns and as the rules' actions, either way (rules 4 to 7, 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from companion.rules.engine.game import END_TURN
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    Lift,
    Paid,
    Sell,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.components import GOODS, Colour, Tribe
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
from companion.simulation.layout import CARD_ID, NONE, STAGE_ID
from companion.simulation.turns import MAX_HAND, NOT_PAID, POWERS, SALES, VICTIM_IN_FRONT, Turns


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


def actions_to_turns(actions: Sequence[Action], stage: Stage, colours: Sequence[Colour]) -> Turns:
    """The actions of a turn, or of what is left of one, as one column.

    `stage` is where they begin; `colours` are the players by seat. Which djinn is kept of those drawn and the end of
    the turn have no place in `Turns`. Raises ValueError where `Turns` has no room: for more than `MAX_HAND`
    steps, `POWERS` powers or `SALES` sales.
    """
    turns = Turns.blank(1)
    used = sold = 0
    for action in actions:
        match action:
            case UsePower():
                _room(used, POWERS, "powers")
                _set_power(turns, used, action, stage)
                used += 1
            case Sow(sowing):
                turns.start[0] = sowing.start
                for square, tribe in zip(sowing.path, sowing.drops, strict=True):
                    _add_drop(turns, square, tribe)
                stage = Stage.TRIBE
            case Lift(square):
                turns.start[0] = square
                stage = Stage.TRIBE
            case Drop(square, tribe):
                _add_drop(turns, square, tribe)
            case ActTribe(choice):
                _set_tribe_choice(turns, choice, colours)
                stage = Stage.TILE
            case ActTile(choice):
                _set_tile_choice(turns, choice)
                stage = Stage.CLOSE
            case Sell(goods):
                _room(sold, SALES, "sales")
                turns.sale[sold, 0] = sum(1 << (CARD_ID[good] - 1) for good in goods)
                sold += 1
            case _:
                pass
    return turns


def _room(number: int, most: int, what: str) -> None:
    if number >= most:
        raise ValueError(f"a turn has room for {most} {what}")


def _add_drop(turns: Turns, square: int, tribe: int) -> None:
    steps = int(turns.length[0])
    _room(steps, MAX_HAND, "steps")
    turns.path[steps, 0], turns.drops[steps, 0] = square, tribe
    turns.length[0] += 1


def _square(square: int | None) -> int:
    return NONE if square is None else square


def _fakirs(helper: Paid | None) -> int:
    return NOT_PAID if helper is None else helper.fakirs


def _set_power(turns: Turns, place: int, use: UsePower, stage: Stage) -> None:
    turns.power[place, 0] = DJINN_ID[use.paid.djinn]
    turns.power_when[place, 0] = STAGE_ID[stage]
    turns.power_fakirs[place, 0] = use.paid.fakirs
    turns.power_square[place, 0] = _square(use.square)
    turns.power_divert[place, 0] = _fakirs(use.helper)
    turns.power_onto[place, 0] = _square(use.onto)


def _set_tribe_choice(turns: Turns, choice: TribeChoice, colours: Sequence[Colour]) -> None:
    turns.fakirs[0] = choice.fakirs
    for place, victim in enumerate(choice.victims):
        turns.victim[place, 0] = _place_of(victim, colours)
        turns.victim_tribe[place, 0] = victim.tribe
    turns.double_paid[0] = _fakirs(choice.helper)


def _place_of(victim: Victim, colours: Sequence[Colour]) -> int:
    if victim.owner is not None:
        return VICTIM_IN_FRONT + colours.index(victim.owner)
    return _square(victim.square)


def _set_tile_choice(turns: Turns, choice: TileChoice) -> None:
    for place, card in enumerate(choice.cards):
        turns.bought[place, 0] = card
    if choice.djinn is not None:
        turns.djinn[0] = DJINN_ID[choice.djinn]
    turns.djinn_fakir[0] = choice.with_fakir
    turns.divert[0] = _fakirs(choice.helper)
    turns.onto[0] = _square(choice.onto)
