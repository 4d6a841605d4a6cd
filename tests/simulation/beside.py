"""The same actions in the readable engine and in a batch, side by side, with the same luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.rules.engine.game import legal_actions, step
from companion.rules.model.actions import Action, ActTile, ActTribe, KeepDjinn, Sell, UsePower
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState
from companion.simulation import decks
from companion.simulation.batch import Batch
from companion.simulation.bridge import pack, unpack
from companion.simulation.from_actions import turn_of
from companion.simulation.layout import CARD_ID, CARDS, DJINN_ID, DJINN_NAMES, Ints
from companion.simulation.powers import keep_djinn, use_power
from companion.simulation.selling import sell
from companion.simulation.tile_actions import act_tile
from companion.simulation.tribe_actions import act_tribe
from companion.simulation.turns import Turns

HERE = (ActTribe, ActTile, UsePower, KeepDjinn, Sell)
"""Actions of a turn after the meeples were moved, and powers."""


class LaneChance:
    """Chance that gives the rules what a lane of a batch will draw, for as long as no deck has to be remade."""

    def __init__(self, batch: Batch, lane: int) -> None:
        self._batch, self._lane = batch, np.array([lane])
        cards = batch.deck[int(batch.deck_next[lane]) : int(batch.deck_size[lane]), lane]
        djinns = batch.djinn_deck[int(batch.djinn_next[lane]) : int(batch.djinn_size[lane]), lane]
        self._cards = [CARDS[card] for card in cards]
        self._djinns = [DJINN_NAMES[djinn] for djinn in djinns]
        self._meeples: list[Tribe] = []

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        return self._cards.pop(0)

    def djinn(self, options: Mapping[str, int]) -> str:
        return self._djinns.pop(0)

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        if not self._meeples:
            bag = np.array([[options.get(tribe.noun, 0)] for tribe in Tribe], dtype=np.int16)
            counts = decks.pick_meeples(self._batch, self._lane, bag)[:, 0]
            self._meeples = [tribe for tribe in Tribe for _ in range(counts[tribe])]
        return self._meeples.pop(0)


def canonical(state: GameState) -> GameState:
    """The state with what has no order in a batch in the order of `layout`."""
    players = tuple(replace(one, djinns=_in_order(one.djinns or ())) for one in state.position.players)
    discards = tuple(sorted(state.position.discards or (), key=CARD_ID.__getitem__))
    return replace(
        state,
        position=replace(state.position, players=players, discards=discards),
        progress=replace(state.progress, used=_in_order(state.progress.used)),
        djinn_discards=_in_order(state.djinn_discards),
    )


def _in_order(djinns: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(djinns, key=DJINN_ID.__getitem__))


def join(turns: Sequence[Turns]) -> Turns:
    """All columns side by side."""
    return Turns(np.concatenate([one.data for one in turns], axis=1))


def act_in_batch(batch: Batch, state: GameState, actions: Sequence[Action]) -> None:
    """Take one action in each lane; all lanes hold `state`."""
    colours = [player.colour for player in state.position.players]
    kinds: dict[type, list[int]] = {}
    for lane, action in enumerate(actions):
        kinds.setdefault(type(action), []).append(lane)
    for kind, lanes in kinds.items():
        at = np.array(lanes)
        if kind is KeepDjinn:
            kept: Ints = np.array([DJINN_ID[actions[lane].djinn] for lane in lanes], dtype=np.int16)  # type: ignore[union-attr]
            keep_djinn(batch, at, kept)
            continue
        turns = join([turn_of([actions[lane]], state.stage, colours) for lane in lanes])
        if kind is ActTribe:
            act_tribe(batch, at, turns)
        elif kind is ActTile:
            act_tile(batch, at, turns)
        elif kind is Sell:
            sell(batch, at, turns.sale[0])
        else:
            use_power(
                batch,
                at,
                turns.power[0],
                turns.power_fakirs[0],
                turns.power_square[0],
                turns.power_divert[0],
                turns.power_onto[0],
            )


def compare_all(state: GameState, world: int = 1) -> dict[Action, GameState]:
    """Take every legal action of a state, each in its own lane; what they come to is the same in both engines."""
    actions = [action for action in legal_actions(state) if isinstance(action, HERE)]
    # A lane more, which nothing may touch.
    batch = pack([state] * (len(actions) + 1), [world] * (len(actions) + 1))
    chances = [LaneChance(batch, lane) for lane in range(len(actions))]
    act_in_batch(batch, state, actions)
    reached: dict[Action, GameState] = {}
    for lane, action in enumerate(actions):
        reached[action] = step(state, action, chances[lane]).state
        assert unpack(batch, lane, state) == canonical(reached[action]), str(action)
    assert unpack(batch, len(actions), state) == canonical(state)
    return reached
