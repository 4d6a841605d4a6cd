"""Actions of the rules taken in many lanes of a batch at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    EndTurn,
    KeepDjinn,
    PlaceBid,
    Sell,
    Sow,
    UsePower,
)
from companion.rules.model.state import GameState
from companion.simulation import rounds, sowing
from companion.simulation.batch import Batch
from companion.simulation.from_actions import turn_of
from companion.simulation.layout import DJINN_ID, NONE, Index, Ints
from companion.simulation.playing import act_tile, act_tribe, sell
from companion.simulation.powers import keep_djinn, use_power
from companion.simulation.turns import Turns

Do = Callable[[Batch, Index, Sequence[GameState], Sequence[Action]], None]


def act(batch: Batch, at: Sequence[int], befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    """Take an action in each of these lanes, whose states before it are given; those of a kind together."""
    kinds: dict[type[Action], list[int]] = defaultdict(list)
    for place, action in enumerate(actions):
        kinds[type(action)].append(place)
    for kind, places in kinds.items():
        lanes = np.array([at[place] for place in places], dtype=np.intp)
        _DO[kind](batch, lanes, [befores[place] for place in places], [actions[place] for place in places])


def join(turns: Sequence[Turns]) -> Turns:
    """All columns side by side."""
    return Turns(np.concatenate([one.data for one in turns], axis=1))


def whole_turn(before: GameState, actions: Sequence[Action]) -> Turns:
    """What is left of a turn as a column. Raises what `turn_of` raises."""
    return turn_of(actions, before.stage, [player.colour for player in before.position.players])


def _columns(befores: Sequence[GameState], actions: Sequence[Action]) -> Turns:
    return join([whole_turn(before, [action]) for before, action in zip(befores, actions, strict=True)])


def _numbers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int16)


def _bid(batch: Batch, at: Index, _: Sequence[GameState], actions: Sequence[Action]) -> None:
    bids = [action for action in actions if isinstance(action, PlaceBid)]
    rounds.place_bid(batch, at, _numbers(bid.price for bid in bids), _numbers(bid.fakirs for bid in bids))


def _sow(batch: Batch, at: Index, _: Sequence[GameState], actions: Sequence[Action]) -> None:
    # Not by way of `Turns`, which has no room for the largest hands.
    sowings = [action.sowing for action in actions if isinstance(action, Sow)]
    path = np.full((max(len(sown.path) for sown in sowings), len(at)), NONE, dtype=np.int16)
    drops = path.copy()
    for place, sown in enumerate(sowings):
        path[: len(sown.path), place] = sown.path
        drops[: len(sown.drops), place] = sown.drops
    length = _numbers(len(sown.path) for sown in sowings)
    sowing.sow(batch, at, _numbers(sown.start for sown in sowings), path, drops, length)


def _tribe(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    act_tribe(batch, at, _columns(befores, actions))


def _tile(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    act_tile(batch, at, _columns(befores, actions))


def _power(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    turns = _columns(befores, actions)
    use_power(
        batch,
        at,
        turns.power[0],
        turns.power_fakirs[0],
        turns.power_square[0],
        turns.power_divert[0],
        turns.power_onto[0],
    )


def _keep(batch: Batch, at: Index, _: Sequence[GameState], actions: Sequence[Action]) -> None:
    keep_djinn(batch, at, _numbers(DJINN_ID[action.djinn] for action in actions if isinstance(action, KeepDjinn)))


def _sell(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    sell(batch, at, _columns(befores, actions).sale[0])


def _end(batch: Batch, at: Index, _: Sequence[GameState], __: Sequence[Action]) -> None:
    rounds.end_turn(batch, at)


_DO: dict[type[Action], Do] = {
    PlaceBid: _bid,
    Sow: _sow,
    ActTribe: _tribe,
    ActTile: _tile,
    UsePower: _power,
    KeepDjinn: _keep,
    Sell: _sell,
    EndTurn: _end,
}
