"""Actions of the rules as columns of `Turns`: what a player named, so that it can be played in many games at once."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    Lift,
    Paid,
    Sell,
    Sow,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.components import Colour
from companion.rules.model.events import Victim
from companion.rules.model.state import Stage
from companion.simulation.layout import CARD_ID, DJINN_ID, NONE, STAGE_ID
from companion.simulation.turns import LONGEST_HAND, NOT_PAID, POWERS, SALES, VICTIM_IN_FRONT, Turns


def turn_of(actions: Sequence[Action], stage: Stage, colours: Sequence[Colour]) -> Turns:
    """The actions of a turn, or of what is left of one, as one column.

    `stage` is where they begin; `colours` are the players by seat. Which djinn is kept of those drawn and the end of
    the turn have no place in `Turns`. Raises ValueError where `Turns` has no room: for more than `LONGEST_HAND`
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
    _room(steps, LONGEST_HAND, "steps")
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
    turns.iblis[0] = _fakirs(choice.helper)


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
